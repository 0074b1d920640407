"""What runs next, on ledgers and claims that are made up."""

from pathlib import Path

import pandas as pd
import pytest

from nonconvex.claims.looks import looks
from nonconvex.claims.next_look import choose, needs, planned_trials, trials_at_look
from nonconvex.commands import look_costs as module
from nonconvex.commands.columns import listed, rows_text
from nonconvex.commands.look_costs import look_costs, look_trials
from nonconvex.commands.parser import run
from nonconvex.commands.standing import SHOWN, Standing
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.trials import trials_there, with_trials
from nonconvex.study.config import Config

ROOT = Path(__file__).parents[2]
NOT_YET, SCALE = "not tested", "not judged at this scale"


def rows(claim, verdict, *readings):
    """Return a claim's rows; a reading is its verdict, its look, and its parts (experiments, trials, declared)."""
    yield {"claim": claim, "row": "claim", "reading": "overall", "verdict": verdict}
    for number, (own, look, *parts) in enumerate(readings):
        common = {"claim": claim, "reading": f"r{number}", "look": look}
        if len(parts) > 1:
            yield {**common, "row": "reading", "verdict": own}
        for experiments, trials, declared in parts:
            part = {"experiments": experiments, "trials": trials, "declared": declared}
            yield {**common, "row": "part", "verdict": own, **part}


def needed(*claims):
    return needs(pd.DataFrame([row for claim in claims for row in rows(*claim)]))


def test_looks_are_after_the_trials_of_the_schedule():
    assert [trials_at_look(100, look) for look in range(5)] == [10, 25, 50, 100, 100]
    assert [trials_at_look(30, look) for look in range(2)] == [10, 30]
    assert trials_at_look(4, 3) == 4


def test_with_nothing_there_all_claims_need_their_first_look():
    found = needed(
        ("C1", NOT_YET, (NOT_YET, "", ("a", 0, 100))),
        ("C2", NOT_YET, (NOT_YET, "", ("a; b", 0, 30), ("c", 0, 4))),
    )
    assert found == {"C1": {"a": 10}, "C2": {"a": 10, "b": 10, "c": 4}}


def test_a_part_without_enough_trials_needs_the_first_look_and_the_others_nothing():
    assert needed(("C1", SCALE, (SCALE, "", ("a", 5, 100), ("b", 10, 100)))) == {"C1": {"a": 10}}


def test_what_is_decided_needs_nothing():
    assert needed(("C1", "reproduced", ("reproduced", "1 of 4", ("a", 10, 100)))) == {}
    assert needed(("C1", "inconclusive", ("inconclusive", "4 of 4", ("a", 100, 100)))) == {}
    assert needed(("C1", SCALE, (SCALE, "", ("a", 10, 100)))) == {}  # of another size: no trials help
    assert needed(("C1", "for context", ("for context", "1 of 4", ("a", 10, 100)))) == {}
    assert needed(("C1", NOT_YET)) == {}  # that no experiment can test


def test_an_open_claim_needs_the_look_after_its_last():
    assert needed(("C1", "open", ("open", "1 of 4", ("a", 10, 100)))) == {"C1": {"a": 25}}
    assert needed(("C1", "open", ("open", "3 of 4", ("a; b", 50, 100)))) == {"C1": {"a": 100, "b": 100}}


def test_parts_with_fewer_looks_stay_at_their_last():
    open_ = ("open", "2 of 4", ("a", 25, 100), ("b", 10, 10), ("c", 30, 30))
    assert needed(("C1", "open", open_)) == {"C1": {"a": 50, "b": 10, "c": 30}}


def test_readings_that_are_decided_need_nothing_more():
    decided, open_ = ("reproduced", "1 of 4", ("a", 10, 100)), ("open", "2 of 4", ("b", 25, 100))
    assert needed(("C1", "open", decided, open_)) == {"C1": {"b": 50}}
    # Two readings that disagree decide, whatever the third gives.
    against = ("not reproduced", "1 of 4", ("a", 10, 100))
    assert needed(("C1", "depends on an unstated choice", decided, against, open_)) == {}


