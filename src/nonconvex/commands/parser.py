"""The command line's parser; each command imports only what it needs."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from nonconvex.commands.disk import disk_sentence
from nonconvex.errors import UserError


def run(words: Sequence[str], started: float = 0.0) -> int:
    """Run one command and return its exit status; a mistake of the user's is told in one sentence."""
    arguments = _parser().parse_args(words)
    try:
        if arguments.command in STEPS:
            _step(arguments, started)
            return 0
        if arguments.command in IN_A_CLONE:
            _refuse_elsewhere(arguments.command)
        return arguments.run(arguments) or 0
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as error:
        if (error.name or "nonconvex").startswith("nonconvex"):
            raise
        print(
            f"error: {arguments.command} needs the package {error.name}, which is not installed here: "
            "pip install 'nonconvex[pipeline]', or make .venv/.ok in a clone of the project",
            file=sys.stderr,
        )
        return 1
    except (OSError, RuntimeError) as error:  # HDF5 tells of a full disk by either
        sentence = disk_sentence(error)
        if sentence is None:
            raise
        print(f"error: {sentence}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    called = "python -m nonconvex" if Path(sys.argv[0]).name == "__main__.py" else "nonconvex"
    parser = argparse.ArgumentParser(prog=called, description=__doc__)
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and stop")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    for name, (_, text) in STEPS.items():
        step = commands.add_parser(name, help=f"{text} (called by the workflow)")
        step.add_argument("--plan", type=json.loads, required=True, help="what to make, as JSON")
        step.add_argument("--digest", required=True, help="digest of the code that makes it")
        step.add_argument("--input", nargs="*", default=[])
        step.add_argument("--output", nargs="+", required=True)
        step.add_argument("--stamp")
        if name == "dataset":
            step.add_argument("--files", type=json.loads, help="sha256 -> paths of sources, as JSON")
    for name, text in (
        ("cost", "print core-hours, jobs, disk and memory before anyone spends them"),
        ("decide", "run what the open claims' next look needs, and judge, until nothing is open"),
        ("verify", "read every result again and tell what is missing, stale, damaged or foreign"),
        ("sweep", "remove stale, damaged and half-written files, so that the next run makes them again"),
        ("pack", "write tables, figures, ledgers and the page with their stamps to one archive"),
        ("reference", "lay out the reference run to be drawn, keep a run, go on from it, or recheck it"),
    ):
        command = commands.add_parser(name, help=text)
        command.add_argument("--configfile", nargs="*", default=[], help="overlays on config.yaml")
        command.add_argument("--config", nargs="*", default=[], metavar="key=value")
        command.set_defaults(run=_study_command)
    commands.choices["cost"].add_argument(
        "--measure", action="store_true", help="measure the unit costs on this machine first, and keep them"
    )
    sweep = commands.choices["sweep"]
    sweep.add_argument(
        "--redraw", action="store_true", help="leave tables and blocks alone; refuse where one is stale"
    )
    sweep.add_argument("--target", nargs="*", default=[], help="refuse, before all else, what no rule makes")
    sweep.add_argument("--dry-run", action="store_true", help="touch nothing")
    decide = commands.choices["decide"]
    decide.add_argument(
        "--hours", type=float, help="stop politely after so many hours; goes on when called again"
    )
    decide.add_argument("--cores", type=_cores, default="all", help="of this machine; not with --profile")
    decide.add_argument("--profile", help="Snakemake's workflow profile, such as profiles/slurm")
    decide.add_argument(
        "--target", nargs="*", default=[], help="chapters, such as chapter2; all by themselves"
    )
    decide.add_argument("more", nargs="*", help="after --: further words for Snakemake, such as -n")
    commands.choices["pack"].add_argument("--output", help="the archive; results-{scale}.tar.gz by itself")
    reference = commands.choices["reference"]
    reference.add_argument("action", choices=("draw", "keep", "resume", "recheck"))
    reference.add_argument("--sample", type=int, help="how many rows of each algorithm: recheck")
    reference.add_argument("--seed", type=int, help="of the rows drawn: recheck")
    reference.add_argument("--against", help="a commit that computes rows that differ, too: recheck")
    reference.add_argument("--cores", type=_cores, default="all", help="to draw datasets anew: resume")
    unpack = commands.add_parser("unpack", help="unpack such an archive into results/")
    unpack.add_argument("archive", nargs="?", default="")
    unpack.set_defaults(run=_unpack)
    commands.choices["cost"].add_argument("--cores", type=int, help="say how long it takes on so many cores")
    audit = commands.add_parser(
        "audit", help="compute rows of the reference run again, drawn at random, and compare"
    )
    audit.add_argument("--sample", type=int, help="how many rows; 50 by itself")
    audit.add_argument("--seed", type=int, help="of the draw; a fresh one by itself")
    audit.add_argument("--minutes", type=float, help="as many rows as should take so long on one core")
    audit.set_defaults(run=_audit)
    manifest = commands.add_parser("codecheck", help="write codecheck.yml, the manifest of figures, anew")
    manifest.set_defaults(run=_codecheck)
    export = commands.add_parser("export", help="write one instance of a dataset out as full arrays")
    export.add_argument("dataset", help="a block, such as results/preview/datasets/phase_mode1/0000-0004.h5")
    export.add_argument("--cell", required=True, help="the cell's axes, such as p=0.3,rank=4")
    export.add_argument("--trial", type=int, default=0)
    export.add_argument("--output", required=True, help="a file ending in .npz or .mat")
    export.set_defaults(run=_export)
    from nonconvex.series.arguments import add_arguments

    recover = commands.add_parser(
        "recover", help="recover the lost samples of a series in a CSV or HDF5 file"
    )
    add_arguments(recover)
    recover.set_defaults(run=_recover)
    return parser


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"nonconvex {version('nonconvex')}")
        parser.exit()


