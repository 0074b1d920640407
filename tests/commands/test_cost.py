import re

import pytest
import yaml

from nonconvex.commands.cost import GROUP, cost, slurm_outcomes
from nonconvex.commands.measure import sample_cells
from nonconvex.pipeline.costs import CELL, FILE, estimate, job_limits, unit_cost
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.problems import contract
from nonconvex.study.config import Config

_HOURS = (r"figures: ([\d.]+) core-hours", r"machine at least ([\d.]+) hours", r"of a cluster ([\d.]+)")
EXPERIMENT = {
    "experiment": "e",
    "scale": "thesis",
    "parameters": {"n": 10, "p": [0.1, 0.2], "rank": [1, 2, 3]},
    "axes": ["p", "rank"],
    "trials": 7,
    "block": 5,
    "timed": False,
    "algorithms": {
        "fast": {"method": "a", "trials": 7, "block": 5},
        "slow": {"method": "b", "trials": 2, "block": 5},
    },
}
UNIT = {"seconds": 1.0, "standard_error": 0.1, "memory_mb": 250, "bytes": 1000}
COSTS = {"e": {"thesis": {"dataset": UNIT, "fast": UNIT, "slow": UNIT | {"seconds": 100.0}}}}


def test_the_estimate_multiplies_units_by_cells_and_trials():
    row = estimate(EXPERIMENT, COSTS)
    assert row["cells"] == 6
    assert row["jobs"] == 2 + 2 + 1 + 1  # dataset, fast, slow, table
    assert row["seconds"] == pytest.approx(6 * 7 + 6 * 7 + 6 * 2 * 100, rel=0.01)
    assert row["longest"] == pytest.approx(6 * 2 * 100, rel=0.01)
    assert row["disk_mb"] == pytest.approx((7 + 7 + 2) * 6 * 1000 / 1e6 + 5 * FILE / 1e6 + 2 * 6 * CELL / 1e6)
    assert row["memory_mb"] == 250
    assert row["methods"] == pytest.approx({"a": 6 * 7, "b": 6 * 2 * 100}, rel=0.1)


def test_an_algorithm_with_smaller_blocks_has_more_jobs():
    slow = {"method": "b", "trials": 7, "block": 1}
    row = estimate(EXPERIMENT | {"algorithms": {"slow": slow}}, COSTS)
    assert row["blocks"]["dataset"][0] == 2
    assert row["blocks"]["slow"] == (7, pytest.approx(6 * 100, rel=0.01))
    assert row["longest"] == pytest.approx(6 * 100, rel=0.01)


def test_what_was_not_measured_is_said():
    assert estimate(EXPERIMENT, {})["unmeasured"] == ["dataset", "fast", "slow"]
    assert job_limits(None, EXPERIMENT, 5)["minutes"] >= 60


def test_an_overlay_falls_back_on_its_scale():
    assert unit_cost(COSTS, EXPERIMENT | {"scale": "thesis-few"}, "fast") == UNIT
    assert unit_cost(COSTS, EXPERIMENT | {"scale": "preview"}, "fast") is None


def test_the_arithmetic_of_a_trial_tells_its_seconds_at_a_scale_that_was_not_measured():
    tickets = {
        "experiment": "t",
        "family": "mnist_pruning",
        "scale": "thesis",
        "parameters": {"model": "lenet5", "epochs": 10, "n_samples": [100, 300], "rounds": 2},
        "axes": ["n_samples"],
    }
    trained = 3 * 417e3 * 10 * 200 * 2  # forward and twice back, for 200 images on average
    few, many = (UNIT | {"seconds": s, "work": share * trained} for s, share in ((9, 0.01), (4, 0.1)))
    drawn = UNIT | {"work": 0.0}
    costs = {"t": {"smoke": {"dataset": drawn, "a": few}, "preview": {"dataset": drawn, "a": many}}}
    found = unit_cost(costs, tickets, "a")
    assert found["seconds"] == pytest.approx(40) and found["standard_error"] == pytest.approx(1)
    assert "extrapolated" in found and "extrapolated" not in unit_cost(
        costs, tickets | {"scale": "smoke"}, "a"
    )
    assert unit_cost(costs, tickets, "dataset")["seconds"] == 1


def test_job_limits_leave_room():
    limits = job_limits(UNIT, EXPERIMENT, 5)
    assert limits["memory_mb"] >= 1.5 * UNIT["memory_mb"]
    assert limits["minutes"] * 60 >= 3 * 6 * 5
    assert limits["short"]


def test_only_short_jobs_that_are_not_timed_share_a_job():
    assert job_limits(UNIT, EXPERIMENT, 5)["short"]
    assert not job_limits(UNIT, EXPERIMENT | {"timed": True}, 5)["short"]
    assert not job_limits(UNIT, EXPERIMENT, 500)["short"]
    assert not job_limits(None, EXPERIMENT, 5)["short"]


def test_trials_that_are_worked_on_together_need_their_memory():
    together = UNIT | {"further_mb": 40}
    assert job_limits(together, EXPERIMENT, 5)["memory_mb"] >= 1.5 * (250 + 4 * 40)
    costs = {"e": {"thesis": {"dataset": UNIT, "fast": together, "slow": UNIT}}}
    assert estimate(EXPERIMENT, costs)["memory_mb"] == 250 + 4 * 40


