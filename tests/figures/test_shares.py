import numpy as np
import pytest

from nonconvex.figures.kinds.shares import draw
from nonconvex.statistics.intervals import wilson

NAMES = ["am_fiht_r8", "ram_fiht_r8", "am_fiht_r2", "fiht_r2", "fiht_r2_n150"]
SERIES = [
    {"title": "as printed, r = 8", "algorithms": NAMES[:2]},
    {"title": "adapted, r = 2", "algorithms": NAMES[2:]},
]


def outcome(name, p, trial):
    if name.endswith("r8"):
        return "converged", 1.0
    return ("converged", 1e-3) if trial / 5 < p else ("diverged", 9.0)


@pytest.fixture
def pmu(resolved, figure_plan, curve_table):
    experiments = [
        resolved(f"pmu_mode{mode}", {"mode": mode, "p": [0.2, 0.5, 0.9]}, NAMES, below=1e-2)
        for mode in (1, 2)
    ]
    tables = {one["experiment"]: curve_table(one, outcome) for one in experiments}
    return figure_plan("shares", experiments, series=SERIES), tables


def panels_of(figure):
    return [axes for axes in figure.axes if axes.get_lines()]


def test_the_frame_holds_exactly_what_is_drawn(pmu):
    figure, numbers = draw(*pmu)
    figure.draw_without_rendering()
    panels = iter(panels_of(figure))
    for _, points in numbers.groupby(["series", "panel", "algorithm"], sort=False):
        lines = next(panels).get_lines()
        for line, kind, hollow in zip(lines, ("stopped", "recovered"), (True, False), strict=True):
            assert np.array_equal(line.get_xdata(), points["x"])
            assert np.array_equal(line.get_ydata(), points[f"{kind}_share"])
            assert (line.get_markerfacecolor() == "white") == hollow
    assert next(panels, None) is None


def test_equal_lines_show_both_and_stay_within_none_and_all(pmu):
    plan, tables = pmu
    figure, _ = draw(plan, tables)
    figure.draw_without_rendering()
    for axes in panels_of(figure):
        stopped, recovered = axes.get_lines()
        assert stopped.get_markersize() > 1.5 * recovered.get_markersize()
        for line in (stopped, recovered):
            assert line.get_transform() == axes.transData  # where it says, not beside it


def test_stopping_at_wrong_data_is_not_recovery(pmu):
    _, numbers = draw(*pmu)
    printed = numbers[numbers["series"] == "as printed, r = 8"]
    assert (printed["stopped"] == 5).all()
    assert (printed["recovered"] == 0).all()
    adapted = numbers[(numbers["algorithm"] == "am_fiht_r2") & (numbers["experiment"] == "pmu_mode1")]
    assert adapted["x"].tolist() == [10.0, 50.0, 80.0]
    assert adapted["recovered"].tolist() == [5, 3, 1]
    for row in numbers.to_dict("records"):
        assert (row["recovered_low"], row["recovered_high"]) == wilson(row["recovered"], row["trials"])


def test_an_algorithm_that_was_not_run_has_no_line(pmu):
    plan, tables = pmu
    tables["pmu_mode1"] = tables["pmu_mode1"].query("algorithm != 'fiht_r2'")
    del plan["experiments"]["pmu_mode2"]["algorithms"]["fiht_r2"]
    tables["pmu_mode2"] = tables["pmu_mode2"].query("algorithm != 'fiht_r2'")
    figure, numbers = draw(plan, tables)
    figure.draw_without_rendering()
    missing = numbers[numbers["algorithm"] == "fiht_r2"]
    assert (missing["trials"] == 0).all()
    assert missing["stopped_share"].isna().all()
    assert sorted(set(missing["experiment"])) == ["", "pmu_mode1"]


def test_the_legend_tells_the_kinds_and_the_criterion(pmu):
    figure, _ = draw(*pmu)
    told = [text.get_text() for text in figure.legends[0].get_texts()]
    assert told[:2] == ["stopped by the stop rule", "recovered (error below 0.01)"]
