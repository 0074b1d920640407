"""Phase diagrams of chapter 3: losses and bad data in per cent, p from the loss, logarithmic factors."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure

from nonconvex.figures.kinds.phase_diagram import draw
from nonconvex.figures.looks import LOOKS, look
from nonconvex.figures.parts.axis import axis, in_words
from nonconvex.figures.parts.grid import cell_edges, set_grid
from nonconvex.figures.style import AGAIN


def outcomes(experiment, wins):
    """Make a table of two axes; `wins` decides on success from the algorithm and both values."""
    first, second = experiment["axes"]
    rows = [
        (name, a, b, trial, "converged", wins(name, a, b), 0.1, 20)
        for name in experiment["algorithms"]
        for a in experiment["parameters"][first]
        for b in experiment["parameters"][second]
        for trial in range(4)
    ]
    return pd.DataFrame(
        rows, columns=["algorithm", first, second, "trial", "status", "success", "error", "iterations"]
    )


def meshes(figure):
    found = []
    for axes in figure.axes:
        found += [one for one in axes.collections if isinstance(one, QuadMesh) and axes.get_title()]
    return found


@pytest.fixture
def methods(resolved):
    return resolved(
        "methods",
        {"loss": [0.2, 0.5, 0.8], "bad": [0.05, 0.1, 0.3]},
        ["sap", "r_rmc_h", "admm_free_h", "r_rmc_x"],
    )


def test_axes_in_per_cent_keep_the_values_free_of_rounding():
    parameters = {"loss": [0.55], "bad": [0.07]}
    assert axis("bad", parameters).places([0.07, 0.29]).tolist() == [7.0, 29.0]
    assert axis("p", parameters).places([0.55, 0.9]).tolist() == [0.45, 0.1]
    assert axis("p", {"p": [0.3]}).places([0.3]).tolist() == [0.3]
    assert axis("loss", parameters).label == "data loss in per cent"


def test_parameters_in_words_are_values_or_ranges():
    words = in_words({"bad": [0.2, 0.25, 0.3], "loss": 0.55, "rank": [17], "n1": "half"})
    assert words == {"bad": "20 to 30 %", "loss": "55 %", "rank": "17", "n1": "half"}


def test_edges_on_a_logarithmic_axis_are_geometric_means():
    np.testing.assert_allclose(cell_edges([1, 4, 100], "log"), [0.5, 2, 20, 500])


@pytest.mark.parametrize(("columns", "kept"), [(5, ["5", "10", "20", "30", "40"]), (12, ["5", "20", "40"])])
def test_tick_labels_are_kept_where_there_is_room(columns, kept):
    axes = Figure().subplots()
    set_grid(axes, [5, 10, 20, 30, 40], [1, 2], columns=columns)
    assert [text.get_text() for text in axes.get_xticklabels()] == kept


def test_loss_and_bad_data_are_drawn_in_per_cent_with_an_empty_place(figure_plan, methods):
    panels = ["sap", "r_rmc_h", "admm_free_h", None, "r_rmc_x"]
    repeat = {"r_rmc_h": ["sap"], "admm_free_h": ["sap"], "r_rmc_x": ["sap"]}
    plan = figure_plan("phase_diagram", [methods], x="bad", y="loss", columns=3, panels=panels, repeat=repeat)
    table = outcomes(methods, lambda name, loss, bad: loss + 2 * bad < (0.9 if name == "sap" else 0.5))
    figure, frame = draw(plan, {"methods": table})
    figure.draw_without_rendering()
    assert len(meshes(figure)) == 4
    assert len([one for one in figure.axes if not one.axison]) == 2
    cells = frame[frame["what"] == "cell"]
    assert sorted(set(cells["bad_percent"])) == [5, 10, 30]
    contour = frame[(frame["what"] == "contour") & (frame["algorithm"] == "sap")]
    assert contour["loss_percent"].tolist() == pytest.approx([65, 65, 35])
    # The legend stands in the empty place, and names every algorithm.
    assert figure.legends[0].get_texts() == []
    (legend,) = [axes.get_legend() for axes in figure.axes if axes.get_legend()]
    labels = [text.get_text() for text in legend.get_texts()]
    assert labels == [f"label of {name}" for name in ("sap", "r_rmc_h", "admm_free_h", "r_rmc_x")]
    for axes in [axes for axes in figure.axes if axes.get_title()]:
        assert axes.get_xlabel() == "bad data in per cent"
        assert [text.get_text() for text in axes.get_xticklabels()] == ["5", "10", "30"]


def test_algorithms_of_one_name_and_look_share_an_entry_of_the_legend(figure_plan, methods):
    names = ["sap", "r_rmc_h", "r_rmc_x"]
    plan = figure_plan("phase_diagram", [methods], x="bad", y="loss", panels=names, labels={"r_rmc": "R-RMC"})
    figure, _ = draw(plan, {"methods": outcomes(methods, lambda name, loss, bad: loss + bad < 0.5)})
    legend = figure.legends[0]
    assert [text.get_text() for text in legend.get_texts()] == ["label of sap", "R-RMC"]
    assert [handle.get_marker() for handle in legend.legend_handles] == ["^", "D"]


def test_lines_of_other_experiments_come_back_dotted_and_in_the_frame(figure_plan, resolved):
    grid = {"bad": [0.05, 0.1, 0.2], "rank": [1, 5]}
    wide = resolved("quadrant", grid, ["sap"])
    short = resolved("quadrant_run", grid | {"bad": [0.05, 0.1]}, ["sap"])
    other = resolved("any", grid, ["sap"])
    repeat = [{"experiment": "any", "algorithm": "sap", "label": "any angle"}]
    panels = [
        {"experiment": one, "algorithm": "sap", "title": one, "repeat": repeat}
        for one in ("quadrant", "quadrant_run")
    ]
    plan = figure_plan("phase_diagram", [wide, short, other], x="bad", y="rank", along="x", panels=panels)
    tables = {
        one["experiment"]: outcomes(one, lambda _, bad, rank, top=top: bad < top)
        for one, top in ((wide, 0.07), (short, 0.07), (other, 0.15))
    }
    figure, frame = draw(plan, tables)
    figure.draw_without_rendering()
    repeated = frame[frame["what"] == "repeated"]
    assert set(repeated["experiment"]) == {"any"}
    assert repeated["bad_percent"].tolist() == pytest.approx([15] * 4)
    dotted = [line for line in figure.axes[0].get_lines() if line.get_color() == AGAIN]
    assert np.array_equal(dotted[0].get_xdata(), repeated["bad_percent"][:2])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["label of sap", "any angle"]
    # Both panels have the limits of the wider grid; what was not run is hatched.
    assert figure.axes[0].get_xlim() == figure.axes[1].get_xlim() == (2.5, 25)
    assert "hatched" in figure.legends[0].get_title().get_text()
    assert figure.axes[1].patch.get_hatch()


def test_p_is_drawn_from_the_loss_against_a_logarithmic_factor(figure_plan, resolved):
    one = resolved("conditioning", {"loss": [0.9, 0.8, 0.7], "first_factor": [1.0, 10.0, 100.0]}, ["am_fiht"])
    options = {"x": "p", "y": "first_factor", "log": ["first_factor"], "along": "x", "rising": True}
    plan = figure_plan("phase_diagram", [one], **options)
    table = outcomes(one, lambda _, loss, factor: loss < (0.85 if factor < 50 else 0.75))
    figure, frame = draw(plan, {"conditioning": table})
    figure.draw_without_rendering()
    axes = figure.axes[0]
    assert axes.get_yscale() == "log"
    assert axes.get_ylim() == pytest.approx((10**-0.5, 10**2.5))
    contour = frame[frame["what"] == "contour"].sort_values("first_factor")
    assert contour["p"].tolist() == pytest.approx([0.15, 0.15, 0.25])
    grid = np.asarray(meshes(figure)[0].get_array()).reshape(3, 3)
    assert grid.tolist() == [[0, 1, 1], [0, 1, 1], [0, 0, 1]]


def test_experiments_that_are_only_counted_are_told_and_kept(figure_plan, methods, resolved):
    single = resolved("full_size", {"bad": [0.09]}, ["sap"])
    plan = figure_plan(
        "phase_diagram",
        [single, methods],
        experiment="methods",
        x="bad",
        y="loss",
        panels=["sap"],
        counts=[{"experiment": "full_size", "words": "full size, {bad} bad"}],
    )
    counted = pd.DataFrame(
        [("sap", 0.09, t, "converged", t > 0, 0.1, 20) for t in range(5)],
        columns=["algorithm", "bad", "trial", "status", "success", "error", "iterations"],
    )
    tables = {"methods": outcomes(methods, lambda *_: True), "full_size": counted}
    figure, frame = draw(plan, tables)
    assert "full size, 9 % bad: 4 of 5 (label of sap)" in figure.legends[0].get_title().get_text().replace(
        "\n", " "
    )
    row = frame[frame["what"] == "count"].iloc[0]
    assert (row["experiment"], row["successes"], row["trials"]) == ("full_size", 4, 5)


def test_the_robust_methods_have_looks_that_differ_in_marker_line_and_grey():
    names = ["sap", "r_rmc", "r_rmc_mu3", "admm_released", "admm_free"]
    looks = [LOOKS[name] for name in names]
    assert len({one.marker for one in looks}) == len({one.line for one in looks}) == 5
    weights = np.array([0.299, 0.587, 0.114])
    grey = sorted(float(weights @ [int(one.color[i : i + 2], 16) for i in (1, 3, 5)]) for one in looks)
    assert np.diff(grey).min() > 20


@pytest.mark.parametrize(
    ("name", "shared"),
    [("r_rmc_h", "r_rmc"), ("r_rmc_x_mu3", "r_rmc_mu3"), ("admm_free_x", "admm_free"), ("svt_h", "svt_h")],
)
def test_methods_on_both_matrices_share_a_look(name, shared):
    assert look(name) == LOOKS[shared]
