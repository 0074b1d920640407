"""One figure on the page."""

from collections.abc import Mapping, Sequence
from typing import Any

from nonconvex.page.claims import claims_about
from nonconvex.page.html import Html, element
from nonconvex.page.ledger import Claim
from nonconvex.page.parameters import parameter_tables
from nonconvex.page.reference import ReferenceRun
from nonconvex.page.sources import drawn_from, source_table


def picture_format(formats: Sequence[str]) -> str | None:
    """Choose the format that a browser can show; None if there is none."""
    return next((kind for kind in ("png", "svg") if kind in formats), None)


def figure_section(
    figure: Mapping[str, Any],
    formats: Sequence[str],
    claims: Sequence[Claim],
    shown: set[str],
    provenance: Mapping[str, Any],
    reference: ReferenceRun | None = None,
) -> Html:
    """Show a figure: picture, caption, files, claims, parameters, provenance.

    Parameters
    ----------
    figure : dict
        The figure's plan.
    formats : list of str
        The formats it was written in.
    claims : list of Claim
        The claims about it.
    shown : set of str
        Names of the claims shown in full so far; grows.
    provenance : dict
        By experiment.
    reference : ReferenceRun, optional

    Returns
    -------
    Html
    """
    number, base, picture = figure["figure"], f"figures/fig{figure['figure']}", picture_format(formats)
    title, source = figure["title"], f"{base}.{picture}"
    files = [
        element("a", {"csv": "the numbers (csv)"}.get(kind, kind), href=f"{base}.{kind}")
        for kind in (*sorted(formats), "csv")
    ]
    return element(
        "section",
        element("h3", f"Figure {number}. {title}"),
        element(
            "figure",
            element("a", element("img", src=source, alt=title), href=source) if picture else None,
            element("figcaption", figure.get("caption", "")),
        ),
        _remarks(figure, provenance),
        element("p", "Files: ", [[file, " "] for file in files], class_="files"),
        drawn_from(figure.get("made", {})),
        claims_about(claims, number, shown, reference),
        parameter_tables(figure["experiments"]),
        source_table(figure, provenance),
        class_="figure",
        id=f"fig{number}",
    )


def _remarks(figure: Mapping[str, Any], provenance: Mapping[str, Any]) -> list[Html | None]:
    """Say what a reader must know before believing the picture."""
    substitute = figure.get("options", {}).get("substitute")
    timed = [name for name, one in figure["experiments"].items() if one.get("timed")]
    machines = dict.fromkeys(
        provenance[name]["machine"] for name in timed if "machine" in provenance.get(name, {})
    )
    where = f" These were taken on: {'; '.join(machines)}." if machines else ""
    return [
        element("p", element("b", "Substitute data. "), substitute, class_="remark") if substitute else None,
        element(
            "p",
            element("b", "Timed. "),
            f"Errors and iterations do not depend on the machine; seconds do.{where}",
            class_="remark",
        )
        if timed
        else None,
    ]
