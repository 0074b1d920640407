"""Ranks of the data matrix and of its Hankel matrix: facts about the signals, without any losses."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonconvex.problems.contract import Data, Table
from nonconvex.problems.sizes import check_sizes

NEGLIGIBLE = 1e-10
"""Singular values of at most this many times the largest one are zero but for rounding, and set to zero."""

SHARES = {"quarter": 0.25, "half": 0.5, "three_quarters": 0.75}
"""Ranks beyond which the data matrix's energy is measured, as shares of the largest that it could have."""


@dataclass(frozen=True, eq=False)
class Signal:
    """A signal and the number of rows of its channels' Hankel matrices.

    Attributes
    ----------
    truth : ndarray, shape (n_channels, n_samples), complex128
    rank, n1 : int
    """

    truth: np.ndarray
    rank: int
    n1: int


def check(cell: Mapping[str, Any]) -> None:
    """Raise ValueError when no signal of this cell can exist."""
    check_sizes(cell["n_channels"], cell["n_samples"], cell["n1"], cell["rank"])
    if not cell["amplitude_exponent"] >= 0:
        raise ValueError(f"amplitude_exponent = {cell['amplitude_exponent']} must not be negative")


def draw(cell: Mapping[str, Any], streams: Mapping[str, np.random.Generator]) -> dict[str, np.ndarray]:
    """Draw frequencies (rank,) and amplitudes (n_channels, rank), as for completion."""
    from nonconvex.hankel.signals import draw_parameters

    frequencies, amplitudes = draw_parameters(
        cell["n_channels"],
        cell["rank"],
        amplitude_exponent=cell["amplitude_exponent"],
        rng=streams["truth"],
    )
    return {"frequencies": frequencies, "amplitudes": amplitudes}


def build(cell: Mapping[str, Any], stored: Mapping[str, np.ndarray]) -> Signal:
    """Rebuild a signal exactly from what `draw` stored."""
    from nonconvex.hankel.signals import synthesise

    truth = synthesise(stored["frequencies"], stored["amplitudes"], cell["n_samples"])
    return Signal(truth, cell["rank"], cell["n1"])


def columns(axes: Sequence[str]) -> list[str]:
    """Return the table's column names.

    For the data matrix X and the Hankel matrix H(X): the rank; that rank over the largest one that a matrix
    of its size can have; the smallest of the singular values that could be there, and the one at the signal's
    rank r, over the largest one. For X also the share of its energy, the sum of the squares of its singular
    values, beyond a quarter, half and three quarters of the largest rank, rounded down.
    """
    of = [
        f"{what}_{matrix}" for matrix in ("data", "hankel") for what in ("rank", "share", "last", "at_rank")
    ]
    return [*axes, "trial", *of, *(f"energy_beyond_{name}" for name in SHARES)]


def rows(axes: Sequence[str], cell: Mapping[str, Any], trial: int, signal: Signal) -> Iterator[tuple]:
    """Yield a trial's one row."""
    from nonconvex.hankel.operators.lift import hankel_matrix

    point = [cell[axis] for axis in axes]
    data = _singular_values(signal.truth)
    hankel = _singular_values(hankel_matrix(signal.truth, signal.n1))
    beyond = [_energy_beyond(data, int(share * data.size)) for share in SHARES.values()]
    yield (*point, trial, *_facts(data, signal.rank), *_facts(hankel, signal.rank), *beyond)


def _singular_values(matrix: np.ndarray) -> np.ndarray:
    values = np.linalg.svd(matrix, compute_uv=False)
    return np.where(values > NEGLIGIBLE * values[0], values, 0)


def _facts(values: np.ndarray, rank: int) -> tuple[int, float, float, float]:
    """Return rank, its share of what is possible, and two singular values over the largest one."""
    found = int(np.count_nonzero(values))
    last, at_rank = values[-1] / values[0], values[min(rank, values.size) - 1] / values[0]
    return found, found / values.size, float(last), float(at_rank)


def _energy_beyond(values: np.ndarray, rank: int) -> float:
    return float(np.sum(values[rank:] ** 2) / np.sum(values**2))


STREAMS = {"truth": ("n_channels", "n_samples", "rank", "amplitude_exponent")}
DATA = Data(check, draw, build, streams=STREAMS)
TABLE = Table(columns, rows)
