"""The recorded phasors themselves: magnitude and angle of every channel over time (thesis, Figure 2.8)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nonconvex.problems.contract import Data, Table


@dataclass(frozen=True)
class PmuBlock:
    """A recorded block.

    Attributes
    ----------
    phasors : ndarray, shape (n_channels, n_samples), complex128
        NaN where missing.
    time : ndarray, shape (n_samples,)
        Seconds.
    names : ndarray of bytes, shape (n_channels,)
        Of the channels, in UTF-8.
    """

    phasors: np.ndarray
    time: np.ndarray
    names: np.ndarray


def check(cell: Mapping) -> None:
    """Accept every cell: nothing is drawn."""


def read(paths: Sequence[Path], parameters: Mapping) -> dict[str, np.ndarray]:
    """Return the recorded phasors, their instants at the stated rate, and the channels' names."""
    from nonconvex.problems.phasors.recording import instants, read_phasors

    series = read_phasors(paths[0], parameters.get("missing", ""))
    names = np.array([name.encode() for name in series.names])
    return {"phasors": series.values, "time": instants(series, parameters["rate"]), "names": names}


def draw(cell: Mapping, streams: Mapping[str, np.random.Generator]) -> dict[str, np.ndarray]:
    """Draw nothing."""
    return {}


def build(cell: Mapping, stored: Mapping[str, np.ndarray]) -> PmuBlock:
    """Return the stored block."""
    return PmuBlock(stored["phasors"], stored["time"], stored["names"])


def columns(axes: Sequence[str]) -> list[str]:
    """Return the table's column names."""
    return ["time", "channel", "bus", "magnitude", "angle"]


def rows(axes: Sequence[str], cell: Mapping, trial: int, block: PmuBlock) -> Iterator[tuple]:
    """Yield one row per channel and instant: magnitude, and angle in degrees without jumps of a turn."""
    time = block.time.tolist()
    for channel, (name, phasors) in enumerate(zip(block.names.tolist(), block.phasors, strict=True), start=1):
        magnitude, angle = np.abs(phasors).tolist(), unwrapped(phasors).tolist()
        for instant in zip(time, magnitude, angle, strict=True):
            yield instant[0], channel, name.decode(), *instant[1:]


def unwrapped(phasors: np.ndarray) -> np.ndarray:
    """Return the angles of one channel (n_samples,) in degrees, by the shortest way from one to the next."""
    angle = np.angle(phasors, deg=True)
    known = ~np.isnan(angle)
    angle[known] = np.unwrap(angle[known], period=360)
    return angle


DATA = Data(check, draw, build, read=read)
TABLE = Table(columns, rows)