def test_each_experiment_runs_to_the_largest_next_look_of_those_who_read_it():
    asked = {"a": 100, "b": 30, "c": 4, "d": 100}
    claims = {"C1": {"a": 25, "b": 50}, "C2": {"a": 10}, "C3": {"c": 4, "elsewhere": 10}}
    assert choose(claims, {}, asked) == {"a": 25, "b": 30, "c": 4}
    assert choose(claims, {"a": 25, "b": 10, "c": 10}, asked) == {"b": 30}
    assert choose({}, {}, asked) == {}


def test_what_a_claim_declares_tells_its_looks():
    claim = {
        "trials": 100,
        "parts": {"x": {"experiment": "a", "beside": "b"}, "y": {"experiment": "c", "trials": 10}},
        "readings": {"one": {}, "two": {"parts": {"z": {"experiment": "d", "trials": 30}}}},
    }
    assert planned_trials(claim, 0) == {"a": 10, "b": 10, "c": 10, "d": 10}
    assert planned_trials(claim, 1) == {"a": 25, "b": 25, "c": 10, "d": 30}
    assert planned_trials({"untested": "there is no data"}, 0) == {}


def test_a_pipeline_with_other_trials_keeps_the_rest():
    usual = Pipeline(Config("thesis", figures=("2.2", "2.8")))
    grown = with_trials(usual, {"phase_mode1": 10, "pmu_block": 1})
    assert grown.experiment("phase_mode1")["trials"] == 10
    assert grown.experiment("pmu_block") == usual.experiment("pmu_block")
    assert with_trials(usual, {}).table("phase_mode1").plan == usual.table("phase_mode1").plan
    few = with_trials(usual, {"phase_mode1": 27})
    shared = {one.outputs: one.plan_sha256 for one in few.block_products("phase_mode1")}
    whole = {one.outputs: one.plan_sha256 for one in usual.block_products("phase_mode1")}
    kept = {files for files in shared if whole.get(files) == shared[files]}
    assert {path for (path,) in shared.keys() - kept} == {
        f"results/thesis/outcomes/phase_mode1/{name}" for name in ("am_fiht_beta0/0025-0026.h5", "am_fiht/0025-0026.h5", "ram_fiht/0025-0026.h5")
    }  # fmt: skip


def test_without_stamps_there_are_no_tables(tmp_path, monkeypatch):
    pipeline = Pipeline(Config("thesis", figures=("2.2",)), ROOT)
    monkeypatch.chdir(tmp_path)
    stamp = tmp_path / "results/thesis/stamps/tables/phase_mode1.json"
    stamp.parent.mkdir(parents=True)
    for text in (
        "",
        "[]",
        "{}",
        '{"inputs": {}}',
        '{"inputs": {"x.h5": ""}}',
        '{"inputs": {"0000-0009.h5": ""}}',
    ):
        stamp.write_text(text)
        assert trials_there(pipeline) == {}


def test_looks_cost_what_their_blocks_cost(monkeypatch):
    claim = {
        "id": "T",
        "trials": 100,
        "figures": ["2.10"],
        "parts": {"x": {"experiment": "pmu_mode1"}},
        "readings": {"one": {}},
    }
    pipeline = Pipeline(Config("thesis", figures=("2.10",)))
    monkeypatch.setattr(pipeline, "wanted_claims", lambda chapter: [claim] if chapter == "2" else [])
    assert look_trials(pipeline) == [{"pmu_mode1": number} for number in looks(100)]
    seen = []

    def spent(experiment, blocks, costs):
        seen.append({part: list(names) for part, names in blocks.items()})
        return 1.0, []

    monkeypatch.setattr(module, "blocks_cost", spent)
    found = look_costs(pipeline, {})
    assert (found["2"].first, found["2"].every) == (1.0, 1.0)
    first, every = seen
    assert first["am_fiht_r8"] == ["0000-0009"]
    tens = [f"{k:04}-{k + 9:04}" for k in range(0, 100, 10)]
    assert sorted(every["am_fiht_r8"]) == sorted([*tens, "0020-0024"])  # a short block is replaced
    assert every["dataset"] == tens


