"""The ledger: one row for each claim, reading and part, and what each of its columns says."""

import copy

import numpy as np
import pandas as pd
import pytest

from claims.small import SHARE, X, claim, each, experiment, ledger, overall, parts, table
from nonconvex.claims.ledger import COLUMNS, judge, write_ledger
from nonconvex.errors import UserError

ALWAYS, NEVER, HALF = np.ones(100, dtype=bool), np.zeros(100, dtype=bool), each(1, 0)
TABLES = {"made": table({"a": ALWAYS, "b": NEVER})}
TWO = {"for": {"means": "a"}, "against": {"means": "b", "judge": {"of": "b"}}}


def test_every_claim_reading_and_part_has_a_row_and_every_row_all_columns():
    made = claim(parts={"one": {}, "two": {}}, readings=TWO)
    found = ledger(made, claim("C800"), tables=TABLES)
    assert list(found.columns) == COLUMNS
    # A reading of one part has no row beside that part's own.
    assert found[["claim", "row", "reading", "part"]].to_numpy().tolist() == [
        ["C800", "claim", "overall", "one"],
        ["C800", "part", "plain", "one"],
        ["C900", "claim", "overall", "every part"],
        ["C900", "reading", "for", "every part"],
        ["C900", "part", "for", "one"],
        ["C900", "part", "for", "two"],
        ["C900", "reading", "against", "every part"],
        ["C900", "part", "against", "one"],
        ["C900", "part", "against", "two"],
    ]
    assert set(found["kind"]) == {"claim"}
    assert set(found["place"]) == {"here (L7)"}
    assert set(found["quantity"]) == {"share"}
    assert set(found["experiments"]) == {"made"}


def test_what_a_part_says():
    row = parts(ledger(claim(), tables=TABLES)).iloc[0]
    assert row[["verdict", "tendency", "reading", "means", "unit", "holds", "fails"]].tolist() == [
        "reproduced", "for", "plain", "as written", "", "> 0.5", "< 0.5"]  # fmt: skip
    assert row["detail"] == "30 of 30 in 3 cells, 10 trials each; in a cell 10 to 10"
    assert (row["setting"], row["seed"], row["declared"], row["data"]) == ("one, thesis", 2021, 100, "")
    assert row["low"] < row["estimate"] == 1 == row["high"]


def test_readings_that_disagree_depend_and_are_named():
    row = overall(ledger(claim(readings=TWO), tables=TABLES)).iloc[0]
    assert (row["verdict"], row["tendency"]) == ("depends on an unstated choice", "unclear")
    assert row["why"] == "the choice of reading: for for, against against"
    assert pd.isna(row["means"])


def test_one_reading_that_is_open_leaves_the_claim_open():
    tables = {"made": table({"a": ALWAYS[:25], "b": HALF[:25]}, 25)}
    row = overall(ledger(claim(readings=TWO), tables=tables)).iloc[0]
    assert (row["verdict"], row["look"]) == ("open", "2 of 4")
    tables = {"made": table({"a": ALWAYS, "b": HALF})}
    row = overall(ledger(claim(readings=TWO), tables=tables)).iloc[0]
    assert (row["verdict"], row["look"]) == ("inconclusive", "4 of 4")
    assert "the choice of reading: for for, against unclear" in row["why"]


def test_a_part_may_have_a_quantity_of_its_own():
    mean = {"quantity": "mean", "of": "a", "column": "error", "holds": "< 0.1", "fails": "> 0.1"}
    found = ledger(claim(parts={"one": {}, "two": {"judge": mean}}), tables=TABLES)
    assert overall(found).iloc[0]["quantity"] == "share, mean"
    assert parts(found)["quantity"].to_dict() == {"one": "share", "two": "mean"}


@pytest.mark.parametrize(
    "success, verdict, tendency",
    [(ALWAYS, "shown", "for"), (NEVER, "not shown", "against"), (HALF, "not shown", "unclear")],
)
def test_findings_are_shown_or_not(success, verdict, tendency):
    row = overall(ledger(claim(finding=True), tables={"made": table({"a": success})})).iloc[0]
    assert (row["kind"], row["verdict"], row["tendency"]) == ("finding", verdict, tendency)


def test_a_finding_may_be_open_as_well():
    row = overall(ledger(claim(finding=True), tables={"made": table({"a": HALF[:50]}, 50)})).iloc[0]
    assert row["verdict"] == "open"


def test_substitute_data_give_no_verdict_about_the_thesis():
    mixed = claim(parts={"own": {}, "stand-in": {"surrogate": True}})
    found = ledger(claim("C800", surrogate=True), mixed, tables=TABLES)
    for name in ("C800", "C900"):
        row = overall(found).loc[name]
        assert (row["verdict"], row["tendency"], row["data"]) == (
            "surrogate: for",
            "surrogate: for",
            "substitute",
        )
    assert parts(found)[["verdict", "data"]].loc[["own", "stand-in"]].to_numpy().tolist() == [
        ["reproduced", ""],
        ["surrogate: for", "substitute"],
    ]
    # What a finding shows, it shows on the data it names.
    row = overall(ledger(claim(surrogate=True, finding=True), tables=TABLES)).iloc[0]
    assert (row["verdict"], row["tendency"]) == ("shown", "for")
    short = {"made": table({"a": ALWAYS[:5]}, 5)}
    row = overall(ledger(claim(surrogate=True), tables=short)).iloc[0]
    assert (row["verdict"], row["tendency"]) == ("not judged at this scale", "surrogate: unclear")


