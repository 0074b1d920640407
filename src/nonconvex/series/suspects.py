"""Values that look like a mark of loss that nobody named, and angles that jump by a turn."""

from dataclasses import dataclass

import numpy as np

from nonconvex.series.series import Series

USUAL = (0.0, -1.0, -9.0, -99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0, 99999.0)
OFTEN = 3
"""So many times a value must be there."""
LEAP = 3.0
"""In typical steps of the other samples."""
FAR = 2.0
"""In spans of the other values, and at least half of the largest of them: a steady state is not far."""


@dataclass(frozen=True)
class Suspect:
    """A value that repeats exactly where others vary: how often, and the first channel that has it."""

    value: float
    count: int
    channel: str


def suspect(series: Series) -> Suspect | None:
    """Return the most frequent value of a series that looks like a mark of loss, or None.

    Such a value lies far from all others of its channel, or is one that people use (0, -1, -9999) and
    repeats, or stays for several samples, as no other value of the channel does. Of phasors the magnitude
    counts.
    """
    values = np.abs(series.values) if np.iscomplexobj(series.values) else series.values
    seen = np.where(series.mask, values, np.nan)
    counts = {value: (seen == value).sum(axis=1) for row in seen for value in _suspects(row)}
    if not counts:
        return None
    value = max(counts, key=lambda one: counts[one].sum())
    return Suspect(value, int(counts[value].sum()), series.names[int(np.argmax(counts[value] > 0))])


def suspicion(series: Series) -> str | None:
    """Return what to say of a suspect, or None."""
    one = suspect(series)
    if one is None:
        return None
    mark = f"{one.value:g}"
    return (
        f"the value {mark} is there {one.count} times (first in '{one.channel}'); if it stands for a lost "
        f"value, say --missing {mark}"
    )


def wrapped_angles(series: Series) -> str | None:
    """Return what to say of a plain channel that jumps by a full turn as angles do, or None."""
    if series.kind != "real":
        return None
    for name, row in zip(series.names, series.values, strict=True):
        known = row[~np.isnan(row)]
        steps = np.abs(np.diff(known))
        for turn in (360.0, 2 * np.pi):
            around = steps.size and np.abs(known).max() <= turn and np.median(steps) < 0.1 * turn
            if around and (np.abs(steps - turn) < 0.1 * turn).any():
                return (
                    f"'{name}' jumps by {turn:.4g} as an angle does, which no sum of oscillations "
                    "follows; give it with its magnitude, or without the jumps"
                )
    return None


def _suspects(row: np.ndarray) -> list[float]:
    distinct, counts = np.unique(row[~np.isnan(row)], return_counts=True)
    starts = np.flatnonzero(np.diff(row, prepend=np.nan) != 0)  # NaN differs from all.
    lengths = np.diff(starts, append=row.size)
    held = set(row[starts[lengths >= OFTEN]].tolist())
    repeated = set(distinct[counts > 1].tolist())
    suspects = []
    for value in distinct[counts >= OFTEN].tolist():
        others = distinct[distinct != value]
        if others.size < OFTEN:
            continue
        low, high = others[0], others[-1]
        far = max(low - value, value - high) > max(FAR * (high - low), np.abs(others).max() / 2)
        alone = {value} == held or ({value} == repeated and _leaps_to(row, value))
        if far or (value in USUAL and alone):
            suspects.append(value + 0.0)  # no -0
    return suspects


def _leaps_to(row: np.ndarray, value: float) -> bool:
    """Tell whether a series often drops to a value; on its way it may pass there, too."""
    steps = np.abs(np.diff(row))
    to_it = np.fmin(np.append(np.nan, steps), np.append(steps, np.nan))[row == value]
    others = steps[(row[1:] != value) & (row[:-1] != value)]
    return not others.size or (to_it > LEAP * np.nanmedian(others)).sum() >= OFTEN
