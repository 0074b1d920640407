"""Texts, keys, ticks and bands have the room that they take, and no room is left to what is not there."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from figures.network_plans import drawn, experiment, histories
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nonconvex.figures.kinds import level_curves, sample_diagram
from nonconvex.figures.kinds.progress_curves import curve_points, draw_curve
from nonconvex.figures.looks import Look
from nonconvex.figures.parts.frame import _legend_columns
from nonconvex.figures.parts.law_axis import law_axis
from nonconvex.figures.parts.text_width import text_width, wrapped
from nonconvex.figures.style import house_style
from nonconvex.vocabulary import idle


@house_style()
def test_lines_are_as_long_as_they_look_and_symbols_stay_whole():
    text = "some words about $\\widetilde{\\delta}$, $1 - r_{ave}/d$ and a few more of them"
    lines = wrapped(text, 1.5, 6.5)
    assert " ".join(lines) == text
    assert all(line.count("$") % 2 == 0 for line in lines)
    assert all(text_width(line, 6.5) <= 1.5 for line in lines)
    for line, following in pairwise(lines):
        first = following.split(" ")[0]
        assert first.count("$") % 2 or text_width(f"{line} {first}", 6.5) > 1.5
    assert text_width("$\\widetilde{\\delta}$", 6.5) < text_width("widetilde", 6.5) / 2


@house_style()
def test_a_long_key_widens_its_own_column_only():
    keys = [Line2D([], [], label=text) for text in (*"abcd", "a key of many more words", "e")]
    assert _legend_columns(keys, 7.16) == 6
    assert _legend_columns([Line2D([], [], label="a key of many more words")] * 6, 7.16) == 3
    assert _legend_columns([], 7.16) == 1


@house_style()
@pytest.mark.parametrize("late", [40, 4000])
def test_a_late_trial_does_not_stretch_the_axis(late):
    rows = []
    for trial in range(10):
        errors = np.geomspace(1, 1e-6, 1 + (late if trial == 0 else 20 + trial))
        rows += [(trial, at, error) for at, error in enumerate(errors)]
    points = curve_points(pd.DataFrame(rows, columns=["trial", "iteration", "error"]))
    assert points["iteration"].max() >= 40
    axes = Figure().subplots()
    draw_curve(axes, points, Look("#000000", "o"), 0)
    assert 20 < axes.dataLim.x1 < 35


def test_what_has_diverged_keeps_the_band_to_its_end():
    table = histories(experiment("speed", {}, trials=2), lambda trial, **_: (0.5, 3.0)[trial])
    points = curve_points(table)
    axes = Figure().subplots()
    draw_curve(axes, points, Look("#000000", "o"), 0)
    assert axes.dataLim.x1 == points["iteration"].max()


def test_places_without_room_for_a_number_have_a_tick():
    values = (0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2)
    axes = Figure().subplots()
    law_axis(values, None).fit(axes)
    assert len(axes.get_xticks()) < len(values)
    assert sorted([*axes.get_xticks(), *axes.get_xticks(minor=True)]) == pytest.approx(values)


def test_a_whisker_that_ends_at_0_is_seen_to_its_end():
    the_plan, tables = drawn("level_curves")
    ((name, table),) = tables.items()
    column = next(one for one in table if one.startswith("iterations_"))
    table.loc[table["trial"] < table["trial"].max() / 2, column] = 0
    figure, numbers = level_curves.draw(the_plan, {name: table})
    assert (numbers["low"] == 0).any()
    assert figure.axes[0].get_yscale() == "symlog"
    assert figure.axes[0].get_ylim()[0] < 0


def test_a_line_of_which_a_corner_is_in_view_is_not_drawn():
    for unknowns, count in (([50, 100], 0), ([50, 150], 0), ([250, 300], 1)):
        cells = pd.DataFrame(
            {"d": [1, 1, 2, 2], "samples": [140, 6000] * 2, "unknowns": np.repeat(unknowns, 2)}
        )
        axes = Figure().subplots()
        sample_diagram._theory(axes, cells, "d", per_weight=False)
        assert len(axes.get_lines()) == count


def test_a_parameter_beside_another_that_is_0_says_nothing():
    assert idle("bad_mode", {"bad": 0, "bad_mode": 1})
    assert not idle("bad_mode", {"bad": 0.1, "bad_mode": 1})
    assert not idle("bad_mode", {"bad": [0, 0.1], "bad_mode": 1})
    assert not idle("rank", {"bad": 0, "rank": 5})