def test_a_number_for_context_is_never_judged():
    shown = {"quantity": "value for context", "of": "a", "column": "iterations", "stated": 47}
    found = ledger(claim(judge=shown), tables=TABLES)
    row, part = overall(found).iloc[0], parts(found).iloc[0]
    assert (row["kind"], row["verdict"], row["tendency"]) == ("context", "for context", "")
    assert (part["verdict"], part["estimate"], part["holds"], part["fails"]) == ("for context", 40, "", "")
    assert "the thesis states 47" in part["detail"]
    row = overall(ledger(claim(judge=shown), tables={})).iloc[0]
    assert (row["kind"], row["verdict"], row["tendency"]) == ("context", "not tested", "")


def test_a_statement_without_data_is_not_tested_and_says_why():
    untested = {key: claim()[key] for key in ("id", "place", "line", "statement", "figures")}
    found = ledger({**untested, "untested": "no experiment"}, tables=TABLES)
    assert len(found) == 1
    row = found.iloc[0]
    assert (row["verdict"], row["trials"], row["reading"], row["why"]) == (
        "not tested",
        0,
        "overall",
        "no experiment",
    )


def test_a_correction_is_that_of_the_reading_or_of_the_claim():
    readings = {"corrected": {"means": "a", "correction": "E01"}, "printed": {"means": "b"}}
    rows = ledger(claim(readings=readings), tables=TABLES).set_index("reading")["correction"]
    assert rows.to_dict() == {"overall": "", "corrected": "E01", "printed": ""}
    rows = ledger(claim(readings=readings, correction="E02"), tables=TABLES).set_index("reading")[
        "correction"
    ]
    assert rows.to_dict() == {"overall": "", "corrected": "E01", "printed": "E02"}
    rows = ledger(claim(correction="E02"), tables=TABLES)["correction"]
    assert set(rows) == {"E02"}


@pytest.mark.parametrize(
    "change, why",
    [
        ({"seed": 7}, "seed 7, not the declared 2021 (other)"),
        ({"differs": ["x", "size"]}, "x, size: not the thesis's (other)"),
    ],
)
def test_verdicts_need_the_declared_run(change, why):
    made = claim(parts={"one": {}, "two": {"experiment": "other"}})
    experiments = {"made": experiment(), "other": experiment(**change)}
    found = ledger(made, tables={**TABLES, "other": TABLES["made"]}, experiments=experiments)
    row = overall(found).iloc[0]
    assert (row["verdict"], row["tendency"], row["why"], row["look"]) == (
        "not judged at this scale",
        "for",
        why,
        "",
    )
    assert parts(found)["verdict"].to_dict() == {"one": "reproduced", "two": "not judged at this scale"}
    # All trials of such a run are looked at once.
    assert parts(found).loc["two", ["trials", "confidence"]].tolist() == [100, 0.95]


def test_the_run_beside_counts_as_well():
    gain = {"quantity": "difference of gains", "of": "a", "over": "b", "holds": "> 0", "fails": "< 0"}
    made = claim(judge=gain, parts={"one": {"beside": "other"}})
    tables = {"made": TABLES["made"], "other": table({"a": HALF, "b": HALF})}
    experiments = {"made": experiment(), "other": experiment()}
    assert overall(ledger(made, tables=tables, experiments=experiments)).iloc[0]["verdict"] == "reproduced"
    experiments["other"] = experiment(seed=1)
    row = overall(ledger(made, tables=tables, experiments=experiments)).iloc[0]
    assert (row["verdict"], row["experiments"]) == ("not judged at this scale", "made; other")
    tables["other"] = table({"a": HALF[:10], "b": HALF[:10]}, 10)
    row = overall(ledger(made, tables=tables, experiments={**experiments, "other": experiment()})).iloc[0]
    assert (row["trials"], row["look"]) == (10, "1 of 4")
    row = overall(ledger(made, tables={"made": TABLES["made"]}, experiments=experiments)).iloc[0]
    assert (row["verdict"], row["why"]) == ("not tested", "no table in this run (made)")


def test_missing_empty_and_unknown_tables_are_not_tested():
    made = claim(parts={"one": {}, "two": {"experiment": "other"}})
    for tables, experiments in [
        (TABLES, {"made": experiment(), "other": experiment()}),
        ({**TABLES, "other": TABLES["made"].iloc[:0]}, {"made": experiment(), "other": experiment()}),
        ({**TABLES, "other": TABLES["made"]}, {"made": experiment()}),
    ]:
        found = ledger(made, tables=tables, experiments=experiments)
        row = overall(found).iloc[0]
        assert (row["verdict"], row["tendency"], row["trials"]) == ("not tested", "unclear", 0)
        assert row["why"].endswith("(other)")
        assert parts(found).loc["two", "verdict"] == "not tested"
        assert parts(found).loc["one", "verdict"] == "reproduced"


