"""A mistake in a figure's options is told in one sentence before anything runs."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from whole_images import bring_images

from nonconvex import figures
from nonconvex.errors import UserError
from nonconvex.figures.options.check import KINDS, check_options
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.plans import figure_plan
from nonconvex.study.config import check_config
from nonconvex.validation import read_yaml

ROOT = Path(__file__).parents[2]
FOLDER = Path(figures.__path__[0])
MODULES = {
    path.stem: path.read_text() for part in ("kinds", "parts") for path in (FOLDER / part).glob("*.py")
}

READ = re.compile(r"""options(?:", \{\}\))?(?:\.get\(|\[)"(\w+)"|"(\w+)" in options""")


def test_checking_options_loads_nothing_heavy():
    code = (
        "import sys, nonconvex.figures.options.check; "
        "print({'matplotlib', 'numpy', 'pandas', 'scipy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("own", [False, True], ids=["bundled", "own"])
@pytest.mark.parametrize("scale", ["smoke", "preview", "thesis"])
def test_every_figure_of_the_study_passes(scale, own, monkeypatch):
    bring_images(monkeypatch)
    pipeline = Pipeline(check_config({"scale": scale}, ROOT / "workflow/schemas/config.schema.yaml"), ROOT)
    kinds = set()
    for path in sorted((ROOT / "workflow/experiments").glob("chapter*.yaml")):
        for figure, entry in read_yaml(path)["figures"].items():
            experiments = {name: pipeline.experiment(name) for name in entry["experiments"]}
            if own:
                experiments = {name: recorded(experiment) for name, experiment in experiments.items()}
            plan = figure_plan(figure, "2", scale, entry, experiments)
            check_options(plan["kind"], plan["options"], experiments, {}, f"figure {figure}")
            kinds.add(plan["kind"])
    assert kinds == set(KINDS)


def recorded(experiment):
    if "source" not in experiment:
        return experiment
    about = {**experiment["source"]["about"], "missing": 0.01}
    return {**experiment, "source": {**experiment["source"], "own": True, "about": about}}


def test_a_kind_is_a_module_that_draws():
    drawing = {
        name
        for name, text in MODULES.items()
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
        and node.name == "draw"
        and [argument.arg for argument in node.args.args] == ["plan", "tables"]
    }
    assert drawing == set(KINDS)


def read_from(text):
    return {one or other for one, other in READ.findall(text)}


@pytest.mark.parametrize("kind", KINDS)
def test_the_options_that_a_kind_reads_are_known_and_explained(kind):
    known = set(KINDS[kind]["properties"])
    assert read_from(MODULES[kind]) <= known
    used = re.findall(r"from nonconvex\.figures\.parts\.(\w+) import", MODULES[kind])
    text = "".join(MODULES[name] for name in (kind, "footer", *used))
    assert {key for key in known if f"``{key}``" not in text} == set()


def test_the_options_that_shared_modules_read_are_known():
    every = {key for schema in KINDS.values() for key in schema["properties"]}
    shared = {name: read_from(text) for name, text in MODULES.items() if name not in KINDS}
    assert shared["panels"] == {"panels", "series", "labels"}
    assert set().union(*shared.values()) <= every


@pytest.fixture
def experiments(resolved):
    return {
        one["experiment"]: one
        for one in (
            resolved("mode1", {"mode": 1, "p": [0.3, 0.6], "rank": [1, 2]}, ["am_fiht", "fiht_r8"]),
            resolved("mode3", {"mode": 3, "p": [0.3, 0.6], "bad": [0.1]}, ["ram_fiht"]),
            resolved("lost", {"loss": [0.3, 0.6], "rank": [1, 2]}, ["sap", "r_rmc_h"]),
        )
    }


COLUMNS = {"mode1": ["algorithm", "p", "rank", "trial", "status", "success", "error"]}


def told(kind, options, experiments, columns=COLUMNS):
    with pytest.raises(UserError) as caught:
        check_options(kind, options, experiments, columns, "chapter2.yaml: figure 2.2")
    text = str(caught.value)
    assert text.startswith("chapter2.yaml: figure 2.2: ") and "\n" not in text
    return text.removeprefix("chapter2.yaml: figure 2.2: ")


@pytest.mark.parametrize("kind", ["dodge", "cells", "options", "phase_diagramm"])
def test_an_unknown_kind_is_told(kind, experiments):
    text = told(kind, {}, experiments)
    assert text.startswith(f"kind is '{kind}', which is unknown (known: binned_errors, ")
    assert ("did you mean 'phase_diagram'?" in text) == (kind == "phase_diagramm")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_refuses_a_key_that_it_does_not_have(kind, experiments):
    assert told(kind, {"remarkk": "so"}, experiments) == "unknown key 'remarkk'; did you mean 'remark'?"


MISTAKES = [
    ("phase_diagram", {"panles": []}, "unknown key 'panles'; did you mean 'panels'?"),
    ("phase_diagram", {"x": "p", "columns": 0}, "columns must be at least 1, not 0"),
    (
        "phase_diagram",
        {"panels": [{"algorithm": "am_fiht", "titel": "AM"}]},
        "unknown key 'panels[0].titel'; did you mean 'title'?",
    ),
    (
        "phase_diagram",
        {"y": "mode"},
        "y has 'mode', which is no axis of mode1 (known: p, rank)",
    ),
    (
        "phase_diagram",
        {"y": "rank", "panels": [{"experiment": "lost", "algorithm": "sap"}, {"experiment": "mode3", "algorithm": "ram_fiht"}]},
        "y has 'rank', which is no axis of mode3 (known: p, bad)",
    ),
    (
        "phase_diagram",
        {"experiment": "lost", "panels": ["am_fiht"]},
        "panels[0] has 'am_fiht', which is no algorithm of lost (known: sap, r_rmc_h)",
    ),
    (
        "phase_diagram",
        {"experiment": "mode2"},
        "experiment has 'mode2', which is no experiment of the figure (known: mode1, mode3, lost); "
        "did you mean 'mode3'?",
    ),
    (
        "phase_diagram",
        {"panels": ["am_fiht"], "repeat": {"am_fiht": ["fiht_r8"]}},
        "repeat.am_fiht[0] has 'fiht_r8', which is no algorithm with a panel of the figure (known: am_fiht); "
        "did you mean 'am_fiht'?",
    ),
    (
        "phase_diagram",
        {"counts": [{"experiment": "lost", "words": "{los} lost"}]},
        "counts[0].words has 'los', which is no parameter of lost (known: n_channels, n_samples, loss, rank); "
        "did you mean 'loss'?",
    ),
    (
        "phase_diagram",
        {"counts": [{"experiment": "lost", "words": "{loss lost"}]},
        "counts[0].words is '{loss lost'; braces must enclose the name of a parameter",
    ),
    (
        "error_curves",
        {"panels": ["mode1", "mode33"]},
        "panels[1] has 'mode33', which is no experiment of the figure (known: mode1, mode3, lost); "
        "did you mean 'mode3'?",
    ),
    (
        "error_curves",
        {"series": [{"algorithms": ["ramfiht"]}]},
        "series[0].algorithms[0] has 'ramfiht', which is no algorithm of mode1, mode3, lost "
        "(known: am_fiht, fiht_r8, ram_fiht, sap, r_rmc_h); did you mean 'ram_fiht'?",
    ),
    ("shares", {"panels": ["mode1", "mode3"], "x": "rank"}, "x has 'rank', which is no axis of mode3 (known: p, bad)"),
    (
        "error_curves",
        {"panels": ["lost"], "labels": {"sapp": "SAP"}},
        "labels has 'sapp', which is no algorithm or value of an axis of lost "
        "(known: sap, r_rmc_h, r_rmc, 0.3, 0.6, 1, 2); did you mean 'sap'?",
    ),
    ("success_curves", {"panels": [{"title": "One"}]}, "panels[0] needs one of the keys experiment, experiments"),
    (
        "success_curves",
        {"panels": [{"experiment": "mode1", "by": "mode"}]},
        "panels[0].by has 'mode', which is no axis of mode1 (known: p, rank)",
    ),
    (
        "success_curves",
        {"panels": [{"experiment": "mode1", "where": {"bad": 0.1}}]},
        "panels[0].where has 'bad', which is no axis of mode1 (known: p, rank)",
    ),
    (
        "sample_errors",
        {"panels": [{"experiment": "mode1"}], "column": "eror"},
        "column has 'eror', which is no column of mode1 (known: algorithm, p, rank, trial, status, success, error); "
        "did you mean 'error'?",
    ),
    (
        "step_outcomes",
        {"examples": [{"title": "", "algorithms": ["sap"]}], "bars": [{"title": "", "algorithms": ["sap"]}], "looks": {"sap": "agdd"}},
        "looks.sap has 'agdd', which is no look or algorithm of mode1, mode3, lost (known: ",
    ),
    ("step_outcomes", {"examples": [{"title": "", "algorithms": ["sap"]}]}, "the key 'bars' is missing"),
    ("loss_modes", {"names": {7: "Mode 7"}}, "names has '7', which is no value of an axis of mode1, mode3, lost (known: "),
    ("rank_errors", {"mark": {"eight": "rank 8"}}, "mark is 'eight'; it must be a number"),
    ("growth", {"clock": "second"}, "clock is 'second', which is unknown (known: seconds, cpu_seconds); did you mean 'seconds'?"),
]  # fmt: skip


@pytest.mark.parametrize("kind, options, sentence", MISTAKES, ids=[one[2][:30] for one in MISTAKES])
def test_a_mistake_is_told_with_the_nearest_name(kind, options, sentence, experiments):
    text = told(kind, options, experiments)
    assert text.startswith(sentence) if sentence.endswith("(known: ") else text == sentence


GOOD = [
    ("phase_diagram", {"experiment": "lost", "x": "p", "y": "rank"}),
    ("phase_diagram", {"panels": [{"experiment": "lost", "algorithm": "sap"}, "am_fiht"], "y": "rank"}),
    ("phase_diagram", {"panels": ["fiht_r8", None], "repeat": {"fiht_r8": ["fiht_r8"]}}),
    ("error_curves", {"panels": ["mode1", "mode3"], "x": "p", "labels": {"fiht": "FIHT"}}),
    ("success_curves", {"by": "rank", "panels": [{"experiment": "mode1"}, {"experiment": "mode3", "by": None}]}),
    ("sample_errors", {"panels": [{"experiment": "lost"}], "column": "any"}),
    ("rank_errors", {"mark": {8: "rank 8", "9": "rank 9"}}),
    ("loss_modes", {"names": {0.3: "few"}}),
]  # fmt: skip


@pytest.mark.parametrize("kind, options", GOOD)
def test_what_a_figure_can_draw_passes(kind, options, experiments):
    columns = {"mode1": ["channel", "sample", "observed"]} if kind == "loss_modes" else COLUMNS
    check_options(kind, options, experiments, columns, "here")


def test_a_table_without_a_column_that_a_kind_needs_is_told(experiments):
    assert told("level_curves", {"panels": [{"experiment": "mode1"}]}, experiments) == (
        "the kind level_curves needs the column 'iterations', which the table of mode1 does not have "
        "(known: algorithm, p, rank, trial, status, success, error)"
    )
    # An experiment that a figure does not show may have any table.
    check_options("level_curves", {"panels": [{"experiment": "mode3"}]}, experiments, COLUMNS, "here")


def test_a_figure_without_experiments_has_no_names():
    check_options("phase_diagram", {"x": "p"}, {}, {}, "here")
    assert told("phase_diagram", {"panels": ["sap"]}, {}).startswith(
        "panels[0] has 'sap', which is no algorithm"
    )


def test_values_of_the_thesis_may_be_named_where_a_scale_leaves_them_out(experiments):
    experiments["mode1"]["thesis"]["p"] = [0.3, 0.6, 0.9]
    check_options("loss_modes", {"names": {"0.9": "many"}}, experiments, {}, "here")
