"""Where half of the trials succeed, and how far one side's threshold lies beyond another's."""

import numpy as np
import pytest
from scipy import stats

from claims.drawn import logistic, outcome, steps
from nonconvex.claims.quantities.thresholds import difference_of_thresholds, threshold
from nonconvex.statistics.curves import bracket

RANKS = np.arange(1, 56, 3.0)
FRACTIONS = np.arange(1, 10) * 0.05
NAMES = [f"p = {p:g}" for p in FRACTIONS]


def rank_lines(trials, ratio, seed=0):
    """Two methods' successes at each fraction: they fall along the rank, at 36 p and `ratio` times as much."""
    rng = np.random.default_rng(seed)
    luck = rng.logistic(size=(len(FRACTIONS), len(RANKS), trials))
    places = np.stack([36 * ratio * FRACTIONS, 36 * FRACTIONS])
    return [logistic(RANKS, place, 1.5, trials, rng, falls=True, luck=luck) for place in places]


def higher(a, b, x=RANKS, **settings):
    return difference_of_thresholds(a, b, x, NAMES[: len(a)], falls=True, **settings)


def test_a_difference_is_the_area_between_the_curves_and_its_error_that_of_the_trials():
    a, b = rank_lines(100, 1.5)
    found = higher(a, b).at(0.03)
    each = 3 * (a.astype(float) - b).sum(axis=1).mean(axis=0)  # all steps are 3
    expected = stats.ttest_1samp(each, 0).confidence_interval(0.97)
    assert found == pytest.approx((each.mean(), expected.low, expected.high), rel=1e-9)
    # The thresholds are 36 p and 54 p: the mean difference is 18 x .25.
    assert found.low < 4.5 < found.high


@pytest.mark.parametrize("unit", ["axis", "relative", "steps"])
@pytest.mark.parametrize("ratio", [1.0, 1.5])
def test_exchanged_sides_mirror(unit, ratio):
    a, b = rank_lines(30, ratio)
    there, back = higher(a, b, unit=unit).at(0.05), higher(b, a, unit=unit).at(0.05)
    assert (back.estimate, back.low, back.high) == pytest.approx((-there.estimate, -there.high, -there.low))


def test_units():
    a, b = rank_lines(100, 1.5)
    whole = higher(a, b).at(0.05).estimate
    assert higher(a, b, unit="steps").at(0.05).estimate == pytest.approx(whole / 3)
    # The mean threshold of both is 36 x 1.25 x .25.
    assert higher(a, b, unit="relative").at(0.05).estimate == pytest.approx(whole / 11.25, rel=0.03)
    assert outcome(higher(a, b, unit="relative"), "> 0.03", "< 0.03", guarded=True) == "R"
    assert outcome(higher(b, a, unit="relative"), "> 0.03", "< 0.03", guarded=True) == "N"


def test_a_relative_difference_takes_the_trials_own_scale_out():
    """Both thresholds of a trial are its luck times 20 and 10: their relative difference is the same in all."""
    luck = np.exp(0.3 * np.random.default_rng(0).standard_normal(30))
    x = np.arange(0.5, 60, 0.5)
    a, b = (np.repeat((x[:, None] < place * luck)[None], 3, axis=0) for place in (20, 10))
    found = [
        difference_of_thresholds(a, b, x, NAMES[:3], falls=True, unit=unit) for unit in ("axis", "relative")
    ]
    whole, relative = (one.at(0.05) for one in found)
    assert relative.estimate == pytest.approx(10 / 15, rel=0.05)
    assert relative.high - relative.low < 0.4 * (whole.high - whole.low) / 15


def test_success_that_rises_counts_the_side_that_needs_less_as_ahead():
    rng = np.random.default_rng(0)
    a, b = (logistic(FRACTIONS, place, 0.02, 100, rng) for place in (np.full(4, 0.2), np.full(4, 0.3)))
    found = difference_of_thresholds(a, b, FRACTIONS, falls=False, names=NAMES[:4]).at(0.05)
    assert found.low < 0.1 < found.high
    assert found.estimate == pytest.approx(0.1, abs=0.01)


def test_a_row_that_is_turned_around_is_not_reproduced_in_every_row():
    a, b = rank_lines(100, 1.5)
    a[-1], b[-1] = b[-1].copy(), a[-1].copy()
    found = higher(a, b)
    assert outcome(found, "> 0", "< 0") == "R"
    assert outcome(found, "> 0", "< 0", guarded=True) == "I"
    assert list(found.rows) == NAMES


