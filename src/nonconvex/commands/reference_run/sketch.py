"""A dataset block told apart from another one by a few numbers, where processors round differently.

Exponentials, sines and products differ in their last bit between kinds of processors, and with them the
sha256 of what is drawn. So the reference keeps, of each array of floats, its root mean square and its mean
under signs drawn at random; both hardly move with the last bits, and both do with any other draw.
"""

import hashlib
import math
from collections.abc import Mapping
from typing import Any

import h5py
import numpy as np

from nonconvex.steps.block_file import open_block

TOLERANCE = 1e-9  # of the root mean square; other last bits move these numbers by less than 1e-14
Sketch = dict[str, Any]


def sketch(path: str) -> Sketch:
    """Return, for each array of a dataset block, a sha256, or two numbers for each part of floats."""
    found: Sketch = {}

    def add(name: str, item: h5py.Group | h5py.Dataset) -> None:
        if isinstance(item, h5py.Dataset):
            found[name] = _array(np.asarray(item[()]))

    with open_block(path, "dataset") as file:
        file.visititems(add)
    return found


def same_draw(kept: Mapping[str, Any], drawn: Mapping[str, Any]) -> bool:
    """Tell whether two sketches are of the same draws, up to the last bits of floats."""
    return kept.keys() == drawn.keys() and all(_same(kept[name], drawn[name]) for name in kept)


def _array(array: np.ndarray) -> str | list[float]:
    if array.dtype.kind not in "fc":
        return hashlib.sha256(repr((array.dtype.str, array.shape)).encode() + array.tobytes()).hexdigest()
    values = np.nan_to_num(np.ascontiguousarray(array).view(array.real.dtype).astype(float)).ravel()
    if not values.size:
        return [0.0, 0.0]
    signs = np.random.default_rng(values.size).choice([-1.0, 1.0], values.size)
    numbers = (math.sqrt(np.mean(values**2)), np.mean(signs * values))
    return [float(f"{number:.12g}") for number in numbers]


def _same(kept: str | list[float], drawn: str | list[float]) -> bool:
    if isinstance(kept, str) or isinstance(drawn, str):
        return kept == drawn
    return bool(np.allclose(kept, drawn, rtol=0, atol=TOLERANCE * kept[0]))
