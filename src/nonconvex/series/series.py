"""What a file of measurements holds, whatever its format."""

from dataclasses import dataclass
from typing import Literal

import numpy as np


@dataclass(frozen=True, eq=False)
class Series:
    """A multichannel series.

    Attributes
    ----------
    values : ndarray, shape (n_channels, n_samples), float64 or complex128
        NaN where missing.
    mask : ndarray of bool, same shape
        True where observed.
    time : ndarray, shape (n_samples,)
        Seconds, evenly spaced.
    sampling_rate : float
        Samples per second.
    names : tuple of str
        One per channel.
    kind : {"real", "phasor", "complex"}
        "phasor" for magnitude and angle columns, "complex" for a complex array.
    unit : str
        Unit of the values or magnitudes; empty when the file does not say, or not with one voice.
    notes : tuple of str
        How the file was read, where its form left something to say.
    """

    values: np.ndarray
    mask: np.ndarray
    time: np.ndarray
    sampling_rate: float
    names: tuple[str, ...]
    kind: Literal["real", "phasor", "complex"]
    unit: str = ""
    notes: tuple[str, ...] = ()
