"""Hermite moments of weighted samples, the averages that the tensor initialisation decomposes.

The moment of order k is sum_n weight_n He_k(h_n), where He_k(h) is the Hermite tensor: h, h h' - I,
h (x) h (x) h - h (~x) I, ... When V has orthonormal columns, He_k(V'h) is He_k(h) contracted with V in every
slot, so a reduced moment M_k(V, ..., V) is the moment of the inputs ``h @ V``: no tensor of d^k entries is
formed for it.
"""

from collections.abc import Iterator

import numpy as np

# Scratch arrays stay near this many float64 values, about 1 MB: they fit a core's cache.
_CHUNK = 131072


def first_moment(inputs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return M_1 = sum_n weight_n h_n, shape (d,), of `inputs` (n, d) and `weights` (n,)."""
    return weights @ inputs


def second_moment(inputs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return M_2 = sum_n weight_n (h_n h_n' - I), shape (d, d) (thesis, Eq. M_23)."""
    return _raw_second(inputs, weights) - weights.sum() * np.eye(inputs.shape[1])


def third_moment(inputs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return M_3 = sum_n weight_n (h (x) h (x) h - h (~x) I), shape (d, d, d) (thesis, Eq. M_33).

    Costs about n d^3 multiplications; the result is the only array of d^3 entries.
    """
    d = inputs.shape[1]
    packed = np.zeros((d, d * (d + 1) // 2))
    for rows in _chunks(len(inputs), packed.shape[1]):
        h = inputs[rows]
        packed += (h * weights[rows, None]).T @ _pair_products(h)
    raw = packed[:, _pair_index(d).ravel()].reshape(d, d, d)
    first, eye = first_moment(inputs, weights), np.eye(d)
    return raw - sum(np.einsum(slots, first, eye) for slots in ("a,bc->abc", "b,ac->abc", "c,ab->abc"))


def fourth_moment(inputs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return M_4 = sum_n weight_n He_4(h_n), shape (d, d, d, d); meant for reduced inputs, with d = K.

    He_4(h)_abcd = h_a h_b h_c h_d - (six terms delta_ab h_c h_d) + (three terms delta_ab delta_cd).
    """
    d = inputs.shape[1]
    size = d * (d + 1) // 2
    packed = np.zeros((size, size))
    for rows in _chunks(len(inputs), size):
        pairs = _pair_products(inputs[rows])
        packed += (pairs * weights[rows, None]).T @ pairs
    index = _pair_index(d).ravel()
    raw = packed[np.ix_(index, index)].reshape(d, d, d, d)
    eye = np.eye(d)
    # Placing I / 2 beside a delta in all six ways counts each of the three double deltas once.
    beside = _raw_second(inputs, weights) - weights.sum() * eye / 2
    places = ("ab,cd", "ac,bd", "ad,bc", "bc,ad", "bd,ac", "cd,ab")
    return raw - sum(np.einsum(f"{slots}->abcd", eye, beside) for slots in places)


def _raw_second(inputs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    total = np.zeros((inputs.shape[1],) * 2)
    for rows in _chunks(len(inputs), inputs.shape[1]):
        h = inputs[rows]
        total += h.T @ (h * weights[rows, None])
    return total


def _chunks(n_rows: int, row_size: int) -> Iterator[slice]:
    step = max(1, _CHUNK // row_size)
    return (slice(start, start + step) for start in range(0, n_rows, step))


def _pair_products(h: np.ndarray) -> np.ndarray:
    """Return h_a h_b for a <= b, shape (n, d (d + 1) / 2)."""
    rows, columns = np.triu_indices(h.shape[1])
    return h[:, rows] * h[:, columns]


def _pair_index(d: int) -> np.ndarray:
    """Return the place of the product h_a h_b among `_pair_products`, shape (d, d)."""
    rows, columns = np.triu_indices(d)
    index = np.empty((d, d), dtype=int)
    index[rows, columns] = index[columns, rows] = np.arange(rows.size)
    return index
