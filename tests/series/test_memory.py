"""What does not fit into memory is said in one sentence, before anything is computed."""

from types import SimpleNamespace

import numpy as np
import pytest

from nonconvex.errors import UserError
from nonconvex.series import memory
from nonconvex.series.memory import needed_bytes
from nonconvex.series.methods import solve


@pytest.fixture
def free(monkeypatch):
    """Pretend that so many bytes are free."""

    def call(count):
        monkeypatch.setattr(memory.psutil, "virtual_memory", lambda: SimpleNamespace(available=count))

    return call


def test_it_is_refused_before_the_solver_begins(real_csv, folder, command, free, monkeypatch):
    monkeypatch.setattr("nonconvex.series.recover.solve", lambda *_: pytest.fail("it began"))
    free(30_000)
    status, _, complaint = command("recover", real_csv, "--rank", 4)
    assert status == 1 and complaint.count("\n") == 1
    assert "3 channels of 80 samples need about" in complaint and "with rank 4 and n1 = 40" in complaint
    assert "are free: take fewer channels" in complaint


def test_a_small_n1_is_advised_where_it_helps(real_csv, folder, command, free):
    free((needed_bytes((3, 80), 40, 4, "am_fiht", 8) + needed_bytes((3, 80), 20, 4, "am_fiht", 8)) // 2)
    status, _, complaint = command("recover", real_csv, "--rank", 4)
    assert status == 1 and "are free: take --n1 20, which needs about" in complaint
    assert command("recover", real_csv, "--rank", 4, "--n1", 20)[0] == 0


def test_a_chosen_rank_that_does_not_fit_gives_way(real_csv, folder, command, free):
    free(needed_bytes((3, 80), 20, 4, "am_fiht", 8))
    status, printed, _ = command("recover", real_csv, "--rank", "auto")
    assert status == 0 and "recovery: am_fiht, rank 4, n1 = 20: converged" in printed


def test_what_is_needed_grows_with_everything():
    base = needed_bytes((4, 1000), 500, 4, "am_fiht", 8)
    assert needed_bytes((8, 1000), 500, 4, "am_fiht", 8) > 1.5 * base
    assert needed_bytes((4, 1000), 500, 8, "am_fiht", 8) > 1.5 * base
    assert needed_bytes((4, 1000), 500, 4, "am_fiht", 16) == 2 * base
    assert needed_bytes((4, 1000), 500, 4, "fiht", 8) < base < needed_bytes((4, 1000), 500, None, "svt", 8)


def test_memory_that_fails_all_the_same_is_one_sentence(monkeypatch):
    def greedy(*_, **__):
        raise MemoryError("Unable to allocate 1.16 TiB")

    monkeypatch.setattr("nonconvex.hankel.solvers.am_fiht.am_fiht", greedy)
    monkeypatch.setattr("nonconvex.series.methods._defaults", lambda *_: {})
    with pytest.raises(UserError, match=r"am_fiht failed for want of memory .*1\.16 TiB.*smaller --rank"):
        solve("am_fiht", np.ones((1, 4)), np.ones((1, 4), bool), {"rank": 1, "n1": 2})
