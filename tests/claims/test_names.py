"""A name in a claim that its experiment does not have is told before anything runs."""

import copy
import subprocess
import sys

import pytest

from nonconvex.claims.arrays import CONDITIONS
from nonconvex.claims.check import check_claims, read_claims
from nonconvex.claims.kinds.kind import CONDITIONS as KNOWN
from nonconvex.claims.kinds.kind import FUNCTION_NAMES, OPERATION_NAMES
from nonconvex.claims.kinds.registry import KINDS
from nonconvex.claims.quantities.linearity import FUNCTIONS
from nonconvex.claims.quantities.timing import OPERATIONS
from nonconvex.claims.runs.registry import RUNS
from nonconvex.errors import UserError
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import check_config


def known_names(root, **config):
    pipeline = Pipeline(check_config(config, root / "workflow/schemas/config.schema.yaml"), root)
    experiments = {name: pipeline.experiment(name) for name in pipeline.experiment_names()}
    columns = {name: pipeline.columns(name) for name in experiments}
    return experiments, columns, {"names": list(experiments), "figures": pipeline.figures()}


@pytest.fixture(scope="module")
def every_claim(pytestconfig):
    return read_claims(sorted((pytestconfig.rootpath / "workflow" / "claims").glob("*.yaml")))


@pytest.fixture(scope="module")
def known(pytestconfig):
    return known_names(pytestconfig.rootpath)


def test_reading_claims_loads_nothing_heavy():
    code = "import sys, nonconvex.claims.check; print({'numpy', 'scipy', 'pandas'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("scale", ["smoke", "preview", "thesis"])
def test_every_claim_names_what_its_experiments_have(pytestconfig, every_claim, scale):
    experiments, columns, every = known_names(pytestconfig.rootpath, scale=scale)
    assert len({claim["chapter"] for claim in every_claim}) == 4
    check_claims(every_claim, experiments, columns, **every)


SLIPS = [
    (
        lambda claim, part: part.update(experiment="phase_mode"),
        r"C001, mode 1: there is no experiment 'phase_mode'; did you mean 'phase_mode\d'",
    ),
    (
        lambda claim, part: claim["settings"].update(one="am_fith"),
        "C001, mode 1: the experiment phase_mode1 does not run 'am_fith'; did you mean 'am_fiht'",
    ),
    (
        lambda claim, part: claim["settings"].update(rows="ranks"),
        "C001, mode 1: the experiment phase_mode1 has no axis 'ranks'; did you mean 'rank'",
    ),
    (
        # Every experiment has the parameter, and this one does not vary it.
        lambda claim, part: claim["settings"].update(cells={"n_samples": {"max": 1}}),
        "C001, mode 1: the experiment phase_mode1 has no axis 'n_samples'",
    ),
    (
        lambda claim, part: claim["figures"].append("2.22"),
        "C001: there is no figure 2.22; did you mean '2.2'",
    ),
    (
        lambda claim, part: part.update(figure="4.3"),
        "C001, mode 1: 4.3 is no figure of the claim; did you mean '2.3'",
    ),
]


@pytest.mark.parametrize("change, message", SLIPS)
def test_one_slip_of_each_sort(every_claim, known, change, message):
    claim = copy.deepcopy(next(one for one in every_claim if one["id"] == "C001"))
    change(claim, claim["parts"]["mode 1"])
    experiments, columns, every = known
    with pytest.raises(UserError, match=f"^claim {message}") as error:
        check_claims([claim], experiments, columns, **every)
    assert "\n" not in str(error.value)


def claim_of(test, part, **settings):
    """Return a claim whose one part is judged by `test`, with all else as small as it can be."""
    return {
        "id": "C999",
        "figures": ["1.1"],
        "test": test,
        "settings": settings,
        "parts": {"a part": {"figure": "1.1", **part}},
        "readings": {"as written": {"means": "as written"}},
    }


OUTCOMES = {"axes": ["p", "rank"], "algorithms": {"fiht": {}, "svt": {}}}
ITERATES = {"axes": ["n_neurons"], "algorithms": {"agd": {}}}
FACTS = {"axes": [], "algorithms": {}}
EXPERIMENTS = {"outcomes": OUTCOMES, "iterates": ITERATES, "facts": FACTS}
COLUMNS = {
    "outcomes": ["algorithm", "p", "rank", "trial", "status", "success", "error", "iterations"],
    "iterates": ["algorithm", "n_neurons", "trial", "status", "iteration", "error"],
    "facts": ["trial", "order", "score"],
}


def check_one(test, experiments=EXPERIMENTS, columns=COLUMNS, names=None, **settings):
    check_claims([claim_of(test, **settings)], experiments, columns, names=names)


