"""Images as arrays: what the families read from the files of their source, whatever these are."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nonconvex.errors import UserError
from nonconvex.images.files.bounded import image_set, opened
from nonconvex.images.files.cifar10 import FOLDER, read_cifar10
from nonconvex.images.files.idx_folder import read_idx_files
from nonconvex.images.files.known import IDX_PARTS
from nonconvex.images.files.mnist5k import read_mnist5k
from nonconvex.images.files.npz import read_mined, read_npz
from nonconvex.images.held_out import EVERY, held_out
from nonconvex.images.image_set import ImageSet

_TAR_MARK = slice(257, 262)  # where a tar archive says what it is


def read_images(paths: Sequence[Path], parameters: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Read the files of a source of images; what they are is told by what is in them.

    Parameters
    ----------
    paths : sequence of paths
        One file, or the four of a set in IDX format; then, where there are mined images, their file.
    parameters : dict
        Of the experiment; they change nothing.

    Returns
    -------
    dict of ndarray
        ``images``, ``test_images`` and ``mined``, uint8 (n, height, width, channels); ``labels`` and
        ``test_labels``, int64 (n,). Where a set has no test images, every fifth image of each class is one.
        Without mined images ``mined`` has length 0.

    Raises
    ------
    UserError
        One sentence, for files that are not what they should be.
    """
    count = len(IDX_PARTS) if len(paths) >= len(IDX_PARTS) else 1
    main, mined = paths[:count], paths[count:]
    found = read_idx_files(main)[0] if count > 1 else _read_one(main[0])
    found = with_mined(found, mined, main[0])
    if found.test_images is None:
        chosen = test_places(found.labels, main[0])
        found = ImageSet(
            *(found.images[~chosen], found.labels[~chosen]),
            *(found.images[chosen], found.labels[chosen]),
            found.mined,
        )
    none = np.zeros((0, *found.images.shape[1:]), dtype=np.uint8)
    arrays = vars(found) | {"mined": none if found.mined is None else found.mined}
    return {name: array for name, array in arrays.items() if array is not None}


def with_mined(found: ImageSet, mined: Sequence[Path], where: Path, *, pixels: bool = True) -> ImageSet:
    """Return a set with the mined images of another file, if there is one; UserError if it has some."""
    for path in mined:
        if found.mined is not None:
            raise UserError(f"both {where} and {path} hold mined images; leave one of them out")
        found = image_set(path, **vars(found) | {"mined": read_mined(path, pixels=pixels)})
    return found


def test_places(labels: np.ndarray, where: Path) -> np.ndarray:
    """Return which images are held out for tests (n,), bool; UserError where a set is too small for that."""
    chosen = held_out(labels)
    if not chosen.any():
        raise UserError(
            f"{where} has no test images, and no class has {EVERY} images, of which one could be held out; "
            "add test_images and test_labels"
        )
    return chosen


def _read_one(path: Path) -> ImageSet:
    with opened(path) as stream:
        first = stream.read(512)
    if first.startswith(b"PK"):
        return read_npz(path)
    if first.startswith(FOLDER.encode()) or first[_TAR_MARK] == b"ustar":
        return read_cifar10(path)
    return read_mnist5k(path)
