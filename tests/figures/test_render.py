import subprocess
import sys

import matplotlib
import pandas as pd
import pytest

from nonconvex.figures.kinds.phase_diagram import draw
from nonconvex.figures.render import render

KINDS = ("pdf", "png", "svg", "csv")


def outputs(folder):
    return {kind: folder / f"fig2.2.{kind}" for kind in KINDS}


@pytest.fixture
def tables(experiment, outcomes):
    return {"phase_mode1": outcomes(experiment)}


def test_two_renders_give_the_same_bytes_whatever_the_readers_settings(plan, tables, tmp_path):
    render(plan, tables, outputs(tmp_path / "a"))
    with matplotlib.rc_context({"font.size": 20, "axes.facecolor": "red", "savefig.dpi": 30}):
        render(plan, tables, outputs(tmp_path / "b"))
    for kind in KINDS:
        first, second = (outputs(tmp_path / name)[kind].read_bytes() for name in "ab")
        assert first == second, kind
    assert b"CreationDate" not in outputs(tmp_path / "a")["pdf"].read_bytes()
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == [
        f"fig2.2.{kind}" for kind in sorted(KINDS)
    ]


def test_the_csv_holds_the_frame_to_the_last_bit(plan, tables, tmp_path):
    render(plan, tables, {"csv": tmp_path / "fig.csv"})
    _, frame = draw(plan, tables)
    read = pd.read_csv(tmp_path / "fig.csv", keep_default_na=False, na_values={"share": ""})
    assert len(read) == len(frame)
    assert (read["share"].fillna(-1) == frame["share"].fillna(-1)).all()
    assert (tmp_path / "fig.csv").read_bytes().count(b"\r") == 0


def test_a_failure_leaves_the_old_file_and_nothing_else(plan, tables, tmp_path):
    target = tmp_path / "fig2.2.png"
    target.write_text("old")
    tables["phase_mode1"] = tables["phase_mode1"].drop(columns="status")
    with pytest.raises(KeyError):
        render(plan, tables, {"png": target})
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_write_that_fails_replaces_no_file(plan, tables, tmp_path):
    paths = outputs(tmp_path)
    paths["csv"].write_text("old")
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    with pytest.raises(OSError):
        render(plan, tables, {"csv": paths["csv"], "png": blocked / "fig2.2.png"})
    assert paths["csv"].read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} == {"fig2.2.csv", "file"}


def test_unknown_kinds_and_formats_are_refused_in_a_sentence(plan, tables, tmp_path):
    with pytest.raises(ValueError, match=r"format 'gif' of figure 2\.2 is none of pdf, png, svg, csv"):
        render(plan, tables, {"gif": tmp_path / "fig.gif"})
    with pytest.raises(ValueError, match=r"figure 2\.2 asks for 'pie'"):
        render({**plan, "kind": "pie"}, tables, {"png": tmp_path / "fig.png"})
    with pytest.raises(ValueError, match="asks for 'words'"):
        render({**plan, "kind": "words"}, tables, {"png": tmp_path / "fig.png"})
    with pytest.raises(ValueError, match=r"asks for '\.\./page/build'"):
        render({**plan, "kind": "../page/build"}, tables, {"png": tmp_path / "fig.png"})


def test_drawing_needs_no_pyplot():
    code = (
        "import nonconvex.figures.render, nonconvex.figures.kinds.phase_diagram, nonconvex.figures.kinds.loss_modes, sys;"
        "from nonconvex.figures.kinds import error_curves, phasors, rank_errors, shares, time_curves;"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
