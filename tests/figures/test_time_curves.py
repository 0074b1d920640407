import math

import numpy as np
import pandas as pd
import pytest

from nonconvex.figures.kinds.time_curves import draw
from nonconvex.figures.parts.progress import median_run


def iterates(algorithm, p, lengths, *, status="converged", factor=0.5, seconds=0.1):
    rows = [
        (algorithm, p, trial, status, k, seconds * k * (1 + trial), seconds * k, factor**k)
        for trial, length in enumerate(lengths)
        for k in range(length + 1)
    ]
    columns = ["algorithm", "p", "trial", "status", "iteration", "seconds", "cpu_seconds", "error"]
    return pd.DataFrame(rows, columns=columns)


@pytest.fixture
def timing(resolved, figure_plan):
    experiment = resolved("timing", {"mode": 1, "p": [0.5, 0.2]}, ["am_fiht", "fiht", "svt_h"])
    table = pd.concat(
        [
            iterates("am_fiht", 0.5, [20, 22, 24]),
            iterates("am_fiht", 0.2, [40, 50, 60], factor=0.75),
            iterates("fiht", 0.5, [30, 30, 30], factor=0.6),
            iterates("fiht", 0.2, [25, 25, 25], factor=1.3, status="diverged"),
            iterates("svt_h", 0.5, [300, 300, 300], factor=0.97),
        ],
        ignore_index=True,
    )
    return figure_plan("time_curves", [experiment]), {"timing": table}


def curves(axes):
    return [line for line in axes.get_lines() if len(line.get_xdata())]


def test_the_frame_holds_exactly_what_is_drawn(timing):
    figure, numbers = draw(*timing)
    figure.draw_without_rendering()
    lines = iter([curves(axes) for axes in figure.axes])
    for _, rows in numbers.groupby("p", sort=False):
        runs = [run for _, run in rows.groupby("algorithm", sort=False)]
        for line, run in zip(next(lines), runs, strict=True):
            assert np.array_equal(line.get_xdata(), run["time"][run["time"] > 0])
        for line, run in zip(next(lines), runs, strict=True):
            assert np.array_equal(line.get_xdata(), run["iteration"])
            assert np.array_equal(line.get_ydata(), run["error"])
    assert set(numbers.loc[numbers["algorithm"] == "svt_h", "p"]) == {0.5}


def test_the_first_and_the_last_marker_are_whole(timing):
    figure, _ = draw(*timing)
    figure.draw_without_rendering()
    for axes in figure.axes:
        for line in curves(axes):
            at = line.get_transform().transform(np.column_stack(line.get_data()))
            inside = axes.bbox
            assert at[:, 0].max() < inside.x1 - line.get_markersize() / 2
            assert at[:, 0].min() > inside.x0 + line.get_markersize() / 2


def test_points_are_medians_of_iterates_up_to_the_one_that_half_of_the_trials_reach():
    run = median_run(iterates("am_fiht", 0.5, [2, 4, 9]))
    assert run["iteration"].tolist() == [0, 1, 2, 3, 4]
    assert run["error"].tolist() == [1, 0.5, 0.25, 0.125, 0.0625]
    assert run["running"].tolist() == [3, 3, 3, 2, 2]
    assert run["time"].tolist() == pytest.approx([0, 0.2, 0.4, 0.6, 0.8])
    # The trial that stopped after 2 iterations keeps its error.
    assert run["high"].tolist() == [1, 0.5, 0.25, 0.25, 0.25]


def test_long_runs_are_thinned_to_iterates_that_exist():
    run = median_run(iterates("svt_h", 0.5, [500], factor=0.98))
    assert 30 < len(run) < 50
    assert run["iteration"].tolist()[:5] == [0, 1, 2, 3, 4]
    assert run["iteration"].iloc[-1] == 500
    assert run["error"].tolist() == [0.98**k for k in run["iteration"]]


def test_an_error_that_is_not_finite_is_not_filled_in():
    table = iterates("fiht", 0.2, [3, 3, 3])
    table.loc[table["iteration"] == 2, "error"] = math.nan
    table.loc[(table["iteration"] == 1) & (table["trial"] == 0), "error"] = math.inf
    run = median_run(table)
    assert run["error"].isna().tolist() == [False, False, True, False]
    assert run["high"].isna().tolist() == [False, True, True, False]


def test_curves_of_few_convergent_trials_are_hollow(timing):
    figure, numbers = draw(*timing)
    hollow = [line.get_marker() for line in curves(figure.axes[2]) if line.get_markerfacecolor() == "white"]
    assert hollow == ["D"]
    counts = numbers.groupby(["algorithm", "p"])[["trials", "converged"]].first()
    assert counts.loc[("fiht", 0.2)].tolist() == [3, 0]
    assert counts.loc[("am_fiht", 0.2)].tolist() == [3, 3]


def test_clock_rows_and_algorithms_may_be_chosen(timing):
    plan, tables = timing
    plan["options"] = {"clock": "cpu_seconds", "p": [0.2], "algorithms": ["am_fiht"], "iterations": "linear"}
    figure, numbers = draw(plan, tables)
    figure.draw_without_rendering()
    assert set(numbers["algorithm"]) == {"am_fiht"}
    assert numbers["time"].tolist() == pytest.approx((0.1 * numbers["iteration"]).tolist())
    assert figure.axes[1].get_xscale() == "linear"
    plan["options"] = {"clock": "hours"}
    with pytest.raises(ValueError, match=r"has clock 'hours', which is none of seconds, cpu_seconds"):
        draw(plan, tables)


def test_one_trial_and_no_iterate(timing):
    plan, tables = timing
    for table in (iterates("am_fiht", 0.5, [1]), tables["timing"].iloc[:0]):
        plan["options"] = {"p": [0.5]}
        figure, numbers = draw(plan, {"timing": table})
        figure.draw_without_rendering()
        assert len(numbers) == min(len(table), 2)
