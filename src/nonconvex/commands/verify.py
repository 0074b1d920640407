"""Verifying a results folder: every block, table, figure and ledger is read again, and nothing is changed."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.product import Product
from nonconvex.pipeline.trials import fewer_trials, trials_there, with_trials
from nonconvex.steps.unfinished import UNFINISHED

PARTS = ("datasets", "outcomes", "tables", "figures", "claims", "stamps")
LISTED = 3  # missing products that are named one by one


def verify(pipeline: Pipeline) -> int:
    """Print what is missing, stale, damaged or foreign; return 0 when everything is as the config asks.

    Whatever Snakemake believes, each file is asked itself: blocks for their checksum, completeness, trials,
    parameters and code; other files for the stamp that names their inputs and bytes.
    """
    products = list(pipeline.products())
    cleared = _cleared(pipeline)
    products = [product for product in products if not cleared.intersection(product.outputs)]
    problems = [(product, problem) for product in products if (problem := product.problem())]
    if [problem for _, problem in problems] == ["missing"] * len(products):
        print(f"{pipeline.folder}: none of the {len(products)} products that this config asks for is there")
        print("'make' with this run's options makes them")
        return 1
    absent = [product for product, problem in problems if problem == "missing"]
    fewer = fewer_trials(pipeline)
    grown = with_trials(pipeline, trials_there(pipeline))
    for product, problem in problems:
        if problem == "missing":
            if len(absent) > LISTED:
                continue
            # Of a run that goes on, it may be there by now.
            lost = [path for path in product.outputs if not Path(path).is_file()] or product.outputs
            problem = f"{lost[0]} is missing"
        elif product.kind == "table":
            problem = fewer.get(Path(product.outputs[0]).stem, problem)
        print(f"the {product.name}: {problem}")
    if len(absent) > LISTED:
        print(f"{len(absent)} products are missing: {_counted(absent)}")
    known = {path for product in products for path in product.files}
    known.update(block.outputs[0] for name in fewer for block in grown.block_products(name))
    foreign = sorted(_foreign(Path(pipeline.folder), known))
    for path in foreign:
        print(f"{path}: this config does not ask for it")
    whole = len(products) - len(problems)
    print(f"{pipeline.folder}: {whole} of {len(products)} products are whole and as this config asks")
    if cleared:
        print(f"{len(cleared)} blocks are not in this folder; the tables made from them are whole")
    if foreign:
        print(f"{len(foreign)} other files harm nothing; they belong to other trials, figures or versions")
    if problems:
        print("'make resume' with this run's options makes the rest")
    return 1 if problems else 0


def _counted(products: list[Product]) -> str:
    """Return how many products there are of each kind: dataset 3, outcomes 12."""
    return ", ".join(f"{kind} {count}" for kind, count in Counter(one.kind for one in products).items())


def _cleared(pipeline: Pipeline) -> set[str]:
    """Return the blocks of the experiments whose table is whole while no block is there."""
    cleared: set[str] = set()
    for name in pipeline.experiment_names():
        blocks = {path for product in pipeline.block_products(name) for path in product.outputs}
        if not any(Path(path).exists() for path in blocks) and not pipeline.table(name).problem():
            cleared |= blocks
    return cleared


def _foreign(folder: Path, known: set[str]) -> Iterator[str]:
    """Yield files in the folders of results that no product of this config claims.

    What a job that was killed will go on from is none of them.
    """
    for part in PARTS:
        for path in (folder / part).rglob("*"):
            unfinished = any(parent.suffix == UNFINISHED for parent in path.parents)
            if path.is_file() and str(path) not in known and not unfinished:
                yield str(path)
