import numpy as np
import pytest
from matplotlib.collections import QuadMesh
from matplotlib.lines import Line2D

from nonconvex.figures.kinds.phase_diagram import draw
from nonconvex.figures.parts.grid import cell_edges


def panels(figure):
    return [axes for axes in figure.axes if any(isinstance(one, QuadMesh) for one in axes.collections)][:3]


def mesh_of(axes):
    return next(one for one in axes.collections if isinstance(one, QuadMesh))


def test_edges_lie_halfway_between_grid_values():
    assert cell_edges([1, 2, 4, 10]).tolist() == [0.5, 1.5, 3, 7, 13]
    assert cell_edges([3]).tolist() == [2.5, 3.5]


def test_the_frame_holds_exactly_what_is_drawn(plan, experiment, outcomes):
    table = outcomes(experiment)
    figure, frame = draw(plan, {"phase_mode1": table})
    for axes, (name, rows) in zip(panels(figure), frame.groupby("algorithm", sort=False), strict=True):
        cells = rows[rows["what"] == "cell"]
        drawn = mesh_of(axes).get_array()
        grid = cells.pivot(index="rank", columns="p", values="share").to_numpy()
        assert np.array_equal(np.asarray(drawn), grid)
        contour = rows[rows["what"] == "contour"]
        line = next(
            one for one in axes.get_lines() if len(one.get_xdata()) == 8 and one.get_linestyle() == "-"
        )
        assert np.array_equal(line.get_xdata(), contour["p"])
        assert np.array_equal(line.get_ydata(), contour["rank"], equal_nan=True)
        own = table[table["algorithm"] == name]
        assert cells["successes"].sum() == own["success"].sum()
        assert cells["trials"].sum() == len(own)
        assert cells["diverged"].sum() == (own["status"] == "diverged").sum()


def test_the_repeated_contours_are_those_of_the_other_panels(plan, experiment, outcomes):
    figure, _ = draw(plan, {"phase_mode1": outcomes(experiment)})
    first, second, third = panels(figure)
    repeated = {
        line.get_color(): line.get_ydata()
        for line in third.get_lines()
        if line.get_linestyle() == ":" or line.is_dashed()
    }
    for axes in (first, second):
        own = axes.get_lines()[0]
        assert np.array_equal(repeated[own.get_color()], own.get_ydata(), equal_nan=True)


@pytest.mark.parametrize("success", [True, False])
def test_all_white_and_all_black_have_arrowheads_instead_of_a_line(plan, experiment, outcomes, success):
    figure, frame = draw(plan, {"phase_mode1": outcomes(experiment, success)})
    figure.draw_without_rendering()
    contour = frame[frame["what"] == "contour"]
    said = figure.legends[0].get_title().get_text()
    assert "open arrowhead: half succeed beyond the grid" in said and "Lines" not in said
    assert set(contour["crossing"]) == {"above" if success else "below"}
    assert contour["rank"].isna().all()
    heads = [
        line
        for line in panels(figure)[0].get_lines()
        if line.get_linestyle() == "None" and len(line.get_xdata())
    ]
    assert [len(line.get_xdata()) for line in heads] == [8]


def test_one_trial_with_missing_cells_and_a_single_column(plan, experiment, outcomes):
    experiment["trials"] = 1
    table = outcomes(experiment)
    table = table[~((table["p"] == 0.2) & (table["rank"] > 6))]
    figure, frame = draw(plan, {"phase_mode1": table})
    figure.draw_without_rendering()
    missing = frame[(frame["what"] == "cell") & (frame["trials"] == 0)]
    assert len(missing) == 3 * 4
    assert missing["share"].isna().all()
    assert "hatched: no trial" in figure.legends[0].get_title().get_text()

    experiment["parameters"]["p"] = [0.2]
    figure, _ = draw(plan, {"phase_mode1": table[table["p"] == 0.2]})
    figure.draw_without_rendering()


def test_panels_may_be_other_experiments_and_the_crossing_may_run_along_x(plan, experiment, outcomes):
    other = {**experiment, "experiment": "phase_mode2"}
    plan["experiments"]["phase_mode2"] = other
    plan["options"] = {
        "panels": [
            {"experiment": name, "algorithm": "am_fiht", "title": name}
            for name in ("phase_mode1", "phase_mode2")
        ],
        "along": "x",
        "rising": True,
    }
    table = outcomes(experiment)
    figure, frame = draw(plan, {"phase_mode1": table, "phase_mode2": table})
    figure.draw_without_rendering()
    assert list(frame["experiment"].unique()) == ["phase_mode1", "phase_mode2"]
    contour = frame[(frame["what"] == "contour") & (frame["experiment"] == "phase_mode2")]
    assert list(contour["rank"]) == experiment["parameters"]["rank"]
    assert (contour["p"].dropna().diff().dropna() >= 0).all()


def test_an_outcome_outside_the_grid_is_refused(plan, experiment, outcomes):
    table = outcomes(experiment)
    experiment["parameters"]["rank"] = [1, 2, 3]
    with pytest.raises(ValueError, match=r"rank = 4, which is not in the grid"):
        draw(plan, {"phase_mode1": table})


def test_a_panel_or_a_repeat_that_was_not_run_is_refused(plan, experiment, outcomes):
    tables = {"phase_mode1": outcomes(experiment)}
    plan["options"] = {"panels": ["am_fiht", "sap"]}
    with pytest.raises(ValueError, match="has a panel for 'sap', not run in phase_mode1"):
        draw(plan, tables)
    plan["options"] = {"panels": ["am_fiht"], "repeat": {"am_fiht": ["ram_fiht"]}}
    with pytest.raises(ValueError, match="repeats 'ram_fiht', which has no panel"):
        draw(plan, tables)


def test_no_text_overlaps_another(plan, experiment, outcomes):
    figure, _ = draw(plan, {"phase_mode1": outcomes(experiment)})
    figure.draw_without_rendering()
    boxes = [figure.legends[0].get_window_extent()]
    boxes += [text.get_window_extent() for text in figure.texts]
    boxes += [axes.get_tightbbox() for axes in panels(figure)]
    for index, box in enumerate(boxes):
        assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1
        assert not any(box.overlaps(other) for other in boxes[index + 1 :])


def test_every_algorithm_has_its_own_look_besides_colour(plan, experiment, outcomes):
    figure, _ = draw(plan, {"phase_mode1": outcomes(experiment)})
    handles = [one for one in figure.legends[0].legend_handles if isinstance(one, Line2D)]
    assert len({handle.get_marker() for handle in handles}) == 3
    assert len({handle.get_color() for handle in handles}) == 3
