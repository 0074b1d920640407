"""A copy of the project in a folder of its own, for tests that run and change the workflow."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[1]
COPIED = ("Snakefile", "Makefile", "README.md", "config.yaml", "profiles", "resources", "workflow", "src", "envs", "requirements.lock", "requirements-docs.lock", "requirements-images.lock", "pyproject.toml", "CITATION.cff")  # fmt: skip

# MAKEFLAGS would hand the options of a surrounding `make test ARGS=...` on to the tests' own make.
HIDDEN = ("VIRTUAL_ENV", "PYTHONPATH", "MAKEFLAGS", "MAKELEVEL", "MFLAGS", "ARGS")

# One cell, two trials, one figure: nine jobs.
TINY = """
scale: smoke
name: tiny
chapters: [2]
figures: ["2.2"]
formats: [png]
grid: {p: [0.6], rank: [1]}
"""


class Project:
    """A copy of the workflow and the library in a folder of its own, to run and to change."""

    def __init__(self, folder, source=ROOT):
        self.folder = folder
        for name in COPIED:
            original = source / name
            if original.is_dir():
                shutil.copytree(
                    original, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")
                )
            else:
                shutil.copy2(original, folder / name)
        (folder / "tiny.yaml").write_text(TINY)

    @classmethod
    def twin(cls, finished, folder):
        """Copy a project with all its results, to be changed without harm to it."""
        twin = cls.__new__(cls)
        twin.folder = folder
        shutil.copytree(finished.folder, folder)
        return twin

    @property
    def environment(self):
        """The environment of a person who has activated nothing."""
        kept = {k: v for k, v in os.environ.items() if k not in HIDDEN}
        return kept | {"PATH": os.defpath}

    def command(self, *words, settings=()):
        """The words that call Snakemake on the tiny overlay."""
        config = ["--config", *settings] if settings else []
        return [sys.executable, "-m", "snakemake", *words, "--configfile", "tiny.yaml", *config]

    def snakemake(self, *words, settings=(), check=True):
        return self.run(self.command("--cores", "2", *words, settings=settings), check)

    def nonconvex(self, *words, settings=(), check=True, configfile="tiny.yaml"):
        config = ["--configfile", configfile] if configfile else []
        config += ["--config", *settings] if settings else []
        environment = self.environment | {"PYTHONPATH": str(self.folder / "src")}
        words = [sys.executable, "-m", "nonconvex", *words, *config]
        return self.run(words, check, environment)

    def run(self, words, check=True, environment=None, timeout=300):
        done = subprocess.run(
            words,
            cwd=self.folder,
            env=environment or self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout,
        )
        assert done.returncode == 0 or not check, done.stdout
        return done

    def wait_until_quiet(self, seconds=300):
        """Wait until no process works in the folder, as after a kill, when steps go on to their end."""
        end = time.monotonic() + seconds
        while working := [
            process.info["cmdline"]
            for process in psutil.process_iter(["cwd", "cmdline"])
            if process.info["cwd"] == str(self.folder)
        ]:
            assert time.monotonic() < end, working
            time.sleep(0.1)

    def would_run(self, settings=(), words=()):
        """Return what a dry run says it would do: the jobs' messages, sorted."""
        output = self.snakemake("-n", *words, settings=settings).stdout
        return sorted(
            line.partition(": ")[2]
            for line in output.splitlines()
            if line.startswith("Job ") and line[4].isdigit() and ": " in line
        )

    def edit(self, path, old, new):
        file = self.folder / path
        text = file.read_text()
        assert old in text, f"{path} does not hold {old!r}"
        file.write_text(text.replace(old, new, 1))

    def results(self, what="*", folder="smoke-tiny"):
        """Return the bytes of every result that comparisons cover, by its path."""
        base = self.folder / "results" / folder
        covered = ("datasets", "outcomes", "tables", "figures", "claims", "claims.csv")
        return {
            str(path.relative_to(base)): path.read_bytes()
            for path in sorted(base.rglob(what))
            if path.is_file() and path.relative_to(base).parts[0] in covered
        }


def make(project, target):
    """Return the words that call the project's Makefile with the environment that runs these tests."""
    venv = project.folder / "venv"
    if not venv.exists():
        venv.mkdir()
        for name in ("bin", "lib", "pyvenv.cfg"):
            (venv / name).symlink_to(Path(sys.prefix) / name)
        (venv / ".ok").touch()
    return ["make", target, "VENV=venv", "CORES=2", "CONFIGFILE=tiny.yaml"]
