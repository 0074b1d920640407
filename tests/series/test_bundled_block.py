import json
import shutil

import numpy as np
import pytest

from nonconvex.errors import UserError
from nonconvex.hankel.operators.lift import hankel_matrix
from nonconvex.series.read import read_series
from nonconvex.series.side_file import check_side_file


def test_it_is_what_its_side_file_says(block):
    facts = check_side_file(block)
    series = read_series(block)
    assert series.values.shape == (11, 300) == (facts["n_channels"], facts["n_samples"])
    assert series.sampling_rate == pytest.approx(facts["sampling_rate_hz"])
    assert series.mask.all()
    assert (series.kind, series.unit) == ("phasor", "pu")
    assert series.names == tuple(f"bus{number}" for number in facts["buses"])


def test_the_disturbance_is_where_it_should_be(block):
    steps = np.abs(np.diff(read_series(block).values, axis=1)).max(axis=0)
    quiet = round(check_side_file(block)["event_time_s"] * 30)
    assert steps[: quiet - 1].max() < 1e-4 < 1e-3 < steps[quiet - 1 : quiet + 1].max()


def test_it_is_nearly_of_rank_one(block):
    sigma = np.linalg.svd(hankel_matrix(read_series(block).values, 8), compute_uv=False)
    error = [np.linalg.norm(sigma[r:]) / np.linalg.norm(sigma) for r in (1, 2, 8)]
    np.testing.assert_allclose(error, [9.0e-3, 1.6e-3, 5.3e-4], rtol=0.05)


def test_a_changed_block_is_refused(block, folder):
    shutil.copy(block, "block.csv")
    with pytest.raises(UserError, match=r"block\.json cannot be read"):
        check_side_file("block.csv")
    shutil.copy(block.with_suffix(".json"), "block.json")
    check_side_file("block.csv")
    with open("block.csv", "a") as file:
        file.write("\n")
    with pytest.raises(UserError, match="is not the file that"):
        check_side_file("block.csv")
    (folder / "block.json").write_text(json.dumps([]))
    with pytest.raises(UserError, match="does not give the sha256"):
        check_side_file("block.csv")


def test_lost_instants_of_it_come_back(block, folder, command):
    rng = np.random.default_rng(2)
    lines = block.read_text().splitlines()
    for row in 1 + np.flatnonzero(rng.random(300) < 0.3):
        lines[row] = lines[row].split(",")[0] + 22 * ","
    (folder / "gappy.csv").write_text("\n".join(lines) + "\n")
    status, _, _ = command("recover", "gappy.csv", "--rank", 2, "--n1", 60)
    assert status == 0
    truth, answer = read_series(block).values, read_series("gappy_recovered.csv").values
    assert np.linalg.norm(answer - truth) < 5e-3 * np.linalg.norm(truth)
