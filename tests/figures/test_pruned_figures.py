"""The figures of chapter 6, on made-up tables: what is drawn is what these hold, at every scale."""

import importlib
import itertools

import numpy as np
import pandas as pd
import pytest
from figures.network_plans import experiment, plan
from figures.pruned_plans import FIGURES, made_up, pruned_plan
from matplotlib.text import Text

from nonconvex.figures.kinds.network_schematic import _MORE, _ORACLE
from nonconvex.figures.parts.curve_panels import curve_panels, within_words
from nonconvex.figures.parts.grid import cell_edges
from nonconvex.figures.parts.laws import fitted_law
from nonconvex.figures.parts.samples import unknowns, unknowns_symbol
from nonconvex.figures.render import render


def draw(the_plan, tables):
    return importlib.import_module(f"nonconvex.figures.kinds.{the_plan['kind']}").draw(the_plan, tables)


def note(figure):
    return figure.legends[0].get_title().get_text().replace("\n", " ")


@pytest.fixture(scope="module")
def preview():
    plans = {figure: pruned_plan(figure, "preview") for figure in FIGURES}
    return {figure: (one, made_up(one)) for figure, one in plans.items()}


@pytest.mark.parametrize("scale", ["smoke", "preview", "thesis"])
@pytest.mark.parametrize("figure", FIGURES)
def test_every_figure_fits_its_page_at_every_scale(figure, scale):
    the_plan = pruned_plan(figure, scale)
    drawn, numbers = draw(the_plan, made_up(the_plan))
    drawn.draw_without_rendering()
    assert len(numbers)
    boxes = [legend.get_window_extent() for legend in drawn.legends if legend.get_texts()]
    boxes += [axes.get_tightbbox() for axes in drawn.axes]
    for box in boxes:
        assert box.x0 >= drawn.bbox.x0 - 1
        assert box.x1 <= drawn.bbox.x1 + 1
        assert box.y0 >= drawn.bbox.y0 - 1
    for axes in drawn.axes:
        for which in (axes.xaxis, axes.yaxis):
            labels = [one for one in which.get_ticklabels() if one.get_text() and one.get_visible()]
            ends = sorted(
                (box.x0, box.x1) if which is axes.xaxis else (box.y0, box.y1)
                for box in (one.get_window_extent() for one in labels)
            )
            assert all(last <= first + 1 for (_, last), (first, _) in itertools.pairwise(ends))


@pytest.mark.parametrize("figure", FIGURES)
def test_two_renders_give_the_same_bytes(figure, preview, tmp_path):
    for name in "ab":
        render(*preview[figure], {form: tmp_path / f"{name}.{form}" for form in ("svg", "pdf", "csv")})
    for form in ("svg", "pdf", "csv"):
        assert (tmp_path / f"a.{form}").read_bytes() == (tmp_path / f"b.{form}").read_bytes()


def test_the_learner_has_all_links_of_the_oracle_and_more(preview):
    assert any(_MORE)
    assert not any(set(own) & set(more) for own, more in zip(_ORACLE, _MORE, strict=True))
    _, numbers = draw(*preview["6.1"])
    assert (numbers["layer"] == "neuron").sum() == 2 * (3 + 1)  # with an ellipsis each


def test_cells_on_a_scale_of_roots_end_halfway_between_roots_and_not_below_0():
    np.testing.assert_allclose(cell_edges([4, 16, 36], "root"), [1, 9, 25, 49])
    assert cell_edges([1, 16], "root")[0] == 0


def test_the_axis_says_that_it_is_one_of_roots_and_has_the_numbers_themselves(preview):
    the_plan, tables = preview["6.2"]
    figure, numbers = draw(the_plan, tables)
    axes = figure.axes[0]
    kept = the_plan["experiments"]["pruned_radius"]["parameters"]["kept"]
    assert [text.get_text() for text in axes.get_xticklabels()] == [str(one) for one in kept]
    assert r"on a scale of $\sqrt{\widetilde{r}}$" in axes.get_xlabel()
    places = axes.transData.transform([(one, 1) for one in kept])[:, 0]
    np.testing.assert_allclose(
        np.diff(places) / np.diff(np.sqrt(kept)), (places[-1] - places[0]) / np.ptp(np.sqrt(kept))
    )
    assert set(numbers.loc[numbers["what"] == "cell", "kept"]) == set(kept)


