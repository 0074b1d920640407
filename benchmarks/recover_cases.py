"""Series with gaps whose lost samples are known: families, and patterns of loss."""

from pathlib import Path

import numpy as np

from nonconvex.series.read import read_series
from nonconvex.series.series import Series

BLOCK = Path(__file__).resolve().parents[1] / "resources/pmu/npcc140_linetrip.csv"
RATE = 30.0
CHANNELS = 6
NOISE = 0.01


def phasors(n_samples, rng):
    """The shipped phasors, as they are: whatever the size and the draw."""
    return read_series(BLOCK).values


def damped(n_samples, rng):
    """Three damped oscillations shared by all channels, and 1 % noise."""
    time = np.arange(n_samples) / RATE
    waves = _waves(rng.uniform(0.3, 4, 3), rng.uniform(0, 0.4, 3), time)
    return _noisy(rng.uniform(-1, 1, (CHANNELS, len(waves))) @ waves, rng)


def trend(n_samples, rng):
    """A bent trend of each channel's own size, two oscillations, and 1 % noise."""
    time = np.arange(n_samples) / RATE
    turns = time / time[-1]
    slow = np.vstack([np.ones(n_samples), turns, turns**2, np.tanh(6 * (turns - rng.uniform(0.3, 0.7)))])
    waves = np.vstack([slow, 0.5 * _waves(rng.uniform(0.5, 3, 2), np.zeros(2), time)])
    return _noisy(rng.uniform(-1, 1, (CHANNELS, len(waves))) @ waves, rng)


def single(shape, loss, rng):
    """Lose single values."""
    return rng.random(shape) >= loss


def runs(shape, loss, rng):
    """Lose runs of 2 to 20 samples, each in one channel."""
    return _pieces(shape, loss, 2, 20, rng)


def outages(shape, loss, rng):
    """Lose channels for a tenth to a quarter of the time."""
    return _pieces(shape, loss, shape[1] // 10, shape[1] // 4, rng)


FAMILIES = {"phasors": phasors, "damped": damped, "trend": trend}
PATTERNS = {"single": single, "runs": runs, "outages": outages}
LOSSES = (0.1, 0.3, 0.6)


def draw(family, pattern, loss, n_samples, trial):
    """Return the whole values, and the series that lost some of them; one draw for each trial."""
    rng = np.random.default_rng([trial, *family.encode(), *pattern.encode(), round(1000 * loss)])
    truth = FAMILIES[family](n_samples, rng)
    mask = PATTERNS[pattern](truth.shape, loss, rng)
    mask[:, [0, -1]] = True  # No method is to foretell.
    return truth, Series(
        values=np.where(mask, truth, np.nan),
        mask=mask,
        time=np.arange(truth.shape[1]) / RATE,
        sampling_rate=RATE,
        names=tuple(f"channel {number}" for number in range(len(truth))),
        kind="complex" if np.iscomplexobj(truth) else "real",
    )


def _waves(rates, damping, time):
    phases, decay = 2 * np.pi * np.outer(rates, time), np.exp(-np.outer(damping, time))
    return np.vstack([decay * np.cos(phases), decay * np.sin(phases)])


def _noisy(x, rng):
    return x + NOISE * np.sqrt(np.mean(x**2)) * rng.standard_normal(x.shape)


def _pieces(shape, loss, shortest, longest, rng):
    mask = np.ones(shape, bool)
    while (missing := round(loss * mask.size) - np.count_nonzero(~mask)) > 0:
        length = min(rng.integers(shortest, longest + 1), missing)
        start = rng.integers(shape[1] - length + 1)
        mask[rng.integers(shape[0]), start : start + length] = False
    return mask
