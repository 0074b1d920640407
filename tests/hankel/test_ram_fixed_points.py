"""RAM-FIHT can meet its stop rule at a wrong point, where AM-FIHT recovers the same signal.

This is the algorithm, not its fast implementation: the literal version ends at the same point.
"""

import numpy as np
import pytest
from hankel.explicit import iterates

from nonconvex.hankel import am_fiht, incoherence, ram_fiht, spectrally_sparse_signal
from nonconvex.hankel.masks import loss_mask


@pytest.fixture(params=[124, 194, 331])
def problem(request):
    rng = np.random.default_rng(request.param)
    truth = spectrally_sparse_signal(4, 40, 2, rng=rng)
    mask = loss_mask(1, 4, 40, 0.6, rng)
    return truth, mask, incoherence(truth, rank=2)


def error(x, truth, mask):
    return np.linalg.norm((x - truth)[~mask]) / np.linalg.norm(truth[~mask])


def test_trimming_with_the_true_incoherence_can_hold_a_wrong_point(problem):
    truth, mask, mu = problem
    answer = ram_fiht(truth, mask, rank=2, incoherence=mu)
    assert answer.status == "converged"
    assert error(answer.x, truth, mask) > 0.05
    assert error(am_fiht(truth, mask, rank=2).x, truth, mask) < 1e-5


def test_the_literal_algorithm_ends_at_the_same_point(problem):
    truth, mask, mu = problem
    answer = ram_fiht(truth, mask, rank=2, incoherence=mu)
    weight = (1 - mask.mean()) ** 2 / 5
    literal, trims = iterates(truth, mask, 2, 20, weight, answer.iterations, mu)
    assert trims == answer.iterations
    assert np.linalg.norm(literal[-1] - answer.x) < 1e-6 * np.linalg.norm(answer.x)
    move = np.where(mask, literal[-1] - literal[-2], 0)
    assert np.linalg.norm(move) <= 1e-6 * np.linalg.norm(np.where(mask, literal[-1], 0))


def test_a_larger_incoherence_recovers(problem):
    truth, mask, mu = problem
    assert error(ram_fiht(truth, mask, rank=2, incoherence=10 * mu).x, truth, mask) < 1e-5
