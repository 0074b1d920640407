"""How commands end: quietly when they are stopped, and with one sentence when they fail."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

FAILS = "raise KeyError('a', 'b\\nc')"
TURNED = """
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt as error:
        raise SystemError("returned a result with an exception set") from error
"""


def words(body):
    """Return the words that call a command whose code is `body`."""
    head = "import sys, time\nfrom nonconvex.ending import ended\ndef run():\n"
    return [sys.executable, "-c", f"{head}    {body.strip()}\nsys.exit(ended(run, ['made', 'up']))"]


@pytest.fixture
def call(tmp_path):
    def call(words, **environment):
        source = str(Path(__file__).parents[1] / "src")
        settings = {"PYTHONPATH": source, "TMPDIR": str(tmp_path)} | environment
        return subprocess.run(
            words,
            cwd=tmp_path,
            env=os.environ | settings,
            capture_output=True,
            text=True,
            errors="surrogateescape",
        )

    return call


@pytest.mark.parametrize("place", ["", "results/logs"])
def test_a_mistake_of_the_program_is_one_sentence_and_a_file(call, tmp_path, place):
    if place:
        (tmp_path / "results").mkdir()
    done = call(words(FAILS))
    (kept,) = (tmp_path / place).glob("nonconvex-*.txt")
    shown = kept.relative_to(tmp_path) if place else kept
    assert (done.returncode, done.stdout) == (70, "")
    assert done.stderr == (
        "error: the program failed in a way that nobody foresaw (KeyError: ('a', 'b\\nc')): the trace is in "
        f"{shown}; please report it, with the trace, to the project's issue tracker\n"
    )
    assert kept.read_text().startswith("command: made up\nPython 3.")
    assert "line 4, in run\nKeyError" in kept.read_text()


def test_where_nothing_can_be_written_the_trace_is_printed(call, tmp_path):
    (tmp_path / "results").write_text("")
    done = call(words(f"import tempfile; tempfile.tempdir = '/proc/none'; {FAILS}"))
    assert done.returncode == 70
    assert "Traceback" in done.stderr and "the trace is above" in done.stderr


def test_a_broken_installation_is_told(call, tmp_path):
    (tmp_path / "numpy.py").write_text("raise ImportError('no libopenblas')\n")
    done = call([sys.executable, "-m", "nonconvex", "recover", "data.csv", "--rank", "2"])
    assert done.returncode == 70
    assert "(ImportError: no libopenblas): the trace is in " in done.stderr
    assert "Traceback" not in done.stderr


def test_a_step_of_the_workflow_leaves_its_trace_in_the_log(call):
    plan = json.dumps({"family": "completion"})
    step = [
        sys.executable,
        "-m",
        "nonconvex",
        "outcomes",
        "--plan",
        plan,
        "--digest",
        "0",
        "--output",
        "x.h5",
    ]
    done = call(step)
    assert done.returncode == 70
    assert "Traceback" in done.stderr and "KeyError: 'method'" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("error: the program failed in a way that nobody foresaw")


def test_too_little_memory_is_told(call):
    done = call(words("bytearray(1 << 62)"))
    assert (done.returncode, done.stderr) == (1, "error: there is not enough memory: no more could be had\n")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("body", ["print('x' * 100)", "print('x' * 1_000_000)", "sys.exit(print('help'))"])
def test_a_closed_pipe_ends_it_silently(call, body, unbuffered):
    line = f"{' '.join(map(_quoted, words('time.sleep(0.2); ' + body)))} | true; echo ${{PIPESTATUS[0]}}"
    done = call(["bash", "-c", line], PYTHONUNBUFFERED=unbuffered)
    assert (done.stdout, done.stderr) == ("141\n", "")


def test_output_that_cannot_be_written_is_told(call):
    done = call(
        ["bash", "-c", f"{' '.join(map(_quoted, words('print(1)')))} > /dev/full"], PYTHONUNBUFFERED=""
    )
    assert done.returncode == 1
    assert done.stderr == "error: the output cannot be written: No space left on device\n"


def test_control_c_ends_it_in_a_word(tmp_path):
    process = subprocess.Popen(
        words("print('ready', flush=True); time.sleep(60)"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A job in the background ignores the signal, and hands that on to these tests.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    with process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate()[1] == "interrupted\n"
    assert process.returncode == 130


def test_control_c_in_compiled_code_is_known_again(call):
    done = call(words(TURNED))
    assert (done.returncode, done.stderr) == (130, "interrupted\n")


def test_exit_statuses_stay(call):
    assert call(words("return 3")).returncode == 3
    assert call(words("return None")).returncode == 0
    assert call([sys.executable, "-m", "nonconvex", "recover"]).returncode == 2


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_names_of_any_bytes_are_printed_as_they_are(call, encoding):
    done = call(words("print('caf\\udce9', '\\u2264', file=sys.stdout)"), PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    assert done.stdout == ("caf\udce9 ≤\n" if encoding == "utf-8" else "caf\udce9 \\u2264\n")


def _quoted(word):
    return "'" + word.replace("'", "'\\''") + "'"
