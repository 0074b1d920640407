"""What the rules share: the study under this config, and look-ups of a rule's files, plan and resources."""

import gc
import json
import sys

sys.path.insert(0, str(Path(workflow.basedir) / "src"))

from nonconvex.ending import unforeseen
from nonconvex.errors import UserError
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import check_config, read_config
from nonconvex.study.knob_lines import with_line


def read_study():
    """Return the study of this config; a mistake in it ends the run with one sentence."""
    base, given = Path(workflow.basedir), workflow.config_settings
    overlays, settings = given.configfiles, given.config_args or ()
    try:
        # As the commands read it; Snakemake's own readers read 010, yes and 2.10 differently.
        written = read_config("config.yaml", overlays, settings)
        schema = base / "workflow/schemas/config.schema.yaml"
        study = Pipeline(check_config(written, schema), base)
        # A job of a cluster reads all this again: the run that sent it has checked it.
        if workflow.is_main_process:
            study.check()
        return study
    except UserError as error:
        raise SystemExit(
            f"error: {with_line(str(error), ['config.yaml', *overlays], settings)}"
        ) from None
    except Exception as error:
        raise SystemExit(unforeseen(error, sys.argv)) from None


# Reading makes many objects and no garbage: the collector would take a quarter of the time.
gc.disable()
STUDY = read_study()
gc.enable()

# Where files of sources lie, by their sha256. No parameter: a file that only moved reruns nothing.
os.environ.update(NONCONVEX_FILES=json.dumps(STUDY.data_files()))

# Nor is the device on which networks of images are trained.
os.environ.update(NONCONVEX_DEVICE=STUDY.config.device)


def product(wildcards, kind):
    """Return the product of one job: its kind's method of the study takes the job's other wildcards."""
    names = {key: value for key, value in wildcards.items() if key != "scale"}
    try:
        return getattr(STUDY.at(wildcards.scale), kind)(**names)
    except UserError as error:
        raise SystemExit(f"error: {error}") from None
    except Exception as error:
        raise SystemExit(unforeseen(error, sys.argv)) from None


def inputs(kind):
    return lambda wildcards: product(wildcards, kind).inputs


def plan(kind):
    return lambda wildcards: product(wildcards, kind).plan_text


def code(kind):
    return lambda wildcards: product(wildcards, kind).digest


def memory(kind):
    return lambda wildcards, attempt: attempt * product(wildcards, kind).memory_mb


def minutes(kind):
    return lambda wildcards, attempt: attempt * product(wildcards, kind).minutes


def gpus(kind):
    """Ask a cluster for a GPU where a job would take a core for hours; elsewhere nobody reads it."""
    return lambda wildcards: "gpu:1" if product(wildcards, kind).gpu else ""


def shared(kind):
    """Group short jobs into one job of a cluster, where the profile says how many."""

    def group(wildcards):
        groups = workflow.group_settings.group_components
        return kind if kind in groups and product(wildcards, kind).short else None

    return group


OTHER_FORMATS = [f".{name}" for name in sorted(STUDY.config.formats) if name != "png"]
