"""The command by itself: its version, where it works, and what it needs."""

import math
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from nonconvex.commands.parser import IN_A_CLONE, run

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

# Everything of the library, and a recovery, in a Python that has none of the pipeline's packages.
ALONE = """
import importlib, pkgutil, sys
for name in ("snakemake", "pandas", "yaml", "jsonschema", "pygments"):
    sys.modules[name] = None
import nonconvex.hankel, nonconvex.networks, nonconvex.series
for package in (nonconvex.hankel, nonconvex.networks, nonconvex.series):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
from nonconvex.commands.parser import run
sys.exit(run(["recover", "data.csv", "--rank", "2"]))
"""


def test_the_version_is_the_packages(capsys):
    with pytest.raises(SystemExit) as stop:
        run(["--version"])
    assert (stop.value.code, capsys.readouterr().out) == (0, f"nonconvex {PROJECT['version']}\n")


def test_the_script_and_the_module_are_one_command():
    assert PROJECT["scripts"] == {"nonconvex": "nonconvex.__main__:main"}
    words = [sys.executable, "-c", "from nonconvex.__main__ import main; main()", "--version"]
    assert subprocess.check_output(words, text=True) == f"nonconvex {PROJECT['version']}\n"


@pytest.mark.parametrize("command", IN_A_CLONE)
def test_a_command_of_the_pipeline_says_where_it_works(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run([command, *(["draw"] if command == "reference" else [])]) == 1
    told = capsys.readouterr().err
    assert told.startswith(f"error: {command} works in a clone of the project") and told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_command_says_what_is_not_installed():
    lacking = (
        "import sys; sys.modules['yaml'] = None; from nonconvex.commands.parser import run; run(['verify'])"
    )
    told = subprocess.run([sys.executable, "-c", lacking], cwd=ROOT, capture_output=True, text=True).stderr
    assert told.startswith("error: verify needs the package yaml") and told.count("\n") == 1
    assert "nonconvex[pipeline]" in told


def test_the_library_and_recover_need_nothing_of_the_pipeline(tmp_path):
    rows = [f"{k / 10},{'' if k in (3, 8) else math.cos(0.7 * k)}" for k in range(40)]
    (tmp_path / "data.csv").write_text("time,a\n" + "\n".join(rows) + "\n")
    done = subprocess.run([sys.executable, "-c", ALONE], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "data_recovered.png").is_file()
