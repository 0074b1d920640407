"""Writing a CSV file again with its lost cells filled."""

import csv
from pathlib import Path

import numpy as np

from nonconvex.series.columns import read_layout
from nonconvex.series.csv_file import read_numbers
from nonconvex.series.marks import Marks
from nonconvex.series.table import read_table

_BOM = "\ufeff".encode()


def write_csv(
    source: str | Path, values: np.ndarray, target: str | Path, *, replace: np.ndarray, marks: Marks
) -> None:
    """Write `source` again with the cells of lost values filled from `values`.

    Every other number that `source` has keeps its digits, the known half of a half-lost phasor too, unless
    it is to be replaced. Filled angles lie within half a turn of zero when the given ones of that column do,
    and else as near to the given ones as whole turns allow. Lines end as those of `source` do, and the mark
    of the bytes' order that spreadsheets write comes back.

    Parameters
    ----------
    source : path
        The file that was read.
    values : ndarray, shape (n_channels, n_samples)
        Recovered values.
    target : path
        The file to write.
    replace : ndarray of bool, shape (n_channels, n_samples)
        The observed values to replace, too.
    marks : nonconvex.series.marks.Marks
        Those that `source` was read with.
    """
    table = read_table(source)
    layout = read_layout(table.header, table.path)
    numbers, _ = read_numbers(table, layout, marks)
    rows = [list(row) for row in table.rows]
    for channel, halves, recovered, replaced in zip(layout.channels, numbers, values, replace, strict=True):
        for part, (column, given) in enumerate(zip(channel.columns, halves, strict=True)):
            filled = _part(recovered, part, channel.turn, given)
            for row in np.flatnonzero(np.isnan(given) | replaced):
                rows[row][column] = f"{filled[row]:.10g}"
    with open(source, "rb") as file:
        first = file.readline()
    encoding = "utf-8-sig" if first.startswith(_BOM) else "utf-8"
    ending = "\r\n" if first.endswith(b"\r\n") else "\n"
    with open(target, "w", encoding=encoding, newline="") as file:
        csv.writer(file, lineterminator=ending).writerows([table.header, *rows])


def _part(recovered: np.ndarray, part: int, turn: float, given: np.ndarray) -> np.ndarray:
    if not turn:
        return recovered
    if part == 0:
        return np.abs(recovered)
    angle = np.angle(recovered) * turn / (2 * np.pi)
    known = np.flatnonzero(~np.isnan(given))
    if known.size == 0 or np.abs(given[known]).max() <= turn / 2:
        return angle
    near = np.interp(np.arange(given.size), known, given[known])
    return angle + turn * np.round((near - angle) / turn)
