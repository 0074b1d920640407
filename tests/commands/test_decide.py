"""What is still open goes on alone: look by look, until the time is used, and from there when called again."""

import json
import signal
import subprocess
import sys
import time

import pandas as pd
import pytest
import yaml
from project_copy import make
from small_protocol import SmallProject

from nonconvex.commands.engine import PERSON, TIME, Engine


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The small project, decided in three rounds, and what each round ran."""
    project = SmallProject(tmp_path_factory.mktemp("decided"))
    return project, project.decide()


def rounds(text):
    """Return what was run in each round: the messages of the jobs, sorted."""
    parts = text.split("Claims by the tables")[1:-1]
    return [
        sorted(
            line.partition(": ")[2] for line in part.splitlines() if line.startswith("Job ") and ": " in line
        )
        for part in parts
    ]


def blocks(project):
    return sorted(
        str(path.relative_to(project.folder / "results/thesis/outcomes"))
        for path in project.folder.glob("results/thesis/outcomes/**/*.h5")
    )


def verdicts(project):
    ledger = pd.read_csv(project.folder / "results/thesis/decided.csv", keep_default_na=False)
    rows = ledger.loc[ledger["row"] == "claim"]
    return {row.claim: (row.verdict, row.look) for row in rows.itertuples()}


def test_look_by_look_only_what_is_open_is_run(finished):
    project, text = finished
    first, second, third = rounds(text)
    assert first == [
        "Drawing trials 0000-0001 of easy",
        "Drawing trials 0000-0001 of hard",
        "Running am_fiht on trials 0000-0000 of easy",
        "Running am_fiht on trials 0000-0000 of hard",
        "Running plain on trials 0000-0000 of hard",
        "Tabulating easy",
        "Tabulating hard",
    ]
    assert second == ["Running am_fiht on trials 0000-0001 of hard", "Tabulating hard"]
    assert third == [
        "Drawing trials 0002-0003 of hard",
        "Running am_fiht on trials 0002-0003 of hard",
        "Tabulating hard",
    ]
    assert verdicts(project) == {
        "T001": ("reproduced", "1 of 3"),
        "T002": ("inconclusive", "3 of 3"),
        "T003": ("reproduced", "1 of 1"),
    }
    assert "open, 1        T002 1 of 4 trials" in text
    assert text.rstrip().endswith("Nothing is open.")
    assert not (project.folder / "results/thesis/figures").exists()


def test_what_it_left_is_known_to_the_other_commands(finished, tmp_path):
    project = SmallProject.twin(finished[0], tmp_path / "twin")
    told = project.nonconvex("verify", "--config", "scale=thesis", check=False, configfile=None).stdout
    assert "the table of easy: it has 1 of 4 trials" in told
    assert "does not ask for it" not in told
    told = project.nonconvex("pack", "--config", "scale=thesis", check=False, configfile=None).stdout
    assert "the table of easy cannot be packed: it has 1 of 4 trials; run 'make' first" in told
    assert project.nonconvex("sweep", "--config", "scale=thesis", configfile=None).stdout == ""
    kept = project.folder / "results/thesis/tables/easy.csv"
    table = kept.read_bytes()
    assert "Nothing is open" in project.decide()  # and runs nothing
    assert kept.read_bytes() == table
    # The ledger by the config that it leaves is the same one.
    overlay = "results/thesis/looks.yaml"
    assert yaml.safe_load((project.folder / overlay).read_text())["trials"] == {"easy": 1, "hard": 4}
    base = project.folder / "results/thesis"
    words = [sys.executable, "-m", "snakemake", "--cores", "2"]
    told = project.run([*words, "results/thesis/claims.csv", "--configfile", overlay]).stdout
    assert "Running" not in told
    assert "Tabulating" not in told
    assert (base / "claims.csv").read_text() == (base / "decided.csv").read_text()
    # All trials, as ever: only what is missing.
    tables = ["results/thesis/tables/easy.csv", "results/thesis/tables/hard.csv"]
    told = project.run([*words, *tables, "--config", "scale=thesis"]).stdout
    assert "Running am_fiht on trials 0000-0001 of easy" in told
    assert "Running am_fiht on trials 0002-0003 of easy" in told
    assert "of hard" not in told
    assert len(pd.read_csv(kept)) == 4


def test_a_dry_run_shows_the_look_and_leaves_nothing(tmp_path):
    project = SmallProject(tmp_path)
    words = ["SCALE=thesis", "TARGET=chapter2", "HOURS=1", "ARGS=-n", "CONFIGFILE=", "PYTHONPATH=src"]
    told = project.run([*make(project, "decide"), *words]).stdout
    assert "Running am_fiht on trials 0000-0000 of easy" in told
    assert "before the first look, 3  T001, T002, T003" in told
    assert "Time left: 1.00 hours." in told
    assert not (project.folder / "results").exists()


def test_a_stop_leaves_what_is_whole_and_the_next_call_goes_on(tmp_path):
    project = SmallProject(tmp_path)
    project.edit(
        "src/nonconvex/steps/outcomes.py",
        "\ndef run_block(",
        "\nimport time\n\ntime.sleep(1)\n\n\ndef run_block(",
    )
    words = [sys.executable, "-m", "nonconvex", "decide", "--cores", "1", "--config", "scale=thesis"]
    environment = project.environment | {"PYTHONPATH": str(project.folder / "src")}
    process = subprocess.Popen(
        words,
        cwd=project.folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        stderr=subprocess.STDOUT,
    )
    logs = project.folder / "results/thesis/logs/outcomes"
    end = time.monotonic() + 60
    while not logs.exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    told = process.communicate(timeout=60)[0]
    assert process.returncode == 130
    assert "Will exit after finishing currently running jobs" in told
    (done,) = blocks(project)
    stamp = (project.folder / "results/thesis/outcomes" / done).stat().st_mtime_ns
    assert not list(project.folder.glob("results/thesis/tables/*.csv"))
    # With no time at all nothing starts, and the folder is not left locked.
    told = project.decide("--hours", "0.0001")
    assert "the time is used" in told
    assert blocks(project) == [done]
    project.edit("workflow/claims/chapter2.yaml", "> 0.999999", "> 0.002")  # decided by its first look
    project.decide()
    assert {verdict for verdict, _ in verdicts(project).values()} == {"reproduced"}
    assert len(blocks(project)) == 3
    assert (project.folder / "results/thesis/outcomes" / done).stat().st_mtime_ns == stamp


# A program that works for a while, and ends early when it is asked to.
_PROGRAM = """
import signal, sys, time
asked = []
signal.signal(signal.SIGTERM, lambda *_: asked.append(1))
print("works", flush=True)
end = time.monotonic() + {seconds}
while not asked and time.monotonic() < end:
    time.sleep(0.02)
