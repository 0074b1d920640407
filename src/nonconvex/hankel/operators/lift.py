"""The multichannel Hankel lift H and fast products with H(X), never forming H(X)."""

import numpy as np
import scipy.fft
from numpy.typing import ArrayLike

from nonconvex.arrays import plain_array

# Entries worked on at a time: half a megabyte of complex numbers.
BLOCK = 2**15
# Of factors, by whether they are real and single.
_DTYPES = {(True, False): "d", (False, False): "D", (True, True): "f", (False, True): "F"}


def hankel_matrix(x: ArrayLike, n1: int | None = None) -> np.ndarray:
    """Build the Hankel matrix H(X) explicitly.

    Row ``s * n_channels + k`` and column ``t`` hold ``x[k, s + t]``: rows run over time blocks, channels
    fastest (thesis, Section 2.2, Eq. eqn:Hankel).

    Parameters
    ----------
    x : array_like, shape (n_channels, n_samples) or (n_samples,)
        Real or complex signal.
    n1 : int, optional
        Number of time blocks, 1 to n_samples; n_samples // 2 (at least 1) when not given. 1 gives `x` itself.

    Returns
    -------
    ndarray, shape (n_channels * n1, n_samples + 1 - n1)
        A new array of the dtype of `x`.

    Raises
    ------
    ValueError
        If `x` holds no numbers, is masked or empty, has another number of dimensions, or `n1` is out of
        range.

    References
    ----------
    S. Zhang, Y. Hao, M. Wang, J. H. Chow, "Multi-channel Hankel matrix completion through nonconvex
    optimization", IEEE J. Sel. Topics Signal Process. 12(4), 617-632, 2018.
    """
    x = plain_array("x", x, "biufc")
    if x.ndim not in (1, 2) or x.size == 0:
        raise ValueError(
            "x must be a non-empty array of shape (n_channels, n_samples) or (n_samples,), "
            f"got shape {x.shape}"
        )
    x = np.atleast_2d(x)
    n_channels, n_samples = x.shape
    n1 = choose_n1(n1, n_samples)
    n2 = n_samples + 1 - n1
    windows = np.lib.stride_tricks.sliding_window_view(x, n2, axis=1)
    return np.array(windows.transpose(1, 0, 2), order="C").reshape(n_channels * n1, n2)