def test_unknown_weights_of_a_pruned_network_are_those_kept_where_it_is_known_which():
    sizes = {"n_neurons": 5, "n_features": 100, "kept": 20}
    assert (unknowns(sizes), unknowns_symbol(sizes)) == (100, "$Kr_{ave}$")
    sizes["start_on"] = "all"
    assert (unknowns(sizes), unknowns_symbol(sizes)) == (500, "$Kd$")


@pytest.fixture
def masked():
    one = experiment("masked", {"distance": [0.1, 0.3], "pruning_ratio": [0.5, 0.7]})
    grid = [
        {"algorithm": "agd", "distance": d, "pruning_ratio": p, "trial": t, "status": "iteration limit",
         "mask_accuracy": 0.84 + 0.02 * t, "error": 0.1 * (t + 1) * p, "iterations": 100}
        for d in (0.1, 0.3) for p in (0.5, 0.7) for t in range(4)
    ]  # fmt: skip
    return one, pd.DataFrame(grid)


def test_a_panel_for_each_value_has_its_rows_and_those_within_the_range_only(masked):
    one, table = masked
    entry = {"experiment": "masked", "title": "start at {distance}"}
    options = {"by": "pruning_ratio", "each": "distance", "within": {"mask_accuracy": [0.86, 0.88]}}
    the_plan = plan("level_curves", [one], panels=[entry], **options)
    panels = curve_panels(the_plan, {"masked": table})
    assert [panel.title for panel in panels] == ["start at 0.1", "start at 0.3"]
    for panel, distance in zip(panels, (0.1, 0.3), strict=True):
        for curve in panel.curves:
            assert set(curve.rows["distance"]) == {distance}
            assert curve.rows["mask_accuracy"].tolist() == pytest.approx([0.86, 0.88])
            assert curve.left_out == 2
    assert within_words(the_plan, panels) == ["Only trials with mask accuracy from 0.86 to 0.88: 8 of 16"]


@pytest.mark.parametrize("scale, few", [("preview", "hollow"), ("thesis", "left out")])
def test_bins_of_few_trials_are_left_out_at_thesis_scale_and_hollow_below(masked, scale, few):
    one, table = masked
    more = pd.concat([table.assign(trial=table["trial"] + 4 * i) for i in range(3)])
    more.loc[more["trial"] > 9, "mask_accuracy"] = 0.97
    options = {"x": "mask_accuracy", "width": 0.05, "least": 3, "by": "pruning_ratio", "each": "distance"}
    the_plan = {**plan("binned_errors", [one], panels=[{"experiment": "masked"}], **options), "scale": scale}
    figure, numbers = draw(the_plan, {"masked": more})
    first = numbers[(numbers["panel"].str.contains("0.1")) & (numbers["value"] == 0.5)].set_index("bin_low")
    assert first["trials"].tolist() == [3, 5, 2, 2]  # a value at an edge is in the bin above
    assert first.loc[0.95, "drawn"] == few
    own = more[(more["distance"] == 0.1) & (more["pruning_ratio"] == 0.5) & (more["mask_accuracy"] < 0.85)]
    assert first.loc[0.8, "centre"] == pytest.approx(own["error"].mean())
    assert first.loc[0.8, "x"] == pytest.approx(0.84)
    assert ("8 of 16 bins have fewer than 3 trials and are left out, with 16 of 48" in note(figure)) == (
        scale == "thesis"
    )
    drawn = [line for line in figure.axes[0].get_lines() if 0.97 in np.round(line.get_xdata(), 9)]
    assert bool(drawn) == (scale == "preview")


def test_no_mean_is_drawn_where_a_trial_diverged_and_it_is_counted(masked):
    one, table = masked
    table.loc[0, ["status", "error"]] = ["diverged", np.nan]
    options = {"x": "mask_accuracy", "width": 0.05, "by": "pruning_ratio", "each": "distance"}
    figure, numbers = draw(
        plan("binned_errors", [one], panels=[{"experiment": "masked"}], **options), {"masked": table}
    )
    assert numbers["centre"].isna().sum() == 1
    assert "1 of 16 trials diverged; no mean where one did" in note(figure)


