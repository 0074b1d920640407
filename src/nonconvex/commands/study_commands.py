"""Commands about the study under a config."""

import argparse
import gc

from nonconvex.errors import UserError
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import check_config, read_config
from nonconvex.study.knob_lines import with_line


def with_study(arguments: argparse.Namespace) -> int:
    """Run a command on the study that the config's files and settings ask for; return its exit status."""
    try:
        gc.disable()  # to read a study makes many objects and no garbage: a quarter of these commands' time
        raw = read_config("config.yaml", arguments.configfile, arguments.config)
        return _run(Pipeline(check_config(raw, "workflow/schemas/config.schema.yaml")), arguments)
    except UserError as error:
        files = ["config.yaml", *arguments.configfile]
        raise UserError(with_line(str(error), files, arguments.config)) from error


def _run(pipeline: Pipeline, arguments: argparse.Namespace) -> int:
    if arguments.command == "decide":
        from nonconvex.commands.decide import decide

        cores = None if arguments.profile else arguments.cores
        place = ("--cores", str(cores)) if cores else ("--workflow-profile", arguments.profile)
        return decide(pipeline, arguments.hours, place, arguments.target, arguments.more, cores)
    if arguments.command == "sweep":
        from nonconvex.commands.sweep import sweep

        return sweep(pipeline, arguments.redraw, arguments.target, arguments.dry_run)
    if arguments.command == "pack":
        from nonconvex.commands.pack import pack

        return pack(pipeline, arguments.output)
    if arguments.command == "reference":
        from nonconvex.commands.reference_run.actions import keep_results, recheck_results, resume

        if arguments.action == "recheck":
            return recheck_results(pipeline, arguments.sample, arguments.seed, arguments.against)
        keeps = arguments.action == "keep"
        return keep_results(pipeline) if keeps else resume(pipeline, ("--cores", str(arguments.cores)))
    if arguments.command == "verify":
        from nonconvex.commands.verify import verify

        return verify(pipeline)
    from nonconvex.commands.cost import cost

    return cost(pipeline, measure=arguments.measure, cores=arguments.cores)
