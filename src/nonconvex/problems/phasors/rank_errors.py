"""How well low ranks approximate a recorded block and its Hankel matrices (thesis, Figure 2.9)."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from nonconvex.problems.bridge import bridged
from nonconvex.problems.contract import Data, Table


def check(cell: Mapping) -> None:
    """Raise ValueError when the block has no such Hankel matrix."""
    if not 1 <= cell["n1"] <= cell["n_samples"]:
        raise ValueError(f"n1 = {cell['n1']} is outside 1..n_samples = {cell['n_samples']}")
    if cell["rank"] < 1:
        raise ValueError(f"rank = {cell['rank']} must be at least 1")


def read(paths: Sequence[Path], parameters: Mapping) -> dict[str, np.ndarray]:
    """Return the recorded phasors (n_channels, n_samples)."""
    from nonconvex.problems.phasors.recording import read_phasors

    return {"phasors": read_phasors(paths[0], parameters.get("missing", "")).values}


def draw(cell: Mapping, streams: Mapping[str, np.random.Generator]) -> dict[str, np.ndarray]:
    """Draw nothing."""
    return {}


def build(cell: Mapping, stored: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return the stored phasors."""
    return stored["phasors"]


def columns(axes: Sequence[str]) -> list[str]:
    """Return the table's column names."""
    return [*axes, "error"]


def rows(axes: Sequence[str], cell: Mapping, trial: int, phasors: np.ndarray) -> Iterator[tuple]:
    """Yield the cell's one row."""
    yield *[cell[axis] for axis in axes], rank_error(phasors, cell["rank"], cell["n1"])


def rank_error(x: np.ndarray, rank: int, n1: int) -> float:
    """Return the relative Frobenius error of the best rank-r approximation of H(x), 0 from full rank on.

    Parameters
    ----------
    x : ndarray, shape (n_channels, n_samples)
        NaN is bridged by straight lines in time.
    rank : int
    n1 : int
        Time blocks of the Hankel matrix; 1 stands for x itself.
    """
    from nonconvex.hankel.operators.lift import hankel_matrix

    values = np.linalg.svd(hankel_matrix(bridged(x), n1), compute_uv=False)
    return float(np.linalg.norm(values[rank:]) / np.linalg.norm(values))


DATA = Data(check, draw, build, read=read)
TABLE = Table(columns, rows)
