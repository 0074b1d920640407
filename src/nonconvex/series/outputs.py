"""Several files that appear together."""

import contextlib
import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from nonconvex.errors import UserError
from nonconvex.files import temporary_name


def refuse_what_is_in_the_way(paths: Iterable[Path], source: Path) -> None:
    """Raise a UserError when one of the files to be written cannot or must not be; nothing is changed."""
    for path in paths:
        try:
            temporary_name(path).lstat()
        except FileNotFoundError:
            pass
        except OSError as error:  # Such as a name that is too long.
            raise UserError(f"{path} cannot be written ({error.strerror})") from error
        if path.is_dir():
            raise UserError(f"{path} cannot be written: it is a folder; give another --output")
        if path.exists() and source.exists() and path.samefile(source):
            raise UserError(f"{path} is the input, which is not overwritten; give another --output")
        if path.exists() and not stat.S_IMODE(path.stat().st_mode) & 0o222:
            raise UserError(f"{path} cannot be written: it is read-only; give another --output, or remove it")
        place = next(folder for folder in path.absolute().parents if os.path.lexists(folder))
        if not place.is_dir():
            raise UserError(f"{path} cannot be written: {place} is no folder; give another --output")
        if not os.access(place, os.W_OK):
            raise UserError(f"{path} cannot be written: {place} is read-only; give another --output")


def write_together(writers: Mapping[Path, Callable[[Path], object]]) -> None:
    """Write files under temporary names, and rename them only when all are whole.

    Parameters
    ----------
    writers : dict of path to callable
        Each callable fills the path it is given.

    Raises
    ------
    UserError
        When the system refuses to write; nothing is left behind, and what was there before is there again.
    """
    temporary = {Path(path): temporary_name(path) for path in writers}
    try:
        for path, write in writers.items():
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            write(temporary[Path(path)])
            with open(temporary[Path(path)], "rb") as file:
                os.fsync(file.fileno())
        _rename(temporary)
    except (OSError, RuntimeError) as error:  # HDF5 tells of a full disk by either
        raise UserError(
            f"{getattr(error, 'filename', None) or path} cannot be written ({_reason(error)})"
        ) from error
    finally:
        for whole in temporary.values():
            with contextlib.suppress(OSError):
                whole.unlink()


def _rename(temporary: Mapping[Path, Path]) -> None:
    """Give the files their names, or none of them; each file that was there is kept until all have."""
    kept: dict[Path, Path] = {}
    done: list[Path] = []
    try:
        for path, whole in temporary.items():
            if path.is_file():
                before = whole.with_name(f"{whole.name}.before")
                os.replace(path, before)
                kept[path] = before
            os.replace(whole, path)
            done.append(path)
    except BaseException as error:
        for new in done:
            new.unlink(missing_ok=True)
        for old, before in kept.items():
            os.replace(before, old)
        if isinstance(error, OSError):
            raise UserError(f"{path} cannot be written ({_reason(error)})") from error
        raise
    for before in kept.values():
        before.unlink(missing_ok=True)


def _reason(error: Exception) -> str:
    """Return the system's words; HDF5 hides them in a paragraph."""
    hidden = re.search(r"errno = (\d+)", str(error))
    number = int(hidden.group(1)) if hidden else getattr(error, "errno", None)
    return os.strerror(number) if number else " ".join(str(error).split()) or "no reason given"
