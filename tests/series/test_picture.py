"""The picture names channels as the file does."""

import numpy as np
import pytest

from nonconvex.series.picture import draw
from nonconvex.series.series import Series


def drawn(names):
    values = np.random.default_rng(1).normal(size=(len(names), 30))
    mask = np.ones(values.shape, dtype=bool)
    mask[0, 3:6] = False
    series = Series(np.where(mask, values, np.nan), mask, np.arange(30) / 10, 10.0, tuple(names), "real")
    none = np.zeros(values.shape, dtype=bool)
    figure = draw(series, values, none, none, "title", "footer")
    figure.draw_without_rendering()
    strips = [axes for axes in figure.axes if axes.get_images()]
    return figure, strips


def test_rows_of_the_strips_have_the_names_of_the_channels():
    _, strips = drawn(["north", "south $1", "x_2"])
    assert len(strips) == 2
    assert [one.get_text() for one in strips[0].get_yticklabels()] == ["north", "south $1", "x_2"]
    assert strips[0].get_yticks().tolist() == [1, 2, 3]


def test_of_many_channels_the_first_and_the_last_are_named():
    _, strips = drawn([f"c{k}" for k in range(40)])
    assert [one.get_text() for one in strips[0].get_yticklabels()] == ["c0", "c39"]
    assert strips[0].get_yticks().tolist() == [1, 40]


@pytest.mark.parametrize("count", [1, 7, 12])
def test_names_stay_on_the_page_however_long_they_are(count):
    figure, _ = drawn([f"{k} of a station with a very long name indeed" for k in range(count)])
    for axes in figure.axes:
        box = axes.get_tightbbox()
        assert box.x0 >= figure.bbox.x0 - 1 and box.x1 <= figure.bbox.x1 + 1
        assert axes.get_window_extent().width > 0.25 * figure.bbox.width
