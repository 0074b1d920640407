"""A mistake in what a Hankel solver is given is one sentence that names the option, before anything runs."""

import re
from functools import partial

import numpy as np
import pytest
from whole_images import bring_images

from nonconvex import hankel
from nonconvex.errors import UserError
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.problems.contract import family
from nonconvex.problems.recovery import TELL
from nonconvex.problems.recovery_options import check_solver
from nonconvex.study.config import SCALES, Config

CELL = {"n_channels": 4, "n_samples": 60, "rank": 3, "n1": 20}

# By method: what it must be told, and an option of its own (none of FIHT) with values that it refuses.
SOLVERS = {
    "am_fiht": (["rank", "n1"], "beta", ["sqared", 1.5, None, True]),
    "ram_fiht": (["rank", "n1", "incoherence"], "beta", ["sqared", -0.1, [0.5]]),
    "fiht": (["rank", "n1"], "max_iterations", [True, 1e3]),
    "svt": (["n1"], "delta", ["large", 0, float("nan")]),
    "sap": (["rank", "n1"], "threshold_scale", ["two", 0, float("inf")]),
    "r_rmc": (["rank", "n1"], "fraction", ["half", 0, 1.5]),
    "admm": (["n1"], "missing", ["relesed", None, 1]),
}
NETWORKS = (
    *("critical_point", "descend", "descend_curvature", "descend_theorem"),
    *("iterative_pruning", "prune_and_train", "self_train"),
)
IMAGES = ("lottery_ticket", "pseudo_label")
OTHERS = [
    ("ram_fiht", {"incoherence": 0.5}, "incoherence"),
    ("r_rmc", {"incoherence": "1.0"}, "incoherence"),
    ("sap", {"stage_tolerance": "small"}, "stage_tolerance"),
    ("svt", {"tau": -1.0}, "tau"),
    ("admm", {"weight": 0.0}, "weight"),
    ("admm", {"penalty": "1e3"}, "penalty"),
]
SLIPS = {
    "beta": "beat", "max_iterations": "max_iteratons", "delta": "detla", "threshold_scale": "treshold_scale",
    "fraction": "fractoin", "missing": "mising",
}  # fmt: skip
RANKED = [method for method, (tell, *_) in SOLVERS.items() if "rank" in tell]


def solver_of(method):
    return family("completion").solver(method)


def check(method, options, tell=None, cell=CELL):
    check_solver(solver_of(method), SOLVERS[method][0] if tell is None else tell, options, cell)


def refused(method, options, message, tell=None, cell=CELL):
    with pytest.raises(ValueError, match=message) as caught:
        check(method, options, tell, cell)
    assert "\n" not in str(caught.value)


def test_all_solvers_are_here():
    with pytest.raises(UserError, match=re.escape(f"(known: {', '.join(sorted(SOLVERS))})")):
        solver_of("")
    assert all(solver_of(method) is getattr(hankel, method) for method in SOLVERS)


@pytest.mark.parametrize("method", SOLVERS)
def test_what_a_solver_takes_is_accepted(method):
    check(method, {})
    check(method, {"tolerance": 0, "max_iterations": 1})
    told = [name for name in SOLVERS[method][0] if name != "n1"]
    for n1 in (1, 8, 60 if "rank" not in told else 57, None):
        if n1 != 1 or "rank" not in told:
            check(method, {"n1": n1}, told)


@pytest.mark.parametrize("method", SOLVERS)
def test_a_misspelt_option_is_told_with_the_nearest(method):
    name = SOLVERS[method][1]
    for right, wrong in ((name, SLIPS[name]), ("tolerance", "tolerence")):
        refused(
            method, {wrong: 1}, rf"there is none called '{wrong}' \(known: .*\); did you mean '{right}'\?$"
        )
    # What the study itself gives is nobody's option.
    for own in ("callback", "mask", "observed"):
        refused(method, {own: None}, f"there is none called '{own}'")


def test_the_weight_of_admm_is_told_when_misspelt():
    refused("admm", {"wieght": 0.1}, r"there is none called 'wieght' \(known: .*\); did you mean 'weight'\?$")


@pytest.mark.parametrize(
    ("method", "options", "name"),
    [
        *((method, {name: value}, name) for method, (_, name, values) in SOLVERS.items() for value in values),
        *OTHERS,
    ],
)
def test_a_value_that_cannot_be_used_is_told(method, options, name):
    tell = [told for told in SOLVERS[method][0] if told not in options]
    refused(method, options, rf"^(1 / )?{name} ", tell)


