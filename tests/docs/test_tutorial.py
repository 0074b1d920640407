"""docs/tutorial.md, done as it says: its code prints what it shows, and its commands say what they are said to."""

import contextlib
import io
import re
import shlex
from pathlib import Path

from nonconvex.commands.parser import run

PAGE = (Path(__file__).parents[2] / "docs/tutorial.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.M | re.S)


def words(lines):
    """Return lines with their numbers left out, which differ in last digits between machines."""
    return [re.sub(r"\d+(\.\d+)?", "#", line) for line in lines]


def test_the_tutorial(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names, shown = {}, io.StringIO()
    for kind, text in BLOCKS:
        if kind == "python":
            with contextlib.redirect_stdout(io.StringIO()) as shown:
                exec(text, names)
        elif kind == "text":
            assert shown.getvalue() == text
        else:
            command, *expected = text.splitlines()
            capsys.readouterr()
            run(shlex.split(command)[2:])
            told = capsys.readouterr()
            assert set(words(expected)) <= set(words((told.out + told.err).splitlines()))
    assert {kind for kind, _ in BLOCKS} == {"python", "text", "console"}
    assert Path("series_recovered.png").is_file() and not Path("refused.csv").exists()
