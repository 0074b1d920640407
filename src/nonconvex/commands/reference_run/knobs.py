"""The config under which the reference run is drawn and judged: its trials, figures and seed."""

from collections.abc import Mapping

import yaml

from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.trials import with_trials
from nonconvex.problems.contract import family
from nonconvex.study.config import REFERENCE as NAME
from nonconvex.study.config import Config
from nonconvex.study.experiments import JUDGING_SEED


def drawn_figures(trials: Mapping[str, int], pipeline: Pipeline) -> list[str]:
    """Return the figures of which the reference has every table."""
    return [figure for figure in pipeline.asked_figures() if {*pipeline.experiments_of(figure)} <= {*trials}]


def knobs_text(trials: Mapping[str, int], pipeline: Pipeline) -> str:
    """Return the overlay, in YAML, that draws what the reference has."""
    knobs: dict[str, object] = {"scale": "thesis", "name": NAME, "seed": JUDGING_SEED}
    drawn_often = {n: k for n, k in trials.items() if not family(pipeline.experiment(n)["family"]).once}
    if drawn_often:
        knobs["trials"] = drawn_often
    figures = drawn_figures(trials, pipeline)
    if figures != pipeline.asked_figures():
        knobs["figures"] = figures
    return yaml.safe_dump(knobs, sort_keys=True)


def reference_pipeline(trials: Mapping[str, int], pipeline: Pipeline) -> Pipeline:
    """Return the pipeline of the chapters of which the reference has tables, with its trials."""
    chapters = {pipeline.experiment(name)["chapter"] for name in trials}
    config = Config(scale="thesis", name=NAME, seed=JUDGING_SEED, chapters=tuple(sorted(chapters)))
    return with_trials(pipeline.under(config), trials)
