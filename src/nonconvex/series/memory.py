"""What memory a recovery needs, said before it begins."""

import numpy as np
import psutil

from nonconvex.errors import UserError
from nonconvex.series.methods import CHANNEL_BY_CHANNEL

VECTORS = 10
"""Singular vectors at once for each of the rank: the Krylov space of the start, and nearly so in a step."""
SIGNALS = 15
"""Arrays of the size of the series, besides one for each of the rank."""
MODEST = 20
"""The n1 to advise."""


def needed_bytes(shape: tuple[int, int], n1: int, rank: int | None, method: str, item: int) -> int:
    """Return about how many bytes a recovery needs; measured ones lay within 25 % for am_fiht.

    Parameters
    ----------
    shape : tuple of int
        Channels and samples.
    n1, rank : int
        Of the Hankel matrix; a rank of None counts as 1.
    method : str
        Of `nonconvex.series.methods.METHODS`.
    item : int
        Bytes of a value, 8 or 16.
    """
    n_channels, n_samples = shape
    rows = n1 * (1 if method in CHANNEL_BY_CHANNEL else n_channels)
    columns = n_samples + 1 - n1
    rank = rank or 1
    values = VECTORS * rank * (rows + columns) + (SIGNALS + rank) * n_channels * n_samples
    if method == "svt":
        values += min(rows, columns) ** 2
    return item * values


def refuse_what_does_not_fit(values: np.ndarray, n1: int, rank: int | None, method: str) -> None:
    """Raise UserError with what would be needed when that is more than the memory that is free."""
    free = psutil.virtual_memory().available
    item = values.dtype.itemsize
    needed = needed_bytes(values.shape, n1, rank, method, item)
    if needed <= free:
        return
    n_channels, n_samples = values.shape
    what = f"n1 = {n1}" if rank is None else f"rank {rank} and n1 = {n1}"
    modest = needed_bytes(values.shape, MODEST, rank, method, item)
    advice = "fewer channels or a part of the time"
    if n1 > MODEST and modest <= free:
        advice = f"--n1 {MODEST}, which needs about {_size(modest)}, {advice}"
    raise UserError(
        f"{n_channels} channels of {n_samples} samples need about {_size(needed)} of memory with {what}, and "
        f"{_size(free)} are free: take {advice}"
    )


def _size(count: float) -> str:
    return f"{count / 1e9:.2g} GB" if count < 1e11 else f"{count / 1e9:.0f} GB"
