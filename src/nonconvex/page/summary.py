"""The top of the page: how many claims came out how, and what there is to read."""

from nonconvex.page.html import element, table
from nonconvex.page.outcome import badge

_TONES = ("good", "bad", "open", "mute")


def counts(claims, scale):
    """
    Count the claims by outcome.

    Parameters
    ----------
    claims : list of Claim
    scale : str

    Returns
    -------
    Html
    """
    groups = {}
    for claim in claims:
        groups.setdefault(claim.summary, []).append(claim)
    ordered = sorted(groups.items(), key=lambda group: (_TONES.index(group[0].tone), group[0].words))
    rows = [
        [badge(found), len(members), [[element("a", one.name, href=f"#{one.name}"), " "] for one in members]]
        for found, members in ordered
    ]
    note = (
        "A verdict is given only at the thesis's own sizes, with the declared trials and seed. "
        "At other scales a tendency says which way the data point."
    )
    return element(
        "section",
        element("h2", f"{len(claims)} claims at the {scale} scale"),
        element("p", note),
        table(["outcome", "claims", "which"], rows) if rows else element("p", "No claims in the ledger."),
        id="claims",
    )


def contents(chapters, titles, claims):
    """
    List the figures by chapter, each with the signs of its claims.

    Parameters
    ----------
    chapters : dict of str to list of dict
        Figure plans by chapter.
    titles : dict of str to str
        Chapter titles; may be empty.
    claims : list of Claim

    Returns
    -------
    Html
    """
    parts = []
    for chapter, figures in chapters.items():
        title = titles.get(chapter)
        heading = f"Chapter {chapter}: {title}" if title else f"Chapter {chapter}"
        entries = [element("li", _entry(figure, claims)) for figure in figures]
        parts.append(
            [element("h3", element("a", heading, href=f"#chapter{chapter}")), element("ul", entries)]
        )
    return element("nav", element("h2", "Figures"), parts, aria_label="Figures")


def _entry(figure, claims):
    number = figure["figure"]
    about = [claim for claim in claims if number in claim.figures]
    signs = [
        [
            element(
                "span",
                f"{claim.summary.sign} {claim.name}",
                class_=f"chip {claim.summary.tone}",
                title=f"{claim.name}: {claim.summary.words}",
            ),
            " ",
        ]
        for claim in about
    ]
    return [element("a", f"Figure {number}", href=f"#fig{number}"), f" {figure['title']} ", signs]
