"""Claims C005 to C034 and the findings, on tables in which everything is as the thesis says, and on others."""

import pandas as pd
import pytest

from claims.chapter2_tables import world
from nonconvex.claims.ledger import judge
from nonconvex.errors import UserError

THESIS = [f"C{number:03}" for number in range(5, 24)]
PHASORS = [f"C{number:03}" for number in range(24, 35)]


@pytest.fixture(scope="module")
def made():
    return world()


def judged(chapter2, made, *names, tables=None, experiments=None):
    chosen = [claim for claim in chapter2 if claim["id"] in names]
    plan = {"scale": "thesis", "claims": chosen, "experiments": experiments or made[0]}
    return judge(plan, made[1] if tables is None else tables)


def overall(ledger):
    return ledger[ledger["row"] == "claim"].set_index("claim")


def test_what_is_as_the_thesis_says_is_reproduced(chapter2, made):
    rows = overall(judged(chapter2, made, *THESIS))
    assert rows["verdict"].to_dict() == dict.fromkeys(THESIS, "reproduced")
    assert set(rows["data"]) == {""}
    assert set(rows["kind"]) == {"claim"}


def test_phasors_give_no_verdict_about_the_thesis(chapter2, made):
    ledger = judged(chapter2, made, *PHASORS)
    rows = overall(ledger)
    assert rows["verdict"].to_dict() == dict.fromkeys(PHASORS, "surrogate: for")
    assert rows["tendency"].to_dict() == dict.fromkeys(PHASORS, "surrogate: for")
    assert set(rows["data"]) == {"substitute"}
    # C030 also rests on synthetic signals: those rows are the thesis's own kind of data.
    parts = ledger[(ledger["claim"] == "C030") & (ledger["row"] == "part")].set_index("part")
    assert set(parts.loc["synthetic, mode 1", "verdict"]) == {"reproduced"}
    assert set(parts.loc["phasors, mode 1", "verdict"]) == {"surrogate: for"}


def test_a_preview_of_the_phasors_has_a_tendency_of_its_own_kind(chapter2, made):
    experiments = {name: {**entry, "differs": ["p"]} for name, entry in made[0].items()}
    row = overall(judged(chapter2, made, "C025", experiments=experiments)).loc["C025"]
    assert (row["verdict"], row["tendency"]) == ("not judged at this scale", "surrogate: for")


def test_findings_are_shown_or_not(chapter2, made):
    rows = overall(judged(chapter2, made, "E08", "E09"))
    assert rows["verdict"].to_dict() == {"E08": "not shown", "E09": "not shown"}
    assert set(rows["kind"]) == {"finding"}
    table = made[1]["pmu_mode2"].copy()
    eight, fiht = table["algorithm"].eq("am_fiht_r8"), table["algorithm"].eq("fiht_r8")
    below = fiht & (table["p"] > 0.618)
    table.loc[eight | below, ["status", "success", "error"]] = ["converged", False, 1.0]
    table.loc[fiht & ~below, ["status", "success"]] = ["diverged", False]
    rows = overall(judged(chapter2, made, "E08", "E09", tables={**made[1], "pmu_mode2": table}))
    assert rows["verdict"].to_dict() == {"E08": "shown", "E09": "shown"}
    assert rows["tendency"].to_dict() == {"E08": "for", "E09": "for"}


def test_exchanged_methods_are_not_reproduced(chapter2, made):
    names = {"am_fiht": "svt_x", "ram_fiht": "svt_h", "svt_x": "am_fiht", "svt_h": "ram_fiht"}
    tables = {
        name: table.assign(algorithm=table["algorithm"].replace(names)) if "algorithm" in table else table
        for name, table in made[1].items()
        if name.startswith(("comparison", "noise"))
    }
    orders = ["C005", "C006", "C018", "C023"]
    verdicts = overall(judged(chapter2, made, *orders, tables=tables))["verdict"]
    assert verdicts.to_dict() == dict.fromkeys(orders, "not reproduced")


def test_senses_of_convergence_are_readings(chapter2, made):
    table = made[1]["full_size_am"].copy()
    lost = (table["algorithm"] == "am_fiht") & (table["p"] == 0.2) & (table["trial"] < 15)
    table.loc[lost, ["status", "success", "error"]] = ["iteration limit", False, 0.5]
    row = overall(judged(chapter2, made, "C014", tables={"full_size_am": table})).loc["C014"]
    assert row["verdict"] == "depends on an unstated choice"
    assert "no blow-up for" in row["why"]


def test_full_size_runs_are_judged_at_every_scale(chapter2, made):
    chosen = [claim for claim in chapter2 if claim["id"] == "C013"]
    plan = {"scale": "preview", "claims": chosen, "experiments": made[0]}
    assert overall(judge(plan, made[1])).loc["C013", "verdict"] == "reproduced"


def test_a_claim_beside_another_experiment_needs_both(chapter2, made):
    tables = {name: table for name, table in made[1].items() if name != "noise_mode1"}
    row = overall(judged(chapter2, made, "C022", tables=tables)).loc["C022"]
    assert row["verdict"] == "not tested"
    experiments = {**made[0], "noise_mode1": {**made[0]["noise_mode1"], "differs": ["n_samples"]}}
    ledger = judged(chapter2, made, "C022", experiments=experiments)
    verdicts = ledger[ledger["row"] == "part"].set_index("part")["verdict"].to_dict()
    assert verdicts == {"mode 3": "reproduced", "mode 3 against mode 1": "not judged at this scale"}


def test_a_reading_may_have_parts_of_its_own(chapter2, made):
    ledger = judged(chapter2, made, "C008")
    parts = ledger[ledger["row"] == "part"].groupby("reading")["part"].nunique()
    assert parts.to_dict() == {"tolerance 1e-4": 6, "tolerance 1e-7": 2}
    assert set(ledger.loc[ledger["reading"] == "tolerance 1e-7", "trials"]) == {10}


def test_short_and_empty_tables_give_no_verdict(chapter2, made):
    short = {
        name: table[table["trial"] < 2] if "trial" in table else table.iloc[:0]
        for name, table in made[1].items()
    }
    names = ["C005", "C009", "C011", "C019", "C022", "C024", "C032", "E09"]
    rows = overall(judged(chapter2, made, *names, tables=short))
    assert set(rows["verdict"]) == {"not judged at this scale", "not tested"}


def test_losses_that_a_run_does_not_draw_are_told(chapter2, made):
    tables = {"pmu_mode2": made[1]["pmu_mode2"].query("p != .45")}
    experiments = {"pmu_mode2": {**made[0]["pmu_mode2"], "parameters": {"p": [0.3, 0.4, 0.55, 0.6, 0.8]}}}
    ledger = judged(chapter2, made, "C025", "C026", tables=tables, experiments=experiments)
    assert set(overall(ledger)["tendency"]) == {"surrogate: unclear"}


def test_the_ledger_repeats_itself(chapter2, made):
    one, two = (judged(chapter2, made, "C018", "C027", "C030") for _ in range(2))
    pd.testing.assert_frame_equal(one, two)


def test_an_unknown_algorithm_in_a_list_is_an_error(chapter2, made):
    claim = next(c for c in chapter2 if c["id"] == "C005")
    settings = {**claim["settings"], "than": ["fiht", "svt_y"]}
    plan = {"scale": "thesis", "claims": [{**claim, "settings": settings}], "experiments": made[0]}
    with pytest.raises(UserError, match=r"C005.*does not run 'svt_y'; did you mean 'svt_x'"):
        judge(plan, made[1])
