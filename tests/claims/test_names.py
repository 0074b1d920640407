"""A name in a claim that its experiment does not have is told before anything runs."""

import copy

import pytest
from whole_images import bring_images

from nonconvex.claims.check import read_claims
from nonconvex.claims.names import check_claims
from nonconvex.errors import UserError
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import check_config


def known_names(root, **config):
    with pytest.MonkeyPatch.context() as patch:
        bring_images(patch)
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


@pytest.mark.parametrize("scale", ["smoke", "preview", "thesis"])
def test_every_claim_names_what_its_experiments_have(pytestconfig, every_claim, scale):
    experiments, columns, every = known_names(pytestconfig.rootpath, scale=scale)
    check_claims(every_claim, experiments, columns, **every)


SLIPS = [
    (
        lambda claim, part: part.update(experiment="phase_mode"),
        r"C001, mode 1: there is no experiment 'phase_mode'; did you mean 'phase_mode\d'",
    ),
    (
        lambda claim, part: claim["judge"].update(of="am_fith"),
        "C001, mode 1: the experiment phase_mode1 does not run 'am_fith'; did you mean 'am_fiht'",
    ),
    (
        lambda claim, part: claim["judge"].update(rows="ranks"),
        "C001, mode 1: the experiment phase_mode1 has no axis 'ranks'; did you mean 'rank'",
    ),
    (
        # Every experiment has the parameter, and this one does not vary it.
        lambda claim, part: claim["judge"].update(cells={"n_samples": "<= 1"}),
        "C001, mode 1: the experiment phase_mode1 has no axis 'n_samples'",
    ),
    (
        lambda claim, part: claim["judge"].update(cells={"p": "half"}),
        "C001, mode 1: the limit on 'p' is 'half', but it holds numbers",
    ),
    (
        lambda claim, part: claim["judge"].update(in_units_of={"p": ["n_channel"]}),
        "C001, mode 1: the experiment phase_mode1 has no number 'n_channel' to count in; did you mean 'n_channels'",
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


def claim_of(quantity, part, **settings):
    """Return a claim whose one part is judged by a quantity, with all else as small as it can be."""
    return {
        "id": "C999",
        "figures": ["1.1"],
        "judge": {"quantity": quantity, **settings},
        "parts": {"a part": {"figure": "1.1", **part}},
        "readings": {"as written": {"means": "as written"}},
    }


OUTCOMES = {
    "axes": ["p", "rank"],
    "algorithms": {"fiht": {}, "svt": {}},
    "parameters": {"p": [0.1, 0.2], "size": 3},
}
ITERATES = {
    "axes": ["n_neurons"],
    "algorithms": {"agd": {}},
    "parameters": {"n_neurons": [1, 2], "kind": "a"},
}
KINDS = {"axes": ["graph"], "algorithms": {"agd": {}}, "parameters": {"graph": ["cycle", "grid"]}}
FACTS = {"axes": [], "algorithms": {}, "parameters": {}}
EXPERIMENTS = {"outcomes": OUTCOMES, "iterates": ITERATES, "kinds": KINDS, "facts": FACTS}
COLUMNS = {
    "outcomes": ["algorithm", "p", "rank", "trial", "status", "success", "error", "iterations"],
    "iterates": ["algorithm", "n_neurons", "trial", "status", "iteration", "error"],
    "kinds": ["algorithm", "graph", "trial", "status", "success", "error", "iterations", "seconds"],
    "facts": ["trial", "order", "score"],
}


def check_one(quantity, experiments=EXPERIMENTS, columns=COLUMNS, names=None, **settings):
    check_claims([claim_of(quantity, **settings)], experiments, columns, names=names)


ONE = {"part": {"experiment": "outcomes"}, "of": "fiht", "over": "svt"}
PER = {"part": {"experiment": "iterates"}, "of": "agd", "per": "n_neurons"}
KIND = {"part": {"experiment": "kinds"}, "of": "agd"}
FACT = {"part": {"experiment": "facts"}}
FIHT = {"part": {"experiment": "outcomes"}, "of": "fiht"}


def test_columns_are_those_of_the_table_or_what_is_made_of_it():
    check_one("ratio of values", column="iterations", **ONE)
    check_one("ratio of values", column="seconds per iteration", **KIND)
    check_one("change", column="iterations per decade", **PER)
    check_one("relative spread", column="speed", **PER)
    check_one("mean", part=PER["part"], of="agd", column="iterations")
    check_one("every value", column="score", cells={"order": 3}, **FACT)
    check_one("even decay", part=PER["part"], of="agd")
    check_one("share", condition="recovered", cells={"graph": "grid"}, **KIND)
    check_one("share", condition="recovered", cells={"graph": ["grid", "cycle"]}, **KIND)
    check_one("change", column="error", per="rank", levels="error", among={"error": "< 1"}, **FIHT)
    check_one("change", column="error", per="error", bins={"error": 1}, **FIHT)
    check_one("change", column="error", per="rank", bins={"iterations": 1}, strata="iterations", **FIHT)
    check_one("change", column="error", per="iterations", as_axis="iterations", **FIHT)
    check_one("mean", column="error", cells={"iterations": 3}, as_axis="iterations", **FIHT)
    check_one("even decay", milestones=["error", "iterations"], **FIHT)


@pytest.mark.parametrize(
    "quantity, settings, message",
    [
        (
            "ratio of values",
            {"column": "observed_error", **ONE},
            "C999, a part: the experiment outcomes has no column 'observed_error' in its table",
        ),
        # Nothing is fitted where only the last iterate is kept.
        ("change", {"column": "rate", "part": ONE["part"], "of": "fiht", "per": "rank"}, "no column 'rate' in its"),
        ("change", {"column": "aligned_error", **PER}, "no column 'aligned_error' in its table"),
        ("ratio of values", {"column": "operations", **ONE}, "no column 'operations' in its table"),
        ("every value", {"column": "scores", **FACT}, "no column 'scores' in its table; did you mean 'score'?"),
        ("every value", {"column": "score", "cells": {"ordre": 3}, **FACT}, "no axis 'ordre'; did you mean 'order'?"),
        # A column of outcomes is no axis.
        ("ratio of values", {"column": "error", "cells": {"iterations": "<= 3"}, **ONE}, "no axis 'iterations'"),
        ("change", {"column": "rate", **PER, "per": "neurons"}, "no axis 'neurons'; did you mean 'n_neurons'"),
        ("mean", {"column": "error", "relative_to": "ranks", **ONE}, "no axis 'ranks'; did you mean 'rank'"),
        # Iterates have no success of their own; a condition reads columns.
        ("share", {"condition": "recovered", "part": PER["part"], "of": "agd"}, "has no column 'success' in its table"),
        ("change", {"rows": "n_neurons", "along": "n_neurons", "success": "rises", "of": "agd", "part": PER["part"]},
         "has no column 'success' in its table, which the quantity 'change' needs"),
        ("share", {"condition": "recovered", "cells": {"graph": "gird"}, **KIND}, "is 'gird': no such level; did you mean 'grid'"),
        ("share", {"condition": "recovered", "cells": {"graph": 3}, **KIND}, "is '3', but its levels are words: cycle"),
        ("share", {"condition": "recovered", "cells": {"p": "much"}, **ONE}, "is 'much', but it holds numbers"),
        ("share", {"condition": "recovered", "in_units_of": {"p": ["sizes"]}, **ONE}, "no number 'sizes' to count in"),
        ("slope", {"column": "error", "in_units_of": {"n_neurons": ["kind"]}, **PER}, "no number 'kind' to count in"),
        ("share", {"condition": "recovered", **KIND, "of": "gd"}, "does not run 'gd'; did you mean 'agd'"),
        ("change", {"column": "error", "per": "rank", "levels": "errors", **FIHT}, "no column 'errors' in its table"),
        ("change", {"column": "error", "per": "rank", "among": {"size": 1}, **FIHT}, "no column 'size' in its table"),
        ("change", {"column": "error", "per": "size", "bins": {"size": 1}, **FIHT}, "no column 'size' in its table"),
        ("change", {"column": "error", "per": "rank", "strata": "size", **FIHT}, "no axis 'size'"),
        ("mean", {"column": "error", "as_axis": "round", **FIHT}, "no column 'round' in its table"),
        ("even decay", {"milestones": ["error", "round"], **FIHT}, "no column 'round' in its table"),
        # What is made of iterates is in no table.
        ("change", {"column": "rate", "per": "n_neurons", "levels": "rate", "part": PER["part"], "of": "agd"},
         "no column 'rate' in its table"),
        ("change", {"column": "error", "per": "rank", "bins": {"error": 1}, "strata": "error",
                    "cells": {"error": "< 1"}, **FIHT}, "has 'error' in bins, which no cell is limited to: say 'among'"),
    ],
)  # fmt: skip
def test_a_name_that_an_experiment_lacks_is_told(quantity, settings, message):
    settings = {
        key: value for key, value in settings.items() if key != "over" or quantity == "ratio of values"
    }
    with pytest.raises(UserError, match=message) as error:
        check_one(quantity, **settings)
    assert "\n" not in str(error.value)


def test_each_of_several_methods_must_be_run():
    with pytest.raises(UserError, match="does not run 'svt_y'; did you mean 'svt'"):
        check_one("ratio of values", column="error", **{**ONE, "over": ["svt", "svt_y"]})


def test_each_side_has_the_axes_of_its_own_cells():
    sides = {"part": {"experiment": "outcomes", "beside": "iterates"}, "of": "fiht", "over": "agd"}
    cells = {"cells": {"p": "<= 0.5"}, "over_cells": {"n_neurons": "<= 3"}}
    check_one("ratio of values", column="error", **sides, **cells)
    with pytest.raises(UserError, match="the experiment iterates has no axis 'p'"):
        check_one("ratio of values", column="error", **sides, cells=cells["cells"])
    with pytest.raises(UserError, match="the experiment iterates does not run 'svt'"):
        check_one("ratio of values", column="error", **{**sides, "over": "svt"}, **cells)
    with pytest.raises(UserError, match="the experiment outcomes has no column 'rate' in its table"):
        check_one("ratio of values", column="rate", **sides, **cells)
    with pytest.raises(UserError, match="the experiment outcomes has no axis 'n_neurons'"):
        check_one("slope", column="error", per="n_neurons", **sides)
    # A gain here and a gain there take both algorithms of both.
    with pytest.raises(UserError, match="the experiment outcomes does not run 'agd'"):
        check_one("difference of gains", **{**sides, "part": {"experiment": "outcomes", "beside": "kinds"}})


def test_experiments_that_nobody_asks_for_are_left_out():
    elsewhere = {**ONE, "part": {"experiment": "others"}, "column": "errors", "cells": {"q": "<= 1"}}
    check_one("ratio of values", names=["others", *EXPERIMENTS], **elsewhere)
    check_one("ratio of values", **elsewhere)
    beside = {**ONE, "part": {"experiment": "outcomes", "beside": "others"}, "column": "errors"}
    check_one("ratio of ratios", names=["others", *EXPERIMENTS], **beside)
    with pytest.raises(UserError, match="there is no experiment 'others'; did you mean 'other'"):
        check_one("ratio of ratios", names=["other", *EXPERIMENTS], **beside)
    # A table whose columns are not told may hold any value.
    check_one("ratio of values", columns={}, **{**elsewhere, "part": ONE["part"], "cells": {}})


def test_an_untested_claim_has_figures_only():
    claim = {"id": "C998", "figures": ["1.1"], "untested": "why"}
    check_claims([claim], {}, {}, figures=["1.1"])
    with pytest.raises(UserError, match=r"claim C998: there is no figure 1\.1; did you mean '1.2'"):
        check_claims([claim], {}, {}, figures=["1.2"])
