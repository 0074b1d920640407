"""Opening a file that is not trusted: what it may be, how large it may be, and what goes wrong."""

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import BinaryIO

import numpy as np

from nonconvex.errors import UserError
from nonconvex.images.image_set import ImageSet

LARGEST = 4 * 2**30
"""Bytes: no file's contents may be larger; 500 000 images of CIFAR-10's size are 1.5 GB."""

SMALL = 64 * 2**20
"""Bytes: contents below are read however well they were compressed."""

MOST_TIMES = 200
"""How many times their file's size larger contents may be; real images are seldom more than ten times."""

_PIECE = 2**20


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn what goes wrong while a file is read into one sentence about it."""
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UserError(f"{path} is damaged or cut short ({error}); get it again") from error
    except OSError as error:
        raise UserError(f"{path} cannot be read ({error.strerror or error})") from error


def refuse_no_file(path: Path) -> None:
    """Raise UserError unless `path` is a file with something in it."""
    with told(path):
        if path.is_dir():
            raise UserError(f"{path} is a folder, where a file is wanted")
        if not path.is_file():
            raise UserError(f"{path} is not there, or is no file")
        if not path.stat().st_size:
            raise UserError(f"{path} is empty")


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading, and unpack it on the way where it is gzipped; what goes wrong is told."""
    refuse_no_file(path)
    with told(path), open(path, "rb") as file:
        if file.read(2) == b"\x1f\x8b":
            file.seek(0)
            with gzip.GzipFile(fileobj=file) as stream:
                yield stream  # type: ignore[misc]  # it reads as a binary file does
        else:
            file.seek(0)
            yield file


def pieces(stream: BinaryIO, most: int) -> Iterator[bytes]:
    """Yield what a stream holds, in small pieces; `most` bytes and one are read, however many there are."""
    left = most + 1
    while left and (piece := stream.read(min(left, _PIECE))):
        left -= len(piece)
        yield piece


def refuse_bomb(path: Path, shape: tuple[int, ...], more: int = 0) -> int:
    """Return how many bytes an array of this shape has; UserError where that cannot be meant.

    `more` bytes beside it were said to be in the same file.
    """
    size = prod(shape)
    there = path.stat().st_size
    if size + more > LARGEST:
        raise UserError(
            f"{path} says that it holds {size + more} bytes; more than {LARGEST} are not read: take "
            "fewer images"
        )
    if size + more > SMALL and size + more > MOST_TIMES * there:
        raise UserError(
            f"{path} has {there} bytes and says that it holds {size + more}, which is more than "
            f"{MOST_TIMES} times as many: no real images are so alike"
        )
    return size


def hollow(shape: tuple[int, ...]) -> np.ndarray:
    """Return black images of this shape that take no memory: they stand for images that are not read yet."""
    return np.broadcast_to(np.uint8(0), shape)


def image_set(where: Path, **arrays: np.ndarray | None) -> ImageSet:
    """Return a set of the arrays of a file or folder; what is wrong with them is told with its name."""
    try:
        return ImageSet(**arrays)  # type: ignore[arg-type]
    except UserError:
        raise
    except ValueError as error:
        raise UserError(f"{where}: {error}") from error


def file_md5(path: Path) -> str:
    """Return the md5 of a file's bytes: some archives' publishers give no other sum."""
    refuse_no_file(path)
    with told(path), open(path, "rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
