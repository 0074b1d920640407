"""CIFAR-10 from the archive of its binary version, read in memory: nothing is unpacked to disk."""

import io
import tarfile
from pathlib import Path
from typing import BinaryIO

import numpy as np

from nonconvex.errors import UserError
from nonconvex.images.files.bounded import file_md5, image_set, opened, told
from nonconvex.images.files.known import CIFAR10_ARCHIVE, CIFAR10_MD5
from nonconvex.images.image_set import ImageSet

IMAGES_A_FILE = 10_000
FOLDER = "cifar-10-batches-bin"
TEST = f"{FOLDER}/test_batch.bin"
TRAINING = tuple(f"{FOLDER}/data_batch_{number}.bin" for number in range(1, 6))
WORDS = (f"{FOLDER}/batches.meta.txt", f"{FOLDER}/readme.html")
_SIDE, _CHANNELS = 32, 3
_RECORD = 1 + _CHANNELS * _SIDE * _SIDE  # the label, then all red, all green and all blue
_LONGEST_WORDS = 2**16
_PIECE = 2**20
_OTHERS = {"cifar-10-batches-py": "Python", "cifar-10-batches-mat": "MATLAB"}


def read_cifar10(path: str | Path) -> ImageSet:
    """Read CIFAR-10 from its binary archive.

    Parameters
    ----------
    path : path
        The archive ``cifar-10-binary.tar.gz`` as published, under any name.

    Returns
    -------
    nonconvex.images.image_set.ImageSet
        50 000 images and 10 000 test images, 32 x 32 x 3, of 10 classes.

    Raises
    ------
    UserError
        One sentence, for any other file; the archive of the Python version holds pickles and is never opened.
    """
    check_cifar10(path)
    return read_binary_archive(path)


def check_cifar10(path: str | Path) -> None:
    """Raise UserError unless the md5 of a file is that of the published binary archive."""
    path = Path(path)
    found = file_md5(path)
    if found == CIFAR10_MD5:
        return
    if other := _other_version(path):
        raise UserError(
            f"{path} is the {other} version of CIFAR-10, which is not read (pickles can run any program): "
            f"get the binary version, {CIFAR10_ARCHIVE}"
        )
    raise UserError(
        f"{path} is not {CIFAR10_ARCHIVE} as published: its md5 is {found}, not {CIFAR10_MD5}; get it again"
    )


def read_binary_archive(path: str | Path, images_a_file: int = IMAGES_A_FILE) -> ImageSet:
    """Read an archive in the form of CIFAR-10's binary version, whatever its sum.

    Parameters
    ----------
    path : path
    images_a_file : int
        In each of its six files.

    Returns
    -------
    nonconvex.images.image_set.ImageSet

    Raises
    ------
    UserError
        One sentence, for members with other names, kinds or sizes, and for labels above 9.
    """
    path = Path(path)
    size = images_a_file * _RECORD
    records: dict[str, np.ndarray] = {}
    seen: set[str] = set()
    most = (len(TRAINING) + 1) * (size + 1024) + len(WORDS) * _LONGEST_WORDS + 2**16
    try:
        with opened(path) as stream:
            limited = _Limited(path, stream, most)
            with tarfile.open(fileobj=limited, mode="r|") as archive:
                for member in archive:
                    _refuse_member(path, member, size, seen)
                    seen.add(member.name)
                    if member.name in (*TRAINING, TEST):
                        content = archive.extractfile(member)
                        data = content.read(size) if content else b""
                        records[member.name] = _checked(path, member.name, data, size)
            while limited.read(_PIECE):
                pass  # the checksum is at the end
    except tarfile.TarError as error:
        raise UserError(f"{path} is no whole tar archive ({error}); get it again") from error
    for name in (*TRAINING, TEST):
        if name not in records:
            raise UserError(f"{path} has no {name}: it is not {CIFAR10_ARCHIVE}, or cut short")
    images, labels = _parted([records[name] for name in TRAINING])
    test_images, test_labels = _parted([records[TEST]])
    return image_set(path, images=images, labels=labels, test_images=test_images, test_labels=test_labels)


class _Limited(io.RawIOBase):
    """A stream that ends the reading when more comes out of it than an archive of this form holds."""

    def __init__(self, path: Path, stream: BinaryIO, most: int) -> None:
        self._path, self._stream, self._left = path, stream, most

    def read(self, size: int = -1) -> bytes:
        most = self._left + 1
        piece = self._stream.read(most if size < 0 else min(size, most))
        self._left -= len(piece)
        if self._left < 0:
            raise UserError(f"{self._path} holds more than {CIFAR10_ARCHIVE} does: it is another file")
        return piece


def _refuse_member(path: Path, member: tarfile.TarInfo, size: int, seen: set[str]) -> None:
    name = member.name
    if name in seen:
        raise UserError(f"{path} holds {name!r} twice: it is not {CIFAR10_ARCHIVE} as published")
    if name == FOLDER and member.isdir():
        return
    if name not in (*TRAINING, TEST, *WORDS):
        raise UserError(
            f"{path} holds {name!r}, which is no file of {CIFAR10_ARCHIVE}: it is another archive"
        )
    if not member.isreg() or member.issparse():
        raise UserError(
            f"{path}: {name} is a link or something else that is no plain file; nothing is followed"
        )
    if member.size > _LONGEST_WORDS if name in WORDS else member.size != size:
        raise UserError(f"{path}: {name} has {member.size} bytes, which are not those of {CIFAR10_ARCHIVE}")


def _checked(path: Path, name: str, data: bytes, size: int) -> np.ndarray:
    if len(data) != size:
        raise UserError(f"{path}: {name} is cut short: get the archive again")
    records = np.frombuffer(data, dtype=np.uint8).reshape(-1, _RECORD)
    if records[:, 0].max() > 9:
        place = int(np.argmax(records[:, 0] > 9))
        raise UserError(
            f"{path}: {name} has the label {records[place, 0]} at image {place}, not one of 0 to 9"
        )
    return records


def _parted(files: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return images (n, 32, 32, 3) and labels of files of records."""
    planes = [records[:, 1:].reshape(-1, _CHANNELS, _SIDE, _SIDE) for records in files]
    images = np.concatenate([plane.transpose(0, 2, 3, 1) for plane in planes])
    labels = np.concatenate([records[:, 0] for records in files])
    return np.ascontiguousarray(images), labels.astype(np.int64)


def _other_version(path: Path) -> str | None:
    """Return the language of another version of CIFAR-10, by its first member's name; no more is read."""
    try:
        with opened(path) as stream, told(path):
            first = stream.read(100).split(b"\0")[0].decode("ascii", "replace")
    except UserError:
        return None
    return _OTHERS.get(first.split("/")[0])
