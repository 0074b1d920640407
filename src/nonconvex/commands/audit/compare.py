"""What differs between a row of the reference and the same row computed again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

TIMES = ("seconds", "cpu_seconds")
"""Columns that hold running times: they are never compared."""

RELATIVE, FLOOR = 1e-3, 1e-14
"""Numbers agree that differ by no more than this share of the kept one, or by no more than the floor.

Runs that stop early, or work in single precision, carry the rounding of their processor."""

UNSETTLED = ("iteration limit", "diverged")
"""Statuses of trials that did not come to rest: rounding may grow in them until no digit is left."""

SAME, COUNTS, UNSTABLE, DIFFERS = "same", "other iterations", "same end, other numbers", "DIFFERS"


@dataclass(frozen=True)
class Difference:
    """A column in which two versions of a row differ.

    Attributes
    ----------
    column : str
    kept, new
        The values, of the first iterate that differs.
    kind : str
        "count" of iterations, "number" that is not whole, or "value": anything else.
    """

    column: str
    kept: Any
    new: Any
    kind: Literal["count", "number", "value"] = "value"


def differences(kept: Sequence[pd.DataFrame], new: Sequence[pd.DataFrame]) -> list[Difference]:
    """Return what differs between the frames of a row: its table, or its outcome and the table of iterates.

    Text, truth values and whole numbers must be equal, other numbers within the tolerance; nan equals nan.
    Iterates are compared where there are equally many.
    """
    found: list[Difference] = []
    for one, other in zip(kept, new, strict=True):
        if len(one) == len(other):
            found += _columns(one, other)
        else:
            told: tuple[str, Literal["count", "value"]]
            told = ("iterates", "count") if len(kept) > 1 and one is kept[-1] else ("rows", "value")
            found.append(Difference(told[0], len(one), len(other), told[1]))
    return found


def verdict(found: Sequence[Difference], status: str = "") -> str:
    """Return what differences make of a row whose trial ended, both times or once, with `status`.

    Only in numbers of iterations: the row came to the same end, `COUNTS`. In numbers of a trial that did not
    come to rest, and neither in its status nor in its success: `UNSTABLE`. Else the row differs.
    """
    kinds = {difference.kind for difference in found}
    if not kinds:
        return SAME
    if kinds == {"count"}:
        return COUNTS
    return UNSTABLE if status in UNSETTLED and "value" not in kinds else DIFFERS


def _columns(kept: pd.DataFrame, new: pd.DataFrame) -> list[Difference]:
    kind: Literal["count", "number", "value"]
    if missing := [name for name in kept if name not in new]:
        return [Difference(str(name), "a column", "none") for name in missing]
    found = []
    for name in kept:
        if name in TIMES:
            continue
        one, other = kept[name].to_numpy(), new[name].to_numpy()
        count = str(name).split("_")[0] in ("iteration", "iterations")
        at = np.flatnonzero(~_equal(one, other, exact=count))
        if at.size:
            kind = "count" if count else "number" if "f" in (one.dtype.kind, other.dtype.kind) else "value"
            found.append(Difference(str(name), one[at[0]], other[at[0]], kind))
    return found


def _equal(kept: np.ndarray, new: np.ndarray, *, exact: bool) -> np.ndarray:
    """Tell of each pair of values (n_rows,) whether they agree."""
    if {kept.dtype.kind, new.dtype.kind} <= {"i", "f"} and "f" in (kept.dtype.kind, new.dtype.kind):
        relative, floor = (0.0, 0.0) if exact else (RELATIVE, FLOOR)
        return np.isclose(new.astype(float), kept.astype(float), rtol=relative, atol=floor, equal_nan=True)
    pairs = zip(kept.tolist(), new.tolist(), strict=True)
    return np.array([a == b or (a != a and b != b) for a, b in pairs], dtype=bool)
