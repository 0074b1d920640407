"""The first thing on the page: what held, what did not, what hangs on a choice, what fails as printed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nonconvex.page.html import Html, element
from nonconvex.page.ledger import Claim
from nonconvex.page.links import links
from nonconvex.page.outcome import APART
from nonconvex.page.text import counted, shortened, text_of

_FEW = 8


@dataclass(frozen=True)
class _Words:
    """What is said of claims that the data point at in one way: in the sentence, and before their names."""

    sign: str
    tone: str
    some: str
    head: str


_JUDGED = {
    "for": _Words("✓", "good", "{} held", "Held"),
    "against": _Words("✗", "bad", "{} did not", "Did not hold"),
    APART: _Words("◐", "open", "{} hang on a choice that the text leaves open", "Hang on a choice"),
    "unclear": _Words("?", "open", "{} stayed undecided after the last trial", "Undecided"),
    "open": _Words("…", "open", "{} are open until more trials have run", "Open"),
}
_POINTING = {
    "for": _Words("▲", "good", "they point for {}", "Point for the statement"),
    "against": _Words("▼", "bad", "against {}", "Point against it"),
    APART: _Words("◐", "open", "for or against {} by the choice of reading", "Hang on the choice of reading"),
    "unclear": _Words("◆", "open", "neither way for {}", "Unclear"),
}
_NOT_JUDGED = ", not judged at this scale"
_UNJUDGED = {way: replace(words, head=words.head + _NOT_JUDGED) for way, words in _POINTING.items()}
_POINTS = {"for": "for", "against": "against", "unclear": "unclear", APART: "by the reading"}
_NAMED = ("for", "against", APART)


def answer(claims: Sequence[Claim], scale: str, name: str = "answer") -> Html:
    """Answer in a few sentences, from the verdicts or, where nothing is judged, from the tendencies.

    Parameters
    ----------
    claims : list of Claim
        Claims and findings.
    scale : str
    name : str
        The section's id on the page.

    Returns
    -------
    Html
    """
    own = [claim for claim in claims if claim.summary.weight in ("verdict", "tendency")]
    findings = [claim for claim in claims if claim.summary.weight == "finding"]
    judged = any(claim.summary.judged for claim in [*own, *findings])
    counted_here = [claim for claim in own if claim.summary.judged is judged and claim.summary.way]
    lines = [*_lines(counted_here, _JUDGED if judged else _POINTING), _findings(findings, judged)]
    if judged:
        pointing = [claim for claim in own if not claim.summary.judged and claim.summary.way]
        lines += [*_lines(pointing, _UNJUDGED), _findings(findings, False, _NOT_JUDGED)]
    lead = _lead(counted_here, judged, scale) if own or findings else "The ledger has no claims."
    return element(
        "section",
        element("p", lead, class_="lead"),
        element("ul", lines, class_="answers") if any(lines) else None,
        _rest(claims, own, counted_here, judged),
        id=name,
        class_="in-short",
        aria_label="The answer in short",
    )


def _lead(claims: Sequence[Claim], judged: bool, scale: str) -> list[object]:
    words = _JUDGED if judged else _POINTING
    parts: list[object] = []
    for way, said in words.items():
        number = len(_of(claims, way))
        if number:
            before, _, after = said.some.partition("{}")
            parts.append([before, element("b", number), _singular(after, number)])
    if judged:
        begin = f"Of the {counted(claims, 'statement')} under test, " if claims else ""
        return [begin, _listed(parts), "."] if parts else ["None of the thesis's statements is judged yet."]
    begin = f"Nothing is judged at the {scale} scale: its runs are smaller than the thesis's. "
    runs = f"Of the {counted(claims, 'statement')} that they could test, " if parts else ""
    return [begin, runs, _listed(parts), "." if parts else "They point at nothing yet."]


def _singular(words: str, number: int) -> str:
    return words.replace(" hang ", " hangs ").replace(" are ", " is ") if number == 1 else words


def _listed(parts: Sequence[object]) -> list[object]:
    """Put commas between parts, and "and" before the last."""
    joints = ["", *[", "] * (len(parts) - 2), " and "][: len(parts)]
    return [[joint, part] for joint, part in zip(joints, parts, strict=True)]


def _lines(claims: Sequence[Claim], words: dict[str, _Words]) -> list[Html]:
    """Name the claims: those that held, that did not, and that hang on a choice."""
    lines = []
    for way in (*_NAMED, "unclear") if words is _JUDGED else _NAMED:
        those = _of(claims, way)
        if those:
            lines.append(_line(words[way].sign, words[way].tone, words[way].head, those))
    return lines


def _findings(findings: Sequence[Claim], judged: bool, more: str = "") -> Html | None:
    shown = [claim for claim in _of(findings, "for") if claim.summary.judged is judged]
    if not shown:
        return None
    head = "Fail as printed, and a run shows it" if judged else f"Point to a failure as printed{more}"
    return _line("●" if judged else "▲", "finding", head, shown)


def _line(sign: str, tone: str, head: str, claims: Sequence[Claim]) -> Html:
    few = len(claims) <= _FEW
    named = [element("span", _named(claim), class_="one") for claim in claims] if few else _by_figure(claims)
    begin = [element("span", sign, class_="sign", aria_hidden="true"), f" {head} ({len(claims)}): "]
    return element("li", element("b", begin), named, class_=f"answer {tone}")


def _named(claim: Claim) -> list[object]:
    statement = text_of(claim.head, "statement") or ", ".join(claim.figures)
    correction = text_of(claim.overall or {}, "correction")
    after = f" (with the text corrected, {correction})" if correction else ""
    return [*links([claim]), f" {shortened(statement)}{after}"]


def _by_figure(claims: Sequence[Claim]) -> list[object]:
    """Name many claims in short, by the figure that each is about first."""
    groups: dict[str, list[Claim]] = {}
    for claim in claims:
        groups.setdefault(claim.figures[0] if claim.figures else "", []).append(claim)
    ordered = sorted(groups, key=lambda name: [part.zfill(4) for part in name.split(".")])
    return [
        [
            element("span", f"Fig.\u00a0{name}" if name else "no figure", class_="mute"),
            " ",
            links(groups[name]),
            "; " if name != ordered[-1] else "",
        ]
        for name in ordered
    ]


def _rest(claims: Sequence[Claim], own: Sequence[Claim], told: Sequence[Claim], judged: bool) -> Html | None:
    """Count what the sentences above are not about."""
    left = [claim for claim in own if claim not in told]
    tested = [claim for claim in left if claim.summary.way]
    surrogates = [claim for claim in claims if claim.summary.weight == "surrogate"]
    corrected = [claim for claim in told if "under correction" in claim.summary.words]
    parts = [_are(corrected, "of these verdicts {is} about the text with a mistake put right")]
    if judged:
        ways = [(way, _of(tested, way)) for way in ("for", "against", "unclear", APART)]
        points = ", ".join(f"{len(some)} {_POINTS[way]}" for way, some in ways if some)
        parts.append(_are(tested, f"more {{is}} not judged at this scale (tendencies: {points})"))
    parts.append(_are([claim for claim in left if claim not in tested], "could not be tested"))
    parts.append(_are(surrogates, "{was} tried on substitute data, which tell nothing of the thesis's own"))
    said = "; ".join(part for part in parts if part)
    return element("p", f"{said}.", class_="mute") if said else None


def _are(claims: Sequence[Claim], words: str) -> str:
    """Say something of some claims; nothing where there are none."""
    one = len(claims) == 1
    verbs = {"is": "is" if one else "are", "was": "was" if one else "were"}
    return f"{len(claims)} {words.format(**verbs)}" if claims else ""


def _of(claims: Sequence[Claim], way: str) -> list[Claim]:
    return [claim for claim in claims if claim.summary.way == way]
