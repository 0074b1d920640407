"""Series in CSV files: reading them, and writing them back with the lost cells filled."""

import csv
from pathlib import Path

import numpy as np

from nonconvex.errors import UserError
from nonconvex.series.columns import Channel, read_layout
from nonconvex.series.series import Series
from nonconvex.series.table import Table, read_table
from nonconvex.series.timeline import check_sampling


def read_csv(path: str | Path) -> Series:
    """Read a series from a CSV file; see `nonconvex.series.columns` for the names of its columns."""
    table = read_table(path)
    layout = read_layout(table.header, table.path)
    time = _column(table, layout.time)

    def place(row: int) -> str:
        return table.place(row, layout.time) if table.rows else str(table.path)

    rate = check_sampling(time, place)
    values = np.array([_channel(table, channel) for channel in layout.channels])
    units = {channel.unit for channel in layout.channels}
    return Series(
        values=values,
        mask=~np.isnan(values),
        time=time,
        sampling_rate=rate,
        names=tuple(channel.name for channel in layout.channels),
        kind=layout.kind,
        unit=units.pop() if len(units) == 1 else "",
    )


def write_csv(source: str | Path, values: np.ndarray, target: str | Path, *, replace: np.ndarray) -> None:
    """Write `source` again with the cells of lost values filled from `values`.

    Every other number that `source` has keeps its digits, the known half of a half-lost phasor too, unless
    it is to be replaced. Filled angles lie within half a turn of zero when the given ones of that column do,
    and else as near to the given ones as whole turns allow.

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
    """
    table = read_table(source)
    layout = read_layout(table.header, table.path)
    rows = [list(row) for row in table.rows]
    for channel, recovered, replaced in zip(layout.channels, values, replace, strict=True):
        for part, column in enumerate(channel.columns):
            given = _column(table, column)
            numbers = _part(recovered, part, channel.turn, given)
            for row in np.flatnonzero(np.isnan(given) | replaced):
                rows[row][column] = f"{numbers[row]:.10g}"
    with open(target, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([table.header, *rows])


def _column(table: Table, column: int) -> np.ndarray:
    return np.array([table.number(row, column) for row in range(len(table.rows))])


def _channel(table: Table, channel: Channel) -> np.ndarray:
    if not channel.turn:
        return _column(table, channel.columns[0])
    magnitude, angle = (_column(table, column) for column in channel.columns)
    negative = np.flatnonzero(magnitude < 0)
    if negative.size:
        row = negative[0]
        raise UserError(
            f"{table.place(row, channel.columns[0])}: the magnitude {magnitude[row]:g} is negative"
        )
    phasor = magnitude * np.exp(2j * np.pi / channel.turn * angle)
    phasor[np.isnan(magnitude) | np.isnan(angle)] = complex(np.nan, np.nan)
    return phasor


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
