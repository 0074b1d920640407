"""Means and ratios of values, among them values that are lost, zero, missing or all alike."""

import numpy as np
import pytest
from scipy import stats

from claims.drawn import outcome
from nonconvex.claims.quantities.values import log_ratio, mean, ratio

NAMES = [f"cell {k}" for k in range(7)]


def values(middle, cells=7, trials=30, spread=0.1, seed=0):
    return middle * np.exp(spread * np.random.default_rng(seed).standard_normal((cells, trials)))


def pair(factor, cells=7, trials=30, spread=0.1, seed=0):
    return values(factor, cells, trials, spread, seed), values(1.0, cells, trials, spread, seed + 1000)


def over(a, b, names=NAMES):
    return ratio(a, {"other": b}, names[: len(a)])


def students(each, alpha):
    """Return the mean and Student's interval, of numbers or of a row of them."""
    expected = stats.ttest_1samp(each, 0).confidence_interval(1 - alpha)
    return each.mean(), expected.low, expected.high


def mirrored(logs, middle):
    """Return the trials and as many that mirror them: symmetric data have no skewness."""
    return np.hstack([logs, 2 * middle - logs])


def skewed(trials, cells=1, seed=0):
    """Return values of a gamma law of shape 2 and mean 1."""
    return np.random.default_rng(seed).gamma(2, 0.5, (cells, trials))


@pytest.mark.parametrize("alpha", [0.05, 0.0079])
@pytest.mark.parametrize("kind", ["few", "symmetric"])
def test_a_mean_of_few_or_symmetric_values_is_students_over_trials(alpha, kind):
    drawn = skewed(7, 3) if kind == "few" else mirrored(skewed(15, 3), 1.0)
    assert mean(drawn).at(alpha) == pytest.approx(students(drawn.mean(axis=0), alpha))
    found = mean(np.exp(drawn), geometric=True).at(alpha)
    assert found == pytest.approx(np.exp(students(drawn.mean(axis=0), alpha)))


@pytest.mark.parametrize("alpha", [0.05, 0.0079])
@pytest.mark.parametrize("kind", ["few", "symmetric"])
def test_a_ratio_of_few_or_symmetric_values_is_students_of_the_paired_logarithms(alpha, kind):
    a, b = (np.log(side) for side in pair(1.5, trials=7 if kind == "few" else 15))
    if kind == "symmetric":
        a, b = mirrored(a, np.log(1.5)), mirrored(b, 0.0)
    found = over(np.exp(a), np.exp(b))
    assert found.at(alpha) == pytest.approx(np.exp(students((a - b).mean(axis=0), alpha)))
    assert found.rows["cell 3"](alpha) == pytest.approx(np.exp(students((a - b)[3], alpha)))


@pytest.mark.parametrize("trials", [8, 30])
@pytest.mark.parametrize("alpha", [0.05, 0.0079])
def test_skewed_values_move_the_end_in_their_tail(trials, alpha):
    drawn = skewed(trials, 3)
    found, student = mean(drawn).at(alpha), students(drawn.mean(axis=0), alpha)
    assert found[:2] == pytest.approx(student[:2])
    assert found.high > student[2] + 0.05 * (student[2] - student[0])
    ratio_found = over(np.exp(drawn), np.ones_like(drawn)).at(alpha)
    assert ratio_found == pytest.approx(np.exp(found))


@pytest.mark.parametrize("trials", [7, 8, 30])
def test_a_mean_mirrors_with_its_values(trials):
    drawn = skewed(trials, 3)
    there, back = mean(drawn).at(0.05), mean(-drawn).at(0.05)
    assert back == pytest.approx((-there.estimate, -there.high, -there.low))


def test_means_of_skewed_values_are_covered_where_students_are_not():
    missed = {"mean": 0, "student": 0}
    for drawn in skewed(10, 2000):
        for name, (_, low, high) in (
            ("mean", mean(drawn[None]).at(0.05)),
            ("student", students(drawn, 0.05)),
        ):
            missed[name] += not low <= 1 <= high
    most = stats.binom.ppf(0.999, 2000, 0.05)
    assert missed["mean"] <= most < missed["student"]


