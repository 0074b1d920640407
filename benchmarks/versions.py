"""Outcomes and CPU time of an experiment's algorithms, by another commit and by the working tree.

Run with, for instance,

    python benchmarks/versions.py HEAD phase_mode1 am_fiht,ram_fiht --grid "p: [0.4], rank: [15, 20]"

Both versions work on the same instances, block by block, one after the other, on one BLAS thread. Printed
are the trials, those in cells where the older version neither always nor never succeeds (the transition),
how many end with another status or another success, and the CPU seconds of the steps, starting included.
"""

# ruff: noqa: E402 - the library is that of this working tree.
import argparse
import functools
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import yaml

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import check_config

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


# Prints the digest of a step's code, which the step is told and checks.
DIGEST = """
import json, sys
from nonconvex.pipeline.digests import digest
from nonconvex.pipeline.roots import roots
print(digest(roots("outcomes", json.loads(sys.argv[1]))))
"""


def python(tree, *words, **options):
    """Run Python with the library of the version in `tree`."""
    environment = os.environ | dict.fromkeys(THREADS, "1") | {"PYTHONPATH": str(tree / "src")}
    return subprocess.run([sys.executable, *words], env=environment, check=True, cwd=tree, **options)


def command(tree, words):
    """Run a step of the version in `tree`."""
    python(tree, "-m", "nonconvex", *words, stderr=subprocess.DEVNULL)


@functools.cache
def outcomes_digest(tree, plan_text):
    """Return the digest of the code by which the version in `tree` runs an algorithm."""
    return python(tree, "-c", DIGEST, plan_text, capture_output=True, text=True).stdout.strip()


def outcomes(tree, product, dataset, path):
    """Run the outcomes of a product by the version in `tree`; return them as a table."""
    found = outcomes_digest(tree, product.plan_text)
    words = ["--plan", product.plan_text, "--digest", found, "--input", dataset, "--output", path]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command(tree, ["outcomes", *words])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    with h5py.File(path, "r", locking=False) as file:
        columns = {
            name: column[()] for name, column in file["outcomes"].items() if "shape" not in column.attrs
        }
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return pd.DataFrame(columns).assign(spent=spent / len(columns["cell"]))


def both(older, pipeline, experiment, algorithm, folder):
    """Return the outcomes of one algorithm by the version in `older` and by this one."""
    found = []
    made = {product.outputs[0]: product for product in pipeline.block_products(experiment)}
    for product in made.values():
        if product.plan.get("algorithm") != algorithm:
            continue
        drawn = made[product.inputs[0]]
        dataset = str(folder / Path(drawn.outputs[0]).name)
        if not Path(dataset).exists():
            words = ["--plan", drawn.plan_text, "--digest", drawn.digest, "--output", dataset]
            command(ROOT, ["dataset", *words, "--files", "{}"])
        order = [("old", older), ("new", ROOT)][:: 1 if len(found) % 2 else -1]
        block = Path(product.outputs[0]).name
        found.append(
            {name: outcomes(tree, product, dataset, str(folder / name / block)) for name, tree in order}
        )
    success = pipeline.experiment(experiment)["success"]
    for name in ("old", "new"):
        table = pd.concat([one[name] for one in found], ignore_index=True)
        ended = table["status"].isin([b"diverged", b"failed"])
        yield table.assign(won=(table[success["column"]] < success["below"]) & ~ended)


def compared(old, new):
    """Return what is printed of one algorithm."""
    share = old.groupby("cell")["won"].transform("mean")
    error = next(name for name in old if "error" in name)
    moved = np.abs(new[error] - old[error]) / np.maximum(np.abs(old[error]), 1e-300)
    both = old["won"] & new["won"]
    spent = float(old["spent"].sum()), float(new["spent"].sum())
    return {
        "trials": len(old),
        "at the transition": int(((share > 0) & (share < 1)).sum()),
        "other status": int((old["status"] != new["status"]).sum()),
        "other success": int((old["won"] != new["won"]).sum()),
        "other iterations": int((old["iterations"] != new["iterations"]).sum()),
        f"{error} moved at most, where both succeed": float(f"{moved[both].max():.1e}")
        if both.any()
        else 0.0,
        "old s": round(spent[0], 2),
        "new s": round(spent[1], 2),
        "ratio": round(spent[0] / spent[1], 2),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("commit", help="the older version")
    parser.add_argument("experiment")
    parser.add_argument("algorithms", help="joined by commas")
    parser.add_argument("--grid", default="", help='cells, as in config.yaml: "p: [0.4], rank: [15, 20]"')
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--scale", default="thesis")
    given = parser.parse_args()
    config = yaml.safe_load((ROOT / "config.yaml").read_text())
    config |= {"scale": given.scale, "trials": {given.experiment: given.trials}}
    if given.grid:
        config |= {"name": "versions", "grid": yaml.safe_load("{" + given.grid + "}")}
    pipeline = Pipeline(check_config(config, ROOT / "workflow/schemas/config.schema.yaml"), ROOT)
    with tempfile.TemporaryDirectory() as folder:
        older = Path(folder, "older")
        subprocess.run(
            ["git", "-C", ROOT, "worktree", "add", "-q", "--detach", older, given.commit], check=True
        )
        try:
            for algorithm in given.algorithms.split(","):
                pair = both(older, pipeline, given.experiment, algorithm, Path(folder))
                print(f"{given.experiment} {algorithm}", compared(*pair), flush=True)
        finally:
            subprocess.run(["git", "-C", ROOT, "worktree", "remove", "--force", older], check=True)


if __name__ == "__main__":
    main()
