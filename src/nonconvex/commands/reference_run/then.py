"""A row by the code of a commit, on this machine: is a difference the code's, or the processor's?"""

import io
import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

from nonconvex.errors import UserError
from nonconvex.reference.store import read_csv

_OTHER = 3  # how the program ends when the code is not the one that is asked for
_PROGRAM = f"""
import json, sys
from nonconvex.commands.audit.again import computed
from nonconvex.pipeline.changes import code_of
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import Config

name, algorithm, cell, trial, code, out = sys.argv[1:]
pipeline = Pipeline(Config("thesis"))
experiment = pipeline.experiment(name)
if code_of(experiment) != json.loads(code):
    sys.exit({_OTHER})
frames = computed(experiment, algorithm, int(cell), int(trial), pipeline.data_files())
for number, frame in enumerate(frames):
    frame.to_csv(f"{{out}}/{{number}}.csv", index=False)
"""


@contextmanager
def project_at(commit: str) -> Iterator[Path]:
    """Hand over a folder with the project as a commit of this clone has it; UserError where there is none."""
    done = subprocess.run(["git", "archive", commit], capture_output=True)
    if done.returncode:
        raise UserError(
            f"AGAINST={commit} is no commit of this clone: {done.stderr.decode(errors='replace').strip()}"
        )
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder)


def computed_at(
    project: Path, name: str, key: tuple[str, int, int], code: Mapping[str, Any]
) -> list[pd.DataFrame]:
    """Return one row of an experiment by another project's code, as `nonconvex.commands.audit.again` does.

    Parameters
    ----------
    project : Path
        From `project_at`.
    name : str
    key : tuple
        Algorithm, cell and trial.
    code : dict
        Digests that its code must have.

    Raises
    ------
    UserError
        When it has others, or cannot compute the row.
    """
    with tempfile.TemporaryDirectory() as out:
        words = [name, *map(str, key), json.dumps(code), out]
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM, *words],
            cwd=project,
            env={"PYTHONPATH": str(project / "src"), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
        )
        if done.returncode == _OTHER:
            raise UserError(f"AGAINST names a commit with other code than {name} was made by")
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1:] or ["it says nothing"]
            raise UserError(f"the commit that AGAINST names cannot compute {name}: {last[0]}")
        return [read_csv(path.read_bytes()) for path in sorted(Path(out).glob("*.csv"))]
