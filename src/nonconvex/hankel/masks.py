"""The three modes of missing data (thesis, Section 2.6 and Figure 2.1)."""

import numpy as np


def loss_mask(
    mode: int, n_channels: int, n_samples: int, observed_fraction: float, rng: np.random.Generator
) -> np.ndarray:
    """Draw which entries are observed.

    With q = 1 - observed_fraction, every mode removes an exact number of entries, so that the realised
    fraction does not vary from trial to trial:

    * mode 1: round(q * n_channels * n_samples) entries, uniformly at random;
    * mode 2: round(q * n_samples) time instants, in all channels at once;
    * mode 3: in floor(n_channels / 2) random channels, the same run of consecutive samples. The percentage is
      one of ALL entries, so the run is round(q * n_samples * n_channels / floor(n_channels / 2)) samples
      long; its start is uniform over the places where it fits.

    Halves are rounded to even. A mask may leave a channel with no observation; the solvers refuse that.

    Parameters
    ----------
    mode : {1, 2, 3}
        Mode of the thesis.
    n_channels, n_samples : int
        Shape of the signal.
    observed_fraction : float
        p, above 0 and at most 1.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray, shape (n_channels, n_samples), bool
        True where the entry is observed.

    Raises
    ------
    ValueError
        If an argument is out of range, or no run of the requested length exists (mode 3 needs
        two channels and, for an even number of channels, p >= 1/2).
    """
    if mode not in (1, 2, 3):
        raise ValueError(f"mode must be 1, 2 or 3, got {mode!r}")
    if n_channels < 1 or n_samples < 1:
        raise ValueError(f"n_channels and n_samples must be at least 1, got {n_channels} and {n_samples}")
    if not 0 < observed_fraction <= 1:
        raise ValueError(f"observed_fraction must be above 0 and at most 1, got {observed_fraction!r}")
    loss = 1 - observed_fraction
    observed = np.ones((n_channels, n_samples), dtype=bool)
    if mode == 1:
        lost = round(loss * n_channels * n_samples)
        observed.flat[rng.choice(observed.size, size=lost, replace=False)] = False
    elif mode == 2:
        lost = round(loss * n_samples)
        observed[:, rng.choice(n_samples, size=lost, replace=False)] = False
    else:
        _remove_run(observed, loss, rng)
    return observed


def _remove_run(observed: np.ndarray, loss: float, rng: np.random.Generator) -> None:
    n_channels, n_samples = observed.shape
    half = n_channels // 2
    if half == 0:
        raise ValueError(
            f"mode 3 loses data in half of the channels: n_channels must be at least 2, got {n_channels}"
        )
    run = round(loss * n_samples * n_channels / half)
    if run > n_samples:
        raise ValueError(
            f"observed_fraction {1 - loss:g} needs a run of {run} lost samples in {half} of "
            f"{n_channels} channels, but there are only n_samples = {n_samples}; "
            "mode 3 needs a larger observed_fraction"
        )
    channels = rng.choice(n_channels, size=half, replace=False)
    start = rng.integers(n_samples - run + 1)
    observed[channels, start : start + run] = False
