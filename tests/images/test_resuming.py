"""A run that is killed and taken up again gives the bytes of one that was not; other files are ignored."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from images.image_problems import images_of, same  # noqa: E402

from nonconvex.images import checkpoint, progress  # noqa: E402
from nonconvex.images.recipe import Recipe  # noqa: E402
from nonconvex.images.solvers.lottery_ticket import lottery_ticket  # noqa: E402
from nonconvex.images.solvers.pseudo_label import pseudo_label  # noqa: E402

TRAIN, VALIDATION, TEST = images_of(40), images_of(30, 1), images_of(50, 2)
POOL = images_of(60, 3).images
RECIPE = Recipe(3, 8, 0.05, weight_decay=1e-3, augmentation="crop_flip")


def tickets(**options):
    options = {"model": "resnet8", "recipe": RECIPE, "rounds": 3, "rewind": 1, "seed": 1, **options}
    return lottery_ticket(TRAIN, VALIDATION, TEST, **options)


def students(**options):
    options = {"model": "lenet5", "recipe": RECIPE, "rounds": 2, "seed": 1, **options}
    return pseudo_label(TRAIN, POOL, TEST, **options)


@pytest.fixture(autouse=True)
def every_epoch(monkeypatch):
    monkeypatch.setattr(checkpoint, "EVERY", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.0)


class Stopped(Exception):
    pass


def stop_after(n):
    lines = []

    def say(line):
        if "found" not in line:
            lines.append(line)
            if len(lines) == n:
                raise Stopped

    return say


@pytest.mark.parametrize("run", [tickets, students])
def test_a_run_that_is_stopped_at_every_line_ends_with_the_same_bytes(run, tmp_path):
    whole = run()
    for _ in range(9):
        with pytest.raises(Stopped):
            run(folder=tmp_path, say=stop_after(1))
    assert same(run(folder=tmp_path), whole)
    assert same(run(folder=tmp_path), whole)


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe(3, 8, 0.05, schedule="cosine", nesterov=True, weight_decay=1e-3),
        Recipe(3, 8, 0.05, warm_up=1, schedule="steps", milestones=(0.5,), steps_per_epoch=4),
    ],
)
@pytest.mark.parametrize("run", [tickets, students])
def test_states_of_every_schedule_are_taken_up(run, recipe, tmp_path):
    with pytest.raises(Stopped):
        run(recipe=recipe, folder=tmp_path, say=stop_after(5))
    said = []
    assert same(run(recipe=recipe, folder=tmp_path, say=said.append), run(recipe=recipe))
    assert said and not any("ignored" in line for line in said)


@pytest.mark.parametrize("n", [2, 4, 7])
@pytest.mark.parametrize("run", [tickets, students])
def test_a_stop_anywhere_is_taken_up(run, n, tmp_path):
    with pytest.raises(Stopped):
        run(folder=tmp_path, say=stop_after(n))
    said = []
    assert same(run(folder=tmp_path, say=said.append), run())
    everything = []
    run(say=everything.append)
    assert len(said) < len(everything)


def test_states_are_written_some_seconds_apart(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "EVERY", 1e9)
    with pytest.raises(Stopped):
        tickets(folder=tmp_path, say=stop_after(2))
    assert not list(tmp_path.iterdir())


KILLED = """
    import os, signal
    from images.image_problems import images_of
    from nonconvex.images import checkpoint, progress
    from nonconvex.images.recipe import Recipe
    from nonconvex.images.solvers.lottery_ticket import lottery_ticket
    checkpoint.EVERY = progress.EVERY = 0.0
    recipe = Recipe(3, 8, 0.05, weight_decay=1e-3, augmentation="crop_flip")
    def say(line):
        if line.startswith("round 2 of 3, epoch 2"):
            os.kill(os.getpid(), signal.SIGKILL)
    lottery_ticket(
        images_of(40), images_of(30, 1), images_of(50, 2), model="resnet8", recipe=recipe, rounds=3, rewind=1,
        seed=1, folder={folder!r}, say=say,
    )
