"""The kinds that show networks: what is drawn is what the tables hold, and nothing covers anything."""

import importlib
import warnings

import numpy as np
import pandas as pd
import pytest
from figures.network_plans import LEVELS, drawn, experiment, histories, outcomes, plan, transition
from matplotlib.collections import QuadMesh

from nonconvex.figures.kinds.progress_curves import curve_points
from nonconvex.figures.parts.sample_cells import fitted_line, half_points, sample_cells
from nonconvex.figures.render import render
from nonconvex.statistics.intervals import wilson

KINDS = (
    "network_schematic", "progress_curves", "success_curves", "sample_errors", "level_curves",
    "step_outcomes", "sample_diagram",
)  # fmt: skip


def draw(kind, *drawing):
    return importlib.import_module(f"nonconvex.figures.kinds.{kind}").draw(*drawing)


@pytest.mark.parametrize("kind", KINDS)
def test_two_renders_give_the_same_bytes_and_nothing_leaves_the_page(kind, tmp_path):
    the_plan, tables = drawn(kind)
    for name in "ab":
        render(the_plan, tables, {form: tmp_path / f"{name}.{form}" for form in ("svg", "csv")})
    for form in ("svg", "csv"):
        assert (tmp_path / f"a.{form}").read_bytes() == (tmp_path / f"b.{form}").read_bytes()
    figure, numbers = draw(kind, the_plan, tables)
    assert list(pd.read_csv(tmp_path / "a.csv").columns) == list(numbers.columns)
    figure.draw_without_rendering()
    boxes = [legend.get_window_extent() for legend in figure.legends if legend.get_texts()]
    boxes += [axes.get_tightbbox() for axes in figure.axes]
    boxes += [text.get_window_extent() for text in figure.texts if text.get_text()]
    for box in boxes:
        assert box.x0 >= figure.bbox.x0 - 1
        assert box.x1 <= figure.bbox.x1 + 1
        assert box.y0 >= figure.bbox.y0 - 1


def test_the_median_of_a_progress_keeps_the_last_error_of_ended_trials():
    one = experiment("speed", {}, trials=3)
    table = histories(one, lambda trial, **_: (0.5, 0.9, 3.0)[trial])
    points = curve_points(table).set_index("iteration")
    assert points.loc[10, "running"] == 2
    assert points.loc[10, "trials"] == 3
    # Of the errors 0.5 ** 11, 0.5 * 0.9 ** 10 and that of the trial which diverged at 8:
    assert points.loc[10, "centre"] == pytest.approx(0.5 * 0.9**10)
    assert points.loc[10, "high"] == pytest.approx(0.5 * 3.0**8)
    ends = table.groupby("trial")["iteration"].max()
    # The median goes to where half have ended, the band to where all have.
    assert points["centre"].last_valid_index() <= sorted(ends)[1] < 20
    assert points.index.max() == ends.max()
    assert points["low"].notna().all()
    means = curve_points(table, "mean").set_index("iteration")
    assert means.loc[20, "low"] == pytest.approx(0.5 * 0.5 ** ends[0])
    assert means.index.max() == ends.max()


def test_an_example_is_the_trial_itself_up_to_its_end():
    one = experiment("speed", {}, trials=2)
    table = histories(one, lambda trial, **_: (0.5, 0.9)[trial])
    points = curve_points(table, "mean", example=0)
    own = table[table["trial"] == 0].set_index("iteration")["error"]
    known = points.dropna(subset="example")
    assert known["iteration"].max() <= own.index.max()
    np.testing.assert_allclose(known["example"], own.loc[known["iteration"]])


def test_shares_have_wilsons_intervals_and_ratios_become_samples():
    the_plan, tables = drawn("success_curves")
    _, numbers = draw("success_curves", the_plan, tables)
    assert numbers.loc[numbers["value"] == 20, "x"].tolist() == [80, 100, 120, 150]
    for row in numbers.to_dict("records"):
        assert (row["share_low"], row["share_high"]) == wilson(row["successes"], row["trials"])


def test_a_ratio_to_the_noise_level_is_drawn_where_there_is_noise():
    figure, numbers = draw("sample_errors", *drawn("sample_errors"))
    assert [axes.get_title() for axes in figure.axes] == ["title of noisy", "Error over the noise level"]
    assert numbers.loc[numbers["value"] == 0, "ratio"].isna().all()
    noisy = numbers[numbers["value"] == 0.1]
    np.testing.assert_allclose(noisy["ratio"], noisy["centre"] / 0.1)
    assert noisy["x"].tolist() == [25, 50, 100, 500]


