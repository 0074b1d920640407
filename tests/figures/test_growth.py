"""Times that grow as a known power of n, so that every drawn number is known."""

import numpy as np
import pandas as pd
import pytest

from nonconvex.figures.kinds.growth import draw
from nonconvex.figures.parts.growth_points import growth_exponent, growth_points

SIZES = [1000, 2000, 4000]
COLUMNS = [
    "algorithm",
    "loss",
    "n_samples",
    "trial",
    "status",
    "success",
    "iterations",
    "seconds",
    "cpu_seconds",
]


def rows(name, power, sizes=SIZES, trials=3, wins=lambda loss, n, trial: True):
    for loss in (0.5, 0.95):
        for n in sizes:
            for trial in range(trials):
                seconds = 1e-3 * n**power * (1 + 0.1 * trial)
                won = wins(loss, n, trial)
                status = "converged" if won else "iteration limit"
                yield name, loss, n, trial, status, won, 10 + trial, seconds, 0.9 * seconds


def table(*parts):
    return pd.DataFrame([row for part in parts for row in part], columns=COLUMNS)


def test_points_are_medians_over_the_successful_trials():
    outcomes = table(rows("sap", 1.0, wins=lambda loss, n, trial: trial != 0))
    points = growth_points(outcomes, "sap", 0.5, SIZES, "seconds")
    assert points["trials"].tolist() == [3, 3, 3]
    assert points["successes"].tolist() == [2, 2, 2]
    assert points["at_limit"].tolist() == [1, 1, 1]
    assert set(points["over"]) == {"successful"}
    np.testing.assert_allclose(points["time"], [1.15, 2.3, 4.6])
    np.testing.assert_allclose(points["iterations"], 11.5)
    np.testing.assert_allclose(points["per_iteration"], np.array(SIZES) * 1e-3 * (1.1 / 11 + 1.2 / 12) / 2)


def test_without_success_all_trials_are_drawn_and_sizes_not_run_are_empty():
    outcomes = table(rows("admm", 2.0, [1000], wins=lambda *_: False))
    points = growth_points(outcomes, "admm", 0.5, SIZES, "cpu_seconds")
    assert points["over"].tolist() == ["all", "none", "none"]
    assert points["trials"].tolist() == [3, 0, 0]
    assert points["time"][0] == pytest.approx(0.9 * 1.1e3)
    assert points["share"].isna().tolist() == [False, True, True]


def test_the_exponent_is_that_of_the_times_and_of_the_successful_trials():
    exact = table(rows("sap", 1.5, trials=1))
    fit = growth_exponent(exact, "sap", 0.5, "seconds")
    assert fit["exponent"] == pytest.approx(1.5)
    assert fit["factor"] == pytest.approx(1e-3)
    spread = growth_exponent(table(rows("sap", 1.5)), "sap", 0.5, "seconds")
    assert spread["exponent"] == pytest.approx(1.5)
    assert spread["exponent_low"] < 1.5 < spread["exponent_high"]
    slow = table(rows("sap", 1.0), rows("sap", 3.0, wins=lambda *_: False))
    assert growth_exponent(slow, "sap", 0.5, "seconds")["exponent"] == pytest.approx(1.0)


def test_too_few_successes_are_fitted_with_the_others_and_few_sizes_not_at_all():
    few = table(rows("r_rmc_h", 2.0, wins=lambda loss, n, trial: n == 1000))
    assert growth_exponent(few, "r_rmc_h", 0.5, "seconds")["over"] == "all"
    two = table(rows("r_rmc_h", 2.0, wins=lambda loss, n, trial: n != 1000))
    assert growth_exponent(two, "r_rmc_h", 0.5, "seconds")["over"] == "all"
    for sizes in ([1000], [1000, 2000]):
        fit = growth_exponent(table(rows("admm_free_h", 2.0, sizes)), "admm_free_h", 0.5, "seconds")
        assert fit["over"] == "none"
        assert np.isnan(fit["exponent"])


@pytest.fixture
def drawing(resolved, figure_plan):
    parameters = {"loss": [0.5, 0.95], "n_samples": SIZES}
    experiments = [
        resolved("growth_sap", parameters, ["sap"]),
        resolved("growth_r_rmc", parameters, ["r_rmc_h"]),
        resolved("growth_admm", parameters | {"n_samples": [1000]}, ["admm_released_h"]),
    ]
    tables = {
        "growth_sap": table(rows("sap", 1.0)),
        "growth_r_rmc": table(rows("r_rmc_h", 2.0, wins=lambda loss, n, trial: loss == 0.5)),
        "growth_admm": table(rows("admm_released_h", 2.5, [1000], wins=lambda *_: False)),
    }
    return figure_plan("growth", experiments, algorithms=["sap", "r_rmc_h", "admm_released_h"]), tables


def test_the_frame_holds_what_is_drawn(drawing):
    figure, frame = draw(*drawing)
    figure.draw_without_rendering()
    points, fits = (frame[frame["what"] == what] for what in ("point", "fit"))
    assert len(points) == 3 * 2 * 3
    assert len(fits) == 3 * 2
    drawn = {
        tuple(float(value) for value in line.get_ydata())
        for line in figure.axes[0].get_lines()
        if line.get_linestyle() == "None"
    }
    own = points[(points["algorithm"] == "sap") & (points["loss"] == 0.5)]
    assert tuple(own["time"]) in drawn
    assert [axes.get_title() for axes in figure.axes[:2]] == [
        "50 % of the data lost",
        "95 % of the data lost",
    ]
    beside = [text.get_text() for text in figure.axes[2].texts]
    assert beside[0].startswith("1.00 (")
    assert beside[1].startswith("2.00 (")
    assert beside[2] == "–"
    assert figure.axes[3].texts[1].get_text().endswith("†")


def test_the_note_names_what_is_special(drawing):
    figure, _ = draw(*drawing)
    note = figure.legends[0].get_title().get_text().replace("\n", " ")
    for words in ("hollow: none succeeds", "hatched: not run", "seconds depend on the machine"):
        assert words in note


def test_nothing_leaves_the_figure(drawing):
    figure, _ = draw(*drawing)
    figure.draw_without_rendering()
    for box in [figure.legends[0].get_window_extent(), *(axes.get_tightbbox() for axes in figure.axes)]:
        assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1


def test_an_unknown_clock_is_refused(drawing):
    plan, tables = drawing
    plan["options"]["clock"] = "hours"
    with pytest.raises(ValueError, match="has clock 'hours'"):
        draw(plan, tables)
