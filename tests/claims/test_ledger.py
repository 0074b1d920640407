import copy

import numpy as np
import pandas as pd
import pytest

from nonconvex.claims.ledger import COLUMNS, judge, write_ledger
from nonconvex.errors import UserError

NO_EFFECT = {"am_fiht_beta0": 54, "am_fiht": 54, "ram_fiht": 54}


def overall(ledger):
    return ledger[ledger["row"] == "claim"].set_index("claim")


@pytest.fixture(scope="module")
def thesis_ledger(thesis_case):
    return judge(*thesis_case)


def only(plan, *names):
    return {**plan, "claims": [claim for claim in plan["claims"] if claim["id"] in names]}


def test_statements_that_hold_are_reproduced(thesis_ledger):
    assert overall(thesis_ledger)["verdict"].to_dict() == dict.fromkeys(
        ["C001", "C002", "C003", "C004"], "reproduced"
    )
    assert list(thesis_ledger.columns) == COLUMNS
    assert (thesis_ledger["second_sample"] == "not run").all()


def test_every_claim_reading_and_part_has_a_row(thesis_ledger, claims):
    for claim in claims:
        rows = thesis_ledger[thesis_ledger["claim"] == claim["id"]]
        assert rows["row"].tolist()[0] == "claim"
        assert (rows["row"] == "reading").sum() == len(claim["readings"])
        assert (rows["row"] == "part").sum() == len(claim["readings"]) * len(claim["parts"])
        assert set(rows.loc[rows["row"] == "part", "figure"]) == {
            p["figure"] for p in claim["parts"].values()
        }


def test_exchanging_the_methods_turns_the_orders_around(plan_and_tables):
    plan, tables = plan_and_tables({"am_fiht_beta0": 54, "am_fiht": 36, "ram_fiht": 36}, 100)
    verdicts = overall(judge(only(plan, "C002", "C003"), tables))["verdict"]
    assert verdicts.to_dict() == dict.fromkeys(["C002", "C003"], "not reproduced")


def test_one_mode_without_an_effect(plan_and_tables, heavy_ball):
    plan, tables = plan_and_tables({1: heavy_ball, 2: heavy_ball, 3: NO_EFFECT}, 100)
    verdicts = overall(judge(only(plan, "C002", "C003"), tables))["verdict"]
    assert verdicts["C002"] == "not reproduced"
    # That some instances behave so is shown by one mode.
    assert verdicts["C003"] == "reproduced"


def test_readings_that_disagree_are_named(thesis_case):
    plan, tables = thesis_case
    tables = {
        name: table.assign(status=table["status"].replace("diverged", "iteration limit"))
        for name, table in tables.items()
    }
    row = overall(judge(only(plan, "C003"), tables)).loc["C003"]
    assert row["verdict"] == "depends on an unstated choice"
    assert "not recovered for, blown up against" in row["why"]


def test_preview_gives_tendencies(plan_and_tables, heavy_ball):
    differs = ["n_channels", "p"]
    plan, tables = plan_and_tables(heavy_ball, 5, preview=True, seed=1, differs=differs)
    ledger = judge(plan, tables)
    assert (ledger["verdict"] == "not judged at this scale").all()
    assert ledger["why"].str.contains("n_channels, p: not the thesis's", regex=False).all()
    assert set(ledger["tendency"]) <= {"for", "against", "unclear"}
    assert overall(ledger)["tendency"]["C002"] == "for"


@pytest.mark.parametrize(
    "change, why",
    [
        ({"seed": 7}, "seed 7, not the declared 2021 (phase_mode2)"),
        ({"differs": ["p"]}, "p: not the thesis's (phase_mode2)"),
    ],
)
def test_verdicts_need_the_declared_run(thesis_case, change, why):
    plan, tables = copy.deepcopy(thesis_case[0]), thesis_case[1]
    plan["experiments"]["phase_mode2"].update(change)
    ledger = judge(only(plan, "C002"), tables)
    row = overall(ledger).loc["C002"]
    assert (row["verdict"], row["tendency"]) == ("not judged at this scale", "for")
    assert why in row["why"]
    assert "phase_mode1" not in row["why"]


