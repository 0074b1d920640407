"""The cells that a claim is about: limits on the axes of an experiment.

The Snakemake main process imports this module: neither it nor what it imports may load numpy or pandas.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any

from nonconvex.claims.region import Region, Span, region
from nonconvex.errors import UserError, nearest

if TYPE_CHECKING:
    import pandas as pd

LARGEST = "largest"
"""The limit that lets in the largest level there is."""

_HAIR = 1e-9
"""Room on both sides, so that .3 typed in a claims file is the grid's own .3."""


def limits(given: object) -> list[Region | str]:
    """Read the limit on one axis: a number, a region's words, the word of a level, or a list of levels."""
    found: list[Region | str] = []
    for one in given if isinstance(given, list) else [given]:
        if isinstance(one, Real):  # numpy's as well
            level = float(one)
            found.append(Region(f"{level:g}", (Span(level, level, True, True),)))
            continue
        try:
            found.append(region(one))
        except UserError:
            found.append(str(one))
    return found


def allows(limit: Region | str, level: object) -> bool:
    """Return whether a limit lets a level in."""
    if isinstance(limit, str):
        return level == limit
    if not isinstance(level, Real):
        return False
    level = float(level)
    return any(
        (level >= span.low - _HAIR if span.low_closed else level > span.low + _HAIR)
        and (level <= span.high + _HAIR if span.high_closed else level < span.high - _HAIR)
        for span in limit.spans
    )


def within(table: pd.DataFrame, cells: Mapping[str, object]) -> pd.Series:
    """Return which rows of a table of outcomes lie within the limits on their axes."""
    chosen = table.index == table.index
    for name, given in cells.items():
        read = limits(table.loc[chosen, name].max() if given == LARGEST else given)
        levels = {level: any(allows(one, level) for one in read) for level in table[name].unique()}
        chosen &= table[name].map(levels).to_numpy(dtype=bool)
    return chosen


def meets(table: pd.DataFrame, asked: Mapping[str, object]) -> pd.Series:
    """Return which rows have values within limits, in columns of numbers; no missing or infinite one has."""
    chosen = table.index == table.index
    for name, given in asked.items():
        spans = [span for limit in limits(given) if isinstance(limit, Region) for span in limit.spans]
        column, inside = table[name], table.index != table.index
        for span in spans:
            low = column >= span.low - _HAIR if span.low_closed else column > span.low + _HAIR
            high = column <= span.high + _HAIR if span.high_closed else column < span.high - _HAIR
            inside |= (low & high).to_numpy()
        chosen &= inside
    return chosen


def check_limit(given: object, levels: Iterable[object], where: str) -> None:
    """Refuse a limit in words on an axis of numbers, a number on one of words, and a word that is no level.

    Raises
    ------
    UserError
        One sentence, beginning with `where`.
    """
    known: list[Any] = list(levels)
    numbers = all(isinstance(level, int | float) for level in known)
    for limit in limits(given) if given != LARGEST or not numbers else []:
        if isinstance(limit, str) and (numbers or limit not in known):
            hint = (
                "it holds numbers" if numbers else f"no such level{nearest(limit, [str(k) for k in known])}"
            )
            raise UserError(
                f"{where} is '{limit}', but {hint}" if numbers else f"{where} is '{limit}': {hint}"
            )
        if isinstance(limit, Region) and numbers and not any(allows(limit, level) for level in known):
            among = f"{min(known):g} to {max(known):g}"
            raise UserError(
                f"{where} is '{limit.words}', which holds none of its levels at any scale ({among})"
            )
        if isinstance(limit, Region) and not numbers:
            raise UserError(
                f"{where} is '{limit.words}', but its levels are words: {', '.join(map(str, known))}"
            )
