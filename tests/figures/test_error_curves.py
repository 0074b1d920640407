import math

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import QuadMesh

from nonconvex.figures.kinds.error_curves import draw
from nonconvex.figures.parts.convergent import middle, selected, summarise

SIX = ("am_fiht_beta0", "am_fiht", "ram_fiht", "fiht", "svt_x", "svt_h")


def outcome(name, p, trial):
    """AM-FIHT converges always, FIHT in 3 of 5 trials at p = .35, SVT on X to an error above the bar."""
    if name == "fiht" and p < 0.4 and trial > 2:
        return ("diverged", 300.0) if trial == 3 else ("failed", math.nan)
    if name == "svt_x":
        return "converged", 0.9
    return ("iteration limit" if name == "svt_h" else "converged"), 1e-6 * (1 + trial) / p


@pytest.fixture
def three(resolved, curve_table):
    experiments = [
        resolved(f"comparison_mode{mode}", {"mode": mode, "p": [0.35, 0.5, 0.7]}, SIX) for mode in (1, 2, 3)
    ]
    return experiments, {one["experiment"]: curve_table(one, outcome) for one in experiments}


def panels(figure):
    return [axes for axes in figure.axes if axes.get_yscale() == "log"]


def strips(figure):
    return [mesh for axes in figure.axes for mesh in axes.collections if isinstance(mesh, QuadMesh)]


def test_the_frame_holds_exactly_what_is_drawn(figure_plan, three):
    experiments, tables = three
    figure, numbers = draw(figure_plan("error_curves", experiments), tables)
    figure.draw_without_rendering()
    assert len(numbers) == 3 * 6 * 3
    for axes, mesh, (name, rows) in zip(
        panels(figure), strips(figure), numbers.groupby("experiment", sort=False), strict=True
    ):
        assert axes.get_title() == rows["panel"].iloc[0]
        assert name[-1] in axes.get_title()
        lines = {line.get_label(): line for line in axes.get_lines() if line.get_label() in SIX}
        for algorithm, points in rows.groupby("algorithm", sort=False):
            assert np.array_equal(lines[algorithm].get_xdata(), points["x"])
            assert np.array_equal(lines[algorithm].get_ydata(), points["mean"], equal_nan=True)
        assert np.array_equal(np.asarray(mesh.get_array()), rows["share"].to_numpy().reshape(6, 3))
    assert numbers["x"].tolist()[:3] == [30.0, 50.0, 65.0]
    assert numbers["p"].tolist()[:3] == [0.7, 0.5, 0.35]


def test_convergent_trials_are_counted_and_averaged(figure_plan, three):
    experiments, tables = three
    _, numbers = draw(figure_plan("error_curves", experiments), tables)
    at = numbers[(numbers["experiment"] == "comparison_mode1") & (numbers["p"] == 0.35)].set_index(
        "algorithm"
    )
    assert at["trials"].tolist() == [5] * 6
    assert at["converged"].to_dict() == {**dict.fromkeys(SIX, 5), "fiht": 3, "svt_h": 0}
    errors = 1e-6 * np.array([1, 2, 3]) / 0.35
    assert at.loc["fiht", "mean"] == pytest.approx(errors.mean())
    assert at.loc["fiht", "geometric_mean"] == pytest.approx(np.exp(np.log(errors).mean()))
    assert (at.loc["fiht", "low"], at.loc["fiht", "high"]) == (errors[0], errors[2])
    assert math.isnan(at.loc["svt_h", "mean"])


def test_few_convergent_trials_are_drawn_half_filled_and_those_at_the_cap_hollow(figure_plan, three):
    experiments, tables = three
    figure, _ = draw(figure_plan("error_curves", experiments[:1]), tables)
    (axes,) = panels(figure)
    bare = [line for line in axes.get_lines() if line.get_linestyle() == "None" and len(line.get_xdata())]
    bare = [line for line in bare if not np.isnan(line.get_ydata()).all()]
    half = [line for line in bare if line.get_fillstyle() == "left"]
    hollow = [line for line in bare if line.get_markerfacecolor() == "white"]
    assert [(line.get_marker(), list(line.get_xdata())) for line in half] == [("D", [65.0])]
    assert [(line.get_marker(), list(line.get_xdata())) for line in hollow] == [("P", [30.0, 50.0, 65.0])]
    assert hollow[0].get_ydata() == pytest.approx([3e-6 / 0.7, 3e-6 / 0.5, 3e-6 / 0.35])
    legend = figure.legends[0]
    assert "stop rule met, error below 1" in legend.get_title().get_text().replace("\n", " ")
    assert [text.get_text() for text in legend.get_texts()][-2:] == [
        "fewer than 80 % of the trials converge",
        "none converges: mean at the iteration cap",
    ]


def test_where_all_diverge_there_is_no_marker_and_the_note_says_so(figure_plan, resolved, curve_table):
    one = resolved("one", {"mode": 3, "p": [0.5, 0.7]}, ["fiht", "svt_x"])
    ends = {"fiht": ("diverged", 0.9), "svt_x": ("converged", 1.2)}
    figure, numbers = draw(
        figure_plan("error_curves", [one]), {"one": curve_table(one, lambda name, p, trial: ends[name])}
    )
    assert numbers.loc[numbers["algorithm"] == "fiht", "hollow"].isna().all()
    assert (numbers.loc[numbers["algorithm"] == "svt_x", "hollow"] == 1.2).all()
    assert "no marker: all trials diverge" in figure.legends[0].get_title().get_text().replace("\n", " ")
    assert figure.legends[0].get_texts()[-1].get_text() == (
        "none converges: mean at the cap, or at a stop with error ≥ 1"
    )


