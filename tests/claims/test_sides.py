import numpy as np
import pandas as pd
import pytest

from nonconvex.claims.quantities.farther import far_beyond, slightly_farther
from nonconvex.claims.quantities.flat import threshold_is_flat
from nonconvex.claims.quantities.grid import gain, gain_is, gain_over
from nonconvex.claims.quantities.growth import grows_less
from nonconvex.claims.quantities.level import handles_up_to
from nonconvex.claims.quantities.share import share_holds
from nonconvex.claims.quantities.timing import OPERATIONS
from nonconvex.claims.runs.registry import RUNS
from nonconvex.claims.sides import common_axes, lines, shared, sides
from nonconvex.errors import UserError

X = np.arange(1, 9) / 10


def table(levels, success):
    """One algorithm on one axis, `success` of shape (len(levels), n_trials)."""
    x, trial = np.meshgrid(levels, range(np.shape(success)[1]), indexing="ij")
    return pd.DataFrame({"algorithm": "a", "x": x.ravel(), "trial": trial.ravel(), "status": "converged",
                         "success": np.ravel(success), "error": 0.1, "iterations": 3})  # fmt: skip


def curve(place, trials=40):
    return np.repeat((place > X)[:, None], trials, axis=1)


def test_only_cells_that_both_sides_have_count():
    one, other = table([1, 2, 3], np.eye(3, 4, dtype=bool)), table([2, 3, 4], np.ones((3, 4), dtype=bool))
    pair = sides(one, other, {"better": "a", "than": "a"}, ("better", "than"))
    a, b, (levels,) = shared(*pair, common_axes(*pair, {}))
    assert levels.tolist() == [2, 3]
    np.testing.assert_array_equal(a.marks("recovered", ["x"], range(4)), np.eye(3, 4, dtype=bool)[1:])
    assert b.column("iterations", ["x"], range(4)).tolist() == [[3.0] * 4] * 2


def test_the_fraction_left_is_read_from_the_fraction_lost():
    both = table(X, curve(0.45, 4))
    settings = {"one": "a", "other": "a", "along": "x", "success": "falls", "complement": True}
    a, _, x, falls = lines(*sides(both, None, settings, ("one", "other")), settings, range(4))
    assert not falls
    np.testing.assert_allclose(x, 1 - X[::-1])
    np.testing.assert_array_equal(a[0, :, 0], x > 0.55)


def test_an_axis_that_the_table_lacks_is_an_error():
    settings = {"better": "a", "than": "a", "along": "y", "success": "falls", "much": 0.1}
    with pytest.raises((UserError, KeyError)):
        RUNS["T-FAR"](table(X, curve(0.4)), settings, range(40), 1)


def test_gain_counts_every_drawn_cell_or_the_mixed_ones():
    a, b = np.ones((4, 20), dtype=bool), np.ones((4, 20), dtype=bool)
    b[0] = False
    assert gain(a, b).each.mean() == 0.25
    assert gain(a, b, mixed_only=True).each.mean() == 1
    assert gain(a, a) == "all 4 cells are wholly white or wholly black for both"
    assert gain_is(gain(a, a), seed=1).outcome == "I"
    assert [gain_is(gain(*pair), seed=1).outcome for pair in ((a, b), (b, a))] == ["R", "N"]
    assert gain_is(gain_over(gain(a, b), gain(b, a)), seed=1).effect == 0.5
    assert gain_is(gain(a, b), seed=1, largest=0.2).outcome == "N"
    assert gain_is(gain(a[:, :1], b[:, :1]), seed=1).outcome == "I"


@pytest.mark.parametrize(
    "successes, trials, outcome", [(20, 20, "R"), (17, 20, "I"), (5, 20, "N"), (3, 3, "I"), (0, 0, "I")]
)
def test_share(successes, trials, outcome):
    assert share_holds(successes, trials, at_least=0.9, below=0.5).outcome == outcome


def test_share_needs_its_fewest_trials():
    assert share_holds(9, 9, at_least=1, below=0.6).outcome == "R"
    assert share_holds(9, 9, at_least=1, below=0.6, fewest=10).outcome == "I"


@pytest.mark.parametrize(
    "place, trials, outcome",
    [(0.35, 10, "R"), (0.55, 10, "I"), (0.65, 10, "N"), (0.9, 10, "N"), (0.05, 10, "I"), (0.35, 3, "I")],
)
def test_level(place, trials, outcome):
    found = handles_up_to(curve(place, trials), X, band=(0.2, 0.4), outer=(0.0, 0.5))
    assert found.outcome == outcome
    assert found.p_against < 0.01 or outcome != "N"


def test_level_needs_success_that_falls():
    rising = curve(0.35, 10)[::-1]
    assert handles_up_to(rising, X, band=(0.2, 0.4)).outcome == "I"


def test_lines_slightly_and_far_apart():
    near, far = curve(0.45)[None], curve(0.75)[None]
    settings = {"x": X, "falls": True, "seed": 1}
    assert far_beyond(far, near, much=0.1, **settings).outcome == "R"
    assert far_beyond(near, far, much=0.1, **settings).outcome == "N"
    assert far_beyond(near, near, much=0.1, or_success=True, **settings).outcome == "I"
    assert slightly_farther(far, near, **settings).outcome == "R"
    assert slightly_farther(far, near, relative=0.25, **settings).outcome == "N"
    assert slightly_farther(near, far, **settings).outcome == "N"
    assert slightly_farther(near, near, **settings).outcome == "I"


def test_a_row_without_a_crossing_is_not_flat():
    rng = np.random.default_rng(0)
    graded = rng.random((4, len(X), 100)) < 1 / (1 + np.exp((X - 0.45) / 0.05))[:, None]
    settings = {"falls": True, "seed": 1, "steps": 1.0}
    levels = np.array([1.0, 2.0, 4.0, 8.0])
    assert threshold_is_flat(graded, levels, X, **settings).outcome == "R"
    graded[3] = False
    assert threshold_is_flat(graded, levels, X, **settings).outcome in "IN"
    assert threshold_is_flat(graded[:2], levels[:2], X, **settings).outcome == "I"


def test_growth_needs_three_sizes_and_every_time():
    sizes = np.array([1.0, 2.0, 4.0])
    steps = np.full((3, 3), 10.0)
    wobble = np.exp(0.02 * np.random.default_rng(0).standard_normal((2, 3, 3)))
    slow, fast = ((sizes[:, None] ** power * w, steps) for power, w in zip((2, 1), wobble, strict=True))
    assert [grows_less(*pair, sizes).outcome for pair in ((fast, slow), (slow, fast))] == ["R", "N"]
    assert grows_less(fast, slow, sizes, relative=False).outcome == "R"
    two = ((fast[0][:2], steps[:2]), (slow[0][:2], steps[:2]))
    assert grows_less(*two, sizes[:2]).outcome == "I"
    assert grows_less((fast[0] * np.nan, steps), slow, sizes).outcome == "I"


def test_operations_grow_as_the_methods_do():
    n = np.array([2000.0, 4000.0])
    ratios = {name: law(n, 0.5)[1] / law(n, 0.5)[0] for name, law in OPERATIONS.items()}
    assert ratios["fast Hankel products"] == pytest.approx(2 * np.log(4000) / np.log(2000))
    assert ratios["products with observed entries"] == 4
    assert ratios["full decomposition"] == 8
    assert (
        OPERATIONS["products with observed entries"](n, 0.95)[0]
        < OPERATIONS["products with observed entries"](n, 0.5)[0]
    )
