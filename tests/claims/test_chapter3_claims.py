"""Claims C035 to C057, E04 and E10, on tables that are as the thesis says, the opposite, and between."""

from dataclasses import replace

import pandas as pd
import pytest

from claims.chapter3_tables import BETWEEN, OPPOSITE, THESIS, world
from claims.judged_tables import judged, verdicts
from nonconvex.claims.check import check_algorithms, merged_settings, named_test, parts_of, read_claims
from nonconvex.claims.kinds.registry import KINDS
from nonconvex.study.config import Config
from nonconvex.study.study import Study

NAMES = [f"C{number:03}" for number in range(35, 58)]
# Absolute seconds are shown and never judged.
JUDGED = [name for name in NAMES if name != "C052"]


@pytest.fixture(scope="module")
def chapter3(pytestconfig):
    return read_claims([pytestconfig.rootpath / "workflow" / "claims" / "chapter3.yaml"])


@pytest.fixture(scope="module")
def made():
    return world(THESIS)


def test_all_claims_of_the_chapter_are_there(chapter3):
    assert [claim["id"] for claim in chapter3] == [*NAMES, "E04", "E10"]
    assert {claim["seed"] for claim in chapter3} == {2021}
    assert [claim["id"] for claim in chapter3 if claim.get("finding")] == ["E04", "E10"]


def test_what_is_as_the_thesis_says_is_reproduced(chapter3, made):
    expected = dict.fromkeys(JUDGED, "reproduced") | {"C052": "inconclusive"}
    assert verdicts(judged(chapter3, made, *NAMES)) == expected


def test_the_opposite_is_not_reproduced(chapter3):
    found = verdicts(judged(chapter3, world(OPPOSITE), *NAMES))
    assert found == dict.fromkeys(JUDGED, "not reproduced") | {"C052": "inconclusive"}


def test_what_lies_between_is_inconclusive(chapter3):
    experiments, tables = world(BETWEEN)
    for name in ("methods_m1b1", "methods_m2b2"):
        # Three trials in ten are between half of them and none.
        cell = (
            (tables[name]["loss"] == 0.8)
            & (tables[name]["bad"] == 0.05)
            & (tables[name]["algorithm"] == "sap")
        )
        tables[name].loc[cell, "success"] = tables[name].loc[cell, "trial"] < 30
    found = verdicts(judged(chapter3, (experiments, tables), *NAMES))
    # Equal lines are not slightly apart, and do not refute it either.
    equal = {name.replace("sap", "quadrant"): tables[name] for name in tables if name.startswith("sap_m")}
    found |= verdicts(judged(chapter3, (experiments, tables), "C039", tables=equal))
    assert found == dict.fromkeys(NAMES, "inconclusive")


def test_findings_are_shown_or_not(chapter3, made):
    assert verdicts(judged(chapter3, made, "E04", "E10")) == {"E04": "not shown", "E10": "shown"}
    free = world(replace(THESIS, admm_free_loss=0.75))
    ledger = judged(chapter3, free, "C044", "E04")
    assert verdicts(ledger) == {"C044": "depends on an unstated choice", "E04": "shown"}
    names = {"sap": "sap_c3", "sap_c3": "sap"}
    table = made[1]["threshold_scale"]
    table = table.assign(algorithm=table["algorithm"].replace(names))
    assert verdicts(judged(chapter3, made, "E10", tables={"threshold_scale": table})) == {"E10": "not shown"}


def test_two_experiments_need_both_tables_and_both_methods(chapter3, made):
    experiments, tables = made
    without = {name: table for name, table in tables.items() if name != "growth_admm"}
    assert verdicts(judged(chapter3, (experiments, without), "C050")) == {"C050": "not tested"}
    fewer = tables["growth_admm"].query("trial < 2")
    ledger = judged(chapter3, made, "C050", tables={"growth_admm": fewer})
    row = ledger[(ledger["part"] == "ADMM, 50 % loss") & (ledger["reading"] == "exponent")].iloc[0]
    assert (row["trials"], row["verdict"]) == (2, "not judged at this scale")
    assert "2 of 4 declared trials" in row["why"]


