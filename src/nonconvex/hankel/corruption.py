"""The three modes of bad data and the sizes of outliers (thesis, Section 3.6 and Figure 3.2)."""

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.arrays import plain_array, refuse_extreme, refuse_non_finite

ANGLES = {"any": 2 * np.pi, "quadrant": np.pi / 2}
"""The end of the interval, from 0, that the outliers' angles are drawn from, in radians."""


def corruption_places(
    mode: int, n_channels: int, n_samples: int, bad_fraction: float, rng: np.random.Generator
) -> np.ndarray:
    """Draw which entries are corrupted.

    `bad_fraction` is a fraction of ALL entries, observed or not: the thesis draws the places of bad data and
    the observed entries independently, and counts 27 consecutive columns of 300 as 9 % at 50 % loss. A
    corrupted entry that is also lost has no effect. Every mode corrupts an exact number of entries:

    * mode 1 (B1): round(bad_fraction * n_channels * n_samples) entries, uniformly at random;
    * mode 2 (B2): round(bad_fraction * n_samples) time instants, in all channels at once;
    * mode 3 (B3): as many instants as in mode 2, consecutive ones; the start is uniform over the places where
      they fit.

    Among the observed entries the corrupted share is therefore `bad_fraction` on average only; it varies from
    draw to draw, most where whole instants are lost and corrupted. Halves are rounded to even.

    Parameters
    ----------
    mode : {1, 2, 3}
        Mode of the thesis.
    n_channels, n_samples : int
        Shape of the signal.
    bad_fraction : float
        At least 0 and at most 1.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray, shape (n_channels, n_samples), bool
        True where the entry is corrupted.

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    if mode not in (1, 2, 3):
        raise ValueError(f"mode must be 1, 2 or 3, got {mode!r}")
    if n_channels < 1 or n_samples < 1:
        raise ValueError(f"n_channels and n_samples must be at least 1, got {n_channels} and {n_samples}")
    if not 0 <= bad_fraction <= 1:
        raise ValueError(f"bad_fraction must be at least 0 and at most 1, got {bad_fraction!r}")
    bad = np.zeros((n_channels, n_samples), dtype=bool)
    instants = round(bad_fraction * n_samples)
    if mode == 1:
        bad.flat[rng.choice(bad.size, size=round(bad_fraction * bad.size), replace=False)] = True
    elif mode == 2:
        bad[:, rng.choice(n_samples, size=instants, replace=False)] = True
    else:
        start = rng.integers(n_samples - instants + 1)
        bad[:, start : start + instants] = True
    return bad


def outliers_at(
    places: ArrayLike, truth: ArrayLike, size: ArrayLike, turn: ArrayLike, angle: str = "any"
) -> np.ndarray:
    """Give the outliers S of a corrupted signal from uniform draws; the measurement is ``truth + S``.

    With X_bar = ||truth||_F / sqrt(n_c n), the root mean square of the clean signal (which the thesis calls
    its average energy), the magnitude of an outlier is ``X_bar * (1 + 4 * size)``, uniform on (X_bar,
    5 X_bar), and its angle ``2 * pi * turn``, or ``pi / 2 * turn`` in quadrant I. The two kinds of angles
    made from the same draws differ in nothing else.

    Parameters
    ----------
    places : ndarray of bool, shape (n_channels, n_samples)
        True where the entry is corrupted.
    truth : ndarray, shape (n_channels, n_samples), real or complex
        The clean signal.
    size, turn : array_like, shape (number of corrupted entries,)
        Uniform on (0, 1), in the row-major order of the corrupted entries.
    angle : {"any", "quadrant"}
        Whether angles lie in (0, 2 pi) or in (0, pi/2).

    Returns
    -------
    ndarray, shape (n_channels, n_samples), complex128
        Zero where the entry is clean.

    Raises
    ------
    ValueError
        If `angle` is unknown, an array is not finite, masked or no array of numbers, `truth` is too large or
        too small to be squared, or the shapes do not agree.
    """
    if angle not in ANGLES:
        raise ValueError(f"angle must be one of {', '.join(ANGLES)}, got {angle!r}")
    places = plain_array("places", places).astype(bool, copy=False)
    truth = plain_array("truth", truth, "iufc")
    size, turn = (
        plain_array(name, values).astype(float, copy=False)
        for name, values in (("size", size), ("turn", turn))
    )
    for name, array in (("truth", truth), ("size", size), ("turn", turn)):
        refuse_non_finite(name, array)
    refuse_extreme("truth", truth)
    if places.shape != truth.shape:
        raise ValueError(f"places must have the shape of truth, {truth.shape}, got {places.shape}")
    count = int(places.sum())
    if size.shape != (count,) or turn.shape != (count,):
        raise ValueError(
            f"size and turn must have shape ({count},), one number per corrupted entry, got {size.shape} and "
            f"{turn.shape}"
        )
    average = np.linalg.norm(truth) / np.sqrt(truth.size)
    outliers = np.zeros(truth.shape, dtype=complex)
    outliers[places] = average * (1 + 4 * size) * np.exp(1j * ANGLES[angle] * turn)
    return outliers


def draw_outliers(
    truth: ArrayLike, mode: int, bad_fraction: float, *, angle: str = "any", rng: np.random.Generator
) -> np.ndarray:
    """Draw the outliers S that corrupt a signal as the thesis's experiments do.

    The draws are made in this order: places, sizes, angles.

    Parameters
    ----------
    truth : ndarray, shape (n_channels, n_samples), real or complex
        The clean signal.
    mode : {1, 2, 3}
        Where the bad data are, see `corruption_places`.
    bad_fraction : float
        Fraction of all entries that is corrupted.
    angle : {"any", "quadrant"}
        See `outliers_at`.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray, shape (n_channels, n_samples), complex128
        To be added to `truth`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    Thesis, Section 3.6; S. Zhang, M. Wang, "Correction of corrupted columns through fast robust Hankel matrix
    completion", IEEE Trans. Signal Process. 67(10), 2580-2594, 2019.
    """
    n_channels, n_samples = np.shape(truth)
    places = corruption_places(mode, n_channels, n_samples, bad_fraction, rng)
    size, turn = rng.random((2, int(places.sum())))
    return outliers_at(places, truth, size, turn, angle)