"""


def test_a_killed_process_is_taken_up_by_another(tmp_path):
    script = textwrap.dedent(KILLED).format(folder=str(tmp_path))
    tests = str(Path(__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([tests, *filter(None, sys.path)])}
    killed = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    said = []
    assert same(tickets(folder=tmp_path, say=said.append), tickets())
    assert said[0].startswith("round 2 of 3, epoch 3 of 3")


@pytest.fixture
def stopped(tmp_path):
    """A folder with the state of a run that was stopped in its second round."""
    with pytest.raises(Stopped):
        tickets(folder=tmp_path, say=stop_after(6))
    (path,) = tmp_path.glob("lottery_ticket-*.pt")
    return path


def ignored(path, why):
    said = []
    assert same(tickets(folder=path.parent, say=said.append), tickets())
    assert said[0] == f"{path} {why} and is ignored; the run begins anew"
    assert said[1].startswith("round 1 of 3, epoch 1 of 3")


@pytest.mark.parametrize("damage", ["cut", "empty", "flipped", "foreign"])
def test_a_damaged_state_is_ignored_and_said(stopped, damage):
    content = bytearray(stopped.read_bytes())
    content[len(content) // 2] ^= 1
    changed = {"cut": content[:-100], "empty": b"", "flipped": content, "foreign": b"PK" + bytes(500)}
    stopped.write_bytes(changed[damage])
    ignored(stopped, "is damaged")


def test_a_state_of_another_run_is_ignored_and_said(stopped):
    with pytest.raises(Stopped):
        tickets(folder=stopped.parent / "other", seed=2, say=stop_after(3))
    (other,) = (stopped.parent / "other").glob("*.pt")
    assert other.name != stopped.name
    other.replace(stopped)
    ignored(stopped, "is of another run")


def test_a_pickle_that_would_run_something_is_not_loaded(stopped, tmp_path):
    class Hostile:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "made"),)

    import hashlib
    import io

    memory = io.BytesIO()
    torch.save({"digest": "", "state": Hostile()}, memory)
    content = memory.getvalue()
    stopped.write_bytes(hashlib.sha256(content).digest() + content)
    ignored(stopped, "is no state of a run")
    assert not (tmp_path / "made").exists()


def test_a_state_that_cannot_be_read_is_ignored(stopped):
    stopped.unlink()
    stopped.mkdir()
    with pytest.raises(OSError):
        tickets(folder=stopped.parent)


@pytest.mark.parametrize(
    "change", [{"seed": 2}, {"share": 0.3}, {"rewind": 0}, {"rounds": 2}, {"model": "lenet5"},
               {"layers": "convolutions"}, {"recipe": Recipe(3, 8, 0.06)}],
)  # fmt: skip
def test_each_argument_makes_another_run(stopped, change):
    said = []
    assert same(tickets(folder=stopped.parent, say=said.append, **change), tickets(**change))
    assert said[0].startswith(f"round 1 of {change.get('rounds', 3)}, epoch 1 of 3")


def test_other_images_make_another_run(tmp_path):
    run = {"model": "lenet5", "recipe": RECIPE, "rounds": 1, "seed": 1, "folder": tmp_path}
    sets = [TRAIN, VALIDATION, TEST]
    lottery_ticket(*sets, **run)
    for place in range(3):
        lottery_ticket(*sets[:place], images_of(45, 9), *sets[place + 1 :], **run)
    assert len(list(tmp_path.glob("lottery_ticket-*.pt"))) == 4


def test_lines_tell_the_round_the_epoch_and_the_time_left():
    said = []
    tickets(say=said.append, rounds=2)
    assert len(said) == 8
    assert said[0].startswith("round 1 of 2, epoch 1 of 3: loss ")
    assert "validation accuracy 0." in said[0] and said[0].endswith(" s left")
    assert said[3].startswith("round 1 of 2: loss ") and "test accuracy" in said[3]
    assert said[6].endswith(", 0 s left")
    said.clear()
    students(say=said.append, rounds=1)
    assert said[0].startswith("teacher, epoch 1 of 3: loss ") and said[-2].startswith(
        "student 1 of 1, epoch 3 of 3"
    )


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "0 s"), (59.4, "59 s"), (130, "2 min 10 s"), (11_100, "3 h 5 min")]
)
def test_times_in_words(seconds, text):
    assert progress.words(seconds) == text


def test_lines_are_some_seconds_apart(monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 1e9)
    said = []
    tickets(say=said.append)
    assert [line[:12] for line in said] == ["round 1 of 3", "round 2 of 3", "round 3 of 3"]


@pytest.mark.parametrize("run", [tickets, students])
def test_the_state_of_torch_and_numpy_does_not_matter_and_is_left_alone(run):
    first = run()
    threads, dtype = torch.get_num_threads(), torch.get_default_dtype()
    try:
        torch.set_num_threads(2)
        torch.set_default_dtype(torch.float64)
        torch.manual_seed(99)
        np.random.seed(99)  # noqa: NPY002
        states = torch.random.get_rng_state(), np.random.get_state()[1].copy()  # noqa: NPY002
        with torch.no_grad():
            assert same(run(), first)
        assert torch.equal(torch.random.get_rng_state(), states[0])
        assert (np.random.get_state()[1] == states[1]).all()  # noqa: NPY002
        assert torch.get_num_threads() == 2 and torch.get_default_dtype() == torch.float64
    finally:
        torch.set_num_threads(threads)
        torch.set_default_dtype(dtype)
