"""Put the evidence page together: one file that needs nothing but the figures beside it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from nonconvex.page.answer import answer
from nonconvex.page.claims import claims_about, context_section
from nonconvex.page.contents import bar, chapter_heading, contents
from nonconvex.page.css import CSS
from nonconvex.page.figure import figure_section, picture_format
from nonconvex.page.html import Html, element
from nonconvex.page.ledger import Claim, read_claims
from nonconvex.page.picture import patterns
from nonconvex.page.reference import ReferenceRun
from nonconvex.page.summary import counts

_FRESH = (
    "Pictures and claims name the tables they stand on by the first 16 digits of the sha256 of tables/*.csv, "
    "and each figure names its files' own under “Where the numbers came from”. If a file beside this page "
    "has another sha256, it was made later: run make to renew the page."
)


def build(plan: Mapping[str, Any], ledger: pd.DataFrame, provenance: Mapping[str, Any]) -> str:
    """Write the evidence page of one scale.

    Parameters
    ----------
    plan : dict
        ``scale``, ``title``, ``thesis`` (its citation), ``formats``, ``figures`` (figure plans in printed
        order, each with its ``chapter`` and, if known, what it was ``made`` from: sha256 of ``tables`` by
        experiment and of ``files`` by name, ``code`` digest) and, if known, ``chapters`` (title by number),
        ``left_out`` (why figures are missing, by their numbers) and ``reference``
        (`nonconvex.page.reference.ReferenceRun`).
    ledger : pandas.DataFrame
        The claims' ledger; columns may be missing. ``figure`` must be text (2.10 is not 2.1).
    provenance : dict
        By experiment: digest, seed, library versions, commit, machine, BLAS; may be empty.

    Returns
    -------
    str
        The page; the same inputs give the same text.
    """
    claims, titles, reference = read_claims(ledger), plan.get("chapters", {}), plan.get("reference")
    own = reference is not None and reference.own
    scale, whose = ("thesis", ", the reference run") if own else (plan["scale"], None)
    chapters = by_chapter(plan["figures"])
    here = {figure["figure"] for figure in plan["figures"]}
    shown: set[str] = set()
    sections: list[Html | None] = [
        _chapter(chapter, titles, figures, plan["formats"], claims, shown, provenance, reference)
        for chapter, figures in chapters.items()
    ]
    context = [claim for claim in claims if claim.kind == "context"]
    judged = [claim for claim in claims if claim.kind != "context"]
    rest = [claim for claim in judged if not here.intersection(claim.figures)]
    if rest:
        heading = element("h2", "Claims about no figure on this page")
        sections.append(
            element("section", heading, claims_about(rest, None, shown, reference), id="other-claims")
        )
    sections.append(context_section(context))
    main = element(
        "main",
        element(
            "header",
            element("h1", plan["title"]),
            element("p", plan["thesis"], class_="mute"),
            element("p", "Scale: ", element("b", scale), whose),
        ),
        reference.answers(judged, scale) if reference else None,
        answer(judged, scale),
        counts(judged, scale, list(chapters)),
        contents(chapters, titles, claims, picture_format(plan["formats"]), plan.get("left_out", {})),
        sections,
        element("footer", element("h2", "Is this page up to date?"), element("p", _FRESH)),
    )
    body = element("body", patterns(), bar(chapters, bool(rest), bool(context)), main)
    return "<!doctype html>\n" + element("html", _head(plan), body, lang="en") + "\n"


def by_chapter(figures: Iterable[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """Group figure plans by chapter, in the order given."""
    chapters: dict[str, list[Mapping[str, Any]]] = {}
    for figure in figures:
        chapters.setdefault(figure["chapter"], []).append(figure)
    return chapters


def _chapter(
    chapter: str,
    titles: Mapping[str, str],
    figures: Sequence[Mapping[str, Any]],
    formats: Sequence[str],
    claims: Sequence[Claim],
    shown: set[str],
    provenance: Mapping[str, Any],
    reference: ReferenceRun | None,
) -> Html:
    sections = [
        figure_section(
            figure,
            formats,
            [claim for claim in claims if figure["figure"] in claim.figures],
            shown,
            provenance,
            reference,
        )
        for figure in figures
    ]
    heading = element("h2", chapter_heading(chapter, titles))
    return element("section", heading, sections, id=f"chapter{chapter}")


def _head(plan: Mapping[str, Any]) -> Html:
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name_="color-scheme", content="light dark"),
        # An empty icon, so that a browser does not ask a server for one.
        element("link", rel="icon", href="data:,"),
        element("title", f"{plan['title']} ({plan['scale']})"),
        element("style", Html(CSS)),
    )
