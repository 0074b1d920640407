"""A CSV file as text cells: a header without doubt, and rows of its length."""

import csv
import math
from dataclasses import dataclass
from pathlib import Path

from nonconvex.errors import UserError
from nonconvex.series.marks import Marks

EMPTY = "leave the cell of a lost value empty"


@dataclass(frozen=True)
class Table:
    """The cells of a CSV file.

    Attributes
    ----------
    path : Path
        Of the file.
    header : list of str
        Column names.
    rows : list of list of str
        Cells, as written.
    lines : list of int
        Line of the file on which each row ends.
    """

    path: Path
    header: list[str]
    rows: list[list[str]]
    lines: list[int]

    def number(self, row: int, column: int, marks: Marks, remedy: str = EMPTY) -> float:
        """Return a cell's number, NaN when the cell is empty or a mark; else UserError with the place."""
        cell = self.rows[row][column].strip()
        if cell == "" or cell.lower() in marks.words:
            return math.nan
        try:
            value = float(cell) if "_" not in cell else None
        except ValueError:
            value = None
        if value is None:
            raise UserError(f"{self.place(row, column)}: {cell!r} is not a number; {remedy}")
        if marks.has(value):
            return math.nan
        if math.isinf(value):
            raise UserError(f"{self.place(row, column)}: {cell!r} is infinite; {remedy}")
        return value

    def place(self, row: int, column: int) -> str:
        """Say where a cell is."""
        return f"{self.path}, line {self.lines[row]}, column '{self.header[column]}'"


def read_table(path: str | Path) -> Table:
    """Read a CSV file with a header; UserError when it is unreadable, ragged, or names a column twice."""
    path = Path(path)
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            records = [(reader.line_num, row) for row in reader]
    except OSError as error:
        raise UserError(f"{path} cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not text in UTF-8 (byte {error.start})") from error
    except csv.Error as error:
        raise UserError(f"{path}, line {reader.line_num} is not valid CSV: {error}") from error
    while records and len(records[-1][1]) <= 1 and not "".join(records[-1][1]).strip():
        records.pop()  # Blank lines at the end.
    if not records:
        raise UserError(f"{path} is empty")
    header = _header(path, records[0][1])
    for line, row in records[1:]:
        if len(row) != len(header):
            raise UserError(
                f"{path}, line {line}: {_count(len(row), 'cell')} where the header has {len(header)}"
            )
    return Table(path, header, [row for _, row in records[1:]], [line for line, _ in records[1:]])


def _header(path: Path, cells: list[str]) -> list[str]:
    header = [cell.strip() for cell in cells]
    if len(header) == 1:
        for mark, name in ((";", "semicolons"), ("\t", "tabs")):
            if mark in header[0]:
                raise UserError(f"{path}, line 1: the columns are separated by {name}; use commas")
    for column, name in enumerate(header):
        if not name:
            raise UserError(f"{path}, line 1: column {column + 1} has no name")
        if name in header[:column]:
            raise UserError(
                f"{path}, line 1: the column name '{name}' is given twice "
                f"(columns {header.index(name) + 1} and {column + 1})"
            )
    return header


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
