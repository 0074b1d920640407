"""The 50 % line of a phase diagram: one point per grid line, where the success share crosses one half."""

import math

import pandas as pd

from nonconvex.statistics.curves import crossing


def contour_points(cells: pd.DataFrame, across: str, along: str, *, rising: bool) -> pd.DataFrame:
    """Find the 50 % point of every grid line of a panel, as the claims do.

    The share is made monotone and interpolated between the grid values on either side of one half, so
    uneven grids are treated as they are. Cells without trials are left out.

    Parameters
    ----------
    cells : pandas.DataFrame
        The panel's cells, as counted.
    across : str
        The axis whose values each get one point.
    along : str
        The axis along which the share is followed.
    rising : bool
        Whether the share rises along that axis.

    Returns
    -------
    pandas.DataFrame
        algorithm, across, along (the crossing, or nan) and ``crossing``: inside, or above, below (it lies
        beyond the last, before the first value), or no trials.
    """
    points = []
    for value, line in cells.groupby(across, sort=True):
        line = line[line["trials"] > 0].sort_values(along)
        place, where = math.nan, "no trials"
        if len(line):
            shares, at = line["share"].to_numpy(), line[along].to_numpy(dtype=float)
            place = float(crossing(shares, at, not rising))
            where = "inside" if math.isfinite(place) else "above" if place > 0 else "below"
        points.append(
            {
                "algorithm": cells["algorithm"].iloc[0],
                across: value,
                along: place if where == "inside" else math.nan,
                "crossing": where,
            }
        )
    return pd.DataFrame(points)
