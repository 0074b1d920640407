"""Images as numpy's npz files: named arrays in a zip, of which nothing but numbers is ever read."""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from pathlib import Path
from tokenize import TokenError
from warnings import catch_warnings, simplefilter

import numpy as np

from nonconvex.errors import UserError, nearest
from nonconvex.images.files.bounded import hollow, image_set, refuse_bomb, refuse_no_file, told
from nonconvex.images.image_set import ImageSet, check_images

KEYS = ("images", "labels", "test_images", "test_labels", "mined")
_LABELS = ("labels", "test_labels")
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
_MALFORMED = (ValueError, KeyError, TypeError, SyntaxError, TokenError, RecursionError, MemoryError)
_PICKLED = (
    "a pickle, which is never loaded because it can run any program: docs/own-data.md says how to convert it"
)


@dataclass(frozen=True)
class _Array:
    """What the header of an array in the file says of it."""

    info: zipfile.ZipInfo
    shape: tuple[int, ...]
    dtype: np.dtype


def read_npz(path: str | Path, *, pixels: bool = True) -> ImageSet:
    """Read a set of images of one's own.

    Parameters
    ----------
    path : path
        As ``numpy.savez`` or ``numpy.savez_compressed`` writes it, with ``images``, uint8 (n, height, width)
        or (n, height, width, channels), 1 or 3 channels, and ``labels``, whole numbers (n,); the classes are
        0, 1, 2, .... It may have ``test_images`` with ``test_labels``, and ``mined``, images without labels.
    pixels : bool
        False: headers and labels are checked, but the images returned are black and take no memory.

    Returns
    -------
    nonconvex.images.image_set.ImageSet

    Raises
    ------
    UserError
        One sentence, for anything else; Python objects are refused, and arrays much larger than their file.
    """
    path = Path(path)
    with _opened(path) as (file, arrays):
        for name in ("images", "labels"):
            if name not in arrays:
                raise UserError(
                    f"{path} has no array '{name}': a set needs 'images' and 'labels', and this has "
                    f"{_names(arrays)}"
                )
        read = {name: _read(path, file, name, arrays[name], pixels) for name in arrays}
    return image_set(path, **read)


def read_mined(path: str | Path, *, pixels: bool = True) -> np.ndarray:
    """Read images without labels: an npz file with the array ``mined`` and no other.

    Parameters and refusals are those of `read_npz`.

    Returns
    -------
    ndarray, shape (m, height, width, channels), uint8
    """
    path = Path(path)
    with _opened(path) as (file, arrays):
        if list(arrays) != ["mined"]:
            raise UserError(f"{path} must have the array 'mined' and no other, and has {_names(arrays)}")
        mined = _read(path, file, "mined", arrays["mined"], pixels)
    try:
        check_images("mined", mined)
    except ValueError as error:
        raise UserError(f"{path}: {error}") from error
    return mined


@contextmanager
def _opened(path: Path) -> Iterator[tuple[zipfile.ZipFile, dict[str, _Array]]]:
    """Open a file after a look at all that it says of itself, before any array is read."""
    refuse_no_file(path)
    try:
        with told(path):
            _refuse_other_kinds(path)
            with zipfile.ZipFile(path) as file:
                yield file, _arrays(path, file)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise UserError(f"{path} is damaged or cut short ({error}); get it again") from error


def _refuse_other_kinds(path: Path) -> None:
    with open(path, "rb") as file:
        first = file.read(8)
    if first.startswith(b"\x93NUMPY"):
        raise UserError(f"{path} is a single array; put images and labels into one file with numpy.savez")
    if first.startswith(b"\x80"):
        raise UserError(f"{path} is no .npz file but {_PICKLED}")
    if not first.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        raise UserError(f"{path} is no .npz file: it begins with other bytes; numpy.savez writes one")


def _arrays(path: Path, file: zipfile.ZipFile) -> dict[str, _Array]:
    found: dict[str, _Array] = {}
    total = 0
    for info in file.infolist():
        name = info.filename.removesuffix(".npy")
        if name not in KEYS or name == info.filename:
            raise UserError(f"{path} holds {info.filename!r}; {_known()}{nearest(name, KEYS)}")
        if name in found:
            raise UserError(f"{path} holds the array '{name}' twice; write it anew with numpy.savez")
        if info.flag_bits & 1 or info.compress_type not in _PACKINGS:
            raise UserError(f"{path}: '{name}' is packed in a way that numpy.savez does not; write it anew")
        found[name] = _header(path, file, name, info)
        total += refuse_bomb(path, (info.file_size,), more=total)
    return found


def _header(path: Path, file: zipfile.ZipFile, name: str, info: zipfile.ZipInfo) -> _Array:
    with file.open(info) as member:
        try:
            read = _HEADERS[np.lib.format.read_magic(member)]
            with catch_warnings():
                simplefilter("ignore")  # of Python 2's way to write a shape
                shape, _, dtype = read(member)
        except _MALFORMED as error:
            raise UserError(
                f"{path}: '{name}' is no array as numpy.savez writes it: only such arrays are read"
            ) from error
        rest = info.file_size - member.tell()
    if dtype.hasobject:
        raise UserError(f"{path}: '{name}' holds Python objects, {_PICKLED}")
    _refuse_dtype(path, name, dtype)
    if min(shape, default=1) < 1 or prod(shape) * dtype.itemsize != rest:
        raise UserError(
            f"{path}: '{name}' says that it has the shape {shape}, and holds {rest} bytes of {dtype}: it is "
            "empty or damaged"
        )
    return _Array(info, _four(path, name, shape) if name not in _LABELS else shape, dtype)


def _refuse_dtype(path: Path, name: str, dtype: np.dtype) -> None:
    if name in _LABELS and dtype.kind not in "iu":
        raise UserError(f"{path}: '{name}' must be whole numbers, one for each image, not {dtype}")
    if name not in _LABELS and dtype != np.uint8:
        raise UserError(f"{path}: '{name}' must be uint8, brightness from 0 to 255, not {dtype}; convert it")


def _four(path: Path, name: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape with channels; grey images may come without."""
    whole = (*shape, 1) if len(shape) == 3 else shape
    if len(whole) != 4 or whole[3] not in (1, 3):
        last = "; move the channels to the end" if len(shape) == 4 and shape[1] in (1, 3) else ""
        raise UserError(
            f"{path}: '{name}' must have the shape (n, height, width) or (n, height, width, channels), with "
            f"1 or 3 channels, not {shape}{last}"
        )
    return whole


def _read(path: Path, file: zipfile.ZipFile, name: str, array: _Array, pixels: bool) -> np.ndarray:
    if not pixels and name not in _LABELS:
        return hollow(array.shape)
    with file.open(array.info) as member:
        try:
            read = np.lib.format.read_array(member, allow_pickle=False)
        except ValueError as error:
            raise UserError(f"{path}: '{name}' cannot be read: it is damaged or cut short") from error
    if name not in _LABELS:
        return np.ascontiguousarray(read.reshape(array.shape))
    if read.size and read.max() > np.iinfo(np.int64).max:
        raise UserError(f"{path}: '{name}' must be whole numbers from 0, got {read.max()}")
    return read.astype(np.int64)


def _names(arrays: dict[str, _Array]) -> str:
    return ", ".join(f"'{name}'" for name in arrays) or "none"


def _known() -> str:
    return f"it may hold the arrays {', '.join(KEYS[:-1])} and {KEYS[-1]}"
