"""The source of recorded phasors: the bundled simulation, or a file of the user's own."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nonconvex.errors import UserError
from nonconvex.files import file_sha256
from nonconvex.problems.phasors.recording import instants, read_phasors
from nonconvex.problems.source import Found, Settings, Source
from nonconvex.series.side_file import check_side_file

BUNDLED = "resources/pmu/npcc140_linetrip.csv"


def check(settings: Settings, name: str | None) -> None:
    """Refuse settings of ``data.pmu`` that do not go together."""
    own = settings.get("source") == "file"
    for key in ("rate", "event_time"):
        if not math.isfinite(settings.get(key) or 0):
            raise UserError(f"config: data.pmu.{key} must be finite, not {settings[key]}")
    if own and not settings.get("file"):
        raise UserError(
            "config: data.pmu.source is 'file', but data.pmu.file is empty; give a .csv, .h5 or .hdf5 file"
        )
    if own and not name:
        raise UserError(
            "config: data.pmu.source 'file' needs a 'name', so that your recording's results are written to "
            "their own folder results/{scale}-{name} and the scale's own results stay whole"
        )
    for number in _marks(settings):
        if not math.isfinite(number):
            raise UserError(f"config: data.pmu.missing must be finite, not {number}")
    for key in ("file", "event_time", "missing"):
        if not own and settings.get(key) is not None:
            raise UserError(
                f"config: data.pmu.{key} is given, but data.pmu.source is not 'file'; set that to 'file' to "
                f"use your own recording, or {key} to null"
            )


def _marks(settings: Settings) -> Sequence[float]:
    """Return the numbers that stand for a lost sample."""
    given = settings.get("missing")
    return given if isinstance(given, list) else [] if given is None else [given]


def paths(settings: Settings, root: Path) -> tuple[Path, ...]:
    """Return the recording that is asked for; UserError when the user's does not exist."""
    if settings.get("source") != "file":
        return (root / BUNDLED,)
    own = Path(settings["file"])
    if not own.is_file():
        raise UserError(f"config: data.pmu.file is {own}, where there is no file")
    return (own,)


def find(settings: Settings, root: Path) -> Found:
    """Read and check the recording that the config's ``data.pmu`` asks for.

    Its facts are n_channels, n_samples, rate (samples a second) and event_time (seconds, or None when nobody
    says). About it are known the share of its entries that are missing, and the unit of its magnitudes as the
    columns name it, empty when they do not.

    Raises
    ------
    UserError
        One sentence, for a file that is no recording of phasors and for a rate or an event time that is not
        its own.
    """
    (file,) = paths(settings, root)
    own = settings.get("source") == "file"
    event_time, rate = settings.get("event_time"), settings.get("rate")
    if not own:
        side = check_side_file(file)
        event_time, rate = side["event_time_s"], rate or side["sampling_rate_hz"]
    marks = " ".join(repr(number) for number in _marks(settings))
    series = read_phasors(file, marks)
    time = instants(series, rate)
    if event_time is not None and not time[0] <= event_time <= time[-1]:
        raise UserError(
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
    about = {"missing": float(1 - series.mask.mean()), "unit": series.unit}
    return Found(own, file_sha256(file), facts, about, reading={"missing": marks} if marks else {})


def note(about: Mapping[str, Any]) -> str | None:
    """Return what a figure says of the user's own recording: how much of it is missing."""
    if not about["missing"]:
        return None
    return (
        f"{100 * about['missing']:.3g} % of the recording is missing: never observed, never scored; for "
        "approximation errors it is bridged by straight lines"
    )


SOURCE = Source(check, paths, find, note)