@pytest.mark.parametrize("trials", [10, 100])
def test_the_same_outcomes_coincide_and_five_trials_are_not_enough(trials):
    a, _ = rank_lines(trials, 1.0)
    assert outcome(higher(a, a.copy(), unit="steps"), "-1 to 1", "outside -1 to 1") == "R"
    low, high = higher(a, a.copy()).at(0.05)[1:]
    assert low < 0 < high  # all trials agree that there is no difference: that is not known without error


@pytest.mark.parametrize("trials", [0, 1, 2])
def test_few_trials_say_nothing(trials):
    a, b = rank_lines(trials, 2.0)
    assert outcome(higher(a, b), "> 0", "< 0") == "I"
    assert outcome(higher(a, b, unit="relative"), "> 0", "< 0") == "I"
    assert higher(a, b).short


@pytest.mark.parametrize("fill", [True, False])
@pytest.mark.parametrize("shape", [(9, 19, 100), (9, 19, 1), (1, 19, 5), (0, 19, 5), (9, 1, 5)])
@pytest.mark.parametrize("unit", ["axis", "relative", "steps"])
def test_one_colour_says_nothing(fill, shape, unit):
    a = np.full(shape, fill)
    found = higher(a, a, RANKS[: shape[1]], unit=unit)
    assert found.short
    assert outcome(found, "-1 to 1", "outside -1 to 1") == "I"


def test_white_against_black_shows_no_line_at_all():
    white, black = np.ones((9, 19, 100), dtype=bool), np.zeros((9, 19, 100), dtype=bool)
    assert outcome(higher(white, black), "> 0", "< 0") == "I"


def test_lines_that_jump_are_known_to_one_step_only():
    a = steps(RANKS, 9 + 3 * np.arange(9), 100, falls=True)
    found = higher(a, a, unit="steps")
    assert found.at(0.05)[1:] == pytest.approx((-1, 1), abs=0.02)
    assert outcome(found, "-1 to 1", "outside -1 to 1") == "I"
    assert "9 rows known to one step only" in found.detail
    far = steps(RANKS, 18 + 3 * np.arange(9), 100, falls=True)
    assert outcome(higher(far, a, unit="steps"), "-1 to 1", "outside -1 to 1") == "N"


def test_a_row_that_leaves_the_window_counts_with_a_step_more():
    """The second method's line is beyond the window in four of nine rows: how far is not known."""
    rng = np.random.default_rng(2)
    a = logistic(RANKS, np.linspace(20, 30, 9), 1.5, 100, rng, falls=True)
    b = logistic(RANKS, np.linspace(5, 15, 9), 1.5, 100, rng, falls=True)
    b[:4] = False
    seen, censored = higher(a, b), higher(a[4:], b[4:])
    assert "no crossing in 0 rows of the first and 4 of the second" in seen.detail
    wide, narrow = (one.at(0.05).high - one.at(0.05).low for one in (seen, censored))
    assert wide > narrow + 3 * 2 * 4 / 9 - 0.5
    assert outcome(seen, "> 0", "< 0", guarded=True) == "R"


def test_blank_rows_do_not_dilute_and_three_rows_must_be_seen():
    a, b = rank_lines(100, 1.3)
    blank = np.zeros((20, *a.shape[1:]), dtype=bool)
    names = [str(k) for k in range(29)]
    more = difference_of_thresholds(np.vstack([a, blank]), np.vstack([b, blank]), RANKS, names, falls=True)
    assert more.at(0.05) == pytest.approx(higher(a, b).at(0.05))
    assert list(more.rows) == names[:9]
    few = [np.vstack([side[:2], blank[:5]]) for side in (a, b)]
    assert higher(*few).short == "2 of 7 rows have a transition in the window"


def test_one_row_is_enough_where_there_is_only_one():
    a, b = rank_lines(100, 1.5)
    assert outcome(higher(a[4:5], b[4:5]), "> 0", "< 0") == "R"


def test_opposite_rows_do_not_coincide_in_every_row():
    a, b = rank_lines(100, 2.0)
    a[::2], b[::2] = b[::2].copy(), a[::2].copy()
    found = higher(a, b, unit="steps")
    assert outcome(found, "-3 to 3", "outside -3 to 3") == "R"
    assert outcome(found, "-3 to 3", "outside -3 to 3", guarded=True) == "I"


