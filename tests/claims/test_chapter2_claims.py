"""Claims of Chapter 2, on tables in which everything is as the thesis says, and on others."""

import pandas as pd
import pytest

from claims.chapter2_tables import world
from claims.judged_tables import judged, overall, verdicts
from nonconvex.claims.ledger import judge
from nonconvex.errors import UserError

SIGNALS = [*(f"C{number:03}" for number in range(5, 24)), "C130"]
PHASORS = [f"C{number:03}" for number in range(24, 35)]
CONTEXT = ["C131", "C132"]
METHODS = {"am_fiht": "svt_x", "ram_fiht": "svt_h", "svt_x": "am_fiht", "svt_h": "ram_fiht"}


@pytest.fixture(scope="module")
def made():
    return world()


@pytest.fixture(scope="module")
def as_stated(chapter2, made):
    return judged(chapter2, made, *SIGNALS, *PHASORS, *CONTEXT)


def exchanged(made, names, *experiments):
    """Give the methods each other's names in the tables whose names begin so."""
    return {
        name: table.assign(algorithm=table["algorithm"].replace(names))
        for name, table in made[1].items()
        if name.startswith(experiments)
    }


def test_all_claims_of_the_chapter_are_there(chapter2):
    names = [*(f"C{number:03}" for number in range(1, 35)), "C130", *CONTEXT, "E08", "E09", "E13"]
    assert [claim["id"] for claim in chapter2] == names
    assert [claim["id"] for claim in chapter2 if claim.get("finding")] == ["E08", "E09", "E13"]


def test_what_is_as_the_thesis_says_is_reproduced(as_stated):
    rows = overall(as_stated)
    assert rows.loc[SIGNALS, "verdict"].to_dict() == dict.fromkeys(SIGNALS, "reproduced")
    assert set(rows.loc[SIGNALS, "data"]) == {""}
    assert set(rows.loc[SIGNALS, "kind"]) == {"claim"}


def test_phasors_give_no_verdict_about_the_thesis(as_stated):
    rows = overall(as_stated)
    for column in ("verdict", "tendency"):
        assert rows.loc[PHASORS, column].to_dict() == dict.fromkeys(PHASORS, "surrogate: for")
    assert set(rows.loc[PHASORS, "data"]) == {"substitute"}
    # C030 also rests on synthetic signals: those rows are the thesis's own kind of data.
    parts = as_stated[(as_stated["claim"] == "C030") & (as_stated["row"] == "part")].set_index("part")
    assert set(parts.loc["synthetic, mode 1", "verdict"]) == {"reproduced"}
    assert set(parts.loc["phasors, mode 1", "verdict"]) == {"surrogate: for"}


def test_absolute_seconds_are_shown_and_never_judged(as_stated):
    rows = overall(as_stated)
    assert rows.loc[CONTEXT, "verdict"].tolist() == ["for context"] * 2
    assert rows.loc[CONTEXT, "kind"].tolist() == ["context"] * 2
    assert set(as_stated.loc[as_stated["claim"].isin(CONTEXT), "tendency"]) == {""}


def test_exchanged_methods_are_not_reproduced(chapter2, made):
    orders = [
        *(f"C{number:03}" for number in range(5, 11)),
        "C016",
        "C017",
        "C018",
        "C020",
        "C021",
        "C022",
        "C023",
    ]
    tables = exchanged(made, METHODS, "comparison", "noise", "timing")
    assert verdicts(judged(chapter2, made, *orders, tables=tables)) == dict.fromkeys(orders, "not reproduced")


def test_the_step_exchanged_with_none_is_not_reproduced(chapter2, made):
    tables = exchanged(made, {"am_fiht": "am_fiht_beta0", "am_fiht_beta0": "am_fiht"}, "full")
    assert verdicts(judged(chapter2, made, "C015", tables=tables)) == {"C015": "not reproduced"}


def test_methods_that_never_end_well_are_not_reproduced(chapter2, made):
    tables = {
        name: made[1][name].assign(status="diverged", success=False, error=float("inf"))
        for name in ("full_size_am", "full_size_fiht")
    }
    names = ["C011", "C012", "C013", "C014"]
    assert verdicts(judged(chapter2, made, *names, tables=tables)) == dict.fromkeys(names, "not reproduced")


def test_errors_that_the_noise_does_not_move_and_a_matrix_of_low_rank(chapter2, made):
    tables = {name: table.assign(error=0.01) for name, table in made[1].items() if name.startswith("noise")}
    tables["data_rank"] = made[1]["data_rank"].replace(20, 5)
    names = ["C019", "C130"]
    assert verdicts(judged(chapter2, made, *names, tables=tables)) == dict.fromkeys(names, "not reproduced")


def test_exchanged_phasors_are_against(chapter2, made):
    pairs = [("am_fiht", "fiht"), ("ram_fiht", "am_fiht_beta0")]
    names = {
        f"{one}_r{r}": f"{other}_r{r}" for r in (8, 2) for a, b in pairs for one, other in ((a, b), (b, a))
    }
    found = verdicts(
        judged(chapter2, made, "C025", "C028", "C033", "C034", tables=exchanged(made, names, "pmu_mode"))
    )
    assert found == dict.fromkeys(found, "surrogate: against")
    bad = made[1]["pmu_rank_errors"].assign(error=0.3)
    assert verdicts(judged(chapter2, made, "C024", tables={"pmu_rank_errors": bad})) == {
        "C024": "surrogate: against"
    }


