"""The figures of chapter 7: at every scale, all of what they say is on the page and is what the tables hold."""

import importlib
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from figures.self_training_tables import made

from nonconvex.figures.kinds import law_curves
from nonconvex.figures.parts.law_axis import law_axis
from nonconvex.figures.parts.law_points import fitted, middles, within
from nonconvex.figures.render import render
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import check_config

ROOT = Path(__file__).parents[2]
FIGURES = ("7.2", "7.3", "7.4", "7.5", "7.6", "7.7", "7.8", "7.9", "F.1")


def asked(figure, scale="preview"):
    config = {"scale": scale, "figures": [figure]}
    return (
        Pipeline(check_config(config, ROOT / "workflow/schemas/config.schema.yaml"), ROOT).figure(figure).plan
    )


def drawn(figure, scale="preview", change=lambda tables: None):
    plan = asked(figure, scale)
    tables = made(plan)
    change(tables)
    drawing, numbers = importlib.import_module(f"nonconvex.figures.kinds.{plan['kind']}").draw(plan, tables)
    drawing.draw_without_rendering()
    return drawing, numbers, tables


def note(figure):
    return figure.legends[0].get_title().get_text().replace("\n", " ")


def key(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


@pytest.mark.parametrize("scale", ["smoke", "preview", "thesis"])
@pytest.mark.parametrize("figure", FIGURES)
def test_nothing_leaves_the_page_at_any_scale(figure, scale):
    drawing, _, _ = drawn(figure, scale)
    boxes = [legend.get_window_extent() for legend in drawing.legends]
    boxes += [axes.get_tightbbox() for axes in drawing.axes if axes.axison]
    boxes += [text.get_window_extent() for text in drawing.texts if text.get_text()]
    for box in boxes:
        assert drawing.bbox.x0 - 1 <= box.x0 and box.x1 <= drawing.bbox.x1 + 1
        assert drawing.bbox.y0 - 1 <= box.y0 and box.y1 <= drawing.bbox.y1 + 1


@pytest.mark.parametrize("scale", ["preview", "thesis"])
@pytest.mark.parametrize("figure", ["7.4", "7.5", "7.6", "7.8", "7.9"])
def test_labels_beside_each_other_do_not_overlap(figure, scale):
    drawing, _, _ = drawn(figure, scale)
    labels = [axes.xaxis.label.get_window_extent() for axes in drawing.axes if axes.get_xlabel()]
    for axes in drawing.axes:
        ticks = [text.get_window_extent() for text in axes.get_xticklabels() if text.get_text()]
        ticks = [box for box in ticks if axes.bbox.x0 - 1 <= (box.x0 + box.x1) / 2 <= axes.bbox.x1 + 1]
        assert all(left.x1 < right.x0 for left, right in pairwise(ticks))
    rows = {}
    for box in labels:
        rows.setdefault(round(box.y0), []).append(box)
    for row in rows.values():
        ordered = sorted(row, key=lambda box: box.x0)
        assert all(left.x1 < right.x0 for left, right in pairwise(ordered))


@pytest.mark.parametrize("figure", FIGURES)
def test_two_renders_give_the_same_bytes(figure, tmp_path):
    plan = asked(figure, "smoke")
    tables = made(plan)
    for name in "ab":
        render(plan, tables, {form: tmp_path / f"{name}.{form}" for form in ("svg", "csv")})
    for form in ("svg", "csv"):
        assert (tmp_path / f"a.{form}").read_bytes() == (tmp_path / f"b.{form}").read_bytes()


def runs(offsets, values, status="converged"):
    """Make rows: per trial its offset, and at each place M the value there."""
    rows = [
        {"m": m, "trial": trial, "status": status, "error": value + offset}
        for trial, offset in enumerate(offsets)
        for m, value in values.items()
    ]
    return pd.DataFrame(rows)


LINE = {m: 0.2 + 3 / np.sqrt(m) for m in (500, 1000, 4000)}


def test_a_line_in_one_over_root_is_found_and_zero_has_no_part_in_it():
    points = middles(runs([0.0, 0.01, -0.01], {0: 9.0, **LINE}), "m", "error")
    line = fitted(points, "inverse root")
    assert (line["slope"], line["intercept"]) == pytest.approx((3, 0.2))
    assert line["r_squared"] == pytest.approx(1)
    assert line["points"] == 3
    assert points["x"].tolist() == [0, 500, 1000, 4000]
    assert np.isnan(fitted(points.head(3), "inverse root")["slope"])
    assert fitted(points, "linear")["points"] == 4


@pytest.mark.parametrize(("bad", "centre"), [([], 0.2), ([4], 0.2), ([2, 4], 0.3), ([0, 1, 2], np.nan)])
def test_a_trial_that_diverged_counts_as_larger_than_all_others(bad, centre):
    rows = runs([0.0, 0.1, 0.2, 0.3, 0.4], {100: 0.0})
    rows.loc[bad, ["status", "error"]] = ["diverged", 60.0]
    (point,) = middles(rows, "m", "error").to_dict("records")
    assert point["diverged"] == len(bad)
    assert point["centre"] == pytest.approx(centre, nan_ok=True)
    kept = [0.1 * trial for trial in range(5) if trial not in bad]
    assert point["mean_of_others"] == pytest.approx(np.mean(kept))
    # Values that are finite but of a run that diverged later do not come back through the column.
    rows.loc[bad, "error"] = 0.0
    assert middles(rows, "m", "error")["centre"].tolist() == pytest.approx([centre], nan_ok=True)


def test_bands_within_trials_leave_out_what_trials_differ_by_everywhere():
    rows = runs([0.0, 0.5, -0.3], {0: 0.9, **LINE})
    points = middles(rows, "m", "error")
    assert (points["high"] - points["low"] > 0.7).all()
    bands = within(points, rows, "m", "error")
    assert bands["low"].tolist() == pytest.approx(points["centre"].tolist())
    assert bands["high"].tolist() == pytest.approx(points["centre"].tolist())
    rows.loc[rows["trial"] > 0, "status"] = "diverged"
    assert within(middles(rows, "m", "error"), rows, "m", "error")["low"].isna().all()


def test_zero_stands_apart_on_the_left_of_an_axis_that_makes_the_law_straight():
    axis = law_axis([0, 500, 2000, 8000], "inverse root")
    at = axis.places([0, 500, 2000, 8000])
    assert (np.diff(at) > 0).all()
    assert at[1:] == pytest.approx(-1 / np.sqrt([500, 2000, 8000]))
    assert at[1] - at[0] == pytest.approx(0.22 * (at[-1] - at[1]))
    assert not law_axis([500, 2000], "inverse root").level
    assert law_axis([0, 1], None).places([0, 1]).tolist() == [0, 1]


def test_figure_75_has_a_panel_for_each_number_of_labelled_data_and_zero_as_a_level():
    drawing, numbers, tables = drawn("7.5", "thesis")
    assert [axes.get_title().split("\n")[0] for axes in drawing.axes] == [
        "$N$ = 400",
        "$N$ = 550",
        "$N$ = 700",
    ]
    table = tables["self_unlabelled"]
    own = table[(table["algorithm"] == "full") & (table["n_labelled"] == 550) & (table["n_unlabelled"] == 0)]
    point = numbers[(numbers["what"] == "point") & (numbers["panel"] == "$N$ = 550") & (numbers["x"] == 0)]
    assert point.loc[point["algorithm"] == "full", "centre"].item() == pytest.approx(own["error"].median())
    assert "level at $M$ = 0" in key(drawing) and r"straight line in $1/\sqrt{M}$" in key(drawing)
    lines = numbers[numbers["what"] == "line"]
    assert len(lines) == 9 and (lines["points"] == 6).all()


def test_diverged_trials_are_counted_beside_their_points_and_in_the_note():
    drawing, numbers, _ = drawn("7.5")
    points = numbers[numbers["what"] == "point"]
    count = int(points["diverged"].sum())
    assert count > 0
    assert f"{count} of {int(points['trials'].sum())} trials diverged" in note(drawing)
    told = [int(text.get_text()) for axes in drawing.axes for text in axes.texts]
    assert sorted(told) == sorted(points.loc[points["diverged"] > 0, "diverged"])


def test_a_point_of_which_half_diverged_is_a_cross_at_the_upper_edge():
    def change(tables):
        table = tables["self_weight"]
        table.loc[(table["weight"] == 0.4) & (table["algorithm"] == "mini"), "status"] = "diverged"

    drawing, numbers, _ = drawn("7.8", change=change)
    assert "half or more diverged" in key(drawing)
    own = numbers[(numbers["x"] == 0.4) & (numbers["algorithm"] == "mini")]
    assert own["centre"].isna().all() and (own["diverged"] == own["trials"]).all()
    assert [axes.get_ylim()[1] < 10 for axes in drawing.axes] == [True, True]


def test_all_middles_are_within_the_upright_axes():
    for figure in ("7.4", "7.5", "7.6", "7.7", "7.8"):
        drawing, _, _ = drawn(figure, "thesis")
        for axes in drawing.axes:
            low, high = axes.get_ylim()
            lines = [line for line in axes.get_lines() if line.get_marker() not in ("None", "x", "")]
            at = np.concatenate([line.get_ydata() for line in lines])
            at = at[np.isfinite(at)]
            assert low < at.min() and at.max() < high


def test_intervals_of_means_are_shown_whole_and_those_of_two_trials_are_not():
    plan = asked("7.8")
    plan = {**plan, "options": {**plan["options"], "bands": "interval", "centre": "mean"}}
    for trials, whole in ((5, True), (2, False)):
        tables = {name: table[table["trial"] < trials] for name, table in made(plan).items()}
        for table in tables.values():
            apart = np.where(table["trial"] == 0, 0.5, 0.1)
            for column in ("error", "mixture_error"):
                table[column] = apart + 0.01 * table["weight"]
            table["status"] = "converged"
        drawing, numbers = law_curves.draw(plan, tables)
        points = numbers[numbers["what"] == "point"]
        inside = [
            axes.get_ylim()[0] <= points["low"].min() and points["high"].max() <= axes.get_ylim()[1]
            for axes in drawing.axes
        ]
        assert inside == [whole] * len(drawing.axes)


def test_the_generalisation_function_is_drawn_without_an_algorithm():
    drawing, numbers, tables = drawn("7.4")
    assert key(drawing) == [f"number of hidden layers = {count}" for count in range(1, 6)]
    assert drawing.axes[2].get_xscale() == drawing.axes[2].get_yscale() == "log"
    table = tables["generalisation"]
    own = table[(table["n_layers"] == 3) & (table["distance"] == 0.5)]
    row = numbers[(numbers["value"] == 3) & (numbers["x"] == 0.5) & (numbers["column"] == "root_gf")]
    assert row["centre"].item() == pytest.approx(own["root_gf"].median())


def test_minima_are_those_of_the_risks_between_the_places_of_the_table():
    drawing, numbers, _ = drawn("F.1")
    minima = numbers[numbers["what"] == "minimum"]
    weighted = minima[minima["risk"] == "weighted_risk"]
    assert weighted["position"].to_numpy() == pytest.approx(0.63 + 0.01 * weighted["trial"].to_numpy())
    assert weighted["value"].to_numpy() == pytest.approx(0.2)
    assert set(weighted["n_unlabelled"]) == {500, 2000, 8000}
    assert minima.loc[minima["risk"] == "population_risk", "position"].to_numpy() == pytest.approx(0.63)
    assert len(key(drawing)) == 5


def test_a_run_that_leaves_the_picture_is_told_and_does_not_blow_it_up():
    def change(tables):
        table = tables["self_path"]
        gone = (table["trial"] == 1) & (table["round"] > 5)
        table.loc[gone, ["x", "y", "error"]] = 1e8

    drawing, numbers, _ = drawn("7.3", change=change)
    assert "2 left the picture" in note(drawing)
    assert max(abs(end) for axes in drawing.axes for end in axes.get_ylim()) < 2
    assert numbers["error"].max() == 1e8


def test_the_diagram_of_dimension_tells_per_panel_how_many_trials_diverged():
    drawing, numbers, tables = drawn("7.9")
    table = tables["self_dimension"]
    own = table[(table["algorithm"] == "mini_35") & (table["n_unlabelled"] == 0)]
    bad = int((own["status"] == "diverged").sum())
    assert drawing.axes[0].get_title().split("\n")[-1] == f"{bad} of {len(own)} trials diverged"
    full = next(axes for axes in drawing.axes if "full batch" in axes.get_title())
    assert "diverged" not in full.get_title()
    cells = numbers[numbers["what"] == "cell"]
    assert (cells["samples"] == (cells["height"] * 10 * cells["n_features"]).round()).all()
    assert drawing.axes[0].get_ylabel() == "labelled data per unknown weight, $N/Kd$"


def test_a_figure_of_the_appendix_is_one_of_its_chapter():
    pipeline = Pipeline(
        check_config({"scale": "smoke", "figures": ["F.1"]}, ROOT / "workflow/schemas/config.schema.yaml"),
        ROOT,
    )
    assert pipeline.figures() == ["F.1"] and pipeline.experiment_names() == ["self_landscape"]
    product = pipeline.figure("F.1")
    assert product.plan["chapter"] == "7"
    assert "results/smoke/figures/figF.1.csv" in product.outputs


@pytest.mark.parametrize("scale", ["smoke", "thesis"])
@pytest.mark.parametrize("figure", ["7.4", "7.5", "7.6", "7.7", "7.8", "7.9"])
def test_note_and_key_speak_of_lines_where_there_are_some(figure, scale):
    drawing, numbers, _ = drawn(figure, scale)
    lines = "slope" in numbers and bool(np.isfinite(numbers["slope"]).any())
    said = [word for word in ("R²", "In brackets") if word in note(drawing)]
    shown = [text for text in key(drawing) if "line" in text]
    assert bool(said) == bool(shown) == lines
    if figure in ("7.5", "7.6", "7.8") and not lines:
        assert "no straight line is fitted to fewer than 3 points" in note(drawing)


def test_the_band_of_a_place_that_stands_alone_is_a_bar():
    def counts(scale):
        drawing, numbers, _ = drawn("7.5", scale)
        bars = [one for axes in drawing.axes for one in axes.collections if hasattr(one, "get_segments")]
        return len(bars), int((numbers["what"] == "point").sum())

    bars, points = counts("smoke")
    assert bars == points
    bars, points = counts("thesis")
    assert bars < points
