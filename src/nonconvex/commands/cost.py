"""The cost command: measure unit costs where asked, and print what a scale costs."""

import math
from collections import Counter
from collections.abc import Mapping

from nonconvex.commands.look_costs import print_look_costs
from nonconvex.commands.measure import keep, measure_experiment
from nonconvex.errors import UserError
from nonconvex.pipeline.costs import COSTS, FIGURE, MARGIN, SHORT, START_UP, estimate, read_costs
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.work import gpu_hours, wants_gpu

CORES = (2, 8, 64)
GROUP = 8  # datasets, short outcomes, tables or figures in one Slurm job, as profiles/slurm has it


def cost(pipeline: Pipeline, measure: bool = False, cores: int | None = None) -> int:
    """Print core-hours, jobs, disk and memory per experiment of the pipeline's scale; return 0.

    With `cores`, the time it takes is told for that number of cores, otherwise for a few usual ones.
    """
    if cores is not None and cores < 1:
        raise UserError(f"--cores must be at least 1, not {cores}")
    if measure:
        _measure(pipeline)
    costs = read_costs(pipeline.root)
    rows = {name: estimate(pipeline.experiment(name), costs) for name in pipeline.experiment_names()}
    print(f"Cost of scale {pipeline.config.folder}, from measured unit costs (workflow/costs.yaml)\n")
    _print_experiments(rows)
    longest = max((row["longest"] for row in rows.values()), default=0.0)
    seconds = _print_total(rows, len(pipeline.figures()))
    timed = {name: row for name, row in rows.items() if pipeline.experiment(name)["timed"]}
    alone = slurm_outcomes(timed, group=1)
    timing = alone["jobs"] * alone["mean"]
    for count in (cores,) if cores else CORES:
        others = (seconds - timing) / count
        # On one machine nothing runs beside a timed job.
        print(
            f"  on {count:>2} cores of one machine at least {max(longest, timing + others) / 3600:.2f} "
            f"hours, of a cluster {max(longest, others) / 3600:.2f}"
        )
    _print_slurm({name: row for name, row in rows.items() if name not in timed}, alone, pipeline)
    if pipeline.config.grid and not all(pipeline.config.folder in costs.get(name, {}) for name in rows):
        print(
            "Unit costs of the plain scale stand in for this overlay's: where its sizes are larger, measure "
            "them (make cost CONFIGFILE=... MEASURE=1), or a cluster will stop jobs for their time or memory."
        )
    trials = dict.fromkeys(pipeline.chapters, 0.0)
    for name, row in rows.items():
        trials[pipeline.experiment(name)["chapter"]] += row["seconds"]
    print_look_costs(pipeline, costs, trials)
    _print_gpus(pipeline)
    return 0


def _print_gpus(pipeline: Pipeline) -> None:
    """Print which figures are left out, and the GPU-hours of all experiments whose arithmetic is known."""
    if pipeline.left_out:
        print("\nLeft out, and not counted:")
    for figure, why in pipeline.left_out.items():
        print(f"  Figure {figure}: {why}")
    names = dict.fromkeys(n for figure in pipeline.asked_figures() for n in pipeline.experiments_of(figure))
    heavy = {name: one for name in names if wants_gpu(one := pipeline.protocol(name), 1)}
    if heavy:
        print("\nOn a GPU, with all data, by arithmetic, in hours at a sustained speed of")
    for name, one in heavy.items():
        hours = [f"{speed}: {value:.3g}" for speed, value in gpu_hours(one).items()]
        print(f"  {name}: {', '.join(hours)}")


