"""A sentence about the config names the file and the line, as the last of several that give the knob."""

import pytest

from nonconvex.study.knob_lines import with_line

MAIN = "scale: preview\ngrid:\n  rank: [1, 2]\n"
OVER = "# mine\nname: few\ngrid:\n  phase_mode1:\n    p: [0.1]\n    q: 3\nfigures: ['2.99']\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.yaml").write_text(MAIN)
    (tmp_path / "mine.yaml").write_text(OVER)
    return ["config.yaml", "mine.yaml"]


@pytest.mark.parametrize(
    ("sentence", "place"),
    [
        ("config: grid.rank is empty", "config.yaml, line 3"),
        ("config: grid.phase_mode1.p must be a number", "mine.yaml, line 5"),
        ("config: grid.phase_mode1 has no parameter 'q'; did you mean 'p'?", "mine.yaml, line 6"),
        ("config: grid: experiment phase_mode1: rank = 80 is outside 1..51", "mine.yaml, line 3"),
        ("config: figures names '2.99', which is unknown", "mine.yaml, line 7"),
        ("config: unknown key 'grid.phase_mode1.q'", "mine.yaml, line 6"),
        ("config: 'grid' needs a 'name'", "mine.yaml, line 3"),
    ],
)
def test_the_line_of_the_knob(files, sentence, place):
    assert with_line(sentence, files) == f"{sentence} ({place})"


def test_what_the_command_line_gives_comes_over_the_files(files):
    told = "config: grid.rank is empty"
    assert with_line(told, files, ["scale=smoke", "grid={rank: []}"]) == f"{told} (given on the command line)"
    assert with_line(told, files, ["grid={p: 1}", "trials={"]) == f"{told} (config.yaml, line 3)"


@pytest.mark.parametrize("sentence", ["none.yaml cannot be read", "config: seed must be a whole number", "x"])
def test_a_sentence_about_anything_else_stays_as_it_is(files, sentence):
    assert with_line(sentence, files) == sentence


def test_a_file_may_have_any_name(files, tmp_path):
    (tmp_path / "{x}.yaml").write_text(OVER)
    assert with_line("config: grid: p", [*files, "{x}.yaml"]) == "config: grid: p ({x}.yaml, line 3)"