def test_a_diverged_trial_that_was_stopped_at_a_number_leaves_no_mean_in_either_panel(preview):
    the_plan, tables = preview["6.6"]
    table = tables["pruned_noise"].copy()
    kept, noise = table["kept"].min(), table["noise"].min()
    one = (table["kept"] == kept) & (table["noise"] == noise) & (table["trial"] == 0)
    table.loc[one, ["status", "error"]] = ["diverged", 1.2e6]
    _, numbers = draw(the_plan, {"pruned_noise": table})
    gone = numbers["diverged"] > 0
    assert gone.sum() == 1 and numbers.loc[gone, ["centre", "ratio"]].isna().all(axis=None)
    assert numbers.loc[~gone, ["centre", "ratio"]].max(axis=None) < 1e5


def test_levels_are_told_by_the_parameter_and_those_below_the_end_of_all_runs_are_left_out(preview):
    the_plan, tables = preview["6.3b"]
    _, numbers = draw(the_plan, tables)
    assert set(numbers["level"]) == {1e-1, 1e-2, 1e-3, 1e-4}
    the_plan, tables = preview["6.8"]
    _, numbers = draw(the_plan, tables)
    parameters = the_plan["experiments"]["pruned_mask_rates"]["parameters"]
    assert set(numbers["value"]) == set(parameters["pruning_ratio"])
    kept = tables["pruned_mask_rates"]["mask_accuracy"].between(0.85, 0.9)
    one = numbers[numbers["level"] == numbers["level"].max()]
    assert one["trials"].sum() == kept.sum()


def test_a_whisker_beyond_a_linear_axis_ends_open(preview):
    the_plan, tables = preview["6.8"]
    the_plan = {**the_plan, "options": {**the_plan["options"], "logarithmic": False}}
    table = tables["pruned_mask_rates"]
    late = table["trial"] == 2
    table = table.assign(**{"iterations_0.30": np.where(late, 9e4, 1.0)})
    figure, numbers = draw(the_plan, {"pruned_mask_rates": table})
    assert numbers["high"].max() == 9e4
    assert figure.axes[0].get_ylim()[1] <= 1.3 * numbers["median"].max()
    marks = [
        line for line in figure.axes[0].get_lines() if line.get_marker() == "^" and len(line.get_xdata())
    ]
    assert max(max(one.get_ydata()) for one in marks) < figure.axes[0].get_ylim()[1]


def test_a_level_that_half_begin_below_stands_at_0_iterations_of_a_logarithmic_axis(preview):
    the_plan, tables = preview["6.8"]
    table = tables["pruned_mask_rates"].assign(**{"iterations_0.30": 0.0})
    figure, numbers = draw(the_plan, {"pruned_mask_rates": table})
    assert (numbers.loc[(numbers["level"] == 0.3) & (numbers["trials"] > 0), "median"] == 0).all()
    assert figure.axes[0].get_yscale() == "symlog"
    assert figure.axes[0].get_ylim()[0] < 0


def test_levels_of_a_group_without_trials_are_told(preview):
    the_plan, tables = preview["6.8"]
    for accuracy, told in ((0.87, False), (0.2, True)):
        table = tables["pruned_mask_rates"].assign(mask_accuracy=0.87)
        table.loc[table["pruning_ratio"] == 0.8, "mask_accuracy"] = accuracy
        figure, _ = draw(the_plan, {"pruned_mask_rates": table})
        words = " ".join(text.get_text() for legend in figure.legends for text in legend.findobj(Text))
        assert ("hatched: no trial" in words) == told


def test_a_line_in_the_right_law_explains_all():
    values = np.array([10.0, 20, 40, 80])
    fit = fitted_law(values, 0.9 + 0.01 * np.sqrt(values), "root")
    assert (fit["slope"], fit["intercept"], fit["r_squared"]) == pytest.approx((0.01, 0.9, 1))
    assert fitted_law(values, 0.9 + 0.01 * np.sqrt(values), "inverse_root")["r_squared"] < 0.95
    assert np.isnan(fitted_law(values[:2], values[:2], "root")["slope"])


