"""Claims C001 to C004 and E13, on phase transitions of known lines."""

import copy

import numpy as np
import pytest

from claims.judged_tables import overall
from nonconvex.claims.ledger import judge
from nonconvex.errors import UserError

NO_EFFECT = {"am_fiht_beta0": 54, "am_fiht": 54, "ram_fiht": 54}


def only(plan, *names):
    return {**plan, "claims": [claim for claim in plan["claims"] if claim["id"] in names]}


@pytest.fixture(scope="module")
def as_stated(thesis_case):
    return judge(*thesis_case)


def test_statements_that_hold_are_reproduced(as_stated):
    assert overall(as_stated)["verdict"].to_dict() == {
        **dict.fromkeys(["C001", "C002", "C003"], "reproduced"),
        # Six thresholds that are known to a part of a step of three ranks cannot show a line to 8 %.
        "C004": "inconclusive",
    }
    rows = as_stated[(as_stated["claim"] == "C004") & (as_stated["row"] == "reading")].set_index("reading")
    assert rows["verdict"].to_dict() == {"whole grid": "reproduced", "p up to .3": "inconclusive"}


def test_what_is_clear_is_decided_at_the_first_looks(as_stated):
    rows = overall(as_stated)
    assert rows.loc[["C002", "C003"], "look"].tolist() == ["1 of 4", "1 of 4"]
    assert (rows["trials"] <= 100).all()


def test_every_claim_reading_and_part_has_a_row(as_stated, claims):
    for claim in claims:
        rows = as_stated[as_stated["claim"] == claim["id"]]
        assert rows["row"].tolist()[0] == "claim"
        assert (rows["row"] == "reading").sum() == len(claim["readings"])
        assert (rows["row"] == "part").sum() == len(claim["readings"]) * len(claim["parts"])
        figures = {part["figure"] for part in claim["parts"].values()}
        assert set(rows.loc[rows["row"] == "part", "figure"]) == figures


def test_exchanging_the_methods_turns_the_orders_around(plan_and_tables):
    plan, tables = plan_and_tables({"am_fiht_beta0": 54, "am_fiht": 36, "ram_fiht": 36}, 100)
    verdicts = overall(judge(only(plan, "C002", "C003"), tables))["verdict"]
    assert verdicts.to_dict() == dict.fromkeys(["C002", "C003"], "not reproduced")


def test_lines_apart_do_not_coincide(plan_and_tables):
    plan, tables = plan_and_tables({"am_fiht_beta0": 36, "am_fiht": 54, "ram_fiht": 36}, 100)
    assert overall(judge(only(plan, "C001"), tables))["verdict"].to_dict() == {"C001": "not reproduced"}


def test_one_mode_without_an_effect(plan_and_tables, heavy_ball):
    plan, tables = plan_and_tables({1: heavy_ball, 2: heavy_ball, 3: NO_EFFECT}, 100)
    verdicts = overall(judge(only(plan, "C002", "C003"), tables))["verdict"]
    assert verdicts["C002"] == "not reproduced"
    # That some instances behave so is shown by one mode.
    assert verdicts["C003"] == "reproduced"


def test_lines_that_bend_are_not_linear(plan_and_tables, heavy_ball):
    """Up to a quarter of the entries the rank grows slowly, and then seven times as fast."""
    plan, tables = plan_and_tables(heavy_ball, 100)
    for name in ("phase_mode1", "phase_mode2"):
        table = tables[name]
        limit = 20 * table["p"] + 130 * np.maximum(table["p"] - 0.25, 0)
        luck = np.random.default_rng(3).logistic(size=len(table))
        tables[name] = table.assign(success=(limit - table["rank"]) / 1.2 + luck > 0)
    ledger = judge(only(plan, "C004"), tables)
    rows = ledger[ledger["row"] == "reading"].set_index("reading")
    assert rows["verdict"].to_dict() == {"whole grid": "inconclusive", "p up to .3": "not reproduced"}
    assert (
        ledger["row"].ne("part") | ledger["part"].str.contains("slope") | ledger["verdict"].ne("reproduced")
    ).all()


def test_readings_that_disagree_are_named(thesis_case):
    plan, tables = thesis_case
    tables = {
        name: table.assign(status=table["status"].replace("diverged", "iteration limit"))
        for name, table in tables.items()
    }
    row = overall(judge(only(plan, "C003"), tables)).loc["C003"]
    assert row["verdict"] != "reproduced"
    assert "not recovered for, blown up unclear, stop rule for" in row["why"]


def test_preview_gives_tendencies(plan_and_tables, heavy_ball):
    differs = ["n_channels", "p"]
    plan, tables = plan_and_tables(heavy_ball, 5, preview=True, seed=1, differs=differs)
    ledger = judge(plan, tables)
    assert (ledger["verdict"] == "not judged at this scale").all()
    assert ledger["why"].str.contains("n_channels, p: not the thesis's", regex=False).all()
    assert set(ledger["tendency"]) <= {"for", "against", "unclear"}
    assert overall(ledger)["tendency"]["C002"] == "for"
    assert overall(ledger)["tendency"]["C001"] in ("for", "unclear")


@pytest.mark.parametrize("success", [True, False])
@pytest.mark.parametrize("trials", [1, 2, 5])
def test_tables_of_one_colour_decide_nothing(plan_and_tables, heavy_ball, success, trials):
    plan, tables = plan_and_tables(heavy_ball, trials, preview=True)
    status, error = ("converged", 1e-6) if success else ("failed", np.nan)
    tables = {name: t.assign(success=success, status=status, error=error) for name, t in tables.items()}
    assert set(judge(plan, tables)["tendency"]) == {"unclear"}


def test_a_wrong_stop_is_shown_or_not(plan_and_tables, heavy_ball, chapter2):
    plan, tables = plan_and_tables(heavy_ball, 100)
    plan = {**plan, "claims": [claim for claim in chapter2 if claim["id"] == "E13"]}
    assert overall(judge(plan, tables)).loc["E13", "verdict"] == "not shown"
    table = tables["phase_mode1"]
    wrong = (table["algorithm"] == "ram_fiht") & (table["trial"] % 4 == 0)
    table.loc[wrong, ["status", "success", "error"]] = ["converged", False, 0.1]
    assert overall(judge(plan, tables)).loc["E13", "verdict"] == "shown"


def test_an_algorithm_that_is_not_run_is_an_error(thesis_case):
    plan, tables = copy.deepcopy(thesis_case[0]), thesis_case[1]
    plan["claims"][0]["judge"]["over"] = "ram_fith"
    with pytest.raises(UserError, match=r"C001.*does not run 'ram_fith'; did you mean 'ram_fiht'"):
        judge(plan, tables)
