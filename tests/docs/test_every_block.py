"""Every command, overlay, program and file that README.md and docs/ show does what they say."""

import math
import os
import pickle
import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from docs.blocks import FOLLOWED, LANGUAGES, OWN, PAGES, ROOT, RUN, TEXTS, blocks, sentences
from docs.pages import BLOCK
from docs.typed import Typed

from nonconvex.commands import running
from nonconvex.errors import UserError
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.problems import contract
from nonconvex.series.read import read_series
from nonconvex.study.config import check_config, read_config

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")

MADE_BY_RUNS = ("results/thesis/looks.yaml", "results/thesis/config.yaml")
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def followed(block):
    return block.page in FOLLOWED and block.path


def shown(language):
    return [pytest.param(block, id=str(block)) for block in blocks(language) if not followed(block)]


@pytest.fixture(scope="module")
def typed(tmp_path_factory):
    """A project with the files that readers have when they come to a command."""
    typed = Typed(tmp_path_factory.mktemp("reader"))
    folder = typed.project.folder
    (folder / "reference").mkdir()
    shutil.copy(ROOT / "reference/config.yaml", folder / "reference")
    for name in MADE_BY_RUNS:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("scale: thesis\n")
    for block in blocks("yaml"):
        if block.path and not followed(block):
            (folder / block.path).write_text(block.text)
    recording = (ROOT / "resources/pmu/npcc140_linetrip.csv").read_text()
    (folder / "mine.csv").write_text(recording)
    header, first, *rows = recording.splitlines()
    lost = re.sub(r",[^,]*,[^,]*$", ",,", first)
    (folder / "data.csv").write_text("\n".join([header, lost, *rows]) + "\n")
    grey = np.zeros((2500, 12, 12), dtype=np.uint8)
    np.savez(folder / "images.npz", images=grey, labels=np.zeros(len(grey), dtype=int))
    np.savez(folder / "mined.npz", mined=grey)
    colours = np.zeros((3, 32, 32, 3), dtype=np.uint8)
    published = {"data": colours, "extrapolated_targets": np.zeros(3, dtype=int)}
    (folder / "ti_500K_pseudo_labeled.pickle").write_bytes(pickle.dumps(published))
    return typed


def test_every_block_has_a_language_that_says_how_it_is_checked():
    assert [str(block) for block in blocks() if block.language not in LANGUAGES] == []
    assert sorted(block.page for block in blocks("text") if block.page not in OWN) == sorted(TEXTS)


def test_pages_that_are_followed_have_their_tests():
    for page, test in OWN.items():
        assert f"docs/{page}" in Path(__file__).with_name(test).read_text()
    for page, test in FOLLOWED.items():
        assert f'"{page}"' in Path(__file__).with_name(test).read_text()
        (path,) = [path for path in PAGES if path.name == page]
        named = [block for block in blocks() if block.page == page and block.path]
        assert len(named) == len(BLOCK.findall(path.read_text()))


@pytest.mark.parametrize("block", shown("sh"))
def test_commands(typed, block):
    for line in block.text.splitlines():
        typed.check(line, new=block.page in FOLLOWED)
        if any(word in line for word in RUN):
            assert typed.run(line.replace("--simulations 1000", "--simulations 2"))


@pytest.mark.parametrize(("page", "command"), sentences())
def test_commands_in_sentences(typed, page, command):
    typed.check(command, new=page in FOLLOWED)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("make verfy", "No rule to make target"),
        ("make TRAILS=3", "the Makefile has no TRAILS"),
        ("make SCALE=prevew", "did you mean 'preview'"),
        ("make TARGET=chapter22", "there is no target chapter22"),
        (".venv/bin/snakemake results/preview/figures/fig2.3.pdf", "Snakemake asks for --cores"),
        (".venv/bin/python -m nonconvex verify --all", "SystemExit: 2"),
        ("snakemake --cores 1", "no rule for"),
    ],
)
def test_what_cannot_be_typed_is_seen(typed, line, what):
    with pytest.raises((AssertionError, UserError, SystemExit)) as seen:
        typed.check(line)
    assert what in f"{type(seen.value).__name__}: {seen.value}"


