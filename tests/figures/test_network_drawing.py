"""How the kinds that show networks draw: what must stay visible, and what must not be shown wrongly."""

import importlib

import numpy as np
import pytest
from figures.network_plans import drawn, experiment, histories, outcomes, plan, transition
from matplotlib.collections import QuadMesh


def draw(kind, *drawing):
    return importlib.import_module(f"nonconvex.figures.kinds.{kind}").draw(*drawing)


def key(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def note(figure):
    return figure.legends[0].get_title().get_text().replace("\n", " ")


def test_equal_shares_are_set_apart_sideways_and_stay_within_none_and_all():
    figure, _ = draw("success_curves", *drawn("success_curves"))
    figure.draw_without_rendering()
    (axes,) = figure.axes
    lines = [line for line in axes.get_lines() if line.get_marker() != "None"]
    places = [line.get_transform().transform([(0, 0), (0, 1)]) for line in lines]
    assert len({at[0, 0] for at in places}) == len(lines) == 2
    for at in places:
        assert at[:, 1] == pytest.approx(axes.transData.transform([(0, 0), (0, 1)])[:, 1])
    assert "sideways" in note(figure)


def test_curves_of_one_place_stay_together_where_places_are_many():
    one = experiment("many", {"sign": ["ones", "mixed", "third"], "n_samples": list(range(40, 102, 2))})
    table = outcomes(one, lambda n_samples, trial, **_: transition(1.1)(n_samples / 50, trial))
    the_plan = plan("success_curves", [one], by="sign", x="n_samples")
    figure, _ = draw("success_curves", the_plan, {"many": table})
    figure.draw_without_rendering()
    lines = [line for line in figure.axes[0].get_lines() if line.get_marker() != "None"]
    first, _, last = (line.get_transform().transform((0, 0))[0] for line in lines)
    gap = np.diff(figure.axes[0].transData.transform([(40, 0), (42, 0)])[:, 0])[0]
    assert 0 < last - first < gap


def test_the_number_of_unknown_weights_is_told_in_the_legend_where_nothing_strikes_it_through():
    figure, _ = draw("sample_errors", *drawn("sample_errors"))
    assert "$N$ = $Kd$" in key(figure)
    assert not [text for axes in figure.axes for text in axes.texts if "Kd" in text.get_text()]


def test_errors_below_the_floor_are_hollow_at_the_floor_and_leave_the_others_room():
    the_plan, tables = drawn("sample_errors")
    the_plan["options"]["floor"] = 1e-2
    figure, numbers = draw("sample_errors", the_plan, tables)
    axes = figure.axes[0]
    assert axes.get_ylim()[0] > 1e-3
    hollow = [line for line in axes.get_lines() if line.get_markerfacecolor() == "white"]
    at = np.concatenate([line.get_ydata() for line in hollow])
    assert at.tolist() == [1e-2] * int((numbers["centre"] < 1e-2).sum())
    assert "hollow: below $10^{-2}$" in key(figure)


def test_what_never_reached_a_level_is_marked_above_all_points():
    the_plan, tables = drawn("level_curves")
    figure, numbers = draw("level_curves", the_plan, tables)
    axes = figure.axes[0]
    (marks,) = [line for line in axes.get_lines() if line.get_marker() == "^" and len(line.get_xdata())]
    drawn_high = np.nanmax(numbers[["median", "low", "high"]])
    assert min(marks.get_ydata()) > 1.2 * drawn_high
    assert max(marks.get_ydata()) < axes.get_ylim()[1]
    assert "open triangle above" in note(figure)


@pytest.fixture
def steps():
    one = experiment("steps", {}, ("agd", "gd"), trials=5)

    def rate(algorithm, trial):
        return 0.9 if algorithm == "agd" else 1.0 if trial == 0 else 3.0

    panels = [{"title": "(b)", "algorithms": ["agd", "gd"]}]
    return plan("step_outcomes", [one], examples=panels, bars=panels), {"steps": histories(one, rate)}


def test_the_example_is_the_first_trial_that_ends_as_most_do(steps):
    figure, numbers = draw("step_outcomes", *steps)
    assert set(numbers.loc[numbers["what"] == "example", "trial"]) == {1}
    assert figure.axes[0].get_title() == "(b)\ntrial 1: 4 of 5 end so"
    assert [text.get_text() for text in figure.axes[0].texts] == ["diverged"]


def test_a_trial_that_is_asked_for_is_the_example_and_what_is_neither_is_named(steps):
    the_plan, tables = steps
    the_plan["options"]["trial"] = 0
    figure, numbers = draw("step_outcomes", the_plan, tables)
    assert set(numbers.loc[numbers["what"] == "example", "trial"]) == {0}
    assert figure.axes[0].get_title() == "(b)\ntrial 0: 1 of 5 end so"
    assert [text.get_text() for text in figure.axes[0].texts] == ["not yet converged"]
    assert "neither by the last iteration" in key(figure)


def test_a_mean_is_dotted_from_where_the_first_trial_has_ended():
    one = experiment("speed", {}, trials=3)
    table = histories(one, lambda trial, **_: (0.5, 0.8, 0.9)[trial])
    figure, numbers = draw("progress_curves", plan("progress_curves", [one], centre="mean"), {"speed": table})
    first = table.groupby("trial")["iteration"].max().min()
    bold = figure.axes[0].get_lines()[-1]
    known = np.isfinite(np.asarray(bold.get_ydata(), dtype=float))
    assert 2 < bold.get_xdata()[known].max() <= first < numbers["iteration"].max()
    assert "keeps its last error, and the mean is dotted" in note(figure)


def test_ratios_are_drawn_per_unknown_weight_so_that_all_columns_have_the_same_cells():
    figure, numbers = draw("sample_diagram", *drawn("sample_diagram"))
    cells = numbers[numbers["what"] == "cell"]
    assert cells["height"].tolist() == [0.8, 1.0, 1.2, 1.5] * 2
    meshes = [mesh for mesh in figure.axes[0].collections if isinstance(mesh, QuadMesh)]
    edges = [mesh.get_coordinates()[:, 0, 1].tolist() for mesh in meshes]
    assert edges[0] == edges[1]
    half = numbers[numbers["what"] == "half"]
    np.testing.assert_allclose(half["height"], half["samples"] / half["unknowns"])
    assert "hatched" not in note(figure)
    assert "N/Kd" in figure.axes[0].get_ylabel()


def test_panels_of_ratios_and_of_numbers_are_both_drawn_in_numbers():
    the_plan, tables = drawn("sample_diagram")
    other = experiment("numbers", {"patch_size": [10, 20], "n_samples": [40, 80, 200]})
    the_plan["experiments"]["numbers"] = other
    tables["numbers"] = outcomes(
        other, lambda n_samples, patch_size, trial, **_: transition(1.1)(n_samples / patch_size / 5, trial)
    )
    the_plan["options"] = {"x": "patch_size"}
    _, cells = draw("sample_diagram", the_plan, tables)
    cells = cells[cells["what"] == "cell"]
    assert (cells["height"] == cells["samples"]).all()
