"""Spectrally sparse multichannel signals (thesis, Eq. eqn:model), in two separable steps."""

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.arrays import plain_array, refuse_non_finite


def draw_parameters(
    n_channels: int,
    rank: int,
    *,
    amplitude_exponent: float = 1.0,
    first_factor: float = 1.0,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Draw the frequencies and complex amplitudes of a spectrally sparse signal.

    The law of the thesis's synthetic experiments (Section 2.6.1): frequencies uniform on (0, 1), phases
    uniform on (0, 2 pi), magnitudes ``1 + 10 ** (amplitude_exponent * a)`` with a uniform on (0, 1).
    Three arrays are drawn from `rng` in this order: frequencies, phases, a.

    Parameters
    ----------
    n_channels, rank : int
        Number of channels n_c and of sinusoids r.
    amplitude_exponent : float
        1 in chapter 2, 0.5 in chapter 3.
    first_factor : float
        Factor on the amplitudes of the first sinusoid in every channel (ill-conditioned signals).
    rng : numpy.random.Generator
        Source of randomness; nothing else is random.

    Returns
    -------
    frequencies : ndarray, shape (rank,), float64
        In cycles per sample.
    amplitudes : ndarray, shape (n_channels, rank), complex128

    Raises
    ------
    ValueError
        If a size is not a positive integer.
    """
    _check_size("n_channels", n_channels)
    _check_size("rank", rank)
    frequencies = rng.random(rank)
    phases = 2 * np.pi * rng.random((n_channels, rank))
    magnitudes = 1 + 10 ** (amplitude_exponent * rng.random((n_channels, rank)))
    magnitudes[:, 0] *= first_factor
    return frequencies, magnitudes * np.exp(1j * phases)


def synthesise(
    frequencies: ArrayLike, amplitudes: ArrayLike, n_samples: int, damping: ArrayLike = 0.0
) -> np.ndarray:
    """Sum the sinusoids: ``x[k, t] = sum_i d[k, i] exp((2 pi j f_i - tau_i) t)``, t = 0, 1, ...

    The same arguments give the same bits, whatever linear algebra library numpy uses, so that a stored
    dataset can be rebuilt exactly.

    Parameters
    ----------
    frequencies : array_like, shape (rank,)
        In cycles per sample.
    amplitudes : array_like, shape (n_channels, rank)
        Complex amplitudes d.
    n_samples : int
        Number of samples n.
    damping : float or array_like, shape (rank,)
        tau_i, per sample.

    Returns
    -------
    ndarray, shape (n_channels, n_samples), complex128

    Raises
    ------
    ValueError
        If an array is not finite, masked or no array of numbers, the shapes do not agree or `n_samples` is
        not a positive integer.
    """
    frequencies = plain_array("frequencies", frequencies).astype(float, copy=False)
    amplitudes = plain_array("amplitudes", amplitudes, "biufc").astype(complex, copy=False)
    damping = plain_array("damping", damping).astype(float, copy=False)
    for name, array in (("frequencies", frequencies), ("amplitudes", amplitudes), ("damping", damping)):
        refuse_non_finite(name, array)
    _check_size("n_samples", n_samples)
    if frequencies.ndim != 1 or amplitudes.ndim != 2 or amplitudes.shape[1] != frequencies.size:
        raise ValueError(
            f"frequencies must have shape (rank,) and amplitudes (n_channels, rank), "
            f"got {frequencies.shape} and {amplitudes.shape}"
        )
    if damping.shape not in ((), frequencies.shape):
        raise ValueError(f"damping must be one number or have shape {frequencies.shape}, got {damping.shape}")
    t = np.arange(n_samples)
    # Whole turns are dropped before multiplying by 2 pi, which keeps late samples accurate.
    turns = np.outer(frequencies, t) % 1.0
    decay = np.outer(np.broadcast_to(damping, frequencies.shape), t)
    sinusoids = np.exp(2j * np.pi * turns - decay)
    # Without optimize=, einsum never calls BLAS: the order of the sum is fixed.
    return np.einsum("kr,rt->kt", amplitudes, sinusoids)


def spectrally_sparse_signal(
    n_channels: int,
    n_samples: int,
    rank: int,
    *,
    amplitude_exponent: float = 1.0,
    damping: ArrayLike = 0.0,
    first_factor: float = 1.0,
    rng: np.random.Generator,
) -> np.ndarray:
    """Draw one spectrally sparse signal X whose Hankel matrix has the given rank.

    Parameters
    ----------
    n_channels, n_samples, rank : int
        n_c, n and r.
    amplitude_exponent, first_factor : float
        See `draw_parameters`.
    damping : float or array_like, shape (rank,)
        tau_i, per sample; 0 in the thesis's experiments.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray, shape (n_channels, n_samples), complex128

    Raises
    ------
    ValueError
        If a size is not a positive integer or `damping` has another shape.

    References
    ----------
    Thesis, Eq. eqn:model and Section 2.6.1; S. Zhang, Y. Hao, M. Wang, J. H. Chow, "Multi-channel Hankel
    matrix completion through nonconvex optimization", IEEE J. Sel. Topics Signal Process. 12(4), 617-632,
    2018.
    """
    frequencies, amplitudes = draw_parameters(
        n_channels, rank, amplitude_exponent=amplitude_exponent, first_factor=first_factor, rng=rng
    )
    return synthesise(frequencies, amplitudes, n_samples, damping)


def _check_size(name: str, value: int) -> None:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ValueError(f"{name} must be a positive integer, got {value!r}")