@pytest.mark.parametrize("lost", [False, True])
def test_exchanged_sides_give_the_inverse(lost):
    a, b = pair(1.2)
    if lost:
        a[0, :3], b[1, :5], b[2, 0] = np.inf, np.inf, 0.0
    there, back = over(a, b).at(0.05), over(b, a).at(0.05)
    assert back == pytest.approx((1 / there.estimate, 1 / there.high, 1 / there.low))


@pytest.mark.parametrize(
    "factor, order, alike",
    [(1.5, "R", "N"), (1.05, "I", "R"), (1.0, "N", "R"), (0.7, "N", "N")],
)
def test_order_and_likeness(factor, order, alike):
    a, b = pair(factor, trials=100)
    assert outcome(over(a, b), "> 1.1", "< 1.02") == order
    assert outcome(over(a, b), "1/1.2 to 1.2", "outside 1/1.2 to 1.2", guarded=True) == alike


@pytest.mark.parametrize("factor, decided", [(1.5, "R"), (2.0, "I"), (3.0, "N"), (1.0, "I"), (0.8, "N")])
def test_slightly_more_has_two_ends(factor, decided):
    assert outcome(over(*pair(factor)), "1 to 2", "outside 1 to 2") == decided


def test_a_cell_that_is_turned_around_is_not_reproduced_in_every_cell():
    a, b = pair(1.5)
    a[0], b[0] = b[0].copy(), a[0].copy()
    assert outcome(over(a, b), "> 1.1", "< 1.02") == "R"
    assert outcome(over(a, b), "> 1.1", "< 1.02", guarded=True) == "I"


def test_opposite_cells_are_alike_on_average_and_not_in_every_cell():
    a, b = pair(2.0, 4)
    a[::2], b[::2] = b[::2].copy(), a[::2].copy()
    found = over(a, b)
    assert outcome(found, "1/1.25 to 1.25", "outside 1/1.25 to 1.25", guarded=True) == "I"
    assert outcome(found, "1/1.25 to 1.25", "outside 1/1.25 to 1.25") == "R"


def test_a_lost_trial_counts_as_the_largest_value_of_its_cell():
    a, b = pair(1.0)
    b[:, :15] = np.inf
    found = over(b, a)
    assert outcome(found, "> 1.05", "< 1") == "R"
    assert "210 pairs in 7 of 7 cells, 105 values lost" in found.detail
    assert np.isfinite(found.at(0.05)).all()
    filled = np.where(np.isinf(b), np.maximum(a, np.where(np.isinf(b), 0, b)).max(axis=1, keepdims=True), b)
    assert found.at(0.05) == pytest.approx(over(filled, a).at(0.05))
    assert mean(b).at(0.05).estimate > mean(a).at(0.05).estimate


def test_a_cell_counts_with_values_of_four_trials_in_five():
    a, b = pair(1.5)
    b[:4, :7] = np.nan
    found = over(a, b)
    assert outcome(found, "> 1.1", "< 1.02") == "R"
    assert "90 pairs in 3 of 7 cells" in found.detail
    assert list(found.rows) == NAMES[4:]
    b[4, :7] = np.nan
    found = over(a, b)
    assert outcome(found, "> 1.1", "< 1.02") == "I"
    assert "2 of 7 cells have values of four trials in five" in found.short
    two = over(a[4:6], b[4:6])
    assert two.short  # one of two is not enough: both must have values
    assert not over(a[5:], b[5:]).short


def test_pairs_with_a_missing_side_are_left_out():
    a, b = pair(1.5, trials=100)
    a[:, :10], b[:, 95:] = np.nan, np.nan
    assert over(a, b).at(0.05) == pytest.approx(over(a[:, 10:95], b[:, 10:95]).at(0.05))
    assert over(a, b).trials == 85


def test_a_geometric_mean_is_not_moved_by_one_large_value():
    drawn = values(0.2, 4, 50)
    drawn[0, 0] = 1e9
    assert outcome(mean(drawn, geometric=True), "> 0.1", "< 0.1") == "R"
    assert outcome(mean(drawn), "> 0.1", "< 0.1") == "I"


