"""Claims of Chapter 4, on tables that are as the thesis says, the opposite, and between."""

from dataclasses import replace

import pandas as pd
import pytest

from claims.chapter45_tables import world
from claims.judged_tables import first_levels, judged, verdicts
from claims.network_truths import BETWEEN, OPPOSITE, THESIS

NAMES = [*(f"C{number:03}" for number in range(58, 76)), "C127", "C135", "C138", "C139"]
FINDINGS = ["E01", "E05", "E12"]
DEPENDS = "depends on an unstated choice"


@pytest.fixture(scope="module")
def made():
    return world(THESIS)


def readings(ledger, claim):
    rows = ledger[(ledger["claim"] == claim) & (ledger["row"] == "part")]
    return dict(zip(rows["reading"], rows["tendency"], strict=True))


def test_all_claims_of_the_chapter_are_there(chapter4):
    assert [claim["id"] for claim in chapter4] == [*NAMES, *FINDINGS]
    assert {claim["seed"] for claim in chapter4} == {2021}
    assert [claim["id"] for claim in chapter4 if claim.get("finding")] == FINDINGS


def test_a_corrected_step_is_said_in_the_note(chapter4):
    silent = [
        claim["id"]
        for claim in chapter4
        if "correct" not in claim.get("note", "")
        and "over_k" not in claim.get("note", "")
        and not any("correction" in reading for reading in claim["readings"].values())
    ]
    # The step of C139 is the printed one, times a number: no correction. The others are what the corrections are.
    assert silent == ["C139", *FINDINGS]


def test_what_is_as_the_thesis_says_is_reproduced(chapter4, made):
    ledger = judged(chapter4, made, *NAMES)
    # An error that levels off does not decay as the theorem has it.
    expected = dict.fromkeys(NAMES, "reproduced") | {"C072": DEPENDS, "C135": "not reproduced"}
    assert verdicts(ledger) == expected
    assert readings(ledger, "C072") == {
        "over_k, can": "for",
        "over_k, always": "for",
        "as printed, can": "against",
    }


def test_what_rests_on_the_corrected_step_says_so(chapter4, made):
    ledger = judged(chapter4, made, "C061", "C063", "C064", "C072", "C138", "C139", "E01")
    rows = (
        ledger.drop_duplicates(["claim", "reading"]).set_index(["claim", "reading"])["correction"].to_dict()
    )
    assert rows["C064", "overall"] == "E01"
    found = {name: rows["C072", name] for name in ("overall", "over_k, can", "as printed, can")}
    assert found == {"overall": "", "over_k, can": "E01", "as printed, can": ""}
    for claim, other in (("C061", "theorem"), ("C063", "theorem"), ("C138", "step with 1/(KM²)")):
        assert [rows[claim, name] for name in ("overall", "over_k", other)] == ["", "E01", ""], claim
    assert set(ledger.loc[ledger["claim"] == "C139", "correction"]) == {""}
    assert rows["E01", "overall"] == ""


def test_the_opposite_is_not_reproduced(chapter4):
    ledger = judged(chapter4, world(OPPOSITE), *NAMES)
    expected = dict.fromkeys(NAMES, "not reproduced") | {"C071": DEPENDS, "C135": "reproduced"}
    assert verdicts(ledger) == expected
    assert readings(ledger, "C071") == {"over_k": "against", "as printed": "for"}


def test_what_lies_between_is_inconclusive(chapter4):
    # The others are clear there, one way or the other.
    names = [name for name in NAMES if name not in ("C066", "C071", "C135")]
    assert verdicts(judged(chapter4, world(BETWEEN), *names)) == dict.fromkeys(names, "inconclusive")


def test_findings_are_shown_or_not(chapter4, made):
    # The line that moves with the noise, as the thesis says, is against E12.
    expected = {"E01": "shown", "E05": "shown", "E12": "not shown"}
    assert verdicts(judged(chapter4, made, *FINDINGS)) == expected
    still = world(replace(THESIS, by_noise=-0.02))
    assert verdicts(judged(chapter4, still, "C070", "E12")) == {"C070": "not reproduced", "E12": "shown"}
    assert set(verdicts(judged(chapter4, world(OPPOSITE), *FINDINGS)).values()) == {"not shown"}


def test_an_advantage_that_a_larger_cap_takes_away_is_named(chapter4, made):
    late = world(replace(THESIS, region=0.0))[1]["region_long"]
    ledger = judged(chapter4, made, "C075", tables={"region_long": late})
    row = ledger.iloc[0]
    assert row["verdict"] in (DEPENDS, "inconclusive")
    assert "6000 iterations for, 24 000 iterations" in row["why"]
    worse = world(replace(THESIS, region=-0.1))[1]["region_long"]
    ledger = judged(chapter4, made, "C075", tables={"region_long": worse})
    assert verdicts(ledger) == {"C075": DEPENDS}
    assert "6000 iterations for, 24 000 iterations against" in ledger.iloc[0]["why"]


def test_words_are_axes_as_well_as_numbers(chapter4, made):
    ledger = judged(chapter4, made, "C059")
    assert ledger.iloc[0]["verdict"] == "reproduced"
    table = made[1]["sign_success"]
    without = table[table["sign"] != "mixed"]
    ledger = judged(chapter4, made, "C059", tables={"sign_success": without})
    assert verdicts(ledger) == {"C059": "not tested"}


def test_cells_that_a_run_does_not_draw_decide_nothing(chapter4, made):
    names = ["C058", "C059", "C061", "C064", "C065", "C067", "C068", "C069", "C075", "C135"]
    found = verdicts(judged(chapter4, first_levels(made), *names))
    assert found == dict.fromkeys(names, "inconclusive")


def test_the_ledger_repeats_itself(chapter4, made):
    names = ["C061", "C067", "C069", "C127"]
    pd.testing.assert_frame_equal(judged(chapter4, made, *names), judged(chapter4, made, *names))
