"""Claims of Chapter 5, on tables that are as the thesis says, the opposite, and between."""

from dataclasses import replace

import pandas as pd
import pytest

from claims.chapter45_tables import world
from claims.judged_tables import first_levels, judged, verdicts
from claims.network_truths import BETWEEN, OPPOSITE, THESIS

NAMES = ["C060b", *(f"C{number:03}" for number in range(76, 89)), "C136", "C137", "C140", "C141"]
FINDINGS = ["E03", "E07"]


@pytest.fixture(scope="module")
def made():
    return world(THESIS)


def test_all_claims_of_the_chapter_are_there(chapter5):
    assert {claim["id"] for claim in chapter5} == {*NAMES, "C089", *FINDINGS}
    assert {claim["seed"] for claim in chapter5 if "seed" in claim} == {2021}
    assert [claim["id"] for claim in chapter5 if claim.get("finding")] == FINDINGS


def test_what_is_as_the_thesis_says_is_reproduced(chapter5, made):
    assert verdicts(judged(chapter5, made, *NAMES)) == dict.fromkeys(NAMES, "reproduced")


def test_the_opposite_is_not_reproduced(chapter5):
    found = verdicts(judged(chapter5, world(OPPOSITE), *NAMES))
    assert found == dict.fromkeys(NAMES, "not reproduced")


def test_what_lies_between_is_inconclusive(chapter5):
    names = [name for name in NAMES if name != "C137"]
    found = verdicts(judged(chapter5, world(BETWEEN), *names))
    assert found == dict.fromkeys(names, "inconclusive")


def test_findings_are_shown_or_not(chapter5, made):
    assert verdicts(judged(chapter5, made, *FINDINGS)) == dict.fromkeys(FINDINGS, "shown")
    found = verdicts(judged(chapter5, world(OPPOSITE), *FINDINGS))
    assert found == dict.fromkeys(FINDINGS, "not shown")


def test_a_statement_without_data_is_not_tested_and_says_why(chapter5, made):
    ledger = judged(chapter5, made, "C089")
    assert len(ledger) == 1
    row = ledger.iloc[0]
    assert (row["verdict"], row["trials"], row["reading"]) == ("not tested", 0, "overall")
    assert "no results on the number of samples in classification" in row["why"]


def test_early_and_late_iterates_may_disagree(chapter5, made):
    table = made[1]["classification"].copy()
    late = world(replace(THESIS, distance=0.3))[1]["classification"]
    chosen = table["algorithm"] == "iterations_6000"
    table.loc[chosen, "error"] = late.loc[chosen, "error"]
    ledger = judged(chapter5, made, "C088", tables={"classification": table})
    assert verdicts(ledger) == {"C088": "depends on an unstated choice"}


def test_cells_that_a_run_does_not_draw_decide_nothing(chapter5, made):
    names = ["C077", "C080", "C081", "C082", "C083", "C085", "C086", "C088", "C136", "C137"]
    found = verdicts(judged(chapter5, first_levels(made), *names))
    assert found == dict.fromkeys(names, "inconclusive")


def test_the_ledger_repeats_itself(chapter5, made):
    names = ["C077", "C081", "C085", "C088"]
    pd.testing.assert_frame_equal(judged(chapter5, made, *names), judged(chapter5, made, *names))
