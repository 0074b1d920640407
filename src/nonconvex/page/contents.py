"""Ways around the page: a bar that stays at the top, and the figures as small pictures."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from nonconvex.page.html import Html, element
from nonconvex.page.ledger import Claim
from nonconvex.page.text import counted


def chapter_heading(chapter: str, titles: Mapping[str, str]) -> str:
    """Name a chapter by its number and, if known, its title."""
    title = titles.get(chapter)
    return f"Chapter {chapter}: {title}" if title else f"Chapter {chapter}"


def bar(chapters: Mapping[str, Sequence[Mapping[str, Any]]], rest: bool, context: bool) -> Html:
    """Make the bar with links to the summary, the chapters and each figure.

    Parameters
    ----------
    chapters : dict of str to list of dict
        Figure plans by chapter.
    rest : bool
        Whether there are claims about no figure of the page.
    context : bool
        Whether there are numbers for context.

    Returns
    -------
    Html
    """
    links = [_link("#answer", "Answer"), _link("#claims", "Claims"), _link("#figures", "Figures")]
    for chapter, figures in chapters.items():
        links.append(_link(f"#chapter{chapter}", f"Chapter {chapter}"))
        links += [_link(f"#fig{one['figure']}", one["figure"], title=one["title"]) for one in figures]
    if rest:
        links.append(_link("#other-claims", "Other claims"))
    if context:
        links.append(_link("#context", "For context"))
    return element("nav", [[link, " "] for link in links], class_="bar", aria_label="Page")


def contents(
    chapters: Mapping[str, Sequence[Mapping[str, Any]]],
    titles: Mapping[str, str],
    claims: Sequence[Claim],
    picture: str | None,
    left_out: Mapping[str, str] = MappingProxyType({}),
) -> Html:
    """List the figures by chapter, each with a small picture and the signs of its claims.

    Parameters
    ----------
    chapters : dict of str to list of dict
        Figure plans by chapter.
    titles : dict of str to str
        Chapter titles; may be empty.
    claims : list of Claim
    picture : str or None
        The format of the pictures that a browser can show.
    left_out : dict of str to str
        Why figures are missing, by their numbers.

    Returns
    -------
    Html
    """
    parts = []
    for chapter, figures in chapters.items():
        cards = [element("li", _card(figure, claims, picture)) for figure in figures]
        parts.append([element("h3", chapter_heading(chapter, titles)), element("ul", cards, class_="cards")])
    total = [figure for figures in chapters.values() for figure in figures]
    heading = element("h2", counted(total, "figure"))
    return element("nav", heading, _missing(left_out), parts, id="figures", aria_label="Figures")


def _missing(left_out: Mapping[str, str]) -> list[Html]:
    """Say which figures were not made, and why; figures with one reason together."""
    reasons: dict[str, list[str]] = {}
    for figure, why in left_out.items():
        reasons.setdefault(why, []).append(figure)
    return [
        element("p", f"Not made: {'Figure' if len(figures) == 1 else 'Figures'} {', '.join(figures)}: {why}.")
        for why, figures in reasons.items()
    ]


def _card(figure: Mapping[str, Any], claims: Sequence[Claim], picture: str | None) -> list[Html | None]:
    number = figure["figure"]
    source = f"figures/fig{number}.{picture}"
    small = element("img", src=source, alt="", loading="lazy") if picture else None
    words = element("span", element("b", number), f" {figure['title']}")
    own = [claim for claim in claims if number in claim.figures and claim.kind != "context"]
    unclear = [claim for claim in own if claim.summary.unclear]
    signs = [[_sign(claim), " "] for claim in own if claim not in unclear]
    signs += [[_several(unclear, number)]] if unclear else []
    return [
        element("a", small, words, href=f"#fig{number}"),
        element("p", signs, class_="signs") if signs else None,
    ]


def _sign(claim: Claim) -> Html:
    found = claim.summary
    return element(
        "a",
        f"{found.sign} {claim.name}",
        class_=f"chip {found.weight} {found.tone}",
        title=found.words,
        href=f"#{claim.name}",
    )


def _several(claims: Sequence[Claim], figure: str) -> Html:
    """Put the claims that point neither way into one sign."""
    names = ", ".join(claim.name for claim in claims)
    words = f"◆ {len(claims)} unclear"
    return element("a", words, class_="chip tendency open", title=names, href=f"#fig{figure}")


def _link(href: str, words: str, title: str | None = None) -> Html:
    return element("a", words, href=href, title=title)
