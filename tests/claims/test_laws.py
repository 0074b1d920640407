"""How means and thresholds go with a parameter: changes, slopes, exponents, distances from a line."""

import numpy as np
import pytest
from scipy import stats

from claims.drawn import logistic, outcome, steps
from nonconvex.claims.quantities.laws import FUNCTIONS, change, deviation, log_slope, slope
from nonconvex.claims.quantities.points import means, resolution, thresholds

LEVELS = np.array([1.0, 2, 4, 8, 16])
RANKS = np.arange(1, 20, 2.0)
FRACTIONS = np.arange(1, 10) * 0.05


def points(law, trials=50, spread=0.1, levels=LEVELS, seed=0, geometric=True, shared=0.0):
    """Means of values around a law; `shared`: the spread of a factor that a trial has at all levels."""
    rng = np.random.default_rng(seed)
    own = spread * rng.standard_normal((len(levels), trials)) + shared * rng.standard_normal((1, trials))
    middle = np.asarray([law(level) for level in levels])[:, None]
    return means(middle * np.exp(own), levels, 3, geometric=geometric)


def lines(law, trials=100, seed=0, width=0.02):
    """Thresholds along the fraction at each rank."""
    rng = np.random.default_rng(seed)
    success = logistic(FRACTIONS, [law(rank) for rank in RANKS], width, trials, rng)
    return thresholds(success, RANKS, FRACTIONS, 5, falls=False, times_level=False)


def test_means_are_those_of_the_trials():
    drawn = np.exp(np.random.default_rng(0).standard_normal((3, 40)))
    found = means(drawn, LEVELS[:3], 1, geometric=False)
    np.testing.assert_allclose(found.values, drawn.mean(axis=1))
    np.testing.assert_allclose(found.drawn.std(axis=0), drawn.std(axis=1) / np.sqrt(40), rtol=0.1)
    np.testing.assert_allclose(means(drawn, LEVELS[:3], 1, geometric=True).values, stats.gmean(drawn, axis=1))


def test_lost_values_count_as_the_largest_of_their_level_and_a_level_without_any_is_left_out():
    drawn = np.array([[1.0, 2, np.inf, 4], [np.inf] * 4, [1, 0, 1, 1]])
    found = means(drawn, LEVELS[:3], 1, geometric=False)
    assert found.levels.tolist() == [1, 4]
    assert found.values.tolist() == [11 / 4, 3 / 4]
    assert "at 2 of 3 levels" in found.detail
    found = means(drawn, LEVELS[:3], 1, geometric=True)
    assert found.values == pytest.approx([32**0.25, 1.0])


def test_a_change_is_the_ratio_of_the_last_level_to_the_first():
    rng = np.random.default_rng(4)
    drawn = LEVELS[:, None] * np.exp(0.3 * rng.standard_normal((5, 60)))
    found = change(means(drawn, LEVELS, 3, geometric=True)).at(0.05)
    logs = np.log(drawn[-1] / drawn[0])
    expected = stats.ttest_1samp(logs, 0).confidence_interval(0.95)
    assert found.estimate == pytest.approx(np.exp(logs.mean()))
    assert np.log(found[1:]) == pytest.approx([expected.low, expected.high], rel=0.02)


def test_what_a_trial_has_at_all_levels_is_no_change():
    wide = points(lambda x: x, spread=0.02, shared=1.0)
    low, high = change(wide).at(0.05)[1:]
    assert high / low < 1.05


@pytest.mark.parametrize(
    "law, whole, stepwise",
    [
        (lambda x: x, "R", "R"),
        (lambda x: 1 / x, "N", "N"),
        (lambda x: 1.0, "N", "N"),
        (lambda x: {1: 1, 2: 4, 4: 2, 8: 8, 16: 16}[x], "R", "I"),
    ],
)
def test_rises_and_a_step_back(law, whole, stepwise):
    found = change(points(law))
    assert outcome(found, "> 1.1", "< 1.1") == whole
    assert outcome(found, "> 1.1", "< 1.1", guarded=True) == stepwise
    assert next(iter(found.rows)) == "from 1 to 2"


def test_a_slope_is_that_of_least_squares():
    flat = points(lambda x: 2 + 3 * x, geometric=False)
    found = slope(flat).at(0.05)
    assert found.estimate == pytest.approx(np.polyfit(LEVELS, flat.values, 1)[0])
    assert found.low < 3 < found.high
    found = log_slope(points(lambda x: 5 * x**-0.5)).at(0.05)
    assert found.low < -0.5 < found.high
    assert found.high - found.low < 0.1


