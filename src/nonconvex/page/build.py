"""Put the evidence page together: one file that needs nothing but the figures beside it."""

from nonconvex.page.claims import claims_about
from nonconvex.page.css import CSS
from nonconvex.page.figure import figure_section
from nonconvex.page.html import Html, element
from nonconvex.page.ledger import read_claims
from nonconvex.page.summary import contents, counts


def build(plan, ledger, provenance):
    """
    Write the evidence page of one scale.

    Parameters
    ----------
    plan : dict
        ``scale``, ``title``, ``thesis`` (its citation), ``formats``, ``figures`` (figure plans in printed
        order, each with its ``chapter``) and, if known, ``chapters`` (title by number).
    ledger : pandas.DataFrame
        The claims' ledger; columns may be missing. ``figure`` must be text (2.10 is not 2.1).
    provenance : dict
        By experiment: digest, seed, library versions, commit, machine, BLAS; may be empty.

    Returns
    -------
    str
        The page; the same inputs give the same text.
    """
    claims = read_claims(ledger)
    figures = plan["figures"]
    here = {figure["figure"] for figure in figures}
    shown = set()
    chapters = []
    for chapter, members in by_chapter(figures).items():
        title = plan.get("chapters", {}).get(chapter)
        sections = [
            figure_section(
                figure,
                plan["formats"],
                [claim for claim in claims if figure["figure"] in claim.figures],
                shown,
                provenance,
            )
            for figure in members
        ]
        heading = f"Chapter {chapter}: {title}" if title else f"Chapter {chapter}"
        chapters.append(element("section", element("h2", heading), sections, id=f"chapter{chapter}"))
    rest = [claim for claim in claims if not here.intersection(claim.figures)]
    if rest:
        heading = element("h2", "Claims about no figure on this page")
        chapters.append(element("section", heading, claims_about(rest, None, shown), id="other-claims"))
    body = element(
        "main",
        element(
            "header",
            element("h1", plan["title"]),
            element("p", plan["thesis"], class_="mute"),
            element("p", "Scale: ", element("b", plan["scale"]), f" · {_count(figures, 'figure')}"),
        ),
        counts(claims, plan["scale"]),
        contents(by_chapter(figures), plan.get("chapters", {}), claims),
        chapters,
    )
    return "<!doctype html>\n" + element("html", _head(plan), element("body", body), lang="en") + "\n"


def by_chapter(figures):
    """Group figure plans by chapter, in the order given."""
    chapters = {}
    for figure in figures:
        chapters.setdefault(figure["chapter"], []).append(figure)
    return chapters


def _count(things, word):
    return f"{len(things)} {word}" if len(things) == 1 else f"{len(things)} {word}s"


def _head(plan):
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
