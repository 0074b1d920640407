"""Files that appear only when whole, and the sha256 of what is in them."""

import hashlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path


def temporary_name(path: str | Path) -> Path:
    """Return the name beside `path` that this process writes to before it renames; `sweep` knows its form."""
    path = Path(path)
    return path.with_name(f".{path.stem}.{os.getpid()}.tmp{path.suffix}")


def replace_file(path: str | Path, write: Callable[[Path], object]) -> None:
    """Let `write` fill a temporary file beside `path`, flush it to disk, then rename it to `path`."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = temporary_name(path)
    try:
        write(temporary)
        with open(temporary, "rb") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: str | Path, text: str) -> None:
    """Write `text` to `path`, whole or not at all."""
    replace_file(path, lambda temporary: temporary.write_text(text, encoding="utf-8", newline="\n"))


def file_sha256(path: str | Path) -> str:
    """Return the sha256 of a file's bytes."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def joint_sha256(sums: Sequence[str]) -> str:
    """Return the sha256 of several files' own, in order and one a line; of a single file it is its own."""
    return sums[0] if len(sums) == 1 else hashlib.sha256("\n".join(sums).encode()).hexdigest()


def files_sha256(paths: Sequence[str | Path]) -> str:
    """Return the sha256 of a file's bytes, or the joint one of several files."""
    return joint_sha256([file_sha256(path) for path in paths])
