"""Recordings of phasors as arrays: what the families read from the file of their source."""

from pathlib import Path

import numpy as np

from nonconvex.errors import UserError
from nonconvex.series.read import read_series
from nonconvex.series.series import Series

AGREEMENT = 0.01  # of the stated rate with the file's own times


def read_phasors(path: str | Path, missing: str = "") -> Series:
    """Read a recording of phasors: CSV with magnitudes and angles, or a complex HDF5 array; NaN = missing.

    `missing` has the numbers, with spaces between them, that stand for a missing value in the file, too.
    """
    series = read_series(path, missing=missing.split())
    if series.kind == "real":
        raise UserError(
            f"{path} holds real channels; a recording of phasors has two columns a channel, "
            "<channel>_magnitude and <channel>_angle_deg (or _rad), or is a complex array"
        )
    silent = np.flatnonzero(~series.mask.any(axis=1))
    if silent.size:
        raise UserError(f"{path}: channel '{series.names[silent[0]]}' has no value at all; leave it out")
    return series


def instants(series: Series, rate: float | None) -> np.ndarray:
    """Return the instants (n_samples,) in seconds: the file's own, or evenly spaced at a stated `rate`."""
    if rate is None:
        return series.time
    if abs(rate - series.sampling_rate) > AGREEMENT * series.sampling_rate:
        raise UserError(
            f"config: data.pmu.rate is {rate:g}, but the recording has {series.sampling_rate:.6g} samples a "
            "second; correct it, or set it to null to take the file's own"
        )
    return series.time[0] + np.arange(len(series.time)) / rate
