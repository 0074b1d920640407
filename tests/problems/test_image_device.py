"""The device that the config asks for."""

import pytest

from nonconvex.problems.images.training import device


def test_a_machine_without_the_gpu_ends_the_job_and_makes_no_failed_row(monkeypatch):
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("this machine has one")
    monkeypatch.setenv("NONCONVEX_DEVICE", "cuda")
    with pytest.raises(SystemExit, match='error: device "cuda" needs a GPU'):
        device()


def test_it_is_automatic_by_itself(monkeypatch):
    monkeypatch.delenv("NONCONVEX_DEVICE", raising=False)
    assert device() == "auto"
