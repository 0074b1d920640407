"""A folder with the four IDX files of a set: which set it is, and its images."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from nonconvex.errors import UserError
from nonconvex.images.files.bounded import hollow, image_set, told
from nonconvex.images.files.idx import read_idx, scan_idx
from nonconvex.images.files.known import IDX_PARTS, IDX_SETS, KnownSet
from nonconvex.images.image_set import ImageSet

_DIMENSIONS = {"images": 3, "labels": 1}


def read_idx_folder(folder: str | Path) -> ImageSet:
    """Read a set in IDX format, such as MNIST.

    Parameters
    ----------
    folder : path
        With the files ``train-images-idx3-ubyte``, ``train-labels-idx1-ubyte``, ``t10k-images-idx3-ubyte``
        and ``t10k-labels-idx1-ubyte``, each plain or gzipped (``.gz``); ``train-images.idx3-ubyte`` is read,
        too.

    Returns
    -------
    nonconvex.images.image_set.ImageSet

    Raises
    ------
    UserError
        One sentence, for a file that is missing or is not what it should be, and for files of different sets.
    """
    return read_idx_files(idx_files(folder))[0]


def idx_files(folder: str | Path) -> tuple[Path, ...]:
    """Return the four IDX files of a folder, in the order of `IDX_PARTS`; plain ones go before gzipped."""
    folder = Path(folder)
    with told(folder):
        if not folder.is_dir():
            what = "a file, where a folder with IDX files is wanted" if folder.exists() else "no folder"
            raise UserError(f"{folder} is {what}")
        return tuple(_file(folder, part) for part in IDX_PARTS)


def read_idx_files(paths: Sequence[Path], *, pixels: bool = True) -> tuple[ImageSet, KnownSet | None]:
    """Read the four files of a set, and tell which known set they are.

    Parameters
    ----------
    paths : sequence of 4 paths
        As `idx_files` returns them.
    pixels : bool
        False: the files are checked as a whole, but the images returned are black and take no memory.

    Returns
    -------
    (ImageSet, KnownSet or None)
        None: a set that is not known.

    Raises
    ------
    UserError
        As `read_idx_folder` does.
    """
    scans = [scan_idx(path, _dimensions(part)) for part, path in zip(IDX_PARTS, paths, strict=True)]
    found = _known(paths, [content for _, content in scans])
    images, labels, test_images, test_labels = (
        read_idx(path, _dimensions(part)) if pixels or _dimensions(part) == 1 else hollow(shape)
        for part, path, (shape, _) in zip(IDX_PARTS, paths, scans, strict=True)
    )
    whole = image_set(
        paths[0].parent,
        images=images[..., None],
        labels=labels.astype(np.int64),
        test_images=test_images[..., None],
        test_labels=test_labels.astype(np.int64),
    )
    return whole, found


def _dimensions(part: str) -> int:
    return _DIMENSIONS[part.partition("-")[2]]


def _file(folder: Path, part: str) -> Path:
    ending = f"idx{_dimensions(part)}-ubyte"
    names = [f"{part}{mark}{ending}{zipped}" for zipped in ("", ".gz") for mark in ("-", ".")]
    for name in names:
        if (folder / name).exists():
            return folder / name
    raise UserError(f"{folder} has no file {names[0]}, plain or with .gz: a set in IDX format has four files")


def _known(paths: Sequence[Path], sums: Sequence[str]) -> KnownSet | None:
    """Return the set whose sums these are; refuse files of which only some are a known set's."""
    parts = {content: (of, part) for of in IDX_SETS for part, content in of.sha256.items()}
    found = [parts.get(content) for content in sums]
    first = next((one for one in found if one), None)
    if first is None:
        return None
    for path, expected, one in zip(paths, IDX_PARTS, found, strict=True):
        if one is None:
            raise UserError(
                f"{path} is not the file of {first[0].name}, whose {first[1]} lies beside it: it is damaged "
                "or changed; get it again, or keep images of your own in an .npz file"
            )
        if one != (first[0], expected):
            raise UserError(
                f"{path} holds the {one[1]} of {one[0].name}, where the {expected} of {first[0].name} are "
                "wanted: files were swapped, or sets were mixed"
            )
    return first[0]
