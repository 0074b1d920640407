import csv
from pathlib import Path

import numpy as np
import pytest

from nonconvex.commands.parser import run

BLOCK = Path(__file__).resolve().parents[2] / "resources" / "pmu" / "npcc140_linetrip.csv"


@pytest.fixture
def block():
    return BLOCK


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def signal():
    """Three real channels that share two oscillations (rank 4), 80 samples at 20 per second."""
    rng = np.random.default_rng(4)
    time = np.arange(80) / 20
    waves = [f(2 * np.pi * rate * time) for rate in (1.1, 2.7) for f in (np.cos, np.sin)]
    return rng.uniform(0.5, 1, (3, 4)) @ np.array(waves)


@pytest.fixture
def losses():
    rng = np.random.default_rng(5)
    mask = rng.random((3, 80)) > 0.2
    mask[:, [17, 18, 40]] = False
    return mask


def write_rows(path, header, columns):
    """Write columns of numbers; NaN becomes an empty cell."""
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        for row in zip(*columns, strict=True):
            writer.writerow(["" if np.isnan(value) else repr(float(value)) for value in row])


@pytest.fixture
def real_csv(folder, signal, losses):
    path = folder / "data.csv"
    columns = [np.arange(80) / 20, *np.where(losses, signal, np.nan)]
    write_rows(path, ["time", "a", "b", "c"], columns)
    return path


@pytest.fixture
def command_with_picture(folder, capsys):
    """Run the command line; return its exit status, output and errors."""

    def call(*words):
        status = run([str(word) for word in words])
        return status, *capsys.readouterr()

    return call


@pytest.fixture
def command(command_with_picture, monkeypatch):
    """The same, but the picture, which takes longer than all the rest, is drawn and not painted."""
    monkeypatch.setattr("nonconvex.series.run.save", lambda figure, path: path.write_bytes(b"picture"))
    return command_with_picture
