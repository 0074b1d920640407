"""Series in CSV files."""

from pathlib import Path

import numpy as np

from nonconvex.errors import UserError
from nonconvex.series.columns import Channel, Layout, read_layout
from nonconvex.series.marks import Marks
from nonconvex.series.series import Series
from nonconvex.series.status import governs, lost_by_status
from nonconvex.series.table import Table, read_table
from nonconvex.series.timeline import check_sampling

SECONDS = "the time must be in seconds, a number such as 0.033"


def read_csv(path: str | Path, marks: Marks) -> Series:
    """Read a series from a CSV file; see `nonconvex.series.columns` for the names of its columns."""
    table = read_table(path)
    layout = read_layout(table.header, table.path)
    time = np.array([table.number(row, layout.time, Marks(), SECONDS) for row in range(len(table.rows))])

    def place(row: int) -> str:
        return table.place(row, layout.time) if table.rows else str(table.path)

    rate = check_sampling(time, place)
    numbers, notes = read_numbers(table, layout, marks)
    values = np.array([_joined(*pair) for pair in zip(layout.channels, numbers, strict=True)])
    units = {channel.unit for channel in layout.channels}
    return Series(
        values=values,
        mask=~np.isnan(values),
        time=time,
        sampling_rate=rate,
        names=tuple(channel.name for channel in layout.channels),
        kind=layout.kind,
        unit=units.pop() if len(units) == 1 else "",
        notes=(*layout.notes, *notes),
    )


def read_numbers(
    table: Table, layout: Layout, marks: Marks
) -> tuple[list[tuple[np.ndarray, ...]], list[str]]:
    """Return the numbers in each channel's columns, NaN where lost, and what to say of the status columns."""
    numbers = [_numbers(table, channel, marks) for channel in layout.channels]
    notes = []
    for column in layout.statuses:
        name = table.header[column]
        place = f"{table.path}, line 1: the column '{name}'"
        bad = lost_by_status(name, [row[column] for row in table.rows], place)
        if bad is None:
            notes.append(f"the column '{name}' says the same everywhere and is left as it is")
            continue
        for channel, halves in zip(layout.channels, numbers, strict=True):
            if governs(name, channel.name) or any(governs(name, table.header[c]) for c in channel.columns):
                for half in halves:
                    half[bad] = np.nan
        notes.append(
            f"the column '{name}' is read as a status: {bad.sum()} of {bad.size} instants are bad, so lost"
        )
    return numbers, notes


def _numbers(table: Table, channel: Channel, marks: Marks) -> tuple[np.ndarray, ...]:
    first = _column(table, channel.columns[0], marks)
    if not channel.turn:
        return (first,)
    negative = np.flatnonzero(first < 0)
    if negative.size:
        row = negative[0]
        raise UserError(f"{table.place(row, channel.columns[0])}: the magnitude {first[row]:g} is negative")
    # An angle of 0 or -1 may well be true; it is a mark where the magnitude is lost, too.
    angle = _column(table, channel.columns[1], marks.beyond(channel.turn))
    angle[np.isnan(first) & marks.where(angle)] = np.nan
    return first, angle


def _column(table: Table, column: int, marks: Marks) -> np.ndarray:
    return np.array([table.number(row, column, marks) for row in range(len(table.rows))])


def _joined(channel: Channel, numbers: tuple[np.ndarray, ...]) -> np.ndarray:
    if not channel.turn:
        return numbers[0]
    magnitude, angle = numbers
    phasor = magnitude * np.exp(2j * np.pi / channel.turn * angle)
    phasor[np.isnan(magnitude) | np.isnan(angle)] = complex(np.nan, np.nan)
    return phasor
