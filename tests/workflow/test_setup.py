"""Setting up: told when it cannot go well, and made anew when it was cut short."""

import os
import shutil
import time

import pytest

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")

OLD = """#!/bin/sh
if [ "$1" = -V ]; then echo "Python 3.9.6"; exit; fi
exec python3 -c 'import sys; sys.version_info = (3, 9); exec(sys.argv[2])' "$@"
"""

# Makes an environment whose Python starts and writes down how it is called.
NEW = """#!/bin/sh
if [ "$1" = -c ]; then exit 0; fi
echo "$@" >> calls
if [ "$3" = --clear ]; then rm -rf "$4"; fi
mkdir -p "$4/bin"
printf '#!/bin/sh\\ntest "$1" = -c && echo starts\\necho "$@" >> calls\\n' > "$4/bin/python"
chmod +x "$4/bin/python"
"""


@pytest.fixture
def set_up(project):
    for name, text in (("old", OLD), ("new", NEW)):
        (project.folder / name).write_text(text)
        (project.folder / name).chmod(0o755)
    return lambda python, *words: project.run(
        ["make", f"PYTHON=./{python}", ".venv/.ok", *words], check=False
    )


def calls(project):
    file = project.folder / "calls"
    return [line for line in file.read_text().splitlines() if line.startswith("-m")] if file.exists() else []


def test_an_old_python_is_told_before_anything_is_installed(set_up, project):
    done = set_up("old")
    assert done.returncode != 0
    assert done.stdout.splitlines()[0] == (
        "error: ./old must be Python 3.11 or later, and is 'Python 3.9.6': "
        "make PYTHON=python3.12, or another that you have"
    )
    assert not (project.folder / ".venv").exists()


def test_no_python_is_told(set_up):
    assert "error: ./none must be Python 3.11 or later" in set_up("none").stdout


def test_what_a_setup_left_that_was_cut_short_is_cleared(set_up, project):
    (project.folder / ".venv/bin").mkdir(parents=True)
    (project.folder / ".venv/half").touch()
    assert set_up("new").returncode == 0
    assert not (project.folder / ".venv/half").exists()
    assert [line.split()[1] for line in calls(project)] == ["venv", "pip", "pip"]
    assert set_up("new").returncode == 0
    assert len(calls(project)) == 3


def test_an_environment_whose_python_is_gone_is_made_again(set_up, project):
    set_up("new")
    (project.folder / ".venv/bin/python").unlink()
    (project.folder / ".venv/bin/python").symlink_to("gone")
    assert set_up("new").returncode == 0
    assert len(calls(project)) == 6


def test_a_link_to_another_environment_is_left_alone(set_up, project):
    other = project.folder / "other"
    other.mkdir()
    (other / "kept").touch()
    (project.folder / ".venv").symlink_to(other)
    assert set_up("new").returncode == 0
    assert (other / "kept").exists()


def test_files_from_a_clock_that_is_ahead_are_installed_once(set_up, project):
    os.utime(project.folder / "requirements.lock", (time.time() + 86400,) * 2)
    set_up("new")
    set_up("new")
    assert len(calls(project)) == 3


def test_several_jobs_at_a_time_change_no_order(project):
    told = project.run(["make", "-j4", "-n", "resume"]).stdout
    steps = [line for line in told.splitlines() if "-m nonconvex" in line or "-m snakemake" in line]
    assert ["--unlock" in line for line in steps] == [False, True, False, False]


def test_settings_with_quotes_reach_both_readers(project):
    told = project.run(["make", "-n", "SET=figures=[\"2.10\"] 'grid={rank: 2}'", "SCALE=smoke"]).stdout
    for line in told.splitlines()[-2:]:
        assert line.split("--config")[1].strip() == ("scale=smoke  figures=[\\\"2.10\\\"] 'grid={rank: 2}'")


def test_another_folder_is_told(project, tmp_path_factory):
    makefile = project.folder / "Makefile"
    project.folder = tmp_path_factory.mktemp("elsewhere")
    assert "make -C that folder" in project.run(["make", "-f", str(makefile)], check=False).stdout
