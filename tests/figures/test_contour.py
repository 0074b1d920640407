import math

import numpy as np
import pandas as pd
import pytest

from nonconvex.figures.parts.contour import contour_points
from nonconvex.figures.parts.counts import count_cells


def line(ranks, successes, trials=10):
    trials = np.broadcast_to(trials, len(ranks))
    with np.errstate(invalid="ignore"):
        share = np.asarray(successes) / trials
    frame = pd.DataFrame({"p": 0.3, "rank": ranks, "successes": successes, "trials": trials, "share": share})
    return frame.assign(algorithm="am_fiht")


def point(cells, *, rising=False):
    (row,) = contour_points(cells, "p", "rank", rising=rising).to_dict("records")
    return row["rank"], row["crossing"]


def test_the_crossing_of_a_monotone_line_is_interpolated_on_an_uneven_axis():
    # From .8 at rank 6 to .2 at rank 13: one half lies half of the way.
    assert point(line([1, 2, 6, 13, 30], [10, 10, 8, 2, 0])) == (pytest.approx(9.5), "inside")
    assert point(line([100, 150, 300], [0, 2, 10]), rising=True) == (pytest.approx(206.25), "inside")


def test_a_line_that_is_not_monotone_is_pooled_first():
    # 4 and 8 of 10 pool to .6 on ranks 2 and 3, so the crossing lies between 3 and 4.
    place, where = point(line([1, 2, 3, 4], [10, 4, 8, 0]))
    assert where == "inside"
    assert place == pytest.approx(3 + 0.1 / 0.6)


@pytest.mark.parametrize(
    ("successes", "rising", "where"),
    [
        ([10, 10, 9], False, "above"),
        ([3, 0, 0], False, "below"),
        ([0, 1, 4], True, "above"),
        ([9, 10, 10], True, "below"),
    ],
)
def test_a_crossing_beyond_the_grid_has_no_place(successes, rising, where):
    place, found = point(line([1, 2, 4], successes), rising=rising)
    assert math.isnan(place)
    assert found == where


def test_cells_without_trials_are_left_out():
    assert point(line([1, 2, 3, 4], [10, 0, 0, 0], [10, 0, 0, 10])) == (pytest.approx(2.5), "inside")
    place, where = point(line([1, 2], [0, 0], 0))
    assert math.isnan(place)
    assert where == "no trials"


def test_a_known_curve_is_recovered_from_outcomes(experiment, outcomes):
    experiment["trials"] = 200
    cells = count_cells(outcomes(experiment), "am_fiht_beta0", "p", "rank", experiment["parameters"])
    contour = contour_points(cells, "p", "rank", rising=False)
    expected = 38 * contour["p"] - 1.5
    inside = contour["crossing"] == "inside"
    assert inside.sum() >= 7
    assert np.abs(contour["rank"] - expected)[inside].max() < 0.5
