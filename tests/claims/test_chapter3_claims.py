"""Claims of Chapter 3, on tables that are as the thesis says, the opposite, and between."""

from dataclasses import replace

import pandas as pd
import pytest

from claims.chapter3_tables import BETWEEN, OPPOSITE, THESIS, world
from claims.judged_tables import judged, overall, verdicts

NAMES = [*(f"C{number:03}" for number in range(35, 58)), "C133", "C134"]
# Absolute seconds are shown and never judged.
JUDGED = [name for name in NAMES if name != "C052"]


@pytest.fixture(scope="module")
def made():
    return world(THESIS)


def test_all_claims_of_the_chapter_are_there(chapter3):
    assert [claim["id"] for claim in chapter3] == [*NAMES, "E04", "E10"]
    assert {claim["seed"] for claim in chapter3} == {2021}
    assert [claim["id"] for claim in chapter3 if claim.get("finding")] == ["E04", "E10"]


def test_what_is_as_the_thesis_says_is_reproduced(chapter3, made):
    found = verdicts(judged(chapter3, made, *NAMES))
    assert found == dict.fromkeys(NAMES, "reproduced") | {"C052": "for context"}


def test_the_opposite_is_not_reproduced(chapter3):
    found = verdicts(judged(chapter3, world(OPPOSITE), *NAMES))
    # None of four trials still leaves a share of .35 possible.
    four = {"C049": "inconclusive"}
    assert found == dict.fromkeys(NAMES, "not reproduced") | {"C052": "for context"} | four


def test_what_lies_between_is_inconclusive(chapter3):
    experiments, tables = world(BETWEEN)
    for name in ("methods_m1b1", "methods_m2b2"):
        # Four trials in ten are between half of them and none.
        table = tables[name]
        cell = (table["loss"] == 0.8) & (table["bad"] == 0.05) & (table["algorithm"] == "sap")
        table.loc[cell, "success"] = table.loc[cell, "trial"] % 10 < 4
    names = [name for name in JUDGED if name not in ("C038", "C039", "C048", "C054")]
    assert verdicts(judged(chapter3, (experiments, tables), *names)) == dict.fromkeys(names, "inconclusive")
    # Equal lines are not slightly apart, and do not refute it either.
    equal = {name.replace("sap", "quadrant"): tables[name] for name in tables if name.startswith("sap_m")}
    assert verdicts(judged(chapter3, (experiments, tables), "C039", tables=equal)) == {"C039": "inconclusive"}


def test_a_law_that_is_almost_clear_takes_more_looks_than_one_that_is_clear(chapter3, made):
    clear = overall(judged(chapter3, made, "C042")).loc["C042"]
    assert (clear["verdict"], clear["look"], clear["trials"]) == ("reproduced", "1 of 4", 10)
    close = world(replace(THESIS, quadrant=0.0045))
    row = overall(judged(chapter3, close, "C039")).loc["C039"]
    assert int(row["look"][0]) > 1


def test_findings_are_shown_or_not(chapter3, made):
    assert verdicts(judged(chapter3, made, "E04")) == {"E04": "not shown"}
    free = world(replace(THESIS, admm_free_loss=0.75))
    ledger = judged(chapter3, free, "C044", "E04")
    assert verdicts(ledger) == {"C044": "depends on an unstated choice", "E04": "shown"}


@pytest.mark.parametrize(
    "other, rank, against",
    [
        ("sap", 1, []),
        ("sap_c2", 1, ["twice the threshold, rank 1"]),
        ("sap_c3", 1, ["three times the threshold, rank 1"]),
        ("sap_c3", 5, ["three times the threshold, rank 5"]),
    ],
)
def test_the_scale_of_the_threshold_needs_each_of_its_parts(chapter3, made, other, rank, against):
    table = made[1]["threshold_scale"].copy()
    exchanged = table["algorithm"].replace({"sap": other, other: "sap"})
    table["algorithm"] = exchanged.where(table["rank"] == rank, table["algorithm"])
    ledger = judged(chapter3, made, "E10", tables={"threshold_scale": table})
    assert verdicts(ledger) == {"E10": "not shown" if against else "shown"}
    parts = ledger[ledger["row"] == "part"].set_index("part")["tendency"]
    assert len(parts) == 3
    assert list(parts[parts == "against"].index) == against


def test_two_experiments_need_both_tables_and_both_methods(chapter3, made):
    experiments, tables = made
    without = {name: table for name, table in tables.items() if name != "growth_admm"}
    assert verdicts(judged(chapter3, (experiments, without), "C050")) == {"C050": "not tested"}
    fewer = tables["growth_admm"].query("trial < 2")
    ledger = judged(chapter3, made, "C050", tables={"growth_admm": fewer})
    row = ledger[(ledger["part"] == "ADMM, 50 % loss") & (ledger["reading"] == "exponent")].iloc[0]
    assert (row["trials"], row["verdict"]) == (2, "not judged at this scale")
    assert "2 trials, and the first look needs 3" in row["why"]


def test_the_seed_of_the_second_experiment_counts(chapter3, made):
    experiments = {**made[0], "quadrant_m1b1": {**made[0]["quadrant_m1b1"], "seed": 1}}
    ledger = judged(chapter3, (experiments, made[1]), "C038")
    first = ledger[ledger["part"] == "M1×B1"].iloc[0]
    assert (first["verdict"], first["tendency"]) == ("not judged at this scale", "for")
    assert "seed 1, not the declared 2021" in first["why"]


def test_cells_that_a_run_does_not_draw_leave_a_claim_undecided(chapter3, made):
    drawn = {
        "conditioning": ("first_factor", 5.0),
        "growth_admm": ("loss", 0.95),
        "growth_r_rmc": ("loss", 0.95),
        "methods_m1b1": ("bad", 0.05),
        "methods_m2b2": ("loss", 0.8),
    }
    experiments, tables = dict(made[0]), {}
    for name, (axis, level) in drawn.items():
        levels = [value for value in experiments[name]["parameters"][axis] if value != level]
        parameters = {**experiments[name]["parameters"], axis: levels}
        experiments[name] = {**experiments[name], "parameters": parameters}
        tables[name] = made[1][name][made[1][name][axis] != level]
    names = ["C045", "C048", "C049", "C053", "C054", "C056", "C057"]
    ledger = judged(chapter3, (experiments, made[1]), *names, tables=tables)
    assert verdicts(ledger) == dict.fromkeys(names, "inconclusive")


def test_the_ledger_repeats_itself(chapter3, made):
    names = ["C038", "C047", "C050", "C056"]
    pd.testing.assert_frame_equal(judged(chapter3, made, *names), judged(chapter3, made, *names))
