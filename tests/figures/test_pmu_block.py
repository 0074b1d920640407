import numpy as np
import pandas as pd
import pytest

from nonconvex.figures.kinds import phasors, rank_errors


@pytest.fixture
def block(resolved, figure_plan):
    time = np.arange(60) / 30
    rows = [
        (t, channel, bus, 1 + 0.01 * channel - 0.01 * (t > 0.7), 3.0 * channel - t)
        for channel, bus in enumerate([37, 43, 50], start=1)
        for t in time
    ]
    table = pd.DataFrame(rows, columns=["time", "channel", "bus", "magnitude", "angle"])
    plan = figure_plan("phasors", [resolved("pmu_block", {"event_time": 0.7})], names={43: "Edic"})
    return plan, {"pmu_block": table}


@pytest.fixture
def ranks(resolved, figure_plan):
    rows = [(n1, rank, 10.0 ** -(rank + 1) * n1) for n1 in (4, 1) for rank in (1, 2, 3)]
    rows.append((1, 4, 0.0))
    table = pd.DataFrame(rows, columns=["n1", "rank", "error"])
    plan = figure_plan("rank_errors", [resolved("pmu_rank_errors", {"n1": [1, 4], "rank": [1, 2, 3, 4]})])
    return plan, {"pmu_rank_errors": table}


def test_each_channel_is_drawn_named_and_in_the_frame(block):
    plan, tables = block
    figure, numbers = phasors.draw(plan, tables)
    figure.draw_without_rendering()
    assert len(numbers) == 180
    for axes, column in zip(figure.axes, ("magnitude", "angle"), strict=True):
        *lines, event = axes.get_lines()
        assert event.get_xdata()[0] == 0.7
        for line, (_, rows) in zip(lines, numbers.groupby("channel"), strict=True):
            assert np.array_equal(line.get_xdata(), rows["time"])
            assert np.array_equal(line.get_ydata(), rows[column])
        assert sorted(text.get_text() for text in axes.texts) == ["Edic", "bus 37", "bus 50"]
    assert figure.axes[0].get_ylabel() == "voltage magnitude (per unit)"
    assert figure.legends[0].get_texts()[0].get_text() == "event at 0.7 s"


def test_a_block_without_event_and_with_one_named_bus(block):
    plan, tables = block
    del plan["experiments"]["pmu_block"]["parameters"]["event_time"]
    one = tables["pmu_block"].query("channel == 1").assign(bus="EDIC")
    figure, _ = phasors.draw(plan, {"pmu_block": one})
    figure.draw_without_rendering()
    assert [text.get_text() for text in figure.axes[0].texts] == ["EDIC"]
    assert len(figure.axes[0].get_lines()) == 1


def test_labels_are_spread_as_little_as_possible():
    assert phasors.spread([0.2, 0.5], 0.1) == [0.2, 0.5]
    assert phasors.spread([0.5, 0.5], 0.1) == pytest.approx([0.45, 0.55])
    assert phasors.spread([0.0, 0.02], 0.1) == pytest.approx([0.0, 0.1])
    many = phasors.spread([0.9, 0.95, 0.96, 0.99], 0.1)
    assert np.diff(many) == pytest.approx(0.1)
    assert many[-1] <= 1


def test_errors_by_rank_are_drawn_and_those_below_the_floor_marked(ranks):
    plan, tables = ranks
    plan["options"] = {"floor": 1e-5, "mark": {2: "rank 2"}}
    figure, numbers = rank_errors.draw(plan, tables)
    figure.draw_without_rendering()
    assert numbers[["n1", "rank"]].to_numpy().tolist() == [
        [1, 1],
        [1, 2],
        [1, 3],
        [1, 4],
        [4, 1],
        [4, 2],
        [4, 3],
    ]
    assert numbers["below_floor"].tolist() == [False, False, False, True, False, False, False]
    first, heads, second = figure.axes[0].get_lines()[:3]
    assert np.array_equal(first.get_ydata(), [1e-2, 1e-3, 1e-4, np.nan], equal_nan=True)
    assert list(heads.get_xdata()) == [4]
    assert np.array_equal(second.get_ydata(), numbers["error"].iloc[4:])
    assert [text.get_text() for text in figure.axes[0].texts] == ["rank 2"]
    assert figure.legends[0].get_title().get_text() == "Open arrowhead: below the axis"


def test_one_error_of_zero_alone(ranks):
    plan, tables = ranks
    figure, numbers = rank_errors.draw(plan, {"pmu_rank_errors": tables["pmu_rank_errors"].iloc[-1:]})
    figure.draw_without_rendering()
    assert numbers["below_floor"].all()