ONE = {"part": {"experiment": "outcomes"}, "better": "fiht", "than": "svt"}
PER = {"part": {"experiment": "iterates"}, "algorithm": "agd", "per": "n_neurons", "trend": "rises"}
FACT = {"part": {"experiment": "facts"}, "band": [0, 1]}


def test_values_are_columns_or_what_the_test_makes():
    check_one("T-ORD values", value="iterations", **ONE)
    check_one("T-MONO", value="iterations per decade", **PER)
    check_one("T-BAND", part=PER["part"], algorithm="agd", band=[0, 1], value="iterations")
    check_one("T-NUMBER", value="score", cells={"order": {"max": 3}}, **FACT)


@pytest.mark.parametrize(
    "test, settings, message",
    [
        (
            "T-ORD values",
            {"value": "observed_error", **ONE},
            "C999, a part: the experiment outcomes has no value 'observed_error' in its table",
        ),
        # Nothing is fitted where only the last iterate is kept.
        (
            "T-MONO",
            {"value": "rate", **PER, "part": ONE["part"], "algorithm": "fiht", "per": "rank"},
            "no value 'rate' in its table",
        ),
        ("T-MONO", {"value": "aligned_error", **PER}, "no value 'aligned_error' in its table"),
        ("T-NUMBER", {"value": "scores", **FACT}, "no value 'scores' in its table; did you mean 'score'?"),
        (
            "T-NUMBER",
            {"value": "score", "cells": {"ordre": {"max": 3}}, **FACT},
            "no axis 'ordre'; did you mean 'order'?",
        ),
        # A column of outcomes is no axis.
        ("T-ORD values", {"value": "error", "cells": {"iterations": {"max": 3}}, **ONE}, "no axis 'iterat"),
        ("T-MONO", {"value": "rate", **PER, "per": "neurons"}, "no axis 'neurons'; did you mean 'n_neurons'"),
    ],
)
def test_a_name_that_a_table_lacks_is_told(test, settings, message):
    with pytest.raises(UserError, match=message) as error:
        check_one(test, **settings)
    assert "\n" not in str(error.value)


def test_each_side_has_the_axes_of_its_own_cells():
    sides = {"part": {"experiment": "outcomes", "beside": "iterates"}, "better": "fiht", "than": "agd"}
    cells = {"cells": {"p": {"max": 0.5}}, "other_cells": {"n_neurons": {"max": 3}}}
    check_one("T-ORD sides", value="error", **sides, **cells)
    with pytest.raises(UserError, match="the experiment iterates has no axis 'p'"):
        check_one("T-ORD sides", value="error", **sides, cells=cells["cells"])
    with pytest.raises(UserError, match="the experiment iterates does not run 'svt'"):
        check_one("T-ORD sides", value="error", **{**sides, "than": "svt"}, **cells)
    with pytest.raises(UserError, match="the experiment iterates has no value 'iterations' in its table"):
        check_one("T-ORD sides", value="iterations", **sides, **cells)
    with pytest.raises(UserError, match="the experiment outcomes has no axis 'n_neurons'"):
        check_one("T-GROW", growth="relative", per="n_neurons", **sides)


def test_experiments_that_nobody_asks_for_are_left_out():
    elsewhere = {**ONE, "part": {"experiment": "others"}, "value": "errors", "cells": {"q": {"max": 1}}}
    check_one("T-ORD values", names=["others", *EXPERIMENTS], **elsewhere)
    check_one("T-ORD values", **elsewhere)
    beside = {**ONE, "part": {"experiment": "outcomes", "beside": "others"}, "value": "errors", "much": 2}
    check_one("T-MUCH beside", names=["others", *EXPERIMENTS], **beside)
    with pytest.raises(UserError, match="there is no experiment 'others'; did you mean 'other'"):
        check_one("T-MUCH beside", names=["other", *EXPERIMENTS], **beside)
    # A table whose columns are not told may hold any value.
    check_one("T-ORD values", columns={}, **{**elsewhere, "part": ONE["part"], "cells": {}})


def test_a_declared_test_is_one_that_runs():
    assert set(KINDS) == set(RUNS)
    assert set(KNOWN) == set(CONDITIONS)
    assert set(FUNCTION_NAMES) == set(FUNCTIONS)
    assert set(OPERATION_NAMES) == set(OPERATIONS)


@pytest.mark.parametrize("test", sorted(KINDS))
def test_every_name_in_the_settings_is_of_a_known_sort(test):
    kind = KINDS[test]
    for setting, schema in kind.settings.items():
        if schema.get("type") == "string":
            assert schema["names"] in ("algorithm", "axis", "value"), setting
        if setting in ("cells", "other_cells"):
            assert schema["keys"] == "axis"
    assert set(kind.naming("axis")) <= {"rows", "along", "per"}
    assert set(kind.naming("value")) <= {"value"}
    assert len(kind.algorithms) <= 2
    assert ("other_cells" in kind.settings) == kind.sided
