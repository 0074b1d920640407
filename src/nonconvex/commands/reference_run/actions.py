"""The reference command: draw the reference run, keep a run as it, go on from it, or recheck it."""

from collections.abc import Sequence
from pathlib import Path

from nonconvex.commands.disk import refuse_read_only
from nonconvex.commands.engine import Engine, snakemake
from nonconvex.commands.reference_run.blocks import Kept
from nonconvex.commands.reference_run.draw import lay_out, pipeline_of, write_table
from nonconvex.commands.reference_run.keep import keep
from nonconvex.commands.reference_run.recheck import recheck
from nonconvex.commands.running import refuse_while_running
from nonconvex.errors import UserError
from nonconvex.files import file_sha256, write_text
from nonconvex.pipeline.changes import changes
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.trials import LOOKS, knobs, with_trials
from nonconvex.reference.store import read_reference


def draw() -> int:
    """Lay the reference's tables out in ``results/thesis-reference``, every file checked; return 0."""
    refuse_while_running(Path.cwd())
    reference = read_reference()
    reference.check()
    pipeline = pipeline_of(reference)
    refuse_read_only(pipeline.folder)
    lay_out(reference, pipeline)
    print(f"'make reference' draws them to {pipeline.folder}/index.html")
    return 0


def keep_results(pipeline: Pipeline) -> int:
    """Keep the results of scale thesis as the reference; return 0."""
    refuse_while_running(Path.cwd())
    keep(pipeline)
    return 0


def recheck_results(
    pipeline: Pipeline, sample: int | None, seed: int | None, against: str | None = None
) -> int:
    """Compute rows of the experiments again whose code has changed; return 1 when one differs, else 0."""
    _refuse_other_runs(pipeline)
    refuse_while_running(Path.cwd())
    return recheck(pipeline, sample, seed, against)


def resume(pipeline: Pipeline, where: Sequence[str]) -> int:
    """Put the reference's blocks and tables into ``results/thesis``, so that `decide` goes on; return 0.

    Datasets are drawn anew, and compared with those that the reference stands on. Experiments that changed
    since, and those of which results are there, are left out.

    Parameters
    ----------
    pipeline : Pipeline
        Of the plain scale thesis.
    where : sequence of str
        Words that tell Snakemake where to draw.
    """
    _refuse_other_runs(pipeline)
    refuse_while_running(Path.cwd())
    reference = read_reference()
    reference.check()
    refuse_read_only(pipeline.folder)
    trials = {}
    for name in pipeline.experiment_names():
        if name not in reference.experiments or Path(pipeline.table(name).outputs[0]).exists():
            continue
        if told := changes(reference.experiments[name], pipeline.experiment(name)):
            print(f"{name} is left out: since the reference run, {', '.join(told)}")
            continue
        trials[name] = reference.experiments[name]["trials"]
    then = with_trials(pipeline, trials)
    _draw_datasets(then, list(trials), where)
    laid_out = 0
    for name in trials:
        kept = Kept(reference, name)
        blocks = [block for block in then.block_products(name) if block.kind == "outcomes"]
        datasets = sorted({block.inputs[0] for block in blocks})
        if other := [Path(path).stem for path in datasets if not kept.stands_on(path)]:
            print(f"{name} is left out: this machine draws other numbers, or other blocks ({other[0]})")
            continue
        for block in blocks:
            kept.write(block)
        table = then.table(name)
        made = {str(Path(*Path(path).parts[2:])): file_sha256(path) for path in table.inputs if blocks}
        inputs = made or kept.made["inputs"]  # where no algorithm runs, the table stands without its dataset
        write_table(reference, name, table, inputs)
        laid_out += 1
    print(f"{pipeline.folder}: {laid_out} experiments as the reference has them; 'make decide' goes on")
    return 0


def _refuse_other_runs(pipeline: Pipeline) -> None:
    if pipeline.config.folder != "thesis" or pipeline.config.seed is not None:
        raise UserError("the reference is a run of scale thesis with its own seed: add SCALE=thesis")


def _draw_datasets(pipeline: Pipeline, experiments: Sequence[str], where: Sequence[str]) -> None:
    """Let Snakemake draw the datasets that the experiments' algorithms ran on."""
    blocks = [
        block.outputs[0]
        for name in experiments
        for block in pipeline.block_products(name)
        if block.kind == "dataset" and pipeline.experiment(name)["algorithms"]
    ]
    if not blocks:
        return
    overlay = Path(pipeline.folder, LOOKS)
    write_text(overlay, knobs(pipeline, pipeline.chapters))
    engine = Engine(snakemake([*blocks, "--configfile", str(overlay), "--quiet", "rules", *where]))
    engine.run()
    if engine.status:
        raise UserError("the datasets could not be drawn, see above; nothing of the reference was laid out")
