"""Made-up successes around thresholds, and judging one measure against regions."""

import numpy as np

from nonconvex.claims.decision import Judged
from nonconvex.claims.region import region


def outcome(measure, holds, fails, *, alpha=0.05, guarded=False):
    """Judge a measure."""
    return Judged(measure, region(holds), region(fails), alpha, guarded).outcome()


def logistic(x, places, width, trials, rng, *, falls=False, luck=None):
    """Draw successes, shape (n_rows, n_x, n_trials), of which half come at `places` along `x`.

    `luck`: a part of the chance that other methods share, of the same shape.
    """
    distance = (np.asarray(x)[None, :] - np.asarray(places)[:, None]) / width
    distance = (-distance if falls else distance)[..., None]
    own = rng.logistic(size=(len(places), len(x), trials))
    return distance + (own if luck is None else 0.5 * own + 0.7 * luck) > 0


def steps(x, places, trials, *, falls=False):
    """Return successes without chance: all on one side of each place."""
    there = np.asarray(x)[None, :] < np.asarray(places)[:, None]
    there = there if falls else ~there
    return np.repeat(there[..., None], trials, axis=-1)
