"""Several files that appear together."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from nonconvex.errors import UserError
from nonconvex.files import temporary_name


def write_together(writers: Mapping[Path, Callable[[Path], object]]) -> None:
    """Write files under temporary names, and rename them only when all are whole.

    Parameters
    ----------
    writers : dict of path to callable
        Each callable fills the path it is given.

    Raises
    ------
    UserError
        When the system refuses to write; nothing is left behind.
    """
    temporary = {Path(path): temporary_name(path) for path in writers}
    written = []
    try:
        for path, write in writers.items():
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            written.append(temporary[Path(path)])
            write(temporary[Path(path)])
            with open(temporary[Path(path)], "rb") as file:
                os.fsync(file.fileno())
        for path, whole in temporary.items():
            os.replace(whole, path)
    except OSError as error:
        raise UserError(f"{error.filename or path} cannot be written ({error.strerror or error})") from error
    finally:
        for whole in written:
            whole.unlink(missing_ok=True)
