"""The cost command: measure unit costs where asked, and print what a scale costs."""

import math
from collections import Counter
from collections.abc import Mapping

from nonconvex.study import units
from nonconvex.study.cost import FIGURE, START_UP, estimate, read_costs
from nonconvex.study.errors import StudyError
from nonconvex.study.pipeline import Pipeline

CORES = (2, 8, 64)
GROUP = 8  # jobs of a kind in one Slurm job, as profiles/slurm has it


def cost(pipeline: Pipeline, measure: bool = False, cores: int | None = None) -> int:
    """Print core-hours, jobs, disk and memory per experiment of the pipeline's scale; return 0.

    With `cores`, the time it takes is told for that number of cores, otherwise for a few usual ones.
    """
    if cores is not None and cores < 1:
        raise StudyError(f"--cores must be at least 1, not {cores}")
    if measure:
        _measure(pipeline)
    costs = read_costs(pipeline.root)
    print(f"Cost of scale {pipeline.config.folder}, from measured unit costs (workflow/costs.yaml)\n")
    names = pipeline.experiment_names()
    width = max(map(len, [*names, "experiment"]))
    print(
        f"{'experiment':<{width}}{'cells':>7}{'trials':>8}{'jobs':>7}{'core-hours':>18}{'longest job':>13}"
        f"{'disk':>10}{'memory':>9}"
    )
    total = {"jobs": 0, "seconds": 0.0, "disk_mb": 0.0, "longest": 0.0}
    methods = Counter()
    submitted = []
    for name in names:
        row = estimate(pipeline.experiment(name), costs)
        hours = f"{row['seconds'] / 3600:.2f} ± {2 * row['error'] / 3600:.2f}"
        print(
            f"{name:<{width}}{row['cells']:>7}{row['trials']:>8}{row['jobs']:>7}{hours:>18}"
            f"{row['longest'] / 60:>9.1f} min{row['disk_mb']:>7.0f} MB{row['memory_mb']:>6.0f} MB"
        )
        if row["unmeasured"]:
            print(f"  not measured: {', '.join(row['unmeasured'])}; run 'make cost SCALE=... MEASURE=1'")
        if row["extrapolated"]:
            print(f"  extrapolated from smaller sizes: {', '.join(row['extrapolated'])}")
        methods.update(row["methods"])
        submitted += slurm_jobs(row, pipeline.experiment(name)["timed"])
        for key in ("jobs", "seconds", "disk_mb"):
            total[key] += row[key]
        total["longest"] = max(total["longest"], row["longest"])
    figures = len(pipeline.figures())
    total["jobs"] += figures + 1
    total["seconds"] += figures * (FIGURE + START_UP)
    print(
        f"\nTotal with {figures} figures: {total['seconds'] / 3600:.2f} core-hours in {total['jobs']} jobs, "
        f"{total['disk_mb']:.0f} MB on disk"
    )
    if methods:
        shares = [f"{name} {100 * spent / total['seconds']:.0f} %" for name, spent in methods.most_common()]
        print(f"  by method: {', '.join(shares)}")
    for count in (cores,) if cores else CORES:
        wall = max(total["seconds"] / count, total["longest"]) / 3600
        print(f"  on {count:>2} cores at least {wall:.2f} hours")
    short = math.ceil(len(names) / GROUP) + math.ceil(figures / GROUP) + 1
    jobs = sum(count for count, _ in submitted)
    mean = sum(count * seconds for count, seconds in submitted) / max(jobs, 1) / 60
    print(
        f"  through profiles/slurm in about {jobs + short} Slurm jobs of up to {GROUP} cores; those that "
        f"compute take {mean:.1f} minutes on average, and up to {total['longest'] / 60:.0f}"
    )
    return 0


def slurm_jobs(row: Mapping, timed: bool) -> list[tuple[int, float]]:
    """Return how many Slurm jobs the dataset and each algorithm take, and the seconds of each.

    A timed outcome has the node to itself, others are grouped, and the jobs of a group run side by side.
    """
    return [
        (jobs if timed and part != "dataset" else math.ceil(jobs / GROUP), seconds)
        for part, (jobs, seconds) in row["blocks"].items()
    ]


def _measure(pipeline: Pipeline) -> None:
    for name in pipeline.experiment_names():
        experiment = pipeline.experiment(name)
        products = {"dataset": pipeline.dataset(name, pipeline.blocks(name)[0])} | {
            algorithm: pipeline.outcomes(name, algorithm, pipeline.blocks(name, algorithm)[0])
            for algorithm in experiment["algorithms"]
        }
        print(f"measuring {name} ...", flush=True)
        measured = units.measure(products, experiment, pipeline.data_files())
        costs = read_costs(pipeline.root)
        costs.setdefault(name, {})[experiment["scale"]] = measured
        units.keep(costs, pipeline.root / units.COSTS)