@pytest.mark.parametrize(("number", "told"), [(2, "a0, a1"), (14, "a11 and 2 more")])
def test_lists_do_not_run_on(number, told):
    assert listed([f"a{k}" for k in range(number)]).endswith(told)


def test_rows_stand_below_each_other():
    assert rows_text([("a", "bbb", "c"), ("aa", "b", "cc")]) == ["  a   bbb  c", "  aa  b    cc"]
    assert rows_text([]) == []


def standing(**changes):
    shown = pd.DataFrame(
        [
            ("C1", "reproduced", "1 of 4", 10, 100),
            ("C2", "open", "1 of 4", 10, 100),
            ("C3", NOT_YET, "", 0, 30),
        ],
        columns=SHOWN,
    )
    known = {
        "folder": "results/thesis",
        "ledgers": {},
        "shown": shown,
        "needed": {"C2": {"a": 25}, "C3": {"b": 10}},
        "there": {"a": 10},
        "coming": {"a": 25, "b": 10},
        "costs": {"a": (7200.0, []), "b": (0.5, ["new"])},
    }
    return Standing(**(known | changes))


@pytest.mark.parametrize(
    ("seconds", "first"),
    [(0.1, ["d"]), (10.0, ["d", "c"]), (8000.0, ["d", "c", "a", "b"])],
)
def test_the_cheapest_experiments_come_first_and_unmeasured_ones_last(seconds, first):
    costs = {"a": (7200.0, []), "b": (0.5, ["new"]), "c": (9.0, []), "d": (1.0, [])}
    coming = dict.fromkeys(costs, 10)
    assert list(standing(coming=coming, costs=costs).cheapest(seconds)) == first


def test_a_person_is_told_what_is_decided_and_open_and_what_comes():
    lines = standing().text(5400.0).splitlines()
    assert [line.split() for line in lines[2:]] == [
        line.split()
        for line in (
            "reproduced, 1  C1 (1 of 4)",
            "open, 1  C2 10 of 100 trials",
            "before the first look, 1  C3",
            "Next look, 2.00 core-hours and what was not measured:",
            "experiment trials core-hours",
            "a 10 -> 25 2.00",
            "b 0 -> 10 0.00 (not measured: new)",
            "Time left: 1.50 hours.",
        )
    ]


def test_where_the_config_has_no_more_trials_what_is_open_stays_open():
    text = standing(coming={}).text(None)
    assert "what is open needs more trials than this config has" in text
    assert "not tested, 1" in text  # C3, which nothing here can run
    assert "Time left" not in text


@pytest.mark.parametrize(
    ("words", "where", "more", "cores"),
    [
        (["--profile", "profiles/slurm"], ("--workflow-profile", "profiles/slurm"), [], None),
        (["--cores", "3", "--", "-n", "--jobs", "5"], ("--cores", "3"), ["-n", "--jobs", "5"], 3),
    ],
)
def test_the_command_line_says_where_to_run(words, where, more, cores, monkeypatch):
    called = []
    monkeypatch.setattr("nonconvex.commands.decide.decide", lambda pipeline, *rest: called.append(rest) or 0)
    options = ["--hours", "3", "--target", "chapter2", "chapter3", "--config", "scale=thesis"]
    run(["decide", *options, *words])
    assert called == [(3.0, where, ["chapter2", "chapter3"], more, cores)]


@pytest.mark.parametrize("word", ["0", "-2", "many"])
def test_a_number_of_cores_that_is_none_is_refused(word, capsys):
    with pytest.raises(SystemExit):
        run(["decide", "--cores", word, "--config", "scale=thesis"])
    assert "--cores" in capsys.readouterr().err
