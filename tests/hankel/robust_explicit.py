"""Corrupted signals, and literal, explicit-matrix versions of the robust baselines."""

from typing import NamedTuple

import numpy as np
from hankel.explicit import pseudoinverse

from nonconvex.hankel import hankel_matrix, loss_mask, spectrally_sparse_signal


class Step(NamedTuple):
    """H^dagger of the low-rank part, residual, H^dagger of the outliers where observed, rank."""

    x: np.ndarray
    residual: float
    outliers: np.ndarray
    rank: int


def draw(n_channels, n_samples, rank, *, loss, bad, real=False, seed=7):
    """A signal, the signal with a fraction `bad` of its samples corrupted, and a mask."""
    rng = np.random.default_rng(seed)
    x = spectrally_sparse_signal(n_channels, n_samples, rank, amplitude_exponent=0.5, rng=rng)
    mask = loss_mask(1, n_channels, n_samples, 1 - loss, rng) if loss else np.ones(x.shape, bool)
    size = np.linalg.norm(x) / np.sqrt(x.size)
    places = rng.choice(x.size, round(bad * x.size), replace=False)
    outliers = np.zeros_like(x)
    angles = np.exp(2j * np.pi * rng.random(places.size))
    outliers.ravel()[places] = size * (1 + 4 * rng.random(places.size)) * angles
    if real:
        return x.real.copy(), x.real + outliers.real, mask
    return x, x + outliers, mask


def error(recovery, x, mask):
    """Relative error on the lost entries, on all when nothing is lost."""
    lost = np.ones_like(mask) if mask.all() else ~mask
    return np.linalg.norm((recovery.x - x)[lost]) / np.linalg.norm(x[lost])


def plain_admm(observed, mask, n1, count, missing="released", weight=None, penalty=None):
    """The cited program, line by line; with missing = "free", S is not shrunk where nothing is observed."""
    known, seen = hankel_matrix(np.where(mask, observed, 0), n1), hankel_matrix(mask, n1)
    weight = 1 / np.sqrt(max(known.shape)) if weight is None else weight
    penalty = 10 * weight if penalty is None else penalty
    s = y = np.zeros_like(known)
    steps = []
    for _ in range(count):
        u, sigma, vh = np.linalg.svd(known - s + y / penalty, full_matrices=False)
        low_rank = (u * np.maximum(sigma - 1 / penalty, 0)) @ vh
        t = known - low_rank + y / penalty
        s = np.sign(t) * np.maximum(np.abs(t) - weight / penalty, 0)
        if missing == "free":
            s = np.where(seen, s, t)
        z = np.where(seen, known - low_rank - s, 0)
        y = y + penalty * z
        steps.append(
            Step(
                pseudoinverse(low_rank, *observed.shape, n1),
                np.linalg.norm(z) / np.linalg.norm(known),
                pseudoinverse(np.where(seen, s, 0), *observed.shape, n1),
                int(np.sum(sigma > 1 / penalty)),
            )
        )
    return steps


def plain_r_rmc(observed, mask, rank, n1, count, incoherence=1.0, fraction=None):
    """The released program, line by line, with full SVDs; its constants rank 5 and p = 0.5 are arguments."""
    known, seen = hankel_matrix(np.where(mask, observed, 0), n1), hankel_matrix(mask, n1)
    p = seen.mean() if fraction is None else fraction
    n, constant, k, residual = np.sqrt(known.size), incoherence * rank, 1, np.inf
    u, sigma, vh = np.linalg.svd(known / p, full_matrices=False)
    low_rank, threshold = sigma[0] * np.outer(u[:, 0], vh[0]), constant * sigma[0] / n
    steps = [Step(pseudoinverse(low_rank, *observed.shape, n1), np.inf, np.zeros_like(observed), 1)]
    for _ in range(count):
        d = np.where(seen, known - low_rank, 0)
        s = np.where(seen & (np.abs(d) >= threshold), d, 0)
        u, sigma, vh = np.linalg.svd(low_rank + (d - s) / p, full_matrices=False)
        low_rank = (u[:, :k] * sigma[:k]) @ vh[:k]
        threshold = constant / n * (sigma[k] if k < len(sigma) else 0)
        previous, residual = residual, np.linalg.norm(np.where(seen, known - low_rank - s, 0))
        steps.append(
            Step(
                pseudoinverse(low_rank, *observed.shape, n1),
                residual,
                pseudoinverse(s, *observed.shape, n1),
                k,
            )
        )
        if np.isfinite(previous) and (previous - residual) / previous <= 0.1:
            k, constant = (k + 1, constant) if k < rank else (k, 0.9 * constant)
    return steps