@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_slopes_and_distances_in_every_function(name):
    law = lambda x: 20 - 10 * FUNCTIONS[name](np.array([x]))[0] / FUNCTIONS[name](np.array([16.0]))[0]  # noqa: E731
    if name in ("inverse", "inverse sqrt", "inverse square"):
        law = lambda x: 20 - 10 * FUNCTIONS[name](np.array([x]))[0]  # noqa: E731
    exact = points(law, 30, 0.001, geometric=False)
    assert outcome(slope(exact, name), "< 0", "> 0") == "R"
    assert deviation(exact, name).at(0.05).estimate < 0.01
    others = [other for other in FUNCTIONS if other != name]
    assert min(deviation(exact, other).at(0.05).low for other in others) > 0.01
    assert "; from lines in other functions: " in deviation(exact, name, others).detail


def test_a_slope_may_be_taken_off_another_one_at_their_common_levels():
    fast = points(lambda x: x**2)
    slow = points(lambda x: x, levels=LEVELS[:4], seed=1)
    there, back = log_slope(fast, less=slow).at(0.05), log_slope(slow, less=fast).at(0.05)
    assert there.estimate == pytest.approx(1, abs=0.1)
    assert back == pytest.approx((-there.estimate, -there.high, -there.low), rel=1e-6)
    assert outcome(log_slope(fast, less=slow), "> 0", "< 0") == "R"
    few = points(lambda x: x, levels=LEVELS[:2])
    assert log_slope(fast, less=few).short == "2 levels with a value, fewer than 3"


def test_a_distance_is_the_largest_from_least_squares_over_the_range_of_the_line():
    bent = points(lambda x: np.sqrt(x), spread=0.01, geometric=False)
    line = np.polynomial.Polynomial.fit(LEVELS, bent.values, 1)(LEVELS)
    expected = np.abs(bent.values - line).max() / np.ptp(line)
    found = deviation(bent, "x").at(0.05)
    assert found.estimate == pytest.approx(expected)
    assert found.low < expected < found.high


def bent(part):
    """A law of the rank with its middle off the line of the others, by a part of the line's range."""
    ends = (RANKS[0], RANKS[-1])
    away = lambda r: 4 * (r - ends[0]) * (ends[1] - r) / (ends[1] - ends[0]) ** 2  # noqa: E731
    line = lambda r: 0.1 + 0.25 * (r - ends[0]) / (ends[1] - ends[0])  # noqa: E731
    # A parabola of height h is 2/3 h from its best line at the ends, and that is its largest distance.
    return lambda r: line(r) + 0.25 * part * 1.5 * away(r)


def truly(law):
    """The distance of a law from its best line."""
    found = np.array([law(rank) for rank in RANKS])
    line = np.polynomial.Polynomial.fit(RANKS, found, 1)(RANKS)
    return np.abs(found - line).max() / np.ptp(line)


@pytest.mark.parametrize("seed", range(5))
def test_thresholds_a_quarter_off_the_line_are_refuted(seed):
    law = bent(0.26)
    assert truly(law) == pytest.approx(0.26, abs=0.03)
    assert outcome(deviation(lines(law, 400, seed), "x"), "<= 0.08", "> 0.08") == "N"
    assert outcome(deviation(lines(law, 100, seed), "x"), "<= 0.08", "> 0.08") == "N"


@pytest.mark.parametrize("seed", range(20))
def test_thresholds_a_twentieth_off_the_line_are_never_refuted(seed):
    law = bent(0.05)
    assert truly(law) == pytest.approx(0.05, abs=0.01)
    assert outcome(deviation(lines(law, 100, seed), "x"), "<= 0.08", "> 0.08") != "N"


def test_a_line_is_a_line_with_trials_enough_and_open_with_few():
    line = lambda r: 0.06 + 0.018 * r  # noqa: E731
    assert outcome(deviation(lines(line, 1000), "x"), "<= 0.08", "> 0.08") == "R"
    assert outcome(deviation(lines(line, 5), "x"), "<= 0.08", "> 0.08") == "I"
    assert outcome(slope(lines(line, 30)), "> 0", "< 0") == "R"
    assert outcome(slope(lines(lambda r: 0.42 - 0.018 * r, 30)), "> 0", "< 0") == "N"
    # Points without a slope cover no range: nothing is a small part of it.
    assert outcome(deviation(lines(lambda r: 0.25, 100), "x"), "<= 0.08", "> 0.08") != "R"


def test_thresholds_that_jump_are_known_to_a_part_of_the_step():
    success = steps(FRACTIONS, 0.03 + 0.02 * RANKS, 100)
    found = thresholds(success, RANKS, FRACTIONS, 5, falls=False, times_level=False)
    np.testing.assert_allclose(found.drawn.std(axis=0), 0.05 / np.sqrt(12), rtol=0.1)
    assert outcome(deviation(found, "x"), "<= 0.08", "> 0.08") == "I"
    np.testing.assert_allclose(
        resolution(np.array([[0, 0, 1.0], [0, 0.5, 1.0], [0.2, 0.5, 0.9]]), np.arange(3), False),
        [1 / np.sqrt(12), 1 / 6, 1 / 12],
    )


