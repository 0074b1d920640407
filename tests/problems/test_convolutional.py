import numpy as np
import pytest

from nonconvex.canonical import sha256
from nonconvex.networks.convolutional import convolutional_outputs
from nonconvex.networks.solvers.descend import descend
from nonconvex.networks.steps import convolutional_step
from nonconvex.problems.convolutional import curves as convolutional_curves_outcome
from nonconvex.problems.convolutional import outcome as convolutional_outcome
from nonconvex.problems.convolutional import signal as tensor_signal_table
from nonconvex.problems.convolutional import starts as convolutional_start_outcome
from nonconvex.problems.convolutional.data import STREAMS, build, check, draw
from nonconvex.problems.descent_rows import recorded
from nonconvex.problems.registry import FAMILIES
from nonconvex.steps.datasets import draw_block, open_dataset
from nonconvex.steps.outcomes import run_block
from nonconvex.steps.seeds import generator, stream_paths
from nonconvex.steps.tables import write_table

CELL = {"n_neurons": 2, "n_patches": 3, "patch_size": 4, "n_samples": 40, "sign": "ones", "noise": 0.0}
QUICK = {"max_iterations": 300}


def instance(trial=0, **changes):
    cell = {name: value for name, value in (CELL | changes).items() if value is not None}
    paths = stream_paths(1, "networks", cell, STREAMS, trial)
    stored = draw(cell, {name: generator(path) for name, path in paths.items()})
    return build(cell, stored, {name: generator(paths[name]) for name in ("inputs", "noise")})


def test_outputs_are_those_of_the_teacher_and_the_start_lies_near_it():
    made = instance()
    assert made.inputs.shape == (40, 3, 4)
    by_hand = sum(np.maximum(made.inputs[:, m] @ made.truth, 0) @ made.v for m in range(3))
    np.testing.assert_allclose(made.outputs, by_hand, rtol=1e-12)
    assert (made.v == 1).all()
    assert 0 < np.linalg.norm(made.start - made.truth) < 0.5 * np.linalg.norm(made.truth)


def test_fewer_samples_are_the_first_of_more():
    few, many = instance(noise=0.1), instance(noise=0.1, n_samples=90)
    assert np.array_equal(few.inputs, many.inputs[:40])
    for name in ("truth", "v", "start", "tensor"):
        assert np.array_equal(getattr(few, name), getattr(many, name))


def test_noise_levels_scale_one_draw_by_the_energy_of_the_outputs():
    clean, low, high = (instance(noise=level).outputs for level in (0.0, 0.1, 0.2))
    np.testing.assert_allclose(high - clean, 2 * (low - clean), rtol=1e-9)
    many = [instance(n_samples=20_000, noise=level).outputs for level in (0.0, 0.1)]
    energy = np.sqrt(np.mean(many[0] ** 2))
    assert np.std(many[1] - many[0]) == pytest.approx(0.1 * energy, rel=0.03)


def test_mixed_signs_share_weights_inputs_and_start():
    ones, mixed = instance(n_neurons=8), instance(n_neurons=8, sign="mixed")
    assert sorted(set(mixed.v)) == [-1, 1]
    for name in ("truth", "inputs", "start"):
        assert np.array_equal(getattr(ones, name), getattr(mixed, name))


def test_sizes_may_be_given_as_inputs_and_as_a_ratio():
    made = instance(patch_size=None, n_inputs=12, n_samples=None, samples_ratio=1.3)
    assert made.truth.shape == (4, 2)
    assert made.inputs.shape == (round(1.3 * 8), 3, 4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_neurons": 0}, "n_neurons = 0 must be at least 1"),
        ({"n_patches": 0}, "n_patches = 0 must be at least 1"),
        ({"patch_size": 0}, "patch_size = 0 must be at least 1"),
        ({"n_inputs": 12}, "exactly one of n_inputs and patch_size"),
        ({"n_inputs": 13, "patch_size": None}, "n_inputs = 13 is no multiple of n_patches = 3"),
        ({"samples_ratio": 2.0}, "exactly one of n_samples and samples_ratio"),
        ({"samples_ratio": 0.01, "n_samples": None}, "number of samples, 0, must be at least 1"),
        ({"sign": "plus"}, "sign = 'plus' is none of ones, mixed"),
        ({"noise": -0.1}, "noise = -0.1 must not be negative"),
    ],
)
def test_impossible_cells_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        check({name: value for name, value in (CELL | change).items() if value is not None})


def test_another_random_stream_is_refused():
    cell, streams = CELL, {name: np.random.default_rng(i) for i, name in enumerate(STREAMS)}
    stored = draw(cell, streams)
    for wrong in ("inputs", "noise"):
        seeds = {"inputs": 1, "noise": 2} | {wrong: 7}
        with pytest.raises(ValueError, match=f"random stream '{wrong}' begins with .* another numpy"):
            build(cell, stored, {name: np.random.default_rng(seed) for name, seed in seeds.items()})
    build(cell, stored, {"inputs": np.random.default_rng(1), "noise": np.random.default_rng(2)})