time.sleep({more})
sys.exit(3 if asked else 0)
"""


def program(seconds, more=0.0):
    return Engine([sys.executable, "-c", _PROGRAM.format(seconds=seconds, more=more)])


def test_a_program_that_ends_by_itself_was_not_stopped():
    engine = program(0)
    engine.run(time.monotonic() + 60)
    assert (engine.status, engine.stopped) == (0, None)


def test_when_the_time_is_used_the_program_is_asked_and_waited_for(capfd):
    engine = program(60, more=0.2)
    start = time.monotonic()
    engine.run(start + 1)
    assert (engine.status, engine.stopped) == (3, TIME)
    assert time.monotonic() - start >= 1.2
    assert "the time is used: running jobs end" in capfd.readouterr().out


def test_a_second_interrupt_kills(tmp_path):
    """The first is a polite request, which this program does not heed."""
    code = f"""
import signal, sys
from nonconvex.commands.engine import Engine
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs the tests behind it ignores it
engine = Engine([sys.executable, "-c", {_PROGRAM.format(seconds=60, more=60)!r}])
engine.run()
print(engine.status, engine.stopped)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "works\n"
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline().startswith("asked to stop: running jobs end")
    process.send_signal(signal.SIGINT)
    told = process.communicate(timeout=20)[0]
    assert told.split() in (["1", PERSON], [str(-signal.SIGINT), PERSON])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--hours", "0"), "HOURS must be a number above 0, not 0; leave it out"),
        (("--hours", "nan"), "HOURS must be a number above 0, not nan"),
        (("--target", "chapter3"), "decide takes chapters as targets, not 'chapter3' (known: chapter2); did you mean 'chapter2'?"),
    ],
)  # fmt: skip
def test_mistakes_are_one_sentence(finished, words, told):
    project, _ = finished
    call = project.nonconvex("decide", "--config", "scale=thesis", *words, check=False, configfile=None)
    assert call.returncode == 1
    assert call.stdout.startswith(f"error: {told}")
    assert call.stdout.count("\n") == 1


def test_the_stamps_tell_how_many_trials_a_table_has(finished):
    project, _ = finished
    stamp = json.loads((project.folder / "results/thesis/stamps/tables/hard.json").read_text())
    assert sorted(path.rpartition("/")[2] for path in stamp["inputs"]) == [
        "0000-0000.h5",
        "0000-0001.h5",
        "0002-0003.h5",
    ]
