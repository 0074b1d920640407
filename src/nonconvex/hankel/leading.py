"""The leading singular vectors of H(X): Q_r of the start, and incoherence."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import LinearOperator, svds

from nonconvex.hankel import dense

# Up to this many columns the Gram matrix is cheaper than a Krylov method.
GRAM_COLUMNS = 500


def leading_factors(lift, x, rank):
    """Return the leading singular triplets of H(x).

    The right singular vectors come from the Gram matrix H^H H (n2 x n2, built by a recurrence along its
    diagonals), or from PROPACK with a fixed start vector when n2 is large; one power step, which works with H
    itself, then removes the loss of accuracy of squaring.

    Parameters
    ----------
    lift : HankelLift
        Of the shape and kind of `x`.
    x : ndarray, shape (n_channels, n_samples)
        Signal.
    rank : int
        Number of triplets.

    Returns
    -------
    left : ndarray, shape (rank, n_channels, n1)
    sigma : ndarray, shape (rank,), descending
    right : ndarray, shape (rank, n2)
    """
    n2 = lift.n2
    spectrum = lift.spectrum(x)
    if n2 <= GRAM_COLUMNS or 2 * rank > min(lift.shape):
        _, vectors = scipy.linalg.eigh(gram_matrix(x, lift.n1), subset_by_index=(n2 - rank, n2 - 1))
        right = vectors.T
    else:
        right = _krylov(lift, spectrum, rank)
    image = lift.times_right(spectrum, lift.right_spectrum(right)).reshape(rank, -1)
    basis = np.ascontiguousarray(np.linalg.qr(image.T)[0].T)
    rows = lift.left_times(lift.spectrum(basis.reshape(rank, lift.n_channels, lift.n1)), spectrum)
    u, sigma, right = dense.svd(rows)
    left = (u.T @ basis).reshape(rank, lift.n_channels, lift.n1)
    return left, sigma, right.conj()


def gram_matrix(x, n1):
    """Return H(x)^H H(x), shape (n2, n2).

    Entry (t + 1, u + 1) is entry (t, u) plus the products of the samples that enter the window of n1, minus
    those that leave it.
    """
    n2 = x.shape[1] + 1 - n1
    entering, leaving = x[:, n1:], x[:, : n2 - 1]
    gram = np.empty((n2, n2), x.dtype)
    gram[1:, 1:] = entering.conj().T @ entering - leaving.conj().T @ leaving
    windows = np.lib.stride_tricks.sliding_window_view(x, n1, axis=1)
    gram[0] = np.einsum("ks,kts->t", x[:, :n1].conj(), windows)
    gram[1:, 0] = gram[0, 1:].conj()
    for t in range(1, n2):
        gram[t, 1:] += gram[t - 1, :-1]
    return gram


def _krylov(lift, spectrum, rank):
    def times(v):
        v = np.asarray(v, lift.dtype).reshape(1, -1)
        return lift.times_right(spectrum, lift.right_spectrum(v)).ravel()

    def adjoint_times(u):
        u = np.asarray(u, lift.dtype).reshape(1, lift.n_channels, lift.n1)
        return lift.left_times(lift.spectrum(u), spectrum).conj().ravel()

    operator = LinearOperator(lift.shape, matvec=times, rmatvec=adjoint_times, dtype=lift.dtype)
    start = np.random.default_rng(0).standard_normal(lift.shape[0]).astype(lift.dtype)
    _, _, vh = svds(operator, k=rank, v0=start, solver="propack", rng=np.random.default_rng(0))
    return vh[::-1].conj()
