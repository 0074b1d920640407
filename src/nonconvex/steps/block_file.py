"""Block files: HDF5 behind a user block that holds the sha256 of the rest of the file.

HDF5's own checksums miss about a quarter of single flipped bits, and a truncated file can open without a
word. So the first 512 bytes of a block file are text: a magic line and the sha256 of everything behind them.
A reader compares all of it before HDF5 sees the file.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import h5py
import numpy as np

from nonconvex.canonical import json_text
from nonconvex.errors import UserError
from nonconvex.files import temporary_name

USER_BLOCK = 512
MAGIC = "nonconvex block 1"
REMEDY = "run 'make resume' with this run's options, and it is made again"


def header(digest: str) -> bytes:
    """Return the user block of a file whose remainder has the sha256 `digest`."""
    return f"{MAGIC}\nsha256 {digest}\n".encode().ljust(USER_BLOCK, b"\n")


@contextmanager
def new_file(path: str | Path) -> Iterator[h5py.File]:
    """Open a new block file for writing; it appears under `path` only when whole.

    The file is written beside `path` under a temporary name, marked complete, hashed, flushed to disk and
    then renamed. When the body raises, nothing is left behind.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = temporary_name(path)
    try:
        with h5py.File(
            temporary, "w", userblock_size=USER_BLOCK, libver=("v110", "v110"), track_order=False
        ) as file:
            yield file
            file.attrs["complete"] = True
        with open(temporary, "r+b") as file:
            file.seek(USER_BLOCK)
            content = hashlib.file_digest(file, "sha256").hexdigest()
            file.seek(0)
            file.write(header(content))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def content_sha256(path: str | Path) -> str:
    """Check the block file `path` byte by byte and return the sha256 of its content.

    Raises
    ------
    UserError
        When the file is missing, truncated, damaged, or no block file, with its name and the remedy.
    """
    path = Path(path)
    if not path.is_file():
        raise UserError(f"{path} does not exist; to make it: .venv/bin/snakemake --cores 1 {path}")
    with open(path, "rb") as file:
        found = file.read(USER_BLOCK)
        if not found.startswith(MAGIC.encode()):
            raise UserError(f"{path} is not a block file of this project, or its head is damaged; {REMEDY}")
        content = hashlib.file_digest(file, "sha256").hexdigest()
    if found != header(content):
        raise UserError(f"{path} is damaged or truncated (its checksum does not match); {REMEDY}")
    return content


@contextmanager
def open_block(path: str | Path, kind: str) -> Iterator[h5py.File]:
    """Open a checked block file for reading; refuse one that is damaged, incomplete or of another kind."""
    content_sha256(path)
    with h5py.File(path, "r", locking=False) as file:
        if not file.attrs.get("complete", False):
            raise UserError(f"{path} is incomplete; {REMEDY}")
        if file.attrs.get("kind") != kind:
            raise UserError(f"{path} holds {file.attrs.get('kind', 'something else')}, not {kind}")
        yield file


def write_facts(file: h5py.File, kind: str, plan: Mapping, digest: str, packages: Sequence[str] = ()) -> None:
    """Write what every block says of itself: its kind, plan, code digest and the libraries' versions.

    `packages` are further distributions; a version also tells the build, as in 2.13.0+cpu.
    """
    import scipy

    file.attrs["kind"] = kind
    file.attrs["plan"] = json_text(plan)
    file.attrs["digest"] = digest
    versions = {"numpy": np.__version__, "scipy": scipy.__version__, "h5py": h5py.__version__}
    file.attrs["versions"] = json_text(versions | {name: _build(name) for name in packages})


def _build(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:  # a block made from a table, where the package is not needed
        return "not installed"


def read_plan(file: h5py.File) -> dict:
    """Return the plan that a block was made by."""
    return json.loads(file.attrs["plan"])


def write_array(group: h5py.Group, name: str, array: np.ndarray) -> None:
    """Store an array; booleans are packed eight to a byte."""
    if array.dtype == bool:
        packed = group.create_dataset(name, data=np.packbits(array.ravel()), track_times=False)
        packed.attrs["shape"] = array.shape
    else:
        group.create_dataset(name, data=array, track_times=False)


def read_array(group: h5py.Group, name: str) -> np.ndarray:
    """Return an array stored by `write_array`, in its own shape and type."""
    stored = group[name]
    array = stored[()]
    if "shape" not in stored.attrs:
        return array
    shape = tuple(int(n) for n in stored.attrs["shape"])
    return np.unpackbits(array, count=int(np.prod(shape))).astype(bool).reshape(shape)
