"""The decide command: what claims need for their next look is run, and judged, until nothing is open."""

import math
import signal
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from nonconvex.claims.next_look import Trials
from nonconvex.commands.disk import refuse_read_only
from nonconvex.commands.engine import PERSON, Engine, snakemake
from nonconvex.commands.pack import LIST
from nonconvex.commands.running import refuse_while_running
from nonconvex.commands.standing import judged
from nonconvex.commands.sweep import sweep_products
from nonconvex.errors import UserError, among
from nonconvex.files import write_text
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.trials import LOOKS, knobs, with_trials

DRY = ("-n", "--dry-run", "--dryrun")
INTERRUPTED = 130
LEDGER = "decided.csv"
SLICE = 1200.0  # seconds of all cores; so long it runs between two judgements


def decide(
    pipeline: Pipeline,
    hours: float | None,
    where: Sequence[str],
    targets: Sequence[str],
    more: Sequence[str],
    cores: int | None = None,
) -> int:
    """Judge, run what the open claims' next look needs, and judge again; return an exit status.

    The cheapest experiments run first, some twenty minutes of them at a time where `cores` are known. It ends
    when nothing is open or the last look is reached, or when the time is used: then running jobs end and
    nothing new starts. Called again it goes on.

    Parameters
    ----------
    pipeline : Pipeline
        Its trials are the most that any experiment gets.
    hours : float, optional
        How long it may go on.
    where : sequence of str
        Words that tell Snakemake where to run: ``--cores 8``, or ``--workflow-profile profiles/slurm``.
    targets : sequence of str
        Such as "chapter2": only the claims of these chapters; of all, if empty.
    more : sequence of str
        Further words for Snakemake. With ``-n`` the next look is shown, and nothing is run or written.
    cores : int, optional
        Of this machine. Without, the whole look runs before claims are judged again, as on a cluster.
    """
    if hours is not None and not (hours > 0 and math.isfinite(hours)):
        raise UserError(f"HOURS must be a number above 0, not {hours:g}; leave it out to go on until done")
    chapters, dry = _chapters(pipeline, targets), any(word in DRY for word in more)
    refuse_while_running(Path.cwd())
    pipeline.check()
    end = None if hours is None else time.monotonic() + 3600 * hours
    try:
        slice_ = math.inf if dry or cores is None else SLICE * cores
        return _rounds(pipeline, chapters, [*where, *more], dry, end, slice_)
    except KeyboardInterrupt:
        print("stopped; nothing was running. Call 'make decide' again to go on")
        return INTERRUPTED


def _chapters(pipeline: Pipeline, targets: Sequence[str]) -> list[str]:
    known = {f"chapter{chapter}": chapter for chapter in pipeline.chapters}
    for target in targets:
        if target not in known:
            raise UserError(f"decide takes chapters as targets, not '{target}'{among(target, known)}")
    return [known[target] for target in targets] or pipeline.chapters


def _rounds(
    pipeline: Pipeline,
    chapters: Sequence[str],
    words: Sequence[str],
    dry: bool,
    end: float | None,
    seconds: float,
) -> int:
    before: Mapping[str, int] = {}
    failed = False
    while True:
        standing = judged(pipeline, chapters)
        print(standing.text(None if end is None else end - time.monotonic()), flush=True)
        if not dry:
            refuse_read_only(pipeline.folder)
            standing.write(Path(pipeline.folder, LEDGER))
            _write_knobs(pipeline, standing.there, standing.coming, Path(pipeline.folder, LOOKS), chapters)
        if failed:
            raise UserError(
                "a step failed, see above; what was whole is judged, and 'make decide' tries again "
                "(after a kill, when Snakemake calls the folder locked: 'make unlock' first)"
            )
        if not standing.coming:
            return 0
        if end is not None and time.monotonic() >= end:
            print("the time is used; call 'make decide' again to go on")
            return 0
        coming = standing.cheapest(seconds)
        if coming == before:
            raise UserError(f"the run made no table of {', '.join(before)}; 'make verify' may tell why")
        before = coming
        engine = _run(pipeline, standing.there, coming, words, dry, end, chapters)
        if dry:
            return engine.status
        if engine.stopped == PERSON:
            print("stopped; call 'make decide' again to go on")
            return INTERRUPTED
        failed = engine.status != 0 and engine.stopped is None


def _run(
    pipeline: Pipeline,
    there: Trials,
    coming: Trials,
    words: Sequence[str],
    dry: bool,
    end: float | None,
    chapters: Sequence[str],
) -> Engine:
    """Run the experiments that are coming, or show them; return how that went."""
    grown = with_trials(pipeline, {**there, **coming})
    tables = [grown.table(name) for name in coming]
    unpacked = Path(pipeline.folder, LIST).exists()
    if unpacked and any(name in there for name in coming):
        raise UserError(
            f"{pipeline.folder} was unpacked, without the blocks that more trials are added to; go on in the "
            "folder that it was packed from"
        )
    with tempfile.TemporaryDirectory() as folder:
        overlay = Path(folder if dry else pipeline.folder, LOOKS)
        _write_knobs(pipeline, there, coming, overlay, chapters)
        if not dry:
            blocks = (block for name in coming for block in grown.block_products(name))
            sweep_products(blocks, grown)
        call = [table.outputs[0] for table in tables]
        call += ["--configfile", str(overlay), "--forcerun", "table", *words]
        engine = Engine(snakemake(call))
        engine.run(end)
        if engine.status == -signal.SIGTERM:  # it was still reading, and left its lock
            Engine(snakemake(["--unlock", "--cores", "1", "--configfile", str(overlay)])).run()
    return engine


def _write_knobs(
    pipeline: Pipeline, there: Trials, coming: Trials, path: Path, chapters: Sequence[str]
) -> None:
    """Write the config with the trials of each experiment, those of the next look included."""
    write_text(path, knobs(with_trials(pipeline, {**there, **coming}), chapters))