def plain_descent(made, eta, beta, iterations):
    """The thesis's Algorithm 4 on the loss of Eq. sample_risk, sample by sample, from a given start."""
    weights, before = made.start.copy(), made.start.copy()
    for _ in range(iterations):
        gradient = np.zeros_like(weights)
        for x, y in zip(made.inputs, made.outputs, strict=True):
            residual = made.v @ np.maximum(x @ weights, 0).sum(axis=0) - y
            for k in range(weights.shape[1]):
                gradient[:, k] += residual * made.v[k] * x.T @ (x @ weights[:, k] > 0) / len(made.outputs)
        weights, before = weights - eta * gradient + beta * (weights - before), weights
    return weights


@pytest.mark.parametrize(
    ("options", "eta", "beta"),
    [
        ({}, 2 / 9, (1 - 6**-0.5) ** 2),
        ({"factor": 3.0, "beta": 0.0}, 3 / 9, 0.0),
        ({"rule": "as_printed", "factor": 0.2}, 0.4 / 9, (1 - 6**-0.5) ** 2),
        ({"rule": "theorem"}, 1 / (12 * 9 * 2), (1 - 6**-0.5) ** 2),
    ],
)
def test_rules_are_the_steps_of_the_thesis(options, eta, beta):
    made = instance(sign="mixed", noise=0.05)
    wanted = plain_descent(made, eta, beta, 12)
    options = options | {"max_iterations": 12, "target": None}
    (row,) = convolutional_outcome.outcomes(descend, [made], [], options)
    assert row["error"] == pytest.approx(
        np.linalg.norm(wanted - made.truth) / np.linalg.norm(made.truth), rel=1e-9
    )
    assert row["spectral_over_noise"] == row["spectral_error"] / 0.05
    assert row["iterations"] == 12


def test_rows_have_the_columns_and_the_levels_in_order():
    made = [instance(trial) for trial in range(4)]
    rows = convolutional_outcome.outcomes(descend, made, [], {})
    for row in rows:
        assert list(row) == list(convolutional_outcome.COLUMNS)
        if row["status"] == "converged":
            reached = [row[f"iterations_1e-{k}"] for k in range(1, 7)]
            assert reached == sorted(reached)
            assert reached[-1] == row["iterations"]
    assert {row["status"] for row in rows} >= {"converged"}
    (row,) = convolutional_outcome.outcomes(descend, made[:1], [], {"max_iterations": 3})
    assert row["status"] == "iteration limit"
    assert np.isnan(row["iterations_1e-6"])
    for kept in (convolutional_outcome, convolutional_start_outcome):
        assert list(kept.failed()) == list(kept.COLUMNS)


def test_a_printed_step_at_default_sizes_diverges_and_the_corrected_one_does_not():
    made = [instance(trial, n_neurons=5, n_patches=5, patch_size=10, n_samples=200) for trial in range(2)]
    for rule, status in (("as_printed", "diverged"), ("over_k", "iteration limit")):
        rows = convolutional_outcome.outcomes(descend, made, [], {"rule": rule, "max_iterations": 60})
        assert [row["status"] for row in rows] == [status] * 2


@pytest.mark.parametrize("outcome", [convolutional_outcome, convolutional_curves_outcome])
def test_outcomes_do_not_depend_on_the_batch(outcome):
    made = [instance(trial) for trial in range(5)]
    together = outcome.outcomes(descend, made, [], QUICK)
    parts = outcome.outcomes(descend, made[3:], [], QUICK) + outcome.outcomes(descend, made[:3], [], QUICK)
    for one, other in zip(together, parts[2:] + parts[:2], strict=True):
        for name in one:
            assert np.array_equal(
                np.array(one[name] if name != "history" else one[name]["error"]),
                np.array(other[name] if name != "history" else other[name]["error"]),
                equal_nan=name != "status",
            )


def test_a_curve_begins_at_the_start_and_ends_with_the_outcome():
    made = [instance(trial) for trial in range(3)]
    assert recorded(25, 10) == [*range(10), 10, 20]
    assert recorded(3, 10) == [0, 1, 2, 3]
    for row, one in zip(convolutional_curves_outcome.outcomes(descend, made, [], QUICK), made, strict=True):
        iteration, error = row["history"]["iteration"], row["history"]["error"]
        assert iteration[0] == 0
        assert error[0] == pytest.approx(np.linalg.norm(one.start - one.truth) / np.linalg.norm(one.truth))
        assert (iteration[-1], error[-1]) == (row["iterations"], row["error"])
        assert (np.diff(iteration) > 0).all()
        assert np.isfinite(error).all()


