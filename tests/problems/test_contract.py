"""What a family lacks, or has in another shape, is told in one sentence, naming the module and the part."""

import itertools
import sys
from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest

from nonconvex.errors import UserError
from nonconvex.problems.contract import Data, Family, Outcome, Table, families, family
from nonconvex.problems.source import Source, source, source_names

DATA = Data(lambda cell: None, lambda cell, streams: {}, lambda cell, stored: None)
TABLE = Table(lambda axes: [*axes], lambda axes, cell, trial, instance: [])
OUTCOME = Outcome(
    {"status": "S16", "error": "f8"},
    lambda solver, tell, options, cell: None,
    one=lambda solver, instance, tell, options: {},
)
PARTS = {"DATA": DATA, "OUTCOME": OUTCOME, "TABLE": TABLE}

# Parts are kept once they are loaded, so every module that is made here has a name of its own.
numbers = itertools.count()


@pytest.fixture
def loading(monkeypatch):
    """Return a function that puts parts into a module, and loads one of them as a family would."""

    def load(name, **parts):
        module = f"made_{next(numbers)}"
        made = ModuleType(module)
        vars(made).update(parts)
        monkeypatch.setitem(sys.modules, module, made)
        of = Family(data=module, outcome=module, table=module)
        return {"DATA": of.load_data, "OUTCOME": of.load_outcome, "TABLE": of.load_table}[name]()

    return load


def one_sentence(caught, *names):
    said = str(caught.value)
    assert "\n" not in said
    for name in names:
        assert name in said


@pytest.mark.parametrize("name", PARTS)
def test_a_part_that_is_as_agreed_is_loaded(loading, name):
    assert loading(name, **PARTS) is PARTS[name]


@pytest.mark.parametrize("name", PARTS)
def test_a_part_that_is_missing_is_told(loading, name):
    kind = type(PARTS[name]).__name__
    with pytest.raises(UserError, match=rf"^made_\d+: {name} must be a {kind}, not None") as caught:
        loading(name, **{key: part for key, part in PARTS.items() if key != name})
    one_sentence(caught)


def test_a_module_that_is_missing_is_told():
    with pytest.raises(
        UserError, match=r"^nonconvex\.problems\.nowhere cannot be imported: ModuleNotFound"
    ) as caught:
        Family(data="nonconvex.problems.nowhere").load_data()
    one_sentence(caught)


def test_a_module_that_cannot_be_read_is_told(tmp_path, monkeypatch):
    (tmp_path / "broken_family.py").write_text("def draw(((:\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UserError, match=r"^broken_family cannot be imported: SyntaxError: ") as caught:
        Family(data="broken_family").load_data()
    one_sentence(caught)
    with pytest.raises(UserError, match=r"^nowhere cannot be imported: ModuleNotFoundError"):
        Family(data="broken_family", solvers="nowhere").solver("mean")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"error": "f8"}, "the columns of OUTCOME must have 'status'"),
        (
            {"status": "S16", "error": "float9"},
            "the column 'error' has the type 'float9', none of f8, i8, [?], S16",
        ),
    ],
)
def test_columns_that_cannot_be_kept_are_told(loading, columns, message):
    with pytest.raises(UserError, match=message) as caught:
        loading("OUTCOME", OUTCOME=replace(OUTCOME, columns=columns))
    one_sentence(caught)


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("other", [{"status": "S16"}, None, Data])
def test_a_part_of_another_type_is_told(loading, name, other):
    with pytest.raises(UserError, match=rf"^made_\d+: {name} must be a {type(PARTS[name]).__name__}, not"):
        loading(name, **PARTS | {name: other})


def test_a_part_in_the_place_of_another_is_told(loading):
    with pytest.raises(UserError, match="DATA must be a Data, not Table"):
        loading("DATA", DATA=TABLE)


HOOKS = [
    ("DATA", "check", lambda: None, "(cell)"),
    ("DATA", "draw", lambda cell: {}, "(cell, streams)"),
    ("DATA", "build", lambda cell, stored, streams: None, "(cell, stored)"),
    ("DATA", "read", lambda paths: {}, "(paths, parameters)"),
    ("OUTCOME", "check", lambda options: None, "(solver, tell, options, cell)"),
    ("OUTCOME", "one", lambda solver, instance: {}, "(solver, instance, tell, options)"),
    ("TABLE", "columns", lambda: [], "(axes)"),
    ("TABLE", "rows", lambda cell, trial, instance: [], "(axes, cell, trial, instance)"),
    ("TABLE", "rows", 5, "(axes, cell, trial, instance)"),
]


@pytest.mark.parametrize(("name", "hook", "wrong", "arguments"), HOOKS)
def test_a_hook_with_other_arguments_is_told(loading, name, hook, wrong, arguments):
    with pytest.raises(UserError) as caught:
        loading(name, **{name: replace(PARTS[name], **{hook: wrong})})
    one_sentence(caught, f": {hook} must take {arguments}: ")