def test_rates_are_means_over_the_trials_and_what_has_none_is_counted(preview):
    the_plan, tables = preview["6.3"]
    figure, numbers = draw(the_plan, tables)
    law = numbers[numbers["what"] == "law"]
    assert (law.loc[law["law"] == "root", "r_squared"] > 1 - 1e-6).all()
    assert (law.loc[law["law"] == "inverse_root", "r_squared"] < 1 - 1e-4).all()
    mean = numbers[(numbers["what"] == "mean") & (numbers["panel"] == "(c) one shared index")]
    expected = 0.901 + 0.005 * np.sqrt(mean["kept"]) + 0.02 * (mean["algorithm"] == "gd")
    np.testing.assert_allclose(mean["mean"], expected, rtol=1e-6)
    np.testing.assert_allclose(mean["sd"], 0.001, rtol=1e-4)
    limits = {axes.get_ylim() for axes in figure.axes[1:6]}
    assert len(limits) == 1
    table = tables["pruned_rates"]
    stuck = (table["algorithm"] == "gd") & (table["trial"] == 0)
    broken = {**tables, "pruned_rates": table.assign(error=table["error"].where(~stuck))}
    figure, numbers = draw(the_plan, broken)
    places = table["kept"].nunique()
    assert numbers["without"].sum() == 2 * places
    assert f"{2 * places} of " in note(figure) and "have no rate and are left out" in note(figure)


def test_errors_are_drawn_at_the_size_that_was_drawn(preview):
    the_plan, tables = preview["6.5"]
    figure, numbers = draw(the_plan, tables)
    points = numbers[numbers["size"].notna()]
    table = tables["pruned_architectures"]
    sizes = table.groupby("supports")["effective_size"].mean()
    assert (points["size"] == points["value"].map(sizes)).all()
    grid = the_plan["experiments"]["pruned_architectures"]["parameters"]["n_samples"]
    assert len(set(points["x"])) == 4 and {min(grid), max(grid)} <= set(points["x"])
    for row in points.to_dict("records"):
        own = table[(table["supports"] == row["value"]) & (table["n_samples"] == row["x"])]
        assert row["centre"] == pytest.approx(own["error"].mean())
    low, high = figure.axes[1].get_xlim()
    assert low < points["size"].min() and points["size"].max() < high


def test_errors_over_the_noise_level_are_straight_on_a_scale_of_roots(preview):
    the_plan, tables = preview["6.6"]
    figure, _ = draw(the_plan, tables)
    ratio = figure.axes[1]
    assert ratio.get_yscale() == "linear" and ratio.get_ylim()[0] == 0
    line = max(ratio.get_lines(), key=lambda one: len(one.get_xdata()))
    at = ratio.transData.transform(np.column_stack([line.get_xdata(), line.get_ydata()]))
    slopes = np.diff(at[:, 1]) / np.diff(at[:, 0])
    np.testing.assert_allclose(slopes, slopes[0], rtol=1e-6)


def test_rounds_of_pruning_stand_at_their_ratios(preview):
    the_plan, tables = preview["6.10"]
    figure, numbers = draw(the_plan, tables)
    assert "iteration" not in numbers
    one = numbers[(numbers["algorithm"] == "rewind") & (numbers["value"] == numbers["value"].max())]
    np.testing.assert_allclose(one["pruning_ratio"], 1 - 0.8 ** np.arange(11))
    assert figure.axes[0].get_ylabel() == "test error"
    assert "diverged" not in note(figure)
    table = tables["pruned_imp"]
    lost = (table["trial"] == 0) & (table["round"] > 3) & (table["algorithm"] == "rewind")
    table = table.assign(
        test_error=table["test_error"].where(~lost),
        status=np.where(
            (table["trial"] == 0) & (table["algorithm"] == "rewind"), "diverged", table["status"]
        ),
    )
    figure, numbers = draw(the_plan, {"pruned_imp": table})
    cells = table["n_samples"].nunique()
    assert f"{cells} of {9 * cells} trials diverged" in note(figure)


@pytest.mark.parametrize(("scale", "lines"), [("smoke", False), ("thesis", True)])
def test_rates_are_said_to_have_lines_where_they_have(scale, lines):
    the_plan = pruned_plan("6.3", scale)
    drawn, numbers = draw(the_plan, made_up(the_plan))
    assert numbers.loc[numbers["what"] == "law", "slope"].notna().any() == lines
    titles = "".join(axes.get_title() for axes in drawn.axes)
    assert ("R² = 0" in titles, "no line, too few points" in titles) == (lines, not lines)
    assert "nan" not in titles
    assert ("with the line fitted" in drawn.legends[0].get_title().get_text().replace("\n", " ")) == lines