def test_a_zero_counts_as_the_smallest_value_that_is_above():
    a, b = pair(1.0)
    a[0, 0] = 0
    assert np.isfinite(over(a, b).at(0.05)).all()
    assert over(a, b).at(0.05).low > 0
    drawn = values(1.0)
    drawn[2, :3] = 0
    filled = np.where(drawn == 0, drawn[drawn > 0].min(), drawn)
    assert mean(drawn, geometric=True).at(0.05) == pytest.approx(mean(filled, geometric=True).at(0.05))
    assert mean(drawn).at(0.05).estimate == pytest.approx(drawn.mean())


def test_the_ratio_to_the_smallest_of_several_is_the_largest_of_the_ratios():
    a = values(1.0)
    others = {"twice": values(2.0, seed=1), "ten times": values(10.0, seed=2)}
    found, nearest = ratio(a, others, NAMES), over(a, others["twice"])
    assert found.at(0.05).estimate == pytest.approx(nearest.at(0.05).estimate)
    assert found.at(0.05).high == pytest.approx(nearest.at(0.05).high)
    assert found.at(0.05).low == pytest.approx(nearest.at(0.025).low)
    assert outcome(found, "< 1", "> 1", guarded=True) == "R"
    better = ratio(a, others | {"half": values(0.5, seed=3)}, NAMES)
    assert outcome(better, "< 1", "> 1") == "N"
    assert "twice: 210 pairs" in better.detail


def test_one_cell_where_another_one_is_better_withholds_the_smallest_of_all():
    a, b = values(1.0), values(2.0, seed=1)
    b[3] *= 0.2
    found = ratio(a, {"b": b, "c": values(5.0, seed=2)}, NAMES)
    assert outcome(found, "< 1", "> 1") == "R"
    assert outcome(found, "< 1", "> 1", guarded=True) == "I"


def test_a_method_without_values_is_left_out_and_told():
    a, lost = values(1.0), np.full((7, 30), np.nan)
    found = ratio(a, {"b": values(2.0, seed=1), "lost": lost}, NAMES)
    assert outcome(found, "< 1", "> 1") == "R"
    assert "lost left out: 0 of 7 cells" in found.detail
    none = ratio(a, {"one": lost, "two": lost}, NAMES)
    assert outcome(none, "< 1", "> 1") == "I"
    assert "one left out" in none.short


@pytest.mark.parametrize("fill", [np.nan, np.inf, 0.0, 1.0])
@pytest.mark.parametrize("shape", [(0, 30), (1, 1), (7, 1), (3, 2), (3, 5), (7, 30)])
def test_values_without_a_difference_show_none(fill, shape):
    a = np.full(shape, fill)
    assert outcome(over(a, a.copy()), "> 1.1", "< 0.9") == "I"
    assert outcome(log_ratio(a, a.copy()), "> 0.1", "< -0.1") == "I"
    for geometric in (False, True):
        found = mean(a, geometric=geometric)
        assert outcome(found, "> 5", "< -5") == "I"
        few = shape[0] == 0 or shape[1] < 3 or not np.isfinite(fill)
        assert bool(found.short) == few


@pytest.mark.parametrize("trials", [1, 2])
def test_few_trials_decide_nothing(trials):
    a, b = pair(100.0, trials=trials)
    assert over(a, b).short == f"{trials} trials with a value, fewer than 3"
    assert outcome(over(a, b), "> 1.1", "< 1.02") == "I"
    assert outcome(mean(a), "> 1", "< 1") == "I"
    assert outcome(ratio(a, {"b": b, "c": b}, NAMES), "> 1.1", "< 1.02") == "I"


@pytest.mark.parametrize("trials", [3, 10, 30])
@pytest.mark.parametrize("kind", ["mean", "geometric", "ratio"])
def test_means_and_ratios_are_covered(trials, kind):
    hits = 0
    for seed in range(300):
        a, b = pair(1.3, 2, trials, 0.2, seed)
        if kind == "ratio":
            found, truth = over(a, b), 1.3
        else:
            found = mean(a, geometric=kind == "geometric")
            truth = 1.3 if kind == "geometric" else 1.3 * np.exp(0.02)
        _, low, high = found.at(0.05)
        hits += low <= truth <= high
    assert hits >= stats.binom.ppf(0.001, 300, 0.95)