def test_a_trial_that_misses_a_cell_and_all_after_it_do_not_count():
    made = TABLES["made"]
    hole = (made["algorithm"] == "a") & (made["trial"] == 30) & (made["x"] == X[1])
    row = overall(
        ledger(claim(judge={**SHARE, "holds": "> 0.9", "fails": "< 0.1"}), tables={"made": made[~hole]})
    )
    assert row.iloc[0]["trials"] == 25
    # The other algorithm's holes are no matter of this claim.
    hole = (made["algorithm"] == "b") & (made["trial"] == 3)
    row = overall(
        ledger(claim(judge={**SHARE, "holds": "> 0.97", "fails": "< 0.1"}), tables={"made": made[~hole]})
    )
    assert row.iloc[0]["trials"] == 100


@pytest.mark.parametrize("success", [True, False])
@pytest.mark.parametrize("trials", [1, 2, 5, 10])
def test_equal_sides_are_never_ordered(success, trials):
    gain = {"quantity": "difference of shares", "of": "a", "over": "b", "holds": "> 0", "fails": "< 0"}
    made = table({name: np.full(trials, success) for name in "ab"}, trials)
    assert set(ledger(claim(judge=gain), tables={"made": made})["tendency"]) == {"unclear"}


def test_success_is_read_from_text_and_gaps_are_failures():
    made = table({"a": each(1, 1, 1, 0)})
    text = made.assign(success=made["success"].map({True: "True", False: None}))
    pd.testing.assert_frame_equal(
        ledger(claim(), tables={"made": text}), ledger(claim(), tables={"made": made})
    )


def bootstrapped(name="C900"):
    return claim(name, judge={"quantity": "slope", "of": "a", "column": "error", "per": "x", "function": "x",
                              "holds": "> 0", "fails": "< 0"})  # fmt: skip


def noisy():
    made = TABLES["made"]
    return {"made": made.assign(error=np.exp(np.random.default_rng(0).standard_normal(len(made))))}


def test_the_ledger_does_not_depend_on_the_order_of_rows_or_of_claims(tmp_path):
    claims, tables = [bootstrapped(), claim("C800")], noisy()
    shuffled = {"made": tables["made"].sample(frac=1, random_state=0)}
    for name, given, of in (("one.csv", claims, tables), ("two.csv", claims[::-1], shuffled)):
        write_ledger(ledger(*given, tables=of), tmp_path / name)
    one, two = ((tmp_path / name).read_bytes() for name in ("one.csv", "two.csv"))
    assert one == two
    assert b"\r" not in one
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.csv", "two.csv"]


def test_a_claim_is_judged_alone_as_among_others():
    alone = ledger(bootstrapped(), tables=noisy())
    among = ledger(bootstrapped("C100"), bootstrapped(), claim("C999"), tables=noisy())
    pd.testing.assert_frame_equal(alone, among[among["claim"] == "C900"].reset_index(drop=True))
    # The resamples are its own: the same data give another claim an interval that differs a little.
    other = parts(among[among["claim"] == "C100"]).iloc[0]
    assert other["low"] != parts(alone).iloc[0]["low"]
    assert other["low"] == pytest.approx(parts(alone).iloc[0]["low"], abs=0.2)


def test_digests_are_copied():
    digests = {"plan": "aa", "code": "bb", "tables": {"made": "cc", "elsewhere": "dd"}}
    row = ledger(claim(), tables=TABLES, digests=digests).iloc[0]
    assert row[["plan_digest", "code_digest", "table_digests"]].tolist() == ["aa", "bb", "made=cc"]


def test_units_and_what_an_experiment_lacks_are_told_with_the_claim():
    counted = claim(judge={**SHARE, "in_units_of": {"x": ["sizes"]}})
    with pytest.raises(
        UserError,
        match="claim C900, one, reading 'plain': a claim counts in units of 'sizes', which is no number",
    ):
        ledger(counted, tables=TABLES)
    wrong = copy.deepcopy(claim())
    wrong["judge"]["of"] = "aa"
    with pytest.raises(
        UserError, match="claim C900, one: the experiment made does not run 'aa'; did you mean 'a'"
    ):
        judge({"scale": "thesis", "claims": [wrong], "experiments": {"made": experiment()}}, TABLES)


def test_numbers_are_kept_as_they_are(tmp_path):
    found = ledger(bootstrapped(), tables=noisy())
    write_ledger(found, tmp_path / "ledger.csv")
    again = pd.read_csv(tmp_path / "ledger.csv")
    assert again["low"].dropna().tolist() == found["low"].dropna().tolist()
