"""Cells: the points of an experiment's grid."""

import itertools
from collections.abc import Mapping


def cells(experiment: Mapping) -> list[dict]:
    """Return the cells of an experiment or plan: every parameter with one value, last axis fastest.

    A parameter whose value is a list is an axis, in the order of ``axes``.
    """
    parameters, axes = experiment["parameters"], experiment["axes"]
    points = itertools.product(*(parameters[axis] for axis in axes))
    return [{**parameters, **dict(zip(axes, point, strict=True))} for point in points]
