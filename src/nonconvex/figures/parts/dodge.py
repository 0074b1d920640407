"""Shift lines that would hide each other by a few points on paper; the data stay as they are."""

from matplotlib.axes import Axes
from matplotlib.transforms import ScaledTranslation, Transform

_POINTS_PER_INCH = 72


def dodged(axes: Axes, index: int, count: int, *, x: float = 0.0, y: float = 0.0) -> Transform:
    """Give the transform that sets one of several lines beside the others.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    index, count : int
        Which line of how many.
    x, y : float
        The step from line to line, in points.

    Returns
    -------
    matplotlib.transforms.Transform
    """
    steps = index - (count - 1) / 2
    shift = ScaledTranslation(
        steps * x / _POINTS_PER_INCH, steps * y / _POINTS_PER_INCH, axes.figure.dpi_scale_trans
    )
    return axes.transData + shift
