"""Labelled images, and reading them from files of several formats.

The files are not trusted: sizes are checked before memory is taken, nothing is unpacked to disk, and no
pickle is ever loaded. What needs PyTorch is imported from its own modules.
"""

from nonconvex.images.files.cifar10 import read_cifar10
from nonconvex.images.files.idx import read_idx
from nonconvex.images.files.idx_folder import read_idx_folder
from nonconvex.images.files.mnist5k import read_mnist5k
from nonconvex.images.files.npz import read_mined, read_npz
from nonconvex.images.held_out import held_out
from nonconvex.images.image_set import ImageSet, LabelledImages

__all__ = [
    "ImageSet",
    "LabelledImages",
    "held_out",
    "read_cifar10",
    "read_idx",
    "read_idx_folder",
    "read_mined",
    "read_mnist5k",
    "read_npz",
]
