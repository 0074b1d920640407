"""What a figure that is unknown could have been: an odd hint is worse than the list of its chapter."""

import re
from collections.abc import Iterable


def other_figures(name: str, known: Iterable[str]) -> str:
    """Return what there is instead of figure `name`: of its chapter, or of all where it is of none.

    A known figure inside the word is what was meant: "fig7.5" is 7.5.
    """
    names = list(known)
    inside = [part for part in re.findall(r"[A-Z0-9]+\.[0-9]+[a-z]?", name) if part in names]
    chapter = name.partition(".")[0]
    near = [one for one in names if one.partition(".")[0] == chapter]
    meant = f"; did you mean '{inside[0]}'?" if inside else ""
    of = f"chapter {chapter} has" if near else "known:"
    return f" ({of} {', '.join(near or names)}){meant}"