def test_short_jobs_share_a_slurm_job_but_long_ones_stay_alone():
    algorithms = {
        "fast": {"method": "a", "trials": 90, "block": 5},
        "slow": {"method": "b", "trials": 2, "block": 5},
    }
    row = estimate(EXPERIMENT | {"trials": 90, "algorithms": algorithms}, COSTS)
    assert row["blocks"] == {part: (18, pytest.approx(30.5)) for part in ("dataset", "fast")} | {
        "slow": (1, pytest.approx(1200.5))
    }
    seconds = 18 * 30.5 + 1200.5  # 18 short ones, and one of 20 minutes
    grouped = slurm_outcomes({"e": row})
    assert grouped["jobs"] == 3 + 1
    assert grouped["mean"] == pytest.approx(seconds / 4)
    assert grouped["longest"] == pytest.approx(1200.5)
    assert slurm_outcomes({"e": row}, group=1)["jobs"] == 18 + 1
    assert slurm_outcomes({"e": row, "f": row})["jobs"] == 5 + 2
    row["blocks"]["slow"] = 1, 0.5
    assert slurm_outcomes({"e": row})["longest"] == pytest.approx(GROUP * 30.5)


def test_a_group_is_as_large_as_the_profile_for_slurm_has_it(pytestconfig):
    profile = yaml.safe_load((pytestconfig.rootpath / "profiles/slurm/config.yaml").read_text())
    assert set(profile["group-components"].values()) == {GROUP}


def test_the_cost_is_printed_with_its_slurm_jobs(capsys):
    cost(Pipeline(Config("thesis", chapters=("5",))), cores=640)
    printed = capsys.readouterr().out
    assert "on 640 cores of one machine at least" in printed
    assert "Slurm jobs of one core" in printed
    assert "that are timed" not in printed  # none in chapter 5


def test_nothing_runs_beside_a_timed_job_on_one_machine(capsys):
    cost(Pipeline(Config("thesis", figures=("3.8",))), cores=1000)
    printed = capsys.readouterr().out
    total, one, cluster = (float(re.search(text, printed)[1]) for text in _HOURS)
    assert one == pytest.approx(total, rel=0.01)  # all of it is timed
    assert cluster < one / 2  # on nodes of their own


def test_an_overlay_that_was_not_measured_is_told(capsys):
    cost(Pipeline(Config("smoke", "x", grid={"n_samples": 64}, figures=("2.2",))))
    assert "Unit costs of the plain scale stand in" in capsys.readouterr().out
    cost(Pipeline(Config("smoke", "y", trials=3, figures=("2.2",))))
    assert "stand in" not in capsys.readouterr().out


def test_sampled_cells_cover_the_grid_and_repeat():
    wide = EXPERIMENT | {"parameters": {"rank": list(range(1, 101))}, "axes": ["rank"]}
    drawn = [cell["rank"] for cell in sample_cells(wide)]
    assert drawn == [cell["rank"] for cell in sample_cells(wide)]
    ranks = sorted(drawn)
    assert ranks != drawn
    assert all(1 + 6.25 * i - 1 <= rank <= 1 + 6.25 * (i + 1) for i, rank in enumerate(ranks))
    assert len(sample_cells(EXPERIMENT)) == 6


def test_an_algorithm_that_was_not_measured_is_told_by_the_command(capsys, monkeypatch):
    """One that was just added: the tests pass, and whoever asks for the cost hears of it."""
    pipeline = Pipeline(Config("smoke", figures=("2.2",)))
    for scales in pipeline._costs.values():
        for parts in scales.values():
            parts.pop("ram_fiht", None)
    monkeypatch.setattr("nonconvex.commands.cost.read_costs", lambda root: pipeline._costs)
    assert cost(pipeline) == 0
    assert "not measured: ram_fiht" in capsys.readouterr().out
    block = pipeline.blocks("phase_mode1", "ram_fiht")[0]
    assert pipeline.outcomes("phase_mode1", "ram_fiht", block).minutes == 60  # what a job gets until then


def test_the_measured_costs_are_those_of_experiments_that_there_are():
    pipeline = Pipeline(Config("thesis"))
    known = {
        name: {"dataset", *entry.get("algorithms", {})}
        for name, (_, entry) in pipeline._experiment_entries.items()
    }
    measured = {name: set(parts) for name, scales in pipeline._costs.items() for parts in scales.values()}
    assert set(measured) <= set(known)
    assert all(parts <= known[name] for name, parts in measured.items())


def test_gpu_hours_are_told_whatever_data_and_packages_are_here(pytestconfig, monkeypatch, capsys):
    monkeypatch.chdir(pytestconfig.rootpath)
    monkeypatch.setattr(contract, "find_spec", lambda name: None)
    cost(Pipeline(Config("thesis", chapters=("7",)), pytestconfig.rootpath))
    told = capsys.readouterr().out
    assert "Figure 7.10: torch is not installed (make images)" in told
    # 200 epochs of 196 batches of 256 images, forward and twice back, for M = 0 and six more, five times.
    flops = 2 * 3 * 5.24e9 * 200 * 196 * 256 * 7 * 5
    assert f"cifar_students: 10 TFLOP/s: {flops / 10e12 / 3600:.3g}, 40" in told
