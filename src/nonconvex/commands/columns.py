"""Text for the terminal: rows in columns, and lists that do not run on."""

from collections.abc import Sequence

MOST = 12


def rows_text(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines with their columns below each other, indented."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1] if rows else []
    return [
        "  " + "".join(f"{word:<{width + 2}}" for word, width in zip(row[:-1], widths, strict=True)) + row[-1]
        for row in rows
    ]


def listed(names: Sequence[str]) -> str:
    """Return names joined by commas; of many the first ones, and how many more there are."""
    more = len(names) - MOST
    return ", ".join(names[:MOST]) + (f" and {more} more" if more > 0 else "")