def test_build_is_handed_the_streams_that_are_drawn_again(loading):
    again = replace(DATA, redrawn=("noise",), streams={"noise": ()})
    with pytest.raises(UserError) as caught:
        loading("DATA", DATA=again)
    one_sentence(caught, "build must take (cell, stored, streams): ")
    whole = replace(again, build=lambda cell, stored, streams: None)
    assert loading("DATA", DATA=whole) is whole


def test_trials_are_worked_on_one_by_one_or_together(loading):
    def together(solver, instances, tell, options):
        return []

    for wrong in (replace(OUTCOME, one=None), replace(OUTCOME, together=together)):
        with pytest.raises(UserError, match="OUTCOME needs one of 'one' and 'together', and not both"):
            loading("OUTCOME", OUTCOME=wrong)
    right = replace(OUTCOME, one=None, together=together)
    assert loading("OUTCOME", OUTCOME=right) is right
    with pytest.raises(UserError) as caught:
        loading("OUTCOME", OUTCOME=replace(right, together=lambda solver, instances: []))
    one_sentence(caught, "together must take (solver, instances, tell, options): ")


def test_a_family_without_algorithms_has_no_outcome_and_one_with_them_no_table():
    with pytest.raises(UserError, match="no algorithm runs on this family"):
        family("masks").load_outcome()
    with pytest.raises(UserError, match="this family needs algorithms"):
        family("completion").load_table()


def test_an_unknown_name_is_told_with_the_nearest():
    with pytest.raises(UserError, match=r"no family 'compleation' \(known: .*\); did you mean 'completion'"):
        family("compleation")
    with pytest.raises(
        UserError, match=r"no source 'pnu' \(known: pmu, mnist, cifar10\); did you mean 'pmu'"
    ):
        source("pnu")
    with pytest.raises(UserError, match=r"no method 'am_fith' \(known: .*\); did you mean 'am_fiht'"):
        family("completion").solver("am_fith")
    with pytest.raises(UserError, match=r"no method 'fiht'"):
        family("masks").solver("fiht")


@pytest.mark.parametrize(
    "helper", ["heavy_ball", "lift", "operators", "operators.lift", "solvers", "__init__", "recovery", ""]
)
def test_what_solvers_are_made_of_is_no_method(helper):
    with pytest.raises(UserError, match=f"there is no method '{helper}'") as caught:
        family("completion").solver(helper)
    one_sentence(caught, "(known: admm, am_fiht, fiht, r_rmc, ram_fiht, sap, svt)")


@pytest.mark.parametrize("helper", ["descent", "steps", "trials", "graph"])
def test_what_networks_are_made_of_is_no_method(helper):
    with pytest.raises(UserError, match=f"there is no method '{helper}'") as caught:
        family("graph").solver(helper)
    known = "critical_point, descend, descend_curvature, descend_theorem, iterative_pruning, prune_and_train"
    one_sentence(caught, f"(known: {known})")


@pytest.mark.parametrize("name", families())
def test_every_family_has_what_it_says(name):
    of = family(name)
    data = of.load_data()
    assert set(data.redrawn) <= set(data.streams)
    # A file is read where there is a source to read it from, and nowhere else.
    assert (data.read is not None) == (of.source is not None)
    assert of.source in (None, *source_names())
    assert (of.outcome is None) != (of.table is None)
    assert (of.outcome is None) == (of.solvers is None)
    if of.table is not None:
        assert isinstance(of.load_table(), Table)
        return
    kept = of.load_outcome()
    assert kept.columns["status"].startswith("S")
    assert set(of.told()) <= set(kept.tell)
    methods = {
        "nonconvex.hankel.solvers": ("am_fiht", "svt"),
        "nonconvex.networks.solvers": ("descend", "prune_and_train"),
        "nonconvex.networks.self_training": ("self_train",),
        "nonconvex.images.solvers": ("lottery_ticket", "pseudo_label"),
    }
    if of.lacking():
        assert "make images" in of.lacking()
        for method in methods[of.solvers]:
            of.check_method(method)
        return
    for method in methods[of.solvers]:
        assert of.solver(method).__module__ == of.solver_module(method)


@pytest.mark.parametrize("name", source_names())
def test_every_source_is_one(name):
    assert isinstance(source(name), Source)


@pytest.mark.parametrize("name", [name for name, of in families().items() if of.outcome])
def test_a_failed_row_has_every_column_and_its_reason(name):
    kept = family(name).load_outcome()
    row = kept.failed("no start")
    history = row.pop("history", None)
    assert list(row) == [*kept.columns, "reason"]
    assert (row["status"], row["reason"]) == ("failed", "no start")
    assert history == (kept.history and {column: [] for column in kept.history})
    for column, dtype in kept.columns.items():
        if dtype.startswith("f"):
            assert np.isnan(row[column])
        elif not dtype.startswith("S"):
            assert row[column] == 0


def test_a_stream_with_a_word_for_its_names_is_told(loading):
    """A forgotten comma: a text would be read letter by letter."""
    with pytest.raises(UserError, match="the stream 'flips' needs a tuple of names, not 'n_flips'"):
        loading("DATA", DATA=replace(DATA, streams={"flips": "n_flips"}))