def _print_experiments(rows: Mapping[str, Mapping]) -> None:
    width = max(map(len, [*rows, "experiment"]))
    print(
        f"{'experiment':<{width}}{'cells':>7}{'trials':>8}{'jobs':>7}{'core-hours ± 2 se':>18}"
        f"{'longest job':>13}{'disk':>10}{'memory':>9}"
    )
    for name, row in rows.items():
        hours = f"{row['seconds'] / 3600:.2f} ± {2 * row['error'] / 3600:.2f}"
        if not row["blocks"]:
            hours = "–"
        print(
            f"{name:<{width}}{row['cells']:>7}{row['trials']:>8}{row['jobs']:>7}{hours:>18}"
            f"{row['longest'] / 60:>9.1f} min{row['disk_mb']:>7.0f} MB{row['memory_mb']:>6.0f} MB"
        )
        if row["unmeasured"]:
            print(f"  not measured: {', '.join(row['unmeasured'])}; run 'make cost SCALE=... MEASURE=1'")
        if row["extrapolated"]:
            print(f"  extrapolated from smaller sizes: {', '.join(row['extrapolated'])}")


def _print_total(rows: Mapping[str, Mapping], figures: int) -> float:
    """Print what all experiments and figures cost together; return the core-seconds."""
    total = {key: sum(row[key] for row in rows.values()) for key in ("jobs", "seconds", "disk_mb")}
    seconds = total["seconds"] + figures * (FIGURE + START_UP)
    jobs = total["jobs"] + figures + 1
    print(
        f"\nTotal with {figures} figures: {seconds / 3600:.2f} core-hours in {jobs} jobs, "
        f"{total['disk_mb']:.0f} MB on disk"
    )
    methods: Counter[str] = Counter()
    for row in rows.values():
        methods.update(row["methods"])
    if methods:
        shares = [f"{name} {100 * spent / seconds:.0f} %" for name, spent in methods.most_common()]
        print(f"  by method: {', '.join(shares)}")
    return seconds


def _print_slurm(rows: Mapping[str, Mapping], alone: Mapping, pipeline: Pipeline) -> None:
    """Print the Slurm jobs of the experiments that are not timed, and `alone`, those that are."""
    shared = slurm_outcomes(rows)
    names = pipeline.experiment_names()
    datasets = sum(len(pipeline.blocks(name)) for name in names)
    others = sum(math.ceil(count / GROUP) for count in (datasets, len(names), len(pipeline.figures()))) + 1
    print(
        f"  through profiles/slurm about {shared['jobs'] + others} Slurm jobs of one core; those with "
        f"outcomes compute {shared['mean'] / 60:.0f} minutes on average, and up to "
        f"{shared['longest'] / 60:.0f}"
    )
    if alone["jobs"]:
        print(
            f"    and {alone['jobs']} that are timed, each with a node to itself: {alone['mean'] / 60:.0f} "
            f"minutes on average, and up to {alone['longest'] / 60:.0f}"
        )
    print(f"    (each asks for {MARGIN} times as long)")


def slurm_outcomes(rows: Mapping[str, Mapping], group: int = GROUP) -> dict:
    """Return how many Slurm jobs the outcomes take, and their seconds: the mean and the longest.

    Short ones share a job, `group` at a time, one after another.
    """
    alone = short = 0
    total = longest = 0.0
    for row in rows.values():
        for part, (jobs, seconds) in row["blocks"].items():
            if part == "dataset":
                continue
            total += jobs * seconds
            if seconds < SHORT:
                short += jobs
                longest = max(longest, min(jobs, group) * seconds)
            else:
                alone += jobs
                longest = max(longest, seconds)
    jobs = alone + math.ceil(short / group)
    return {"jobs": jobs, "mean": total / max(jobs, 1), "longest": longest}


def _measure(pipeline: Pipeline) -> None:
    for name in pipeline.experiment_names():
        experiment = pipeline.experiment(name)
        products = {"dataset": pipeline.dataset(name, pipeline.blocks(name)[0])} | {
            algorithm: pipeline.outcomes(name, algorithm, pipeline.blocks(name, algorithm)[0])
            for algorithm in experiment["algorithms"]
        }
        print(f"measuring {name} ...", flush=True)
        measured = measure_experiment(products, experiment, pipeline.data_files())
        costs = read_costs(pipeline.root)
        costs.setdefault(name, {})[experiment["scale"]] = measured
        keep(costs, pipeline.root / COSTS)
