"""Text files that appear only when whole, and stamps that say what a product was made from."""

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from nonconvex.study.canonical import json_text


def temporary_name(path: str | Path) -> Path:
    """Return the name beside `path` that this process writes to before it renames; `sweep` knows its form."""
    path = Path(path)
    return path.with_name(f".{path.stem}.{os.getpid()}.tmp{path.suffix}")


def replace_file(path: str | Path, write: Callable[[Path], None]) -> None:
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


def write_stamp(
    path: str | Path, plan: Mapping, digest: str, inputs: Iterable[str], outputs: Iterable[str]
) -> None:
    """Write what a product was made from: plan, code digest and the sha256 of its inputs and outputs."""
    stamp = {
        "plan": plan,
        "digest": digest,
        "inputs": {str(name): file_sha256(name) for name in inputs},
        "outputs": {str(name): file_sha256(name) for name in outputs},
    }
    write_text(path, json_text(stamp) + "\n")


def other_plan(found: Mapping, plan: Mapping) -> str:
    """Say that something was made by another plan, and in which parts the plans differ."""
    parts = sorted(key for key in {*found, *plan} if found.get(key) != plan.get(key))
    return f"it was made by another plan ({', '.join(parts)})"
