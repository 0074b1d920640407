"""The recording behind the phasor experiments: the bundled simulation, or a file of the user's own."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nonconvex.series.read import read_series
from nonconvex.series.series import Series
from nonconvex.series.side_file import check_side_file
from nonconvex.study.errors import StudyError
from nonconvex.study.files import file_sha256

BUNDLED = "resources/pmu/npcc140_linetrip.csv"
AGREEMENT = 0.01  # of the stated rate with the file's own times


@dataclass(frozen=True)
class Recording:
    """What the study must know of a recording before it reads it.

    Attributes
    ----------
    own : bool
        Whether it is the user's file.
    sha256 : str
        Of the file's bytes. The path decides nothing.
    facts : dict
        Parameters that come from it: n_channels, n_samples, rate (samples a second) and event_time (seconds,
        or None when nobody says).
    missing : float
        Share of the entries that it lacks.
    unit : str
        Of the magnitudes, as the columns name it; empty when they do not.
    """

    own: bool
    sha256: str
    facts: Mapping[str, float | int | None]
    missing: float
    unit: str


def recording_path(settings: Mapping, root: Path) -> Path:
    """Return the file that the config's ``data.pmu`` asks for; StudyError when the user's does not exist."""
    if settings.get("source") != "file":
        return root / BUNDLED
    path = Path(settings["file"])
    if not path.is_file():
        raise StudyError(f"config: data.pmu.file is {path}, where there is no file")
    return path


def read_recording(settings: Mapping, root: Path) -> Recording:
    """Read and check the recording that the config's ``data.pmu`` asks for.

    Raises
    ------
    StudyError
        One sentence, for a file that is no recording of phasors and for a rate or an event time that is not
        its own.
    """
    path = recording_path(settings, root)
    own = settings.get("source") == "file"
    event_time, rate = settings.get("event_time"), settings.get("rate")
    if not own:
        side = check_side_file(path)
        event_time, rate = side["event_time_s"], rate or side["sampling_rate_hz"]
    series = read_phasors(path)
    time = instants(series, rate)
    if event_time is not None and not time[0] <= event_time <= time[-1]:
        raise StudyError(
            f"config: data.pmu.event_time is {event_time:g}, outside the recording's {time[0]:g} to "
            f"{time[-1]:g} seconds"
        )
    channels, samples = series.values.shape
    facts = {
        "n_channels": channels,
        "n_samples": samples,
        "rate": float(f"{series.sampling_rate if rate is None else rate:.6g}"),
        "event_time": event_time if event_time is None else float(event_time),
    }
    return Recording(own, file_sha256(path), facts, float(1 - series.mask.mean()), series.unit)


def read_phasors(path: str | Path) -> Series:
    """Read a recording of phasors: CSV with magnitudes and angles, or a complex HDF5 array; NaN = missing."""
    series = read_series(path)
    if series.kind == "real":
        raise StudyError(
            f"{path} holds real channels; a recording of phasors has two columns a channel, "
            "<channel>_magnitude and <channel>_angle_deg (or _rad), or is a complex array"
        )
    silent = np.flatnonzero(~series.mask.any(axis=1))
    if silent.size:
        raise StudyError(f"{path}: channel '{series.names[silent[0]]}' has no value at all; leave it out")
    return series


def instants(series: Series, rate: float | None) -> np.ndarray:
    """Return the instants (n_samples,) in seconds: the file's own, or evenly spaced at a stated `rate`."""
    if rate is None:
        return series.time
    if abs(rate - series.sampling_rate) > AGREEMENT * series.sampling_rate:
        raise StudyError(
            f"config: data.pmu.rate is {rate:g}, but the recording has {series.sampling_rate:.6g} samples a "
            "second; correct it, or set it to null to take the file's own"
        )
    return series.time[0] + np.arange(len(series.time)) / rate
