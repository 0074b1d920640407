"""A run that goes on elsewhere keeps its files."""

import os
import subprocess

import pytest

from nonconvex.commands import running
from nonconvex.errors import UserError


@pytest.fixture
def squeue(tmp_path, monkeypatch):
    """Let Slurm have job 41 in this folder and job 42 in another."""
    program = tmp_path / "squeue"
    program.write_text(f"#!/bin/sh\necho '41 {tmp_path}'\necho '42 /elsewhere'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.defpath}")
    return tmp_path


def test_a_slurm_job_in_the_folder_is_named(squeue):
    with pytest.raises(UserError, match="type 'scancel 41', then"):
        running.refuse_while_running(squeue)


def test_the_job_that_asks_is_none_of_them(squeue, monkeypatch):
    monkeypatch.setenv("SLURM_JOB_ID", "41")
    running.refuse_while_running(squeue)


def test_a_busy_slurm_is_not_taken_for_an_empty_one(squeue, monkeypatch):
    def silent(*words, timeout, **_):
        raise subprocess.TimeoutExpired(words, timeout)

    monkeypatch.setattr(running.subprocess, "run", silent)
    with pytest.raises(UserError, match="does not answer"):
        running.refuse_while_running(squeue)


def test_without_slurm_nothing_is_in_the_way(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    running.refuse_while_running(tmp_path)