def test_starts_are_the_same_each_time_and_renumbered():
    made = instance(n_samples=3000)
    for kind in convolutional_start_outcome.STARTS:
        one, other = (convolutional_start_outcome.start_of(made, kind) for _ in range(2))
        assert np.array_equal(one.weights, other.weights)
    options = {"max_iterations": 1500, "stall_exit": True}
    rows = {
        kind: convolutional_start_outcome.outcomes(descend, [made], [], {"start": kind} | options)[0]
        for kind in convolutional_start_outcome.STARTS
    }
    for row in rows.values():
        assert list(row) == list(convolutional_start_outcome.COLUMNS)
    assert rows["tensor_v_known"]["start_error"] < 0.5
    assert rows["tensor_v_known"]["v_exact"]
    assert rows["tensor_v_known"]["status"] == rows["random"]["status"] == "converged"
    with pytest.raises(ValueError, match=r"start must be one of random, tensor_v_known, .*, got 'spectral'"):
        convolutional_start_outcome.start_of(made, "spectral")


def test_a_start_that_cannot_be_computed_is_a_failure():
    made = instance(n_neurons=8, n_samples=60)
    (row,) = convolutional_start_outcome.outcomes(descend, [made], [], {"start": "tensor_v_known"})
    assert row["status"] == "failed"
    assert "n_neurons must be at most" in row["reason"]


def test_the_fourth_moment_sees_the_neurons_and_the_third_does_not():
    made = instance(n_samples=60_000)
    rows = list(tensor_signal_table.rows(["noise"], CELL, 3, made))
    assert tensor_signal_table.columns(["noise"]) == ["noise", "trial", "neuron", "order", "score"]
    assert [row[:4] for row in rows] == [(0.0, 3, n, order) for order in (3, 4) for n in (1, 2)]
    assert all(abs(row[4]) < 5 for row in rows[:2])
    assert all(abs(row[4]) > 5 for row in rows[2:])


@pytest.mark.parametrize("family", ["convolutional", "convolutional_curves"])
def test_a_table_does_not_depend_on_the_blocks(tmp_path, monkeypatch, family):
    monkeypatch.chdir(tmp_path)
    family = FAMILIES[family]
    shared = {"parameters": CELL | {"noise": [0.0, 0.1]}, "axes": ["noise"], "seed": 1}

    def table(name, blocks):
        described, files = [], []
        for first, last in blocks:
            part = shared | {"first": first, "last": last}
            dataset = {"data": family["data"], "dataset": "d", "independent": {}, **part}
            plan = {
                "outcome": family["outcome"], "solver": f"{family['methods']}.descend", "method": "descend",
                "algorithm": "agd", "tell": [], "options": QUICK, **part,
            }  # fmt: skip
            block = f"{name}/{first:04d}-{last:04d}.h5"
            draw_block(dataset, "code", f"d{block}")
            run_block(plan, "code", f"d{block}", f"o{block}")
            drawn = {"plan": sha256(dataset), "digest": "code"}
            described.append({"algorithm": "agd", "plan": sha256(plan), "digest": "code", "dataset": drawn})
            files.append(f"o{block}")
        plan = {
            "table": None, "outcome": family["outcome"], "data": family["data"], **shared,
            "success": {"column": "error", "below": 1e-6}, "blocks": described,
        }  # fmt: skip
        write_table(plan, files, f"{name}.csv")
        return (tmp_path / f"{name}.csv").read_bytes()

    whole = table("whole", [(0, 3)])
    assert whole == table("parts", [(0, 1), (2, 2), (3, 3)])
    assert len(whole.splitlines()) > 8


def test_a_block_stores_little_and_rebuilds_exactly(tmp_path):
    cell = CELL | {"n_samples": [40, 5000], "noise": 0.1}
    plan = {
        "data": FAMILIES["convolutional"]["data"], "dataset": "networks", "independent": {},
        "parameters": cell, "axes": ["n_samples"], "seed": 1, "first": 0, "last": 1,
    }  # fmt: skip
    path = tmp_path / "0000-0001.h5"
    draw_block(plan, "code", path)
    assert path.stat().st_size < 60_000
    with open_dataset(path) as dataset:
        for _, own, trial, made in dataset.instances():
            wanted = instance(trial, n_samples=own["n_samples"], noise=0.1)
            for name in ("inputs", "outputs", "truth", "v", "start", "tensor"):
                assert np.array_equal(getattr(made, name), getattr(wanted, name))


def test_the_reference_step_is_the_library_step():
    step = convolutional_step(n_neurons=5, n_patches=5)
    assert step.eta == pytest.approx(0.08)
    assert step.beta == pytest.approx(0.64)
    made = instance()
    assert convolutional_outputs(made.inputs, made.truth, made.v) == pytest.approx(made.outputs)
