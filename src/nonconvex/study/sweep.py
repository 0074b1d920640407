"""Sweeping a results folder before a run: what is stale, damaged or half-written goes, the rest stays.

Snakemake remembers in ``.snakemake`` what made each file. When that memory is lost, or a library module was
edited in the meantime, it may call a stale file finished. The files say themselves what made them, so the
sweep asks them.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from nonconvex.study.pipeline import Pipeline
from nonconvex.study.running import refuse_while_running

_TEMPORARY = re.compile(r"\..+\.(\d+)\.tmp\.\w+")


def sweep(pipeline: Pipeline) -> int:
    """Remove what the next run must make again, and say what and why; return 0.

    Raises
    ------
    StudyError
        While a run goes on in the same folder: its files are not to be touched.
    """
    refuse_while_running(Path.cwd())
    for path in _strays(Path(pipeline.folder)):
        path.unlink(missing_ok=True)
        print(f"removed {path}: left by a process that no longer runs")
    removed: set[str] = set()
    for product in pipeline.products():
        problem = product.problem()
        gone = removed.intersection(product.inputs)
        if not problem and gone:
            # Snakemake would not miss a dataset whose outcomes are there: they are made again together.
            problem = f"it stands on {min(gone)}, which had to go"
        if problem and problem != "missing":
            removed.update(product.outputs)
            for path in filter(None, (*product.outputs, product.stamp)):
                Path(path).unlink(missing_ok=True)
            print(f"removed the {product.name}: {problem}")
    return 0


def _strays(folder: Path) -> Iterator[Path]:
    """Yield temporary files whose writer is gone."""
    for path in folder.rglob(".*.tmp*"):
        match = _TEMPORARY.fullmatch(path.name)
        if match and not _alive(int(match.group(1))):
            yield path


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
