"""Shift lines that would hide each other sideways, a few points on paper; the data stay as they are.

Never up or down: a share would lie above one or below none.
"""

from matplotlib.axes import Axes
from matplotlib.transforms import ScaledTranslation, Transform

_POINTS_PER_INCH = 72


def dodged(axes: Axes, index: int, count: int, step: float) -> Transform:
    """Give the transform that sets one of several lines beside the others.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    index, count : int
        Which line of how many.
    step : float
        How far it is from line to line, in points.

    Returns
    -------
    matplotlib.transforms.Transform
    """
    points = (index - (count - 1) / 2) * step
    return axes.transData + ScaledTranslation(points / _POINTS_PER_INCH, 0, axes.figure.dpi_scale_trans)
