import numpy as np
import pytest
from problems.small import experiment, table

from nonconvex.problems.completion.data import STREAMS, build, check, draw

CELL = {
    "n_channels": 5, "n_samples": 400, "n1": 200, "rank": 2, "amplitude_exponent": 1.0, "mode": 1, "p": 0.5,
    "noise": 0.1, "noise_kind": "real",
}  # fmt: skip


def instance(**changes):
    cell = CELL | changes
    streams = {name: np.random.default_rng([3, i]) for i, name in enumerate(STREAMS)}
    return build(cell, draw(cell, streams))


@pytest.mark.parametrize("kind", ["real", "circular"])
def test_noise_has_the_level_that_is_asked_for(kind):
    made = instance(noise_kind=kind)
    energy = np.linalg.norm(made.truth) / np.sqrt(made.truth.size)
    assert np.linalg.norm(made.noise) / np.sqrt(made.noise.size) / energy == pytest.approx(0.1, rel=0.05)
    assert np.iscomplexobj(made.noise) == (kind == "circular")
    assert np.array_equal(made.observed[made.mask], (made.truth + made.noise)[made.mask])
    assert not made.observed[~made.mask].any()


def test_levels_share_signal_mask_and_noise():
    low, high = instance(noise=0.1), instance(noise=0.2)
    assert np.array_equal(low.truth, high.truth)
    assert np.array_equal(low.mask, high.mask)
    np.testing.assert_allclose(2 * low.noise, high.noise, rtol=1e-14)


def test_without_noise_the_instance_is_as_before():
    cell = {key: value for key, value in CELL.items() if not key.startswith("noise")}
    streams = {name: np.random.default_rng([3, i]) for i, name in enumerate(STREAMS)}
    plain = build(cell, draw(cell, streams))
    assert plain.noise is None
    assert np.array_equal(plain.truth, instance().truth)
    assert np.array_equal(plain.mask, instance().mask)


@pytest.mark.parametrize("change", [{"noise": -0.1}, {"noise_kind": "pink"}])
def test_impossible_noise_is_refused(change):
    with pytest.raises(ValueError, match=next(iter(change))):
        check(CELL | change)


def test_a_timed_table_has_every_iterate(tmp_path):
    cell = {key: value for key, value in CELL.items() if not key.startswith("noise")}
    algorithms = {
        name: {"method": "am_fiht", "tell": ["rank", "n1"], "options": {"beta": beta}}
        for name, beta in (("a", 0.0), ("b", "squared"))
    }
    sizes = {"n_channels": 4, "n_samples": 40, "n1": 20, "rank": 1, "p": [0.6, 0.8]}
    made = experiment("timed_completion", cell | sizes, algorithms)
    header, *rows = [line.split(",") for line in table(made, tmp_path)]
    assert header == ["algorithm", "p", "trial", "status", "iteration", "seconds", "cpu_seconds", "error"]
    runs = {}
    for row in rows:
        runs.setdefault(tuple(row[:3]), []).append([float(value) for value in row[4:]])
    assert len(runs) == 2 * 2 * 2
    for iterates in runs.values():
        iteration, seconds, cpu, error = np.transpose(iterates)
        assert np.array_equal(iteration, np.arange(len(iteration)))
        assert (np.diff(seconds) > 0).all()
        assert (np.diff(cpu) >= 0).all()
        assert error[-1] < 1e-5 < error[0]
