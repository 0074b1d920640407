"""What every kind of chapter 2 has in common: the same bytes twice, the label of a substitute, no overlap."""

import numpy as np
import pandas as pd
import pytest

from nonconvex.figures.kinds.error_curves import draw as draw_error_curves
from nonconvex.figures.kinds.phase_diagram import draw as draw_phase_diagram
from nonconvex.figures.kinds.phasors import draw as draw_phasors
from nonconvex.figures.kinds.rank_errors import draw as draw_rank_errors
from nonconvex.figures.kinds.shares import draw as draw_shares
from nonconvex.figures.kinds.time_curves import draw as draw_time_curves
from nonconvex.figures.looks import LOOKS, look
from nonconvex.figures.render import render

SUBSTITUTE = (
    "Simulated block (NPCC 140-bus model), not the thesis's recording; event and rank chosen on this block"
)
DRAW = {
    "error_curves": draw_error_curves,
    "phasors": draw_phasors,
    "rank_errors": draw_rank_errors,
    "shares": draw_shares,
    "time_curves": draw_time_curves,
}


@pytest.fixture
def drawing(resolved, figure_plan, curve_table):
    """Give plan and tables of a small figure of a kind."""

    def make(kind):
        if kind in ("error_curves", "shares"):
            experiments = [
                resolved(f"mode{mode}", {"mode": mode, "p": [0.3, 0.6, 0.9]}, ["am_fiht", "fiht"])
                for mode in (1, 3)
            ]
            tables = {
                one["experiment"]: curve_table(
                    one, lambda name, p, trial: ("converged", 1e-4 / p * (trial + 1))
                )
                for one in experiments
            }
            return figure_plan(kind, experiments), tables
        table = {
            "phasors": (
                "time channel bus magnitude angle",
                [(t / 3, 1, 37, 1.0 + t, 2.0 * t) for t in range(4)],
            ),
            "rank_errors": ("n1 rank error", [(1, 1, 1e-2), (1, 2, 1e-3)]),
            "time_curves": (
                "algorithm p trial status iteration seconds cpu_seconds error",
                [("am_fiht", 0.5, 0, "converged", k, 0.1 * k, 0.1 * k, 0.1**k) for k in range(5)],
            ),
        }[kind]
        experiment = resolved("one", {"p": [0.5]}, ["am_fiht"] if kind == "time_curves" else [])
        return figure_plan(kind, [experiment]), {"one": pd.DataFrame(table[1], columns=table[0].split())}

    return make


@pytest.mark.parametrize("kind", DRAW)
def test_two_renders_give_the_same_bytes_and_the_drawn_numbers(kind, drawing, tmp_path):
    plan, tables = drawing(kind)
    for name in "ab":
        render(plan, tables, {form: tmp_path / f"{name}.{form}" for form in ("svg", "csv")})
    for form in ("svg", "csv"):
        assert (tmp_path / f"a.{form}").read_bytes() == (tmp_path / f"b.{form}").read_bytes(), form
    _, numbers = DRAW[kind](plan, tables)
    read = pd.read_csv(tmp_path / "a.csv")
    assert list(read.columns) == list(numbers.columns)
    for column in numbers.select_dtypes("number"):
        assert np.array_equal(read[column], numbers[column], equal_nan=True), column


@pytest.mark.parametrize("kind", DRAW)
def test_a_substitute_is_labelled_without_covering_anything(kind, drawing):
    plan, tables = drawing(kind)
    figure, _ = DRAW[kind](plan, tables)
    assert not any("Simulated" in text.get_text() for text in figure.texts)
    plan["options"]["substitute"] = SUBSTITUTE
    figure, _ = DRAW[kind](plan, tables)
    figure.draw_without_rendering()
    (label,) = (text for text in figure.texts if text.get_text().startswith("Simulated"))
    assert label.get_text().replace("\n", " ") == SUBSTITUTE
    boxes = [figure.legends[0].get_window_extent()] if figure.legends[0].get_texts() else []
    boxes += [text.get_window_extent() for text in figure.texts if text.get_text()]
    boxes += [axes.get_tightbbox() for axes in figure.axes if axes.axison]
    for index, box in enumerate(boxes):
        assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1
        assert not any(box.overlaps(other) for other in boxes[index + 1 :])


def test_a_substitute_is_labelled_in_the_older_kinds_too(plan, experiment, outcomes):
    plan["options"]["substitute"] = SUBSTITUTE
    figure, _ = draw_phase_diagram(plan, {"phase_mode1": outcomes(experiment)})
    assert SUBSTITUTE in [text.get_text().replace("\n", " ") for text in figure.texts]


def test_variants_share_the_look_of_their_family_unless_they_have_their_own():
    assert look("am_fiht_beta0_r8") == LOOKS["am_fiht_beta0"]
    assert look("am_fiht_r2") == LOOKS["am_fiht"]
    assert look("fiht_r2_n150") != LOOKS["fiht"]
    assert look("am_fiht_mine") not in LOOKS.values()


def test_the_six_algorithms_differ_in_marker_and_in_line():
    six = [LOOKS[name] for name in ("am_fiht_beta0", "am_fiht", "ram_fiht", "fiht", "svt_x", "svt_h")]
    assert len({one.marker for one in six}) == 6
    assert len({one.line for one in six}) == 6
