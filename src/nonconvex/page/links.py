"""Links to claims by name."""

from collections.abc import Sequence

from nonconvex.page.html import element
from nonconvex.page.ledger import Claim


def links(claims: Sequence[Claim]) -> list[object]:
    """Link claims by name, with commas between them."""
    comma = [None, *[", "] * len(claims)]
    return [
        [before, element("a", claim.name, href=f"#{claim.name}")]
        for before, claim in zip(comma, claims, strict=False)
    ]