def test_the_seed_of_the_second_experiment_counts(chapter3, made):
    experiments = {**made[0], "quadrant_m1b1": {**made[0]["quadrant_m1b1"], "seed": 1}}
    ledger = judged(chapter3, (experiments, made[1]), "C038")
    first = ledger[ledger["part"] == "M1×B1"].iloc[0]
    assert (first["verdict"], first["tendency"]) == ("not judged at this scale", "for")
    assert "seed 1, not the declared 2021" in first["why"]


@pytest.mark.parametrize("trials", [1, 2])
def test_few_trials_and_one_colour_decide_nothing_wrongly(chapter3, made, trials):
    tables = {
        name: table[table["trial"] < trials].assign(success=False, error=1.0, status="failed")
        for name, table in made[1].items()
    }
    ledger = judged(chapter3, made, *NAMES, "E04", "E10", tables=tables)
    assert set(ledger["verdict"]) == {"not judged at this scale"}


def test_cells_that_a_run_does_not_draw_leave_a_claim_undecided(chapter3, made):
    drawn = {
        "conditioning": ("first_factor", 5.0),
        "growth_admm": ("loss", 0.95),
        "growth_r_rmc": ("loss", 0.95),
    }
    drawn |= {"methods_m1b1": ("bad", 0.05), "methods_m2b2": ("loss", 0.8)}
    experiments, tables = dict(made[0]), {}
    for name, (axis, level) in drawn.items():
        levels = [value for value in experiments[name]["parameters"][axis] if value != level]
        parameters = {**experiments[name]["parameters"], axis: levels}
        experiments[name] = {**experiments[name], "parameters": parameters}
        tables[name] = made[1][name][made[1][name][axis] != level]
    names = ["C044", "C045", "C048", "C049", "C053", "C054", "C056", "C057"]
    ledger = judged(chapter3, (experiments, made[1]), *names, tables=tables)
    assert verdicts(ledger) == dict.fromkeys(names, "inconclusive")


def test_the_ledger_repeats_itself(chapter3, made):
    names = ["C038", "C047", "C050", "C056"]
    pd.testing.assert_frame_equal(judged(chapter3, made, *names), judged(chapter3, made, *names))


def test_the_declared_cells_trials_and_methods_are_those_of_the_experiments(chapter3, pytestconfig):
    root = pytestconfig.rootpath
    if not (root / "workflow" / "experiments" / "chapter3.yaml").exists():
        pytest.skip("the experiments of chapter 3 are not there yet")
    study = Study(Config(scale="thesis", chapters=("3",)), root)
    behind_figures = set(study.experiment_names())
    for claim in chapter3:
        check_algorithms(claim, {name: study.experiment(name) for name in behind_figures})
        for reading in claim["readings"]:
            for name, part in parts_of(claim, reading).items():
                kind, settings = KINDS[named_test(claim, part)], merged_settings(claim, name, reading)
                used = [part[key] for key in ("experiment", "beside") if key in part]
                assert set(used) <= behind_figures, f"{claim['id']}: {used}"
                available = [
                    study.experiment(experiment)["algorithms"][algorithm]["trials"]
                    for experiment, algorithms in zip(used, kind.names_in(settings, len(used)), strict=True)
                    for algorithm in algorithms
                ]
                assert part.get("trials", claim["trials"]) == min(available), f"{claim['id']}, {name}"
                assert _draws(study.experiment(used[0]), settings.get("cells", {})), f"{claim['id']}, {name}"


def _draws(experiment, limits):
    """Return whether an experiment draws cells within the limits."""
    return all(
        any(
            limit.get("min", -1) - 1e-9 <= level <= limit.get("max", 1e9) + 1e-9
            for level in experiment["parameters"][axis]
        )
        for axis, limit in limits.items()
    )