@pytest.mark.parametrize("block", [one for one in shown("yaml") if one.values[0].page not in OWN])
def test_overlays(typed, block, monkeypatch):
    """A block without a file's name is more of the overlay above it."""
    monkeypatch.setattr(contract, "find_spec", lambda name: True)  # packages that no overlay needs to be read
    monkeypatch.chdir(typed.project.folder)
    Path("block.yaml").write_text(block.text)
    above = [one.path for one in blocks("yaml") if one.page == block.page and one.path]
    raw = read_config("config.yaml", [*([] if block.path else above[:1]), "block.yaml"])
    Pipeline(check_config(raw, "workflow/schemas/config.schema.yaml")).check()


@pytest.mark.parametrize("page", sorted({block.page for block in blocks("python")} - {*FOLLOWED, *OWN}))
def test_programs_and_sessions(typed, page):
    """In the order of the page: programs write what sessions read."""
    folder = typed.project.folder
    environment = typed.project.environment | {"PYTHONPATH": str(folder / "src")}
    signal = "import numpy as np; t = np.arange(60); x = np.cos(np.outer([1, 2], t) / 3) + np.cos(t / 2)"
    lost = "x[0, 3:5] = x[1, 40] = np.nan; np.save('channels.npy', x)"
    typed.project.run([sys.executable, "-c", f"{signal}; {lost}"])
    for block in blocks():
        if block.page == page and block.language == "python":
            typed.project.run([sys.executable, "-c", block.text], environment=environment)
        elif block.page == page and block.language == "console":
            command, *expected = block.text.removeprefix("$ ").splitlines()
            printed = typed.run(command).splitlines()
            for told, line in zip(expected, printed, strict=False):
                assert alike(told, line), f"{block}: {told!r} is shown, and {line!r} is printed"
            assert len(printed) >= len(expected)


def alike(told, printed):
    """Tell whether two lines are the same, but for the last digits of numbers."""
    if told.endswith(" ..."):
        told, printed = told.removesuffix(" ..."), printed[: len(told) - 4]
    pairs = zip(NUMBER.findall(told), NUMBER.findall(printed), strict=False)
    near = all(math.isclose(float(one), float(other), rel_tol=0.1) for one, other in pairs)
    return near and NUMBER.sub("0", told) == NUMBER.sub("0", printed)


@pytest.mark.parametrize("block", shown("csv"))
def test_files(block, tmp_path):
    header, *rows = block.text.splitlines()
    times = [float(row.split(",")[0]) for row in rows]
    step = times[1] - times[0] if len(times) > 1 else 0.1
    first = rows[0].partition(",")[2]
    more = [f"{times[-1] + step * count:.3f},{first}" for count in range(1, 30)]
    (tmp_path / "shown.csv").write_text("\n".join([header, *rows, *more]) + "\n")
    series = read_series(tmp_path / "shown.csv")
    assert len(series.names) == 2
    lost = sum(",," in f"{row}," for row in rows)
    assert (~series.mask).any() == (lost > 0)


def test_the_diagram_of_folders():
    (block,) = [block for block in blocks("text") if block.page == "architecture.md"]
    named = set(re.findall(r"\b([a-z]+)/", block.text)) - {
        "datasets",
        "outcomes",
        "tables",
    }  # those of results/
    there = {path.name for part in ("src", "workflow") for path in (ROOT / part).rglob("*") if path.is_dir()}
    assert named <= there | {"workflow"}


def test_the_sentence_about_slurm(tmp_path, monkeypatch):
    (block,) = [block for block in blocks("text") if block.page == "cluster.md"]
    squeue = tmp_path / "squeue"
    squeue.write_text(f"#!/bin/sh\necho '41 {tmp_path}'\necho '42 {tmp_path}'\n")
    squeue.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.defpath}")
    with pytest.raises(UserError) as told:
        running.refuse_while_running(tmp_path)
    assert block.text == f"error: {told.value}\n"


def test_snakemake_itself_takes_a_command_of_the_readme(typed):
    words = [sys.executable, "-m", "snakemake", "--cores", "8", "results/preview/figures/fig2.3.pdf", "-n"]
    (first,) = [block for block in blocks("sh") if words[-2] in block.text and block.page == "README.md"]
    assert f".venv/bin/snakemake {' '.join(words[3:-1])}\n" in first.text
    assert "Drawing figure 2.3" in typed.project.run(words).stdout