def choose_n1(n1: int | None, n_samples: int) -> int:
    """Return a valid number of time blocks: `n1`, or n_samples // 2 for None; ValueError if out of range."""
    if n1 is None:
        return max(1, n_samples // 2)
    if isinstance(n1, (bool, np.bool_)) or not isinstance(n1, (int, np.integer)):
        raise ValueError(f"n1 must be an integer from 1 to n_samples = {n_samples}, got {n1!r}")
    if not 1 <= n1 <= n_samples:
        raise ValueError(f"n1 must be from 1 to n_samples = {n_samples}, got {n1}")
    return int(n1)


def antidiagonal_counts(n_samples: int, n1: int) -> np.ndarray:
    """Count how often each sample occurs in its Hankel matrix (thesis, w_t below Eq. w).

    Returns
    -------
    ndarray, shape (n_samples,), float64
        w_t, the number of (k1, k2) with k1 + k2 = t + 1, 1 <= k1 <= n1, 1 <= k2 <= n2.
    """
    n2 = n_samples + 1 - n1
    t = np.arange(n_samples)
    return np.minimum(np.minimum(t + 1, n_samples - t), min(n1, n2)).astype(float)


class HankelLift:
    """Products with H(X) by FFT, for signals of one shape and kind.

    A left factor (columns of length n_channels * n1) is stored as an array (r, n_channels, n1), a right
    factor (columns of length n2) as (r, n2): one contiguous row per column, channel slow inside it. The
    order of the rows of H does not matter to any product, and in this order every transform runs along
    contiguous memory.

    All products are circular correlations. A length of n_samples suffices: the part that wraps around falls
    outside the samples that are kept.

    Parameters
    ----------
    n_channels, n_samples, n1 : int
        Sizes; n2 = n_samples + 1 - n1.
    real : bool
        True for real signals and factors (real FFTs), False for complex ones.
    single : bool
        True for factors and spectra in single precision; signals that come out are in double precision.
    """

    def __init__(
        self, n_channels: int, n_samples: int, n1: int, *, real: bool = False, single: bool = False
    ) -> None:
        self.n_channels = n_channels
        self.n_samples = n_samples
        self.n1 = n1
        self.n2 = n_samples + 1 - n1
        self.real = real
        self.single = single
        self.dtype: np.dtype = np.dtype(_DTYPES[real, single])
        self.real_dtype: np.dtype = np.dtype(_DTYPES[True, single])
        self.weights = antidiagonal_counts(n_samples, n1)
        self.length = _transform_length(n_samples, real)

    @property
    def shape(self) -> tuple[int, int]:
        """Shape (n_channels * n1, n2) of the Hankel matrix."""
        return self.n_channels * self.n1, self.n2

    def spectrum(self, rows: np.ndarray) -> np.ndarray:
        """Transform a signal, or any rows, along the last axis, zero-padded."""
        if self.real:
            return scipy.fft.rfft(rows, self.length)
        return scipy.fft.fft(rows, self.length)

    def left_spectrum(self, left: np.ndarray) -> np.ndarray:
        """Transform a left factor, or some channels of it."""
        bins = self.length // 2 + 1 if self.real else self.length
        spectra = np.empty((*left.shape[:2], bins), _DTYPES[False, self.single])
        for block in self._blocks(len(left)):
            spectra[block] = self.spectrum(left[block])
        return spectra

    def right_spectrum(self, right: np.ndarray) -> np.ndarray:
        """Transform a right factor with the opposite sign in the exponent, so that products correlate."""
        return self.spectrum(right.conj()).conj()

    def times_right(
        self, signal_spectrum: np.ndarray, right_spectrum: np.ndarray, out: np.ndarray | None = None
    ) -> np.ndarray:
        """Return H(X) V as a left factor (r, n_channels, n1), written to `out` if given."""
        rank = len(right_spectrum)
        if out is None:
            out = np.empty((rank, self.n_channels, self.n1), self.dtype)
        for block in self._blocks(rank):
            out[block] = self._inverse(signal_spectrum * right_spectrum[block, None, :])[..., : self.n1]
        return out

    def left_times(self, left_spectrum: np.ndarray, signal_spectrum: np.ndarray) -> np.ndarray:
        """Return U^H H(X), shape (r, n2)."""
        conjugate = signal_spectrum.conj()
        sums = np.empty((len(left_spectrum), signal_spectrum.shape[1]), signal_spectrum.dtype)
        for block in self._blocks(len(left_spectrum)):
            np.sum(left_spectrum[block] * conjugate, axis=1, out=sums[block])
        return self._inverse(sums.conj())[..., : self.n2]

    def adjoint(self, left_spectrum: np.ndarray, right_spectrum: np.ndarray) -> np.ndarray:
        """Return the adjoint H^*(U V^H), shape (n_channels, n_samples): sums over anti-diagonals."""
        total = np.zeros(left_spectrum.shape[1:], left_spectrum.dtype)
        product = np.empty_like(total)
        for left, right in zip(left_spectrum, right_spectrum.conj(), strict=True):
            np.multiply(left, right, out=product)
            total += product
        return self._inverse(total)[..., : self.n_samples]

    def pseudoinverse(self, left_spectrum: np.ndarray, right_spectrum: np.ndarray) -> np.ndarray:
        """Return H^dagger(U V^H), shape (n_channels, n_samples): anti-diagonal means (thesis, Eq. w)."""
        return self.adjoint(left_spectrum, right_spectrum) / self.weights

    def _blocks(self, rank: int) -> list[slice]:
        """Cut the columns of a factor into runs whose transforms fit in a fast cache."""
        step = max(1, BLOCK // (self.n_channels * self.length))
        return [slice(first, min(first + step, rank)) for first in range(0, rank, step)]

    def _inverse(self, spectra: np.ndarray) -> np.ndarray:
        if self.real:
            return scipy.fft.irfft(spectra, self.length, overwrite_x=True)
        return scipy.fft.ifft(spectra, self.length, overwrite_x=True)


def _transform_length(n_samples: int, real: bool) -> int:
    """Return a fast FFT length >= n_samples: a power of two for long signals when it costs little padding."""
    power_of_two = 1 << (n_samples - 1).bit_length()
    if n_samples >= 2000 and power_of_two <= 1.1 * n_samples:
        return power_of_two
    return scipy.fft.next_fast_len(n_samples, real=real)
