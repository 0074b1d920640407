"""Files dated in the future keep nothing busy."""

import os
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from nonconvex.commands.dates import date_back

AHEAD = time.time() + 86400


@pytest.fixture
def chain(tmp_path, monkeypatch):
    """A dataset, its outcomes and its table, an hour old."""
    monkeypatch.chdir(tmp_path)
    old = time.time() - 3600
    for place, name in enumerate("abc"):
        Path(name).touch()
        os.utime(name, (old + place,) * 2)
    return [
        SimpleNamespace(files=("a",), inputs=("outside",)),
        SimpleNamespace(files=("b", "stamp"), inputs=("a",)),
        SimpleNamespace(files=("c",), inputs=("b",)),
    ]


def dates():
    return [Path(name).stat().st_mtime_ns for name in "abc"]


@pytest.mark.parametrize("ahead", ["a", "b", "c", "ab", "bc", "ac", "abc"])
def test_no_file_is_newer_than_what_is_made_from_it(chain, ahead):
    for name in ahead:
        os.utime(name, (AHEAD,) * 2)
    assert date_back(chain) == len(ahead)
    assert sorted(dates()) == dates()
    assert max(dates()) <= time.time_ns()


def test_files_that_nothing_makes_are_dated_back_too(chain):
    Path("outside").touch()
    os.utime("outside", (AHEAD,) * 2)
    assert date_back(chain) == 1
    assert Path("outside").stat().st_mtime_ns <= dates()[0]


def test_other_dates_stay(chain):
    before = dates()
    assert date_back(chain) == 0
    assert dates() == before
