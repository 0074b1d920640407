"""Verifying a results folder: every block, table, figure and ledger is read again, and nothing is changed."""

from collections.abc import Iterator
from pathlib import Path

from nonconvex.study.pipeline import Pipeline

PARTS = ("datasets", "outcomes", "tables", "figures", "claims", "stamps")


def verify(pipeline: Pipeline) -> int:
    """Print what is missing, stale, damaged or foreign; return 0 when everything is as the config asks.

    Whatever Snakemake believes, each file is asked itself: blocks for their checksum, completeness, trials,
    parameters and code; other files for the stamp that names their inputs and bytes.
    """
    products = list(pipeline.products())
    problems = [(product, problem) for product in products if (problem := product.problem())]
    for product, problem in problems:
        if problem == "missing":
            lost = next(path for path in product.outputs if not Path(path).is_file())
            problem = f"{lost} is missing"
        print(f"the {product.name}: {problem}")
    known = {path for product in products for path in (*product.outputs, product.stamp)}
    foreign = sorted(_foreign(Path(pipeline.folder), known))
    for path in foreign:
        print(f"{path}: this config does not ask for it")
    whole = len(products) - len(problems)
    print(f"{pipeline.folder}: {whole} of {len(products)} products are whole and as this config asks")
    if foreign:
        print(f"{len(foreign)} other files harm nothing; they belong to other trials, figures or versions")
    if problems:
        print("'make resume' with this run's options makes the others again")
    return 1 if problems else 0


def _foreign(folder: Path, known: set[str]) -> Iterator[str]:
    """Yield files in the folders of results that no product of this config claims."""
    for part in PARTS:
        for path in (folder / part).rglob("*"):
            if path.is_file() and str(path) not in known:
                yield str(path)
