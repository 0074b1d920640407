"""Sweeping a results folder before a run: what is stale, damaged or half-written goes, the rest stays.

Snakemake remembers in ``.snakemake`` what made each file. When that memory is lost, or a library module was
edited in the meantime, it may call a stale file finished. The files say themselves what made them, so the
sweep asks them.
"""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import psutil

from nonconvex.commands.dates import CLOCKS, date_back
from nonconvex.commands.disk import refuse_read_only
from nonconvex.commands.pack import LIST
from nonconvex.commands.running import refuse_while_running
from nonconvex.errors import UserError
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.product import Product
from nonconvex.pipeline.targets import check_targets
from nonconvex.pipeline.trials import fewer_trials

_TEMPORARY = re.compile(r"\..+\.(\d+)\.tmp\.\w+")


def sweep(pipeline: Pipeline, redraw: bool = False, targets: Iterable[str] = (), dry: bool = False) -> int:
    """Remove what the next run must make again, and say what and why; return 0.

    With `redraw`, blocks and tables are not touched: figures, ledgers and the page hang on whole tables.
    With `dry` nothing is; the `targets` of the run are checked all the same.

    Raises
    ------
    UserError
        For a target that no rule makes. While a run goes on in the same folder: its files are not to be
        touched. Also when a table would have to be made again that was unpacked, or with `redraw` any: its
        name and what is wrong with it.
    """
    check_targets(pipeline, targets)
    for line in pipeline.told_left_out():
        print(line)
    if dry:
        return 0
    refuse_while_running(Path.cwd())
    if redraw or Path(pipeline.folder, LIST).exists():
        _refuse_other_tables(pipeline, missing_too=redraw)
    for path in _strays(Path(pipeline.folder)):
        path.unlink(missing_ok=True)
        print(f"removed {path}: left by a process that no longer runs")
    products = (
        p for p in pipeline.products() if not redraw or p.kind not in ("dataset", "outcomes", "table")
    )
    sweep_products(products, pipeline)
    return 0


def sweep_products(products: Iterable[Product], pipeline: Pipeline) -> None:
    """Remove those of the pipeline's products that are stale or damaged, and say what and why.

    A table that is whole but for its number of trials stays, and gets older than its blocks: Snakemake makes
    it again, and until then claims can be judged by it.
    """
    products = list(products)
    fewer = fewer_trials(pipeline)
    removed: set[str] = set()
    for product in products:
        problem = product.problem()
        if problem:
            refuse_read_only(pipeline.folder)
        if problem and product.kind == "table" and Path(product.outputs[0]).stem in fewer:
            _age(product)
            continue
        gone = removed.intersection(product.inputs)
        if not problem and gone:
            # Snakemake would not miss a dataset whose outcomes are there: they are made again together.
            problem = f"it stands on {min(gone)}, which had to go"
        if problem and problem != "missing":
            removed.update(product.outputs)
            for file in product.files:
                Path(file).unlink(missing_ok=True)
            print(f"removed the {product.name}: {problem}")
    ahead = date_back(products)
    if ahead:
        print(f"{ahead} files were dated in the future, by a clock that was ahead: they are dated back")


def _age(product: Product) -> None:
    """Make a product older than everything that it is to be made from."""
    times = [Path(path).stat().st_mtime for path in product.inputs if Path(path).is_file()]
    for file in product.files if times else ():
        os.utime(file, (min(times) - 1,) * 2)


def _refuse_other_tables(pipeline: Pipeline, missing_too: bool) -> None:
    """Raise a UserError when tables are not what this config and this code ask for."""
    wrong, fewer = [], fewer_trials(pipeline)
    for name in pipeline.experiment_names():
        problem = pipeline.table(name).problem()
        if problem and (missing_too or problem != "missing"):
            wrong.append(f"the table of {name}: {fewer.get(name, problem)}")
    if wrong:
        named = "; ".join(wrong[:5]) + ("; ..." if len(wrong) > 5 else "")
        raise UserError(
            f"nothing is touched: {len(wrong)} of the tables in {pipeline.folder} are not what this config "
            f"and code ask for ({named}). Use the config and commit that made them; to compute them here, "
            f"move {pipeline.folder} away and 'make'"
        )


def _strays(folder: Path) -> Iterator[Path]:
    """Yield temporary files whose writer is gone."""
    for path in folder.rglob(".*.tmp*"):
        match = _TEMPORARY.fullmatch(path.name)
        if match and not _works_on(int(match.group(1)), path):
            yield path


def _works_on(process: int, path: Path) -> bool:
    """Tell whether the writer of `path` still works: no zombie, nor a newer process that got its number."""
    try:
        writer = psutil.Process(process)
        ended = writer.status() == psutil.STATUS_ZOMBIE
        return not ended and writer.create_time() < path.stat().st_mtime + CLOCKS
    except (psutil.NoSuchProcess, FileNotFoundError):
        return False
    except psutil.AccessDenied:
        return True
