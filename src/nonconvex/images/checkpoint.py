"""The state of a run in a file, whole or not at all, and of that run alone."""

import hashlib
import io
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from nonconvex.canonical import sha256
from nonconvex.files import replace_file
from nonconvex.images.image_set import LabelledImages

Say = Callable[[str], object]

# Seconds between two writings of a run that goes on.
EVERY = 10.0
# Counts up when the content of states changes.
FORMAT = 1
HEAD = 32


def digest(**arguments: object) -> str:
    """Return the sha256 of all that a run depends on: numbers, words, recipes, arrays, sets of images."""
    return sha256({"format": FORMAT, **{name: _plain(value) for name, value in arguments.items()}})


def _plain(value: object) -> object:
    if isinstance(value, LabelledImages):
        return [_plain(value.images), _plain(value.labels)]
    if isinstance(value, np.ndarray):
        data = np.ascontiguousarray(value)
        return [list(value.shape), value.dtype.str, hashlib.sha256(data.tobytes()).hexdigest()]
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return value.item() if isinstance(value, np.generic) else value


class Checkpoint:
    """A file `{name}-{digest}.pt` in a folder, or nothing where there is no folder.

    Parameters
    ----------
    folder : path or None
    name : str
    digest : str
        Of all that the run depends on; a file with another one inside is not read.
    say : callable
        Takes a line about a file that is ignored.
    """

    def __init__(self, folder: str | Path | None, name: str, digest: str, say: Say) -> None:
        self.path = None if folder is None else Path(folder) / f"{name}-{digest[:16]}.pt"
        self.digest, self.say = digest, say
        self.written = time.monotonic()

    def save(self, state: Callable[[], Mapping[str, Any]], *, now: bool = False) -> None:
        """Write what `state` returns, if some seconds have passed since the last time or it must be `now`."""
        if self.path is None or not (now or time.monotonic() - self.written >= EVERY):
            return
        memory = io.BytesIO()
        torch.save({"digest": self.digest, "state": state()}, memory)
        content = memory.getvalue()
        replace_file(self.path, lambda path: path.write_bytes(hashlib.sha256(content).digest() + content))
        self.written = time.monotonic()

    def load(self) -> Any:
        """Return the state, its tensors on the CPU; None where none is whole and of this run."""
        if self.path is None or not self.path.exists():
            return None
        try:
            content = self.path.read_bytes()
        except OSError as error:
            return self._ignore(f"cannot be read ({error.strerror})")
        if hashlib.sha256(content[HEAD:]).digest() != content[:HEAD]:
            return self._ignore("is damaged")
        try:
            found = torch.load(io.BytesIO(content[HEAD:]), map_location="cpu", weights_only=True)
        except Exception:  # whatever a file that is no state may raise
            return self._ignore("is no state of a run")
        if not isinstance(found, dict) or found.get("digest") != self.digest or "state" not in found:
            return self._ignore("is of another run")
        return found["state"]

    def _ignore(self, why: str) -> None:
        self.say(f"{self.path} {why} and is ignored; the run begins anew")
