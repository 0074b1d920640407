"""Claims of Chapter 6, on tables that are as the thesis says, the opposite, and between."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from claims.chapter6_tables import BETWEEN, OPPOSITE, THESIS, world
from claims.judged_tables import first_levels, judged, overall, verdicts

NAMES = [*(f"C{number:03}" for number in range(90, 109)), "C128"]
IMAGES = ["C109", "C110", "C111"]
FINDINGS = ["E02", "E11"]


@pytest.fixture(scope="module")
def made():
    return world(THESIS)


def own_rows(ledger, claim):
    return ledger[(ledger["claim"] == claim) & (ledger["row"] == "part")]


def test_all_claims_of_the_chapter_are_there(chapter6):
    assert sorted(claim["id"] for claim in chapter6) == sorted([*NAMES, *IMAGES, *FINDINGS])
    assert {claim["seed"] for claim in chapter6} == {2021}
    assert [claim["id"] for claim in chapter6 if claim.get("finding")] == FINDINGS
    assert [claim["id"] for claim in chapter6 if claim.get("correction")] == ["C091", "C092", "C093"]


def test_what_is_as_the_thesis_says_is_reproduced(chapter6, made):
    assert verdicts(judged(chapter6, made, *NAMES)) == dict.fromkeys(NAMES, "reproduced")


def test_the_opposite_is_not_reproduced(chapter6):
    # Where errors grow with the samples no test error is had at any number of them.
    expected = dict.fromkeys(NAMES, "not reproduced") | {"C104": "inconclusive"}
    assert verdicts(judged(chapter6, world(OPPOSITE), *NAMES)) == expected
    more = world(replace(THESIS, fewer=1.2))
    assert verdicts(judged(chapter6, more, "C104")) == {"C104": "not reproduced"}


def test_what_lies_between_is_inconclusive(chapter6):
    # The others are clear there, one way or the other.
    clear = ["C096", "C100", "C105", "C106", "C107", "C128"]
    names = [name for name in NAMES if name not in clear]
    assert verdicts(judged(chapter6, world(BETWEEN), *names)) == dict.fromkeys(names, "inconclusive")


def test_findings_are_shown_or_not(chapter6, made):
    assert verdicts(judged(chapter6, made, *FINDINGS)) == dict.fromkeys(FINDINGS, "shown")
    found = verdicts(judged(chapter6, world(OPPOSITE), *FINDINGS))
    assert found == dict.fromkeys(FINDINGS, "not shown")


def test_readings_that_disagree_are_named(chapter6, made):
    other = world(OPPOSITE)[1]
    replaced = {"pruned_rates_identical": other["pruned_rates_identical"]}
    row = overall(judged(chapter6, made, "C092", tables=replaced)).loc["C092"]
    assert row["verdict"] == "depends on an unstated choice"
    assert "one shared index for, independent supports, r for" in row["why"]
    assert "equal supports against" in row["why"]
    table = made[1]["pruned_imp"].copy()
    late = other["pruned_imp"]
    chosen = table["algorithm"] == "random_start"
    table.loc[chosen, "test_error"] = late.loc[chosen, "test_error"]
    row = overall(judged(chapter6, made, "C105", tables={"pruned_imp": table})).loc["C105"]
    assert row["verdict"] == "depends on an unstated choice"
    assert row["why"].endswith("rewound for, onward for, rewound, random start against")


def test_the_size_that_was_drawn_may_decide(chapter6, made):
    """Samples linear in the drawn size are not linear in another one that was asked for."""
    table = made[1]["pruned_samples_random"]
    drawn = table.assign(effective_size=np.where(table["kept"] < 40, 2.0, 0.5) * table["kept"])
    found = judged(chapter6, made, "C094", tables={"pruned_samples_random": drawn})
    rows = own_rows(found, "C094").set_index(["reading", "part"])["verdict"]
    assert rows["independent supports, r", "r̃"] == "reproduced"
    assert rows["independent supports, r̃ drawn", "r̃"] == "not reproduced"


def test_a_band_of_accuracy_that_no_mask_comes_to_decides_nothing(chapter6, made):
    tables = {}
    for name in ("pruned_mask_rates", "pruned_mask_samples"):
        table = made[1][name]
        tables[name] = table.assign(mask_accuracy=table["mask_accuracy"] - 0.4)
    names = ["C101", "C102", "C103", "C104"]
    found = judged(chapter6, made, *names, tables=tables)
    assert verdicts(found) == dict.fromkeys(names, "inconclusive")
    assert own_rows(found, "C101")["why"].str.contains("no cell has 10 trials of the group").all()


def test_masks_that_diverge_are_not_left_out(chapter6, made):
    """Without them a mask that is good and diverges would not count."""
    table = made[1]["pruned_masks"].copy()
    lost = (table["mask_accuracy"] > 0.88) & (table["trial"] % 2 == 0)
    table.loc[lost, ["status", "test_error"]] = ["diverged", np.inf]
    found = judged(chapter6, made, "C099", tables={"pruned_masks": table})
    abs_ = own_rows(found, "C099").set_index(["reading", "part"])
    kept = own_rows(judged(chapter6, made, "C099"), "C099").set_index(["reading", "part"])
    place = ("absolute, start at .1", "50 %")
    assert abs_.loc[place, "estimate"] > 1.1 * kept.loc[place, "estimate"]


def test_cells_that_a_run_does_not_draw_decide_nothing(chapter6, made):
    names = [name for name in NAMES if name not in ("C091", "C093", "C096", "C099", "C101")]
    found = verdicts(judged(chapter6, first_levels(made), *names))
    assert found == dict.fromkeys(names, "inconclusive")


def test_the_ledger_repeats_itself(chapter6, made):
    names = ["C092", "C095", "C100", "C104", "C105"]
    pd.testing.assert_frame_equal(judged(chapter6, made, *names), judged(chapter6, made, *names))