def test_a_level_that_half_of_the_trials_miss_has_no_point():
    the_plan, tables = drawn("level_curves")
    _, numbers = draw("level_curves", the_plan, tables)
    gd = numbers[numbers["algorithm"] == "gd"].set_index("level")
    assert gd.loc[1e-1, "reached"] == 10
    assert gd.loc[1e-6, "reached"] == 8
    # The sixth of ten: what later trials did not reach is later than all.
    assert gd.loc[1e-6, "median"] == pytest.approx(905)
    assert np.isnan(gd.loc[1e-6, "high"])
    assert gd.loc[1e-6, "cap"] == 6000
    tables["levels"].loc[tables["levels"]["algorithm"] == "gd", LEVELS] = np.nan
    figure, numbers = draw("level_curves", the_plan, tables)
    figure.draw_without_rendering()
    assert numbers.loc[numbers["algorithm"] == "gd", "median"].isna().all()


def test_ends_of_trials_add_up_to_all_of_them():
    _, numbers = draw("step_outcomes", *drawn("step_outcomes"))
    shares = numbers[numbers["what"] == "share"]
    assert (shares.groupby("algorithm")["share"].sum() == 1).all()
    ends = shares[shares["count"] > 0].set_index("algorithm")["end"].to_dict()
    assert ends == {"agd_2": "converged", "gd_2": "converged", "agd_3": "converged", "gd_3": "diverged"}


def test_cells_half_points_and_line_are_those_of_the_table():
    the_plan, tables = drawn("sample_diagram")
    one = the_plan["experiments"]["region"]
    cells = sample_cells(tables["region"], "patch_size", "samples_ratio", one["parameters"])
    assert cells["samples"].tolist() == [40, 50, 60, 75, 80, 100, 120, 150]
    assert cells["unknowns"].tolist() == [50] * 4 + [100] * 4
    points = half_points(cells, "patch_size")
    line = fitted_line(points, "patch_size")
    assert (points["crossing"] == "inside").all()
    assert line["ratio"] == pytest.approx(points["samples"].div(points["unknowns"]).mean())
    assert line["slope"] == pytest.approx(np.diff(points["samples"])[0] / 10)
    figure, numbers = draw("sample_diagram", the_plan, tables)
    meshes = [m for m in figure.axes[0].collections if isinstance(m, QuadMesh)]
    shares = np.concatenate([np.ravel(mesh.get_array()) for mesh in meshes])
    assert np.array_equal(shares, numbers.loc[numbers["what"] == "cell", "share"])


@pytest.mark.parametrize("factor", [0.1, 9.0])
def test_all_white_and_all_black_have_no_line(factor):
    the_plan, tables = drawn("sample_diagram")
    tables["region"] = outcomes(the_plan["experiments"]["region"], transition(factor))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure, numbers = draw("sample_diagram", the_plan, tables)
        figure.draw_without_rendering()
    assert "no line" in figure.axes[0].get_title()
    assert set(numbers.loc[numbers["what"] == "half", "crossing"]) == {"above" if factor > 1 else "below"}


def test_points_of_another_experiment_come_as_diamonds():
    the_plan, tables = drawn("sample_diagram")
    longer = experiment(
        "longer", {"patch_size": [10, 20], "n_samples": None, "samples_ratio": [0.9, 1.0, 1.3]}
    )
    the_plan["experiments"]["longer"] = longer
    tables["longer"] = outcomes(longer, transition(1.0))
    also = {"experiment": "longer", "words": "longer runs"}
    the_plan["options"]["panels"] = [{"experiment": "region", "title": "AGD", "also": also}]
    figure, numbers = draw("sample_diagram", the_plan, tables)
    assert "longer runs" in [text.get_text() for text in figure.legends[0].get_texts()]
    half = numbers[numbers["what"] == "half"].reset_index()
    assert (numbers[numbers["what"] == "also"].reset_index()["samples"] < half["samples"]).all()
    slopes = numbers.set_index("what")["slope"]
    assert slopes["also line"] < slopes["line"]
    assert "longer runs: $N$ = " in figure.axes[0].get_title()


def test_what_does_not_exist_is_named():
    the_plan, tables = drawn("success_curves")
    the_plan["options"]["panels"] = [{"experiment": "regoin"}]
    with pytest.raises(ValueError, match="'regoin', which is none of its experiments"):
        draw("success_curves", the_plan, tables)
    the_plan["options"]["panels"] = [{"experiment": "region", "algorithms": ["gd"]}]
    with pytest.raises(ValueError, match="'gd', not run in region"):
        draw("success_curves", the_plan, tables)
    with pytest.raises(ValueError, match="network 'prnued', which is none of convolutional, graph, pruned"):
        draw("network_schematic", plan("network_schematic", [], network="prnued"), {})


def test_an_experiment_in_no_panel_is_not_in_the_footer():
    the_plan, tables = drawn("success_curves")
    the_plan["experiments"]["signal"] = experiment("signal", {"n_samples": 123456}, ())
    the_plan["options"]["panels"] = [{"experiment": "region", "by": "patch_size"}]
    figure, _ = draw("success_curves", the_plan, tables)
    assert not any("123456" in text.get_text() for text in figure.texts)
