"""The leading singular vectors of H(X): Q_r of the start, and incoherence."""

from collections.abc import Callable

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import LinearOperator, svds

import nonconvex.hankel.operators.dense as dense
from nonconvex.hankel.operators.lanczos import leading_triplets
from nonconvex.hankel.operators.lift import HankelLift

# A Krylov method beats the Gram matrix when H has more columns than this, and this many per singular vector.
KRYLOV_COLUMNS = 250
KRYLOV_COLUMNS_PER_VECTOR = 20
# Below this ratio of singular values the squared condition number of a Gram matrix begins to show.
WELL_CONDITIONED = 1e-3


def leading_factors(lift: HankelLift, x: np.ndarray, rank: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the leading singular triplets of H(x).

    The right singular vectors come from the Gram matrix H^H H (n2 x n2), or from PROPACK with a fixed start
    vector where n2 is large. For ill-conditioned triplets a power step with H itself restores the accuracy.

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
    spectrum = lift.spectrum(x)
    krylov = lift.n2 > max(KRYLOV_COLUMNS, KRYLOV_COLUMNS_PER_VECTOR * rank)
    right = _right_by_krylov(lift, spectrum, rank) if krylov else _right_by_gram(x, lift.n1, rank)
    image = dense.as_rows(lift.times_right(spectrum, lift.right_spectrum(right)))
    _, sigma, vh = dense.svd(dense.triangular_factor(image))
    if sigma[-1] > WELL_CONDITIONED * sigma[0]:
        rotation = vh.conj().T
        left, right = (rotation / sigma).T @ image, rotation.T @ right
    else:
        basis = np.ascontiguousarray(np.linalg.qr(image.T)[0].T)
        projected = lift.left_times(
            lift.left_spectrum(basis.reshape(rank, lift.n_channels, lift.n1)), spectrum
        )
        u, sigma, vh = dense.svd(projected)
        left, right = u.T @ basis, vh.conj()
    return left.reshape(rank, lift.n_channels, lift.n1), sigma, right


def gram_matrix(x: np.ndarray, n1: int) -> np.ndarray:
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


def _right_by_gram(x: np.ndarray, n1: int, rank: int) -> np.ndarray:
    gram = gram_matrix(x, n1)
    _, vectors = scipy.linalg.eigh(gram, subset_by_index=(len(gram) - rank, len(gram) - 1))
    return np.ascontiguousarray(vectors[:, ::-1].T)


def _right_by_krylov(lift: HankelLift, spectrum: np.ndarray, rank: int) -> np.ndarray:
    def times(v: np.ndarray) -> np.ndarray:
        v = np.asarray(v, lift.dtype).reshape(1, -1)
        return lift.times_right(spectrum, lift.right_spectrum(v)).ravel()

    def adjoint_times(u: np.ndarray) -> np.ndarray:
        u = np.asarray(u, lift.dtype).reshape(1, lift.n_channels, lift.n1)
        return lift.left_times(lift.left_spectrum(u), spectrum).conj().ravel()

    operator = LinearOperator(lift.shape, matvec=times, rmatvec=adjoint_times, dtype=lift.dtype)
    fixed = np.random.default_rng(0)
    start = fixed.standard_normal(lift.shape[0]).astype(lift.dtype)
    try:
        _, _, vh = svds(operator, k=rank, v0=start, solver="propack", rng=fixed)
    except np.linalg.LinAlgError:  # its Krylov dimension, 10 rank, is too small where no gap follows
        return _right_by_growing(times, adjoint_times, start, lift, rank)
    # PROPACK returns vectors that are not orthonormal, or zero, when H has a rank below the one asked for.
    basis, _ = np.linalg.qr(vh[::-1].conj().T)
    return np.ascontiguousarray(basis.T)


def _right_by_growing(
    times: Callable[[np.ndarray], np.ndarray],
    adjoint_times: Callable[[np.ndarray], np.ndarray],
    start: np.ndarray,
    lift: HankelLift,
    rank: int,
) -> np.ndarray:
    """Return the right vectors by a Krylov space that grows until they are found, as large as need be."""
    rows, columns = lift.shape
    if rows >= columns:
        vh = leading_triplets(times, adjoint_times, start, columns, rank)[2]
    else:  # of H^H, whose left vectors are the right ones of H
        vh = leading_triplets(adjoint_times, times, adjoint_times(start), rows, rank)[0].conj().T
    return np.ascontiguousarray(np.linalg.qr(vh.conj().T)[0].T)