@pytest.mark.parametrize("falls", [True, False])
def test_one_half_in_the_last_cell_gives_no_infinite_step(falls):
    """A curve that comes to one half exactly at the window's end crosses there, between the last two cells."""
    x = np.arange(1.0, 6)
    shares = np.array([1, 1, 1, 1, 0.5]) if falls else np.array([0, 0, 0, 0, 0.5])
    assert bracket(shares, x, falls) == (4, 5)
    assert bracket(shares[::-1], x, not falls) == (1, 2)
    success = np.repeat((np.arange(100) < 100 * shares[:, None])[None], 4, axis=0)
    for unit in ("axis", "relative", "steps"):
        for a, b in ((success, success), (success[:, ::-1], success[:, ::-1])):
            same = falls if a is success else not falls
            found = difference_of_thresholds(a, b, x, NAMES[:4], falls=same, unit=unit)
            assert not found.short
            assert np.isfinite(found.at(0.05)).all()
            assert abs(found.at(0.05).high) <= 1.5
    # An interval that reaches everywhere was called "within one step".
    other = steps(x, np.full(4, 3.5), 100, falls=falls)
    ahead = difference_of_thresholds(success, other, x, NAMES[:4], falls=falls, unit="steps")
    assert np.isfinite(ahead.at(0.05)).all()
    assert abs(ahead.at(0.05).estimate) == pytest.approx(1.5)
    assert outcome(ahead, "-1 to 1", "outside -1 to 1") != "R"


@pytest.mark.parametrize("trials, decided", [(10, "R"), (30, "R"), (3, "I"), (2, "I"), (1, "I")])
def test_a_threshold_lies_between_the_last_cell_for_certain_and_the_first_against(trials, decided):
    x = np.arange(1, 10) / 10
    found = threshold(steps(x, [0.35], trials, falls=True)[0], x, falls=True, bounds=(0, 1))
    assert outcome(found, "0.2 to 0.4", "> 0.5") == decided
    if trials >= 10:
        assert found.at(0.05) == pytest.approx((0.35, 0.3, 0.4))


@pytest.mark.parametrize("place, decided", [(0.35, "R"), (0.45, "I"), (0.65, "N"), (2.0, "N"), (0.05, "I")])
def test_where_a_threshold_lies(place, decided):
    x = np.arange(1, 10) / 10
    found = threshold(steps(x, [place], 20, falls=True)[0], x, falls=True, bounds=(0, 1))
    assert outcome(found, "0.2 to 0.4", "> 0.5") == decided
    mirrored = threshold(steps(x, [place], 20)[0], x, falls=False, bounds=(0, 1))
    assert mirrored.at(0.05)[1:] == pytest.approx(found.at(0.05)[1:])


def test_a_threshold_beyond_the_cells_has_no_end_unless_its_axis_has():
    x = np.arange(1, 10) / 10
    success = steps(x, [2.0], 20, falls=True)[0]
    assert threshold(success, x, falls=True).at(0.05)[1:] == (0.9, np.inf)
    assert outcome(threshold(success, x, falls=True), "> 0.5", "< 0.5") == "I"
    assert outcome(threshold(success, x, falls=True, bounds=(0, 1)), "> 0.5", "< 0.5") == "R"


def test_success_that_runs_the_other_way_is_no_threshold():
    x = np.arange(1, 10) / 10
    rising = steps(x, [0.35], 20)[0]
    assert outcome(threshold(rising, x, falls=True, bounds=(0, 1)), "0.2 to 0.4", "> 0.5") == "I"


def test_a_threshold_at_one_half_is_covered():
    x, hits = np.arange(1, 10) / 10, 0
    rng = np.random.default_rng(0)
    for _ in range(200):
        drawn = logistic(x, [0.43], 0.05, 30, rng, falls=True)[0]
        _, low, high = threshold(drawn, x, falls=True, bounds=(0, 1)).at(0.05)
        hits += low <= 0.43 <= high
    assert hits >= stats.binom.ppf(0.001, 200, 0.95)


@pytest.mark.parametrize("unit", ["axis", "relative"])
def test_a_difference_of_thresholds_is_covered(unit):
    """36 p against 37.8 p, both wholly inside the window."""
    hits = 0
    truth = 0.05 * 36 * FRACTIONS[2:].mean() if unit == "axis" else 0.05 / 1.025
    for seed in range(200):
        a, b = rank_lines(20, 1.05, seed)
        _, low, high = higher(a[2:], b[2:], unit=unit).at(0.05)
        hits += low <= truth <= high
    assert hits >= stats.binom.ppf(0.001, 200, 0.95)
