"""Who works in a results folder now: Snakemake on this machine, or jobs that Slurm still has."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil

from nonconvex.errors import UserError


def refuse_while_running(folder: Path) -> None:
    """Raise a UserError while a run goes on in `folder`: its files are not to be touched."""
    jobs = _slurm_jobs(folder)
    if jobs:
        raise UserError(
            "Slurm has jobs of a run in this folder; wait for them, or, when that run was killed, type "
            f"'scancel {' '.join(jobs)}', then try again"
        )
    for process in _snakemake(folder):
        raise UserError(
            f"a run is going on in this folder (process {process}); wait for it, or stop it, then try again"
        )


def _snakemake(folder: Path) -> Iterator[int]:
    """Yield the Snakemake processes of this machine that work in `folder`."""
    for process in psutil.process_iter(["cmdline", "cwd"]):
        words = process.info["cmdline"] or []
        called = any(Path(word).name == "snakemake" for word in words[:4])
        if called and process.info["cwd"] and Path(process.info["cwd"]) == folder:
            yield process.pid


def _slurm_jobs(folder: Path) -> list[str]:
    """Return the ids of this user's waiting and running Slurm jobs that work in `folder`, without our own."""
    words = ["squeue", "--noheader", f"--user={os.getuid()}", "--format=%i %Z"]
    try:
        told = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True).stdout
    except subprocess.TimeoutExpired:
        raise UserError(
            "Slurm's squeue does not answer, so that jobs of a run may work in this folder; try again"
        ) from None
    except (OSError, subprocess.SubprocessError):
        return []  # no Slurm here
    jobs = [line.split(maxsplit=1) for line in told.splitlines()]
    others = [job for job in jobs if len(job) == 2 and job[0] != os.environ.get("SLURM_JOB_ID")]
    return [number for number, place in others if Path(place) == folder]