def test_verdicts_need_the_declared_trials(thesis_case):
    plan, tables = thesis_case
    short = tables["phase_mode1"].query("algorithm != 'am_fiht' or trial < 60")
    ledger = judge(only(plan, "C002"), {**tables, "phase_mode1": short})
    part = ledger[(ledger["row"] == "part") & (ledger["part"] == "mode 1")].iloc[0]
    assert (part["trials"], part["verdict"]) == (60, "not judged at this scale")
    assert "60 of 100 declared trials" in part["why"]
    assert ledger[ledger["part"] == "mode 2"]["verdict"].tolist() == ["reproduced"]


def test_a_trial_that_misses_a_cell_does_not_count(thesis_case):
    plan, tables = thesis_case
    table = tables["phase_mode1"]
    hole = (table["algorithm"] == "am_fiht") & (table["trial"] == 4) & (table["rank"] == 10)
    ledger = judge(only(plan, "C002"), {**tables, "phase_mode1": table[~hole]})
    assert ledger[ledger["part"] == "mode 1"]["trials"].tolist() == [4]


@pytest.mark.parametrize(
    "same, word, verdict", [(True, "agrees", "reproduced"), (False, "disagrees", "inconclusive")]
)
def test_second_sample(plan_and_tables, thesis_case, heavy_ball, same, word, verdict):
    plan, tables = thesis_case
    _, more = plan_and_tables(heavy_ball if same else NO_EFFECT, 100, start=1)
    both = {
        name: pd.concat([tables[name], more[name].assign(trial=more[name]["trial"] + 100)]) for name in tables
    }
    ledger = judge(only(plan, "C002"), both)
    assert set(ledger["second_sample"]) == {word}
    assert set(ledger["verdict"]) == {verdict}
    assert set(ledger["trials"]) == {100}


def test_missing_and_empty_tables_are_not_tested(thesis_case):
    plan, tables = thesis_case
    for partial in ({}, {**tables, "phase_mode3": tables["phase_mode3"].iloc[:0]}):
        row = overall(judge(only(plan, "C002"), partial)).loc["C002"]
        assert (row["verdict"], row["tendency"]) == ("not tested", "unclear")
        assert "phase_mode3" in row["why"]


@pytest.mark.parametrize("success", [True, False])
@pytest.mark.parametrize("trials", [1, 2, 5])
def test_tables_of_one_colour_decide_nothing(plan_and_tables, heavy_ball, success, trials):
    plan, tables = plan_and_tables(heavy_ball, trials, preview=True)
    status, error = ("converged", 1e-6) if success else ("failed", np.nan)
    tables = {name: t.assign(success=success, status=status, error=error) for name, t in tables.items()}
    assert set(judge(plan, tables)["tendency"]) == {"unclear"}


def test_success_is_read_from_text_and_gaps_are_failures(thesis_case):
    plan, tables = thesis_case
    texts = {
        name: table.assign(success=table["success"].map({True: "True", False: None}))
        for name, table in tables.items()
    }
    pd.testing.assert_frame_equal(judge(only(plan, "C002"), texts), judge(only(plan, "C002"), tables))


def test_the_ledger_does_not_depend_on_the_order_of_rows(thesis_case, tmp_path):
    plan, tables = thesis_case
    shuffled = {name: table.sample(frac=1, random_state=0) for name, table in reversed(tables.items())}
    for name, given in (("one.csv", tables), ("two.csv", shuffled)):
        write_ledger(judge({**plan, "claims": plan["claims"][::-1]}, given), tmp_path / name)
    one, two = ((tmp_path / name).read_bytes() for name in ("one.csv", "two.csv"))
    assert one == two
    assert b"\r" not in one
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.csv", "two.csv"]


def test_digests_are_copied(thesis_case):
    plan, tables = thesis_case
    digests = {
        "plan": "aa",
        "code": "bb",
        "tables": {"phase_mode1": "cc", "phase_mode2": "dd", "other": "ee"},
    }
    ledger = judge({**only(plan, "C004"), "digests": digests}, tables)
    row = ledger.iloc[0]
    assert row[["plan_digest", "code_digest", "table_digests"]].tolist() == [
        "aa",
        "bb",
        "phase_mode1=cc; phase_mode2=dd",
    ]


def test_an_algorithm_that_is_not_run_is_an_error(thesis_case):
    plan, tables = copy.deepcopy(thesis_case[0]), thesis_case[1]
    plan["claims"][0]["settings"]["other"] = "ram_fith"
    with pytest.raises(UserError, match=r"C001.*does not run 'ram_fith'; did you mean 'ram_fiht'"):
        judge(plan, tables)