IN_A_CLONE = ("cost", "decide", "verify", "sweep", "pack", "unpack", "reference", "audit", "codecheck")
"""The commands that work on the project in the working directory."""


def _refuse_elsewhere(command: str) -> None:
    missing = [name for name in ("Snakefile", "config.yaml", "workflow") if not Path(name).exists()]
    if missing:
        raise UserError(
            f"{command} works in a clone of the project, and {Path.cwd()} is none: it has no {missing[0]}; "
            "change to the clone's folder first"
        )


def _cores(word: str) -> int:
    """Return how many cores "all" or a number means."""
    cores = os.cpu_count() or 1 if word == "all" else int(word)
    if cores < 1:
        raise argparse.ArgumentTypeError("must be 'all' or a number above 0")
    return cores


def _step(arguments: argparse.Namespace, started: float) -> None:
    from nonconvex.pipeline.digests import digest
    from nonconvex.pipeline.roots import roots
    from nonconvex.pipeline.stamps import write_stamp
    from nonconvex.steps.provenance import write_sidecar

    if digest(roots(arguments.command, arguments.plan)) != arguments.digest:
        raise UserError("the code of this step was changed while the run was going on; start the run again")
    make, _ = STEPS[arguments.command]
    make(arguments)
    if arguments.stamp:
        write_stamp(arguments.stamp, arguments.plan, arguments.digest, arguments.input, arguments.output)
    write_sidecar(arguments.output[0], arguments.digest, started)


def _dataset(step: argparse.Namespace) -> None:
    from nonconvex.steps.datasets import draw_block

    draw_block(step.plan, step.digest, step.output[0], step.files)


def _outcomes(step: argparse.Namespace) -> None:
    from nonconvex.steps.outcomes import run_block

    run_block(step.plan, step.digest, step.input[0], step.output[0])


def _table(step: argparse.Namespace) -> None:
    from nonconvex.steps.tables import write_table

    write_table(step.plan, step.input, step.output[0])


def _figure(step: argparse.Namespace) -> None:
    from nonconvex.figures.render import render

    render(step.plan, _tables(step), {Path(path).suffix[1:]: path for path in step.output})


def _tables(step: argparse.Namespace) -> dict:
    import pandas as pd

    return {Path(path).stem: pd.read_csv(path) for path in step.input if Path(path).suffix == ".csv"}


def _claims(step: argparse.Namespace) -> None:
    from nonconvex.claims.step import judge_chapter

    judge_chapter(step.plan, step.digest, _tables(step), step.input, step.output[0])


def _ledger(step: argparse.Namespace) -> None:
    from nonconvex.claims.step import join_ledger

    join_ledger(step.input, step.output[0])


def _page(step: argparse.Namespace) -> None:
    from nonconvex.page.step import write_page

    write_page(step.plan, step.input, step.output[0])


STEPS = {
    "dataset": (_dataset, "draw a block of trials"),
    "outcomes": (_outcomes, "run one algorithm on a block"),
    "table": (_table, "tabulate an experiment's outcomes"),
    "figure": (_figure, "draw a figure"),
    "claims": (_claims, "judge a chapter's claims"),
    "ledger": (_ledger, "join the chapters' ledgers"),
    "page": (_page, "write the evidence page"),
}


def _study_command(arguments: argparse.Namespace) -> int:
    if arguments.command == "reference" and arguments.action == "draw":
        from nonconvex.commands.reference_run.actions import draw

        return draw()
    from nonconvex.commands.study_commands import with_study

    return with_study(arguments)


def _unpack(arguments: argparse.Namespace) -> int:
    from nonconvex.commands.pack import unpack

    return unpack(arguments.archive)


def _audit(arguments: argparse.Namespace) -> int:
    from nonconvex.commands.audit.audit import audit

    return audit(arguments.sample, arguments.seed, arguments.minutes)


def _codecheck(arguments: argparse.Namespace) -> None:
    from nonconvex.commands.deposit.codecheck import write_codecheck

    write_codecheck()


def _export(arguments: argparse.Namespace) -> None:
    from nonconvex.commands.export import export

    export(arguments.dataset, arguments.cell, arguments.trial, arguments.output)


def _recover(arguments: argparse.Namespace) -> int:
    from nonconvex.series.run import run

    return run(arguments)
