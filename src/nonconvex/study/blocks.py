"""Blocks: consecutive trials of every cell, the unit of sharding and of files."""

import re
from pathlib import Path

from nonconvex.errors import UserError

PATTERN = r"\d{4,}-\d{4,}"


def block_name(first: int, last: int) -> str:
    """Return the name of the block of trials `first` to `last`: ``0000-0004``."""
    return f"{first:04d}-{last:04d}"


def block_range(name: str) -> tuple[int, int]:
    """Return the first and last trial of the block called `name`."""
    if not re.fullmatch(PATTERN, name):
        raise UserError(f"'{name}' is no block name; blocks are named like 0000-0004")
    first, last = map(int, name.split("-"))
    return first, last


def block_names(trials: int, size: int) -> list[str]:
    """Return the blocks that hold `trials` trials, `size` to a block; the last may be short."""
    return [block_name(first, min(first + size, trials) - 1) for first in range(0, trials, size)]


def remove_shorter(path: str | Path) -> None:
    """Remove the blocks beside `path` that start at the same trial and end earlier: it replaces them."""
    path = Path(path)
    first, last = block_range(path.stem)
    for other in path.parent.glob(f"{first:04d}-*.h5"):
        if re.fullmatch(PATTERN, other.stem) and block_range(other.stem)[1] < last:
            other.unlink()
