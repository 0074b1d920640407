"""Columns that say of other columns whether their values are good."""

from collections.abc import Iterable

import numpy as np

from nonconvex.errors import UserError
from nonconvex.series.halves import bare, half, words_of

_NAMES = {"status", "quality", "valid", "flag", "flags"}
GOOD = {"ok", "good", "valid", "normal", "true", "yes", "observed"}
BAD = {"bad", "lost", "missing", "invalid", "failed", "fail", "error", "false", "no", "timeout", "dropped"}


def status_names(names: Iterable[str]) -> list[str]:
    """Return the names that are a status: of a channel beside it (``a_status``), or of all (``status``)."""
    names = list(names)
    channels = {owner for name in names for owner in _owners(name)}
    return [name for name in names if (owner := _rest(name)) is not None and (not owner or owner in channels)]


def governs(status: str, channel: str) -> bool:
    """Tell whether the status column speaks of a channel."""
    owner = _rest(status)
    return not owner or owner in _owners(channel)


def lost_by_status(name: str, cells: list[str], place: str) -> np.ndarray | None:
    """Return where a status says that a value is bad, shape (n_samples,); None when it says nothing.

    Raises
    ------
    UserError
        For codes that differ from row to row, and whose meaning nobody but their maker knows.
    """
    words = [cell.strip().lower() for cell in cells]
    if set(words) <= GOOD | BAD:
        return np.array([word in BAD for word in words])
    if "valid" in name.lower() and set(words) <= {"0", "1"}:
        return np.array([word == "0" for word in words])
    if len(set(words)) == 1:
        return None
    first = next(word for word in words if word not in GOOD | BAD)
    raise UserError(
        f"{place} is a status whose codes (such as '{first}') the file does not explain; empty the cells "
        "of the values that it marks as lost, and remove the column (words such as ok and bad are understood)"
    )


def _rest(name: str) -> tuple[str, ...] | None:
    words = [word.lower() for word in words_of(name)]
    rest = tuple(word for word in words if word not in _NAMES)
    return rest if len(rest) < len(words) else None


def _owners(name: str) -> set[tuple[str, ...]]:
    """Return what a status of this channel, or of this half of a phasor, would be named after."""
    one = half(name)
    owners = {bare(name), tuple(word.lower() for word in words_of(name))}
    return owners | (one.owners() if one else set())
