import numpy as np
import pytest
from problems import small

from nonconvex.hankel.operators.lift import hankel_matrix
from nonconvex.problems.completion.ranks import TABLE, Signal, check

CELL = {"n_channels": 8, "n_samples": 60, "n1": 30, "rank": 5, "amplitude_exponent": 1.0}


def row(truth, rank=2, n1=3):
    (values,) = TABLE.rows(["p"], {"p": 0.5}, 7, Signal(np.asarray(truth), rank, n1))
    return dict(zip(TABLE.columns(["p"]), values, strict=True))


def test_facts_of_a_matrix_whose_singular_values_are_known():
    made = row(np.diag([4.0, 3, 2, 1e-14]))
    assert (made["p"], made["trial"]) == (0.5, 7)
    assert (made["rank_data"], made["share_data"], made["last_data"]) == (3, 0.75, 0)
    assert made["at_rank_data"] == pytest.approx(3 / 4)
    energy = [made[f"energy_beyond_{name}"] for name in ("quarter", "half", "three_quarters")]
    assert energy == pytest.approx([13 / 29, 4 / 29, 0])
    values = np.linalg.svd(hankel_matrix(np.diag([4.0, 3, 2, 0]), 3), compute_uv=False)
    assert made["rank_hankel"] == values.size == 2
    assert made["last_hankel"] == made["at_rank_hankel"] == pytest.approx(values[1] / values[0])


def test_the_rank_of_the_signal_may_exceed_that_of_the_data_matrix():
    made = row(np.ones((1, 9)), rank=3, n1=4)
    assert (made["rank_data"], made["share_data"], made["at_rank_data"]) == (1, 1, 1)
    assert (made["rank_hankel"], made["at_rank_hankel"]) == (1, 0)


def test_a_table_has_one_row_a_trial(tmp_path):
    lines = small.table(small.experiment("data_rank", CELL), tmp_path, blocks=((0, 1), (2, 2)))
    header, *rows = [line.split(",") for line in lines]
    assert [one[0] for one in rows] == ["0", "1", "2"]
    for one in rows:
        made = dict(zip(header, map(float, one), strict=True))
        assert made["rank_data"] == made["rank_hankel"] == 5
        assert made["share_data"] == 5 / 8
        assert made["share_hankel"] == 5 / 31
        assert made["energy_beyond_quarter"] > made["energy_beyond_half"] > 0
        assert made["energy_beyond_three_quarters"] == 0


@pytest.mark.parametrize("change", [{"rank": 32}, {"n1": 61}, {"amplitude_exponent": -1}])
def test_impossible_signals_are_refused(change):
    with pytest.raises(ValueError, match=next(iter(change))):
        check(CELL | change)
