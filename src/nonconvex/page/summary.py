"""The top of the page: how many claims came out how, and which; findings and substitutes counted apart."""

from collections.abc import Sequence

from nonconvex.page.html import Html, element
from nonconvex.page.ledger import Claim
from nonconvex.page.outcome import VERDICTS, Outcome, badge
from nonconvex.page.text import counted, text_of

_TONES = ("good", "bad", "open", "mute")
_GROUPS = (
    (("verdict", "tendency"), "claim", "", "What the thesis says about its experiments, tested."),
    (
        ("surrogate",),
        "claim",
        " on substitute data",
        "The thesis's data cannot be had; others stand in for them. No verdict about the thesis comes of it.",
    ),
    (("finding",), "finding", "", "Passages that fail as printed, each with a run of its own to show it."),
)


def counts(claims: Sequence[Claim], scale: str, chapters: Sequence[str]) -> Html:
    """Count the claims by outcome; each outcome opens to the list of its claims.

    Parameters
    ----------
    claims : list of Claim
    scale : str
    chapters : list of str
        The chapters' numbers, in order.

    Returns
    -------
    Html
    """
    groups = [
        _group(claims, weights, noun, of_what, about, chapters) for weights, noun, of_what, about in _GROUPS
    ]
    note = (
        "A verdict is given only at the thesis's own sizes, with the declared trials and seed; elsewhere a "
        "tendency says which way the same test points. Open an outcome to see its claims."
    )
    return element(
        "section",
        element("h2", f"All outcomes at the {scale} scale"),
        element("p", note),
        groups if claims else element("p", "No claims in the ledger."),
        id="claims",
    )


def _group(
    claims: Sequence[Claim],
    weights: Sequence[str],
    noun: str,
    of_what: str,
    about: str,
    chapters: Sequence[str],
) -> Html | None:
    members = [claim for claim in claims if claim.summary.weight in weights]
    if not members:
        return None
    # Where something is judged, the verdicts are all listed, as a legend; others follow where they occur.
    legend = "verdict" in weights and any(claim.summary.judged for claim in members)
    found: dict[Outcome, list[Claim]] = {one: [] for one in VERDICTS.values() if legend}
    for claim in sorted(members, key=lambda claim: _TONES.index(claim.summary.tone)):
        found.setdefault(claim.summary, []).append(claim)
    heading = element("h3", counted(members, noun), of_what, _per_chapter(members, chapters))
    # What is reproduced under a correction stands below what is reproduced as it is.
    places = {one: index for index, one in enumerate(found)}
    bases = {one: VERDICTS.get(one.words.partition(" under ")[0], one) for one in found}
    ordered = sorted(found, key=lambda one: (places.get(bases[one], places[one]), places[one]))
    lines = [_line(outcome, found[outcome], chapters) for outcome in ordered]
    return element("section", heading, element("p", about, class_="mute"), lines, class_="group")


def _line(outcome: Outcome, claims: Sequence[Claim], chapters: Sequence[str]) -> Html:
    """Show one outcome: its sign, count and meaning, and behind them its claims."""
    head = [
        badge(outcome),
        element("b", len(claims)),
        _per_chapter(claims, chapters),
        element("span", outcome.meaning, class_="mute"),
    ]
    if not claims:
        return element("div", head, class_="count none")
    return element(
        "details",
        element("summary", head),
        element("ul", [element("li", _entry(claim)) for claim in claims]),
        class_="count",
    )


def _per_chapter(claims: Sequence[Claim], chapters: Sequence[str]) -> Html:
    """Say how many of the claims belong to each chapter."""
    known = [*chapters, *sorted({claim.chapter for claim in claims} - set(chapters))]
    counts_ = [(chapter, sum(claim.chapter == chapter for claim in claims)) for chapter in known]
    said = [f"Ch. {chapter or '–'}: {count}" for chapter, count in counts_ if count]
    return element("span", " · ".join(said), class_="per")


def _entry(claim: Claim) -> list[object]:
    figures = f" (Figure {', '.join(claim.figures)})" if claim.figures else ""
    return [
        element("a", claim.name, href=f"#{claim.name}"),
        " ",
        text_of(claim.head, "statement"),
        element("span", figures, class_="mute"),
    ]
