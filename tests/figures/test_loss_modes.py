import numpy as np
from matplotlib.collections import QuadMesh

from nonconvex.figures.kinds.loss_modes import draw


def test_each_panel_shows_its_mask(masks):
    plan, tables = masks
    figure, frame = draw(plan, tables)
    figure.draw_without_rendering()
    assert list(frame.columns) == ["mode", "channel", "sample", "observed"]
    assert len(frame) == 3 * 12 * 40
    for mode, axes in enumerate(figure.axes, start=1):
        (mesh,) = (one for one in axes.collections if isinstance(one, QuadMesh))
        rows = tables["loss_modes"][tables["loss_modes"]["mode"] == mode]
        drawn = np.asarray(mesh.get_array()).astype(bool)
        assert np.array_equal(drawn, rows.pivot(index="channel", columns="sample", values="observed"))
        assert axes.get_title(loc="left").startswith(f"Mode {mode}: ")
        assert "25 % lost" in axes.get_title(loc="left")


def test_names_and_words_may_be_replaced(masks):
    plan, tables = masks
    plan["options"] = {"names": {1: "B1: scattered"}, "lost": "corrupted", "kept": "clean"}
    figure, _ = draw(plan, tables)
    assert figure.axes[0].get_title(loc="left") == "B1: scattered (25 % corrupted)"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["clean", "corrupted"]


def test_bad_entries_are_drawn_dark_where_they_are_corrupted(masks):
    plan, tables = masks
    table = tables["loss_modes"].rename(columns={"mode": "bad_mode"})
    table["corrupted"], table["observed"] = ~table["observed"], True
    plan["experiments"]["loss_modes"]["axes"] = ["bad_mode"]
    figure, frame = draw(plan, {"loss_modes": table})
    assert list(frame.columns) == ["bad_mode", "channel", "sample", "corrupted"]
    for mode, axes in enumerate(figure.axes, start=1):
        (mesh,) = (one for one in axes.collections if isinstance(one, QuadMesh))
        rows = table[table["bad_mode"] == mode]
        dark = ~np.asarray(mesh.get_array()).astype(bool)
        assert np.array_equal(dark, rows.pivot(index="channel", columns="sample", values="corrupted"))
        assert axes.get_title(loc="left").startswith(f"B{mode}: ")
        assert axes.get_title(loc="left").endswith("(25 % bad)")
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["clean", "bad"]