@pytest.mark.parametrize("method", SOLVERS)
def test_when_to_stop_must_make_sense(method):
    for value in ("1e-6", -1.0, float("nan"), None):
        refused(method, {"tolerance": value}, "^tolerance must be a finite number of at least 0")
    for value in (0, -1, 2.5, "10", None):
        refused(method, {"max_iterations": value}, "^max_iterations must be a positive integer")


@pytest.mark.parametrize("method", SOLVERS)
def test_what_is_told_is_not_given_as_well(method):
    for name in SOLVERS[method][0]:
        refused(method, {name: 2}, f"^'{name}' is given twice: it is told of the data as well")


@pytest.mark.parametrize("method", RANKED)
def test_what_a_solver_needs_is_told_or_given(method):
    tell = SOLVERS[method][0]
    for name in tell:
        rest = [other for other in tell if other != name]
        if name == "n1":
            check(method, {}, rest)  # half of the samples
            continue
        refused(method, {}, f"^'{name}' is missing: give it, or let the algorithm be told of it", rest)
        check(method, {name: 2}, rest)


@pytest.mark.parametrize("method", SOLVERS)
def test_a_solver_is_told_only_what_it_takes(method):
    taken = {"am_fiht": TELL[:2], "fiht": TELL[:2], "sap": TELL[:2], "svt": ["n1"], "admm": ["n1"]}
    for name in set(TELL) - set(taken.get(method, TELL)):
        refused(method, {}, f"^it is told '{name}', which it does not take", [*SOLVERS[method][0], name])


@pytest.mark.parametrize("method", SOLVERS)
def test_an_n1_outside_the_data_is_told(method):
    told = [name for name in SOLVERS[method][0] if name != "n1"]
    for n1 in (0, 61, 2.5, "half"):
        refused(method, {"n1": n1}, "^n1 must be ", told)


@pytest.mark.parametrize("method", RANKED)
def test_a_rank_that_the_hankel_matrix_does_not_allow_is_told(method):
    told = [name for name in SOLVERS[method][0] if name != "rank"]
    check(method, {"rank": 20}, told)
    for rank in (0, 42, 2.5, None):
        refused(method, {"rank": rank}, "^rank must be ", told)
    # Its own rank and n1 count together, and so does a rank it is told with an n1 of its own.
    rest = [name for name in told if name != "n1"]
    check(method, {"rank": 4, "n1": 2}, rest)
    refused(method, {"rank": 9, "n1": 2}, r"^rank must be from 1 to min\(n_channels n1, n2\) = 8", rest)
    refused(method, {"n1": 59}, r"^rank must be from 1 to .* = 2", ["rank", *rest])


def test_sizes_of_the_data_that_a_solver_is_not_told_do_not_bind_it():
    narrow = CELL | {"n_channels": 1, "n1": 2}
    check("am_fiht", {"rank": 5}, [], narrow)
    refused("am_fiht", {"rank": 5}, "^rank must be ", ["n1"], narrow)
    check("am_fiht", {"rank": 25}, ["n1"], CELL | {"n1": "half"})


def test_no_trial_is_run_on_the_cell_itself(monkeypatch):
    sizes = []

    def watched(observed, mask, *, rank, n1=None, max_iterations=10):
        sizes.append((observed.shape, rank, n1, max_iterations))

    check_solver(watched, ["rank", "n1"], {"max_iterations": 500}, CELL)
    assert sizes == [((1, 32), 1, 16, 1)]


def test_a_mistake_in_the_call_of_a_solver_is_told_too():
    def broken(observed, mask, *, rank):
        return rank + "1"

    with pytest.raises(ValueError, match="unsupported operand"):
        check_solver(broken, ["rank"], {}, CELL)


def test_families_check_with_it():
    for name in ("completion", "timed_completion", "robust", "timed_robust", "pmu", "timed_pmu"):
        refuse = partial(family(name).load_outcome().check, solver_of("am_fiht"), ["rank", "n1"])
        with pytest.raises(ValueError, match="did you mean 'beta'"):
            refuse({"beat": 0.5}, CELL)


@pytest.mark.parametrize("scale", SCALES)
def test_every_experiment_of_the_study_passes(pytestconfig, monkeypatch, scale):
    bring_images(monkeypatch)
    pipeline = Pipeline(Config(scale), pytestconfig.rootpath)
    names = [name for chapter in pipeline.chapters for name in pipeline._chapters[chapter]["experiments"]]
    assert len(names) > 40
    algorithms = [one for name in names for one in pipeline.experiment(name)["algorithms"].values()]
    assert {one["method"] for one in algorithms} == {*SOLVERS, *NETWORKS, *IMAGES}
    assert np.all([one["trials"] > 0 for one in algorithms])
