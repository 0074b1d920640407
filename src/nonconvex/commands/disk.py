"""Disks that are full or not to be written: told in a sentence, before a run where that is possible."""

import errno
import os
from pathlib import Path

from nonconvex.errors import UserError

_REMEDIES = {
    errno.ENOSPC: "free some space (make cost tells how much a run needs)",
    errno.EDQUOT: "free some space (make cost tells how much a run needs)",
    errno.EROFS: "write to another disk",
    errno.EACCES: "ask its owner for the right to write",
}


def disk_sentence(error: Exception) -> str | None:
    """Return what a person should know and do about an error of the disk; None for any other error."""
    for number, remedy in _REMEDIES.items():
        told = getattr(error, "errno", None) == number or os.strerror(number) in str(error)
        if told:
            where = getattr(error, "filename", None) or "the results"
            return (
                f"{where} cannot be written: {os.strerror(number)}. Nothing half-written was left; {remedy}, "
                "then run 'make resume'"
            )
    return None


def refuse_read_only(folder: str | Path) -> None:
    """Raise a UserError when nothing can be written to `folder`, or where it would be made."""
    place = Path(folder)
    while not place.exists():
        place = place.parent
    if not os.access(place, os.W_OK):
        raise UserError(
            f"{place} cannot be written, and there is something to make in it: write to another disk, or ask "
            "its owner for the right to write"
        )
