"""One IDX file: a header with the lengths, then bytes; plain or gzipped."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import numpy as np

from nonconvex.errors import UserError
from nonconvex.images.files.bounded import opened, pieces, refuse_bomb

_BYTES = 0x08  # the type of unsigned bytes
_KINDS = {1: "labels", 3: "images"}


def read_idx(path: str | Path, n_dimensions: int) -> np.ndarray:
    """Read an IDX file of unsigned bytes.

    Parameters
    ----------
    path : path
        Plain, or gzipped under any name.
    n_dimensions : int
        3 for images, 1 for labels.

    Returns
    -------
    ndarray of uint8, shape as the file's header says

    Raises
    ------
    UserError
        One sentence, for anything else, for a length that is not the header's, and for sizes that no images
        have; no more is read than the header says.
    """
    data = bytearray()
    shape = _pour(Path(path), n_dimensions, data.extend)
    return np.frombuffer(data, dtype=np.uint8)[4 + 4 * n_dimensions :].reshape(shape)


def scan_idx(path: str | Path, n_dimensions: int) -> tuple[tuple[int, ...], str]:
    """Return the shape of an IDX file and the sha256 of its contents, unpacked, without keeping them.

    Parameters and refusals are those of `read_idx`.
    """
    total = hashlib.sha256()
    shape = _pour(Path(path), n_dimensions, total.update)
    return shape, total.hexdigest()


def _pour(path: Path, n_dimensions: int, take: Callable[[bytes], object]) -> tuple[int, ...]:
    """Hand the checked contents of a file to `take`, piece by piece, and return their shape."""
    with opened(path) as stream:
        header, shape = _header(path, stream, n_dimensions)
        size = refuse_bomb(path, shape)
        take(header)
        read = 0
        for piece in pieces(stream, size):
            read += len(piece)
            if read <= size:
                take(piece)
    if read != size:
        found = f"only {read}" if read < size else "more"
        raise UserError(
            f"{path} should hold {size} bytes after its header, {_product(shape)}, and holds {found}: it is "
            "damaged or cut short; get it again"
        )
    return shape


def _header(path: Path, stream: BinaryIO, n_dimensions: int) -> tuple[bytes, tuple[int, ...]]:
    magic = stream.read(4)
    if len(magic) < 4 or magic[:2] != b"\0\0" or magic[3] not in _KINDS:
        raise UserError(f"{path} is no IDX file of images or labels: it begins with other bytes")
    if magic[2] != _BYTES:
        raise UserError(
            f"{path} holds IDX numbers of the type {magic[2]:#04x}, where bytes, 0x08, are wanted"
        )
    if magic[3] != n_dimensions:
        raise UserError(
            f"{path} holds {_KINDS[magic[3]]}, where {_KINDS[n_dimensions]} are wanted: was it swapped with "
            "another file?"
        )
    lengths = stream.read(4 * n_dimensions)
    if len(lengths) < 4 * n_dimensions:
        raise UserError(f"{path} ends within its header: it is cut short; get it again")
    shape = tuple(int(length) for length in np.frombuffer(lengths, dtype=">u4"))
    if 0 in shape:
        raise UserError(f"{path} holds nothing: its header says {_product(shape)}")
    return magic + lengths, shape


def _product(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape))