def test_levels_without_a_crossing_are_left_out():
    success = steps(FRACTIONS, [0.12, 0.22, 0.9, 0.01, 0.32], 100)
    found = thresholds(success, RANKS[:5], FRACTIONS, 5, falls=False, times_level=False)
    assert found.levels.tolist() == [1, 3, 9]
    assert "2 of 5 levels without a crossing" in found.detail
    assert deviation(found, "x").short == "3 levels with a value, fewer than 5"


def test_thresholds_of_ratios_are_in_units_of_the_level():
    x, levels = np.arange(0.5, 3.01, 0.1), np.array([10.0, 20, 30])
    flat = steps(x, [1.25, 1.25, 1.25], 20)
    plain, times = (thresholds(flat, levels, x, 1, falls=False, times_level=t) for t in (False, True))
    assert change(plain).at(0.05).estimate == pytest.approx(1.0)
    assert change(times).at(0.05).estimate == pytest.approx(3.0)
    assert outcome(change(times), "> 1.1", "< 1.1") == "R"
    inverse = thresholds(steps(x, [2.45, 1.25, 0.85], 20), levels, x, 1, falls=False, times_level=True)
    assert outcome(change(inverse), "> 1.5", "< 1.5") == "N"
    coarse = thresholds(steps(np.arange(1.0, 6), [2.5] * 3, 20), levels, np.arange(1.0, 6), 1, falls=False,
                        times_level=False)  # fmt: skip
    assert outcome(change(coarse), "> 1.1", "< 1.1") == "I"  # a coarse grid is no evidence of equality


def test_one_half_in_the_last_cell_is_a_threshold_with_a_finite_error():
    shares = np.array([[0, 0, 0, 0.5], [0, 0.2, 0.8, 1], [0, 0, 0.3, 0.9]])
    success = np.arange(100) < 100 * shares[..., None]
    found = thresholds(success, LEVELS[:3], np.arange(1.0, 5), 5, falls=False, times_level=False)
    assert np.isfinite(found.drawn).all()
    assert np.isfinite(found.values).all()


@pytest.mark.parametrize("trials", [1, 2])
def test_few_trials_say_nothing(trials):
    for found in (
        change(points(lambda x: x, trials)),
        slope(points(lambda x: x, trials)),
        log_slope(points(lambda x: x, trials)),
        deviation(points(lambda x: x, trials), "x"),
        slope(lines(lambda r: 0.06 + 0.018 * r, trials)),
    ):
        assert found.short
        assert outcome(found, "> 0", "< 0") == "I"


@pytest.mark.parametrize("fill", [0.0, np.inf, np.nan])
def test_values_that_are_none_say_nothing(fill):
    for geometric in (True, False):
        found = means(np.full((5, 20), fill), LEVELS, 3, geometric=geometric)
        for quantity in (change(found), slope(found), log_slope(found), deviation(found, "x")):
            decided = outcome(quantity, "> 2", "< 0.5")
            assert decided == "I" or (fill == 0 and geometric)


@pytest.mark.parametrize("fill", [True, False])
@pytest.mark.parametrize("shape", [(10, 9, 100), (10, 9, 1), (2, 9, 5), (0, 9, 5), (10, 1, 5)])
def test_tables_of_one_colour_have_no_thresholds(fill, shape):
    levels, x = RANKS[: shape[0]], FRACTIONS[: shape[1]]
    found = thresholds(np.full(shape, fill), levels, x, 1, falls=False, times_level=False)
    assert len(found.levels) == 0
    for quantity in (change(found), slope(found), log_slope(found), deviation(found, "x")):
        assert quantity.short


def test_the_seed_repeats_the_interval():
    one, same = (change(points(lambda x: x)).at(0.05) for _ in range(2))
    assert one == same


@pytest.mark.parametrize("trials", [10, 30])
@pytest.mark.parametrize("kind", ["change", "slope", "line"])
def test_laws_are_covered(trials, kind):
    hits = 0
    for seed in range(100):
        found = points(lambda x: 3 + 2 * x, trials, 0.2, seed=seed, shared=0.2)
        if kind == "change":
            truth, interval = 35 / 5, change(found).at(0.05)
        elif kind == "slope":
            truth = np.polyfit(np.log(LEVELS), np.log(3 + 2 * LEVELS), 1)[0]
            interval = log_slope(found).at(0.05)
        else:
            truth, interval = 0.0, deviation(found, "x").at(0.05)
        hits += interval.low - 1e-12 <= truth <= interval.high
    assert hits >= stats.binom.ppf(0.001, 100, 0.95)