@pytest.mark.parametrize(
    ("definition", "counts"),
    [("convergent", [2, 1]), ("stopped", [3, 1]), ("recovered", [2, 0])],
)
def test_each_definition_counts_its_own_trials(definition, counts):
    table = pd.DataFrame(
        {
            "place": [0, 0, 0, 0, 1],
            "status": ["converged", "converged", "converged", "iteration limit", "converged"],
            "success": [True, False, False, True, False],
            "error": [1e-6, 0.5, 1.0, 1e-6, 0.2],
        }
    )
    found = [summarise(rows, definition)["converged"] for _, rows in table.groupby("place")]
    assert found == counts


def test_an_unknown_definition_is_refused():
    with pytest.raises(ValueError, match="definition: 'lucky' is none of convergent, stopped, recovered"):
        selected(pd.DataFrame({"status": [], "error": []}), "lucky")


def test_the_spread_leaves_out_a_tenth_at_each_end():
    assert middle(np.arange(5)) == (0, 4)
    assert middle(np.arange(30)) == (3, 26)
    assert all(math.isnan(end) for end in middle(np.array([])))


def test_no_convergent_trial_and_a_single_one(figure_plan, resolved, curve_table):
    experiment = resolved("one", {"mode": 1, "p": [0.5]}, ["am_fiht"], trials=1)
    plan = figure_plan("error_curves", [experiment])
    for status, words in (("diverged", ["no convergent trial"]), ("converged", [])):
        table = curve_table(experiment, lambda *_, status=status: (status, 1e-7))
        figure, numbers = draw(plan, {"one": table})
        figure.draw_without_rendering()
        assert [text.get_text() for text in panels(figure)[0].texts] == words
        assert numbers["converged"].tolist() == [status == "converged"]


def test_a_panel_may_lack_an_algorithm_and_join_experiments(figure_plan, three, resolved, curve_table):
    experiments, tables = three
    extra = [
        resolved("full_size_am", {"mode": 1, "p": [0.2, 0.35]}, SIX[:2], trials=30),
        resolved("full_size_fiht", {"mode": 1, "p": [0.35]}, ["fiht"], trials=30),
    ]
    tables.update({one["experiment"]: curve_table(one, outcome) for one in extra})
    joined = {"experiments": ["full_size_am", "full_size_fiht"], "title": "Full size"}
    plan = figure_plan("error_curves", [*experiments, *extra], panels=[*list(tables)[:3], joined])
    figure, numbers = draw(plan, tables)
    figure.draw_without_rendering()
    full = numbers[numbers["panel"] == "Full size"]
    assert full["trials"].tolist() == [30, 30, 30, 30, 0, 0, 30, 0, 0, 0, 0, 0]
    assert "hatched: not run" in figure.legends[0].get_title().get_text()


def test_noise_is_drawn_on_a_logarithmic_axis_over_the_stated_band(figure_plan, resolved, curve_table):
    experiment = resolved("noise_mode1", {"mode": 1, "p": 0.5, "noise": [0.01, 0.05, 0.2]}, SIX)
    table = curve_table(experiment, lambda name, noise, trial: ("converged", 0.31 * noise))
    band = {"low": 0.3, "high": 0.4, "label": "0.3 to 0.4 times the noise"}
    figure, numbers = draw(figure_plan("error_curves", [experiment], band=band), {"noise_mode1": table})
    figure.draw_without_rendering()
    (axes,) = (one for one in panels(figure) if one.get_title())
    assert axes.get_xscale() == "log"
    assert axes.get_title().endswith("\n50 % lost")
    assert np.allclose(numbers["mean"], 0.31 * numbers["noise"])
    assert figure.legends[0].get_texts()[-1].get_text() == band["label"]


def test_series_get_rows_and_share_looks_and_labels(figure_plan, resolved, curve_table):
    names = ["am_fiht_r8", "fiht_r8", "am_fiht_r2", "fiht_r2"]
    experiment = resolved("pmu_mode1", {"mode": 1, "p": [0.3, 0.5]}, names)
    tables = {"pmu_mode1": curve_table(experiment, outcome)}
    options = {
        "series": [
            {"title": "as printed", "algorithms": names[:2]},
            {"title": "adapted", "algorithms": names[2:]},
        ],
        "labels": {"am_fiht": "AM-FIHT", "fiht": "FIHT"},
        "strip": False,
    }
    figure, numbers = draw(figure_plan("error_curves", [experiment], **options), tables)
    figure.draw_without_rendering()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["AM-FIHT", "FIHT"]
    assert [axes.get_ylabel().split("\n")[0] for axes in panels(figure)] == ["as printed", "adapted"]
    assert numbers["series"].tolist() == ["as printed"] * 4 + ["adapted"] * 4
    assert not strips(figure)


def test_mistakes_in_the_options_and_the_table_are_named(figure_plan, three):
    experiments, tables = three
    with pytest.raises(ValueError, match=r"figure 2\.5 has a panel for 'other', which is none of its"):
        draw(figure_plan("error_curves", experiments, panels=["other"]), tables)
    series = [{"title": "", "algorithms": ["sap"]}]
    with pytest.raises(ValueError, match=r"has a series with 'sap', which none of its experiments runs"):
        draw(figure_plan("error_curves", experiments, series=series), tables)
    experiments[0]["parameters"]["p"] = [0.5, 0.7]
    with pytest.raises(ValueError, match=r"in comparison_mode1 has p = 0\.35, which is not in the grid"):
        draw(figure_plan("error_curves", experiments), tables)