def test_findings_are_shown_or_not(chapter2, made):
    rows = overall(judged(chapter2, made, "E08", "E09"))
    assert rows["verdict"].to_dict() == {"E08": "not shown", "E09": "not shown"}
    assert set(rows["kind"]) == {"finding"}
    table = made[1]["pmu_mode2"].copy()
    eight, fiht = table["algorithm"].eq("am_fiht_r8"), table["algorithm"].eq("fiht_r8")
    below = fiht & (table["p"] > 0.618)
    table.loc[eight | below, ["status", "success", "error"]] = ["converged", False, 1.0]
    table.loc[fiht & ~below, ["status", "success"]] = ["diverged", False]
    rows = overall(judged(chapter2, made, "E08", "E09", tables={"pmu_mode2": table}))
    assert rows["verdict"].to_dict() == {"E08": "shown", "E09": "shown"}
    assert rows["tendency"].to_dict() == {"E08": "for", "E09": "for"}


def test_a_preview_of_the_phasors_has_a_tendency_of_its_own_kind(chapter2, made):
    experiments = {name: {**entry, "differs": ["p"]} for name, entry in made[0].items()}
    row = overall(judged(chapter2, (experiments, made[1]), "C025")).loc["C025"]
    assert (row["verdict"], row["tendency"]) == ("not judged at this scale", "surrogate: for")


def test_senses_of_convergence_are_readings(chapter2, made):
    table = made[1]["full_size_am"].copy()
    lost = (table["algorithm"] == "am_fiht") & (table["p"] == 0.2)
    table.loc[lost, ["status", "success", "error"]] = ["iteration limit", False, 0.5]
    row = overall(judged(chapter2, made, "C014", tables={"full_size_am": table})).loc["C014"]
    assert row["verdict"] == "depends on an unstated choice"
    assert "convergent against, stop rule against, no blow-up for, recovered against" in row["why"]


def test_full_size_runs_are_judged_at_every_scale(chapter2, made):
    chosen = [claim for claim in chapter2 if claim["id"] == "C013"]
    plan = {"scale": "preview", "claims": chosen, "experiments": made[0]}
    assert overall(judge(plan, made[1])).loc["C013", "verdict"] == "reproduced"


def test_a_claim_beside_another_experiment_needs_both(chapter2, made):
    tables = {name: table for name, table in made[1].items() if name != "noise_mode1"}
    assert verdicts(judged(chapter2, (made[0], tables), "C022")) == {"C022": "not tested"}
    experiments = {**made[0], "noise_mode1": {**made[0]["noise_mode1"], "differs": ["n_samples"]}}
    ledger = judged(chapter2, (experiments, made[1]), "C022")
    found = ledger[ledger["row"] == "part"].set_index("part")["verdict"].to_dict()
    assert found == {"mode 3": "reproduced", "mode 3 against mode 1": "not judged at this scale"}


def test_a_reading_may_have_parts_of_its_own(as_stated):
    own = as_stated[as_stated["claim"] == "C008"]
    parts = own[own["row"] == "part"].groupby("reading")["part"].nunique()
    assert parts.to_dict() == {"tolerance 1e-4": 6, "tolerance 1e-7": 2}
    assert set(own.loc[own["reading"] == "tolerance 1e-7", "declared"]) == {10}


def test_short_and_empty_tables_give_no_verdict(chapter2, made):
    short = {
        name: table[table["trial"] < 2] if "trial" in table else table.iloc[:0]
        for name, table in made[1].items()
    }
    names = ["C005", "C009", "C011", "C019", "C022", "C024", "C032", "E09"]
    rows = overall(judged(chapter2, made, *names, tables=short))
    assert set(rows["verdict"]) == {"not judged at this scale", "not tested"}


def test_losses_that_a_run_does_not_draw_leave_a_claim_open(chapter2, made):
    tables = {"pmu_mode2": made[1]["pmu_mode2"].query("p != .45")}
    experiments = {"pmu_mode2": {**made[0]["pmu_mode2"], "parameters": {"p": [0.3, 0.4, 0.55, 0.6, 0.8]}}}
    ledger = judged(chapter2, (experiments, tables), "C025", "C026")
    assert set(overall(ledger)["tendency"]) == {"surrogate: unclear"}
    assert ledger["why"].str.contains("no cell of this run lies within the limits").any()


def test_the_ledger_repeats_itself(chapter2, made):
    one, two = (judged(chapter2, made, "C018", "C019", "C030") for _ in range(2))
    pd.testing.assert_frame_equal(one, two)


def test_an_unknown_algorithm_in_a_list_is_an_error(chapter2, made):
    claim = next(c for c in chapter2 if c["id"] == "C005")
    wrong = {**claim, "judge": {**claim["judge"], "over": ["fiht", "svt_y"]}}
    with pytest.raises(UserError, match=r"C005.*does not run 'svt_y'; did you mean 'svt_x'"):
        judge({"scale": "thesis", "claims": [wrong], "experiments": made[0]}, made[1])
