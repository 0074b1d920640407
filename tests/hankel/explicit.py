"""Literal, explicit-matrix versions of the algorithms, against which the fast ones are checked."""

import numpy as np

from nonconvex.hankel import hankel_matrix


def pseudoinverse(z, n_channels, n_samples, n1):
    """H^dagger: mean over each anti-diagonal, summed block row by block row."""
    n2 = n_samples + 1 - n1
    total, count = np.zeros((n_channels, n_samples), z.dtype), np.zeros(n_samples)
    for s in range(n1):
        total[:, s : s + n2] += z[s * n_channels : (s + 1) * n_channels]
        count[s : s + n2] += 1
    return total / count


def truncated(z, rank):
    u, s, vh = np.linalg.svd(z, full_matrices=False)
    return u[:, :rank], s[:rank], vh[:rank].conj().T


def onto_tangent_space(u, v, z):
    along_u, along_v = u @ (u.conj().T @ z), (z @ v) @ v.conj().T
    return along_u + along_v - u @ (u.conj().T @ along_v)


def trimmed_rows(factor, limit):
    norms = np.linalg.norm(factor, axis=1, keepdims=True)
    return factor / norms * np.minimum(norms, limit), bool((norms > limit).any())


def iterates(data, mask, rank, n1, beta, count, mu=None):
    """X_0 ... X_count and how many iterations trimmed a row; Algorithm 1, or 2 when mu is given."""
    n_channels, n_samples = data.shape
    observed = np.where(mask, data, 0)
    p = mask.mean()
    older = 0 * hankel_matrix(observed, n1)
    newer = hankel_matrix(observed, n1) / p
    rows, columns = newer.shape
    u, s, v = truncated(newer, rank)
    x = pseudoinverse((u * s) @ v.conj().T, n_channels, n_samples, n1)
    result, trims = [x], 0
    for _ in range(count):
        if mu is not None:
            a, left_trimmed = trimmed_rows(u, np.sqrt(mu * rank / rows))
            b, right_trimmed = trimmed_rows(v, np.sqrt(mu * rank / columns))
            trims += left_trimmed or right_trimmed
            low_rank = (a * s) @ b.conj().T
            u, _, v = truncated(low_rank, rank)
            x = pseudoinverse(low_rank, n_channels, n_samples, n1)
        gradient = np.where(mask, data - x, 0)
        w = onto_tangent_space(u, v, hankel_matrix(x + gradient / p, n1) + beta * (newer - older))
        u, s, v = truncated(w, rank)
        x = pseudoinverse((u * s) @ v.conj().T, n_channels, n_samples, n1)
        result.append(x)
        older, newer = newer, w
    return result, trims
