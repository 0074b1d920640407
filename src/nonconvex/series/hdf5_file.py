"""Series in HDF5 files: array (n_channels, n_samples), NaN where missing, and its time or sampling rate."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import h5py
import numpy as np

from nonconvex.errors import UserError
from nonconvex.series.halves import half, likely_pair, pairs
from nonconvex.series.hdf5_objects import decoded, find, read_numbers
from nonconvex.series.marks import Marks
from nonconvex.series.series import Series
from nonconvex.series.timeline import check_length, check_sampling, digits

DATASET = "series"
SECONDS = ("s", "sec", "secs", "second", "seconds")
_FORM = "it must be (n_channels, n_samples)"


@dataclass(frozen=True, eq=False)
class _Form:
    """An array of an HDF5 file, what goes with it, and whether its channels are columns."""

    values: np.ndarray
    names: tuple[str, ...]
    time: np.ndarray
    rate: float
    turned: bool
    notes: list[str]


def read_hdf5(path: str | Path, dataset: str, marks: Marks) -> Series:
    """Read a series from an HDF5 file.

    The array `dataset` has shape (n_channels, n_samples), real or complex. Instants come from the dataset
    ``time`` in seconds beside it or at the top, or from the attribute ``sampling_rate`` of the array, its
    group or the file. The array's attribute ``names``, or a dataset of that name beside it, may name the
    channels. An array that stands the other way round is turned when its time or its names say so. What the
    attributes ``_FillValue`` and ``missing_value`` say is missing.
    """
    path = Path(path)
    if not path.is_file():
        raise UserError(f"{path} cannot be read (no such file)")
    try:
        file = h5py.File(path, "r", locking=False)
    except PermissionError as error:
        raise UserError(f"{path} cannot be read ({error.strerror})") from error
    except OSError as error:
        raise UserError(f"{path} is not an HDF5 file, or is damaged") from error
    with file:
        try:
            form = _read(file, path, dataset, marks)
        except (OSError, RuntimeError, KeyError) as error:
            raise UserError(f"{path} cannot be read to its end; it is damaged") from error
    kind: Literal["real", "complex"] = "complex" if np.iscomplexobj(form.values) else "real"
    values = np.ascontiguousarray(form.values.T if form.turned else form.values)
    return Series(values, ~np.isnan(values), form.time, form.rate, form.names, kind, notes=tuple(form.notes))


def is_turned(path: str | Path, dataset: str, marks: Marks) -> bool:
    """Tell whether the array of a file that can be read has its channels as columns."""
    with h5py.File(path, "r", locking=False) as file:
        return _read(file, Path(path), dataset, marks).turned


def _read(file: h5py.File, path: Path, dataset: str, marks: Marks) -> _Form:
    array = find(file, path, dataset)
    where = f"{path}, dataset '{dataset}'"
    group = file[dataset.strip("/").rpartition("/")[0] or "/"]
    values, notes = _values(array, where, marks)
    names, more = _names(array, beside(file, dataset, "names"))
    _refuse_halves(group, dataset, names, values)
    time = beside(file, dataset, "time")
    stored = None if time is None else _instants(*time, path)
    turned = _is_turned(array, values.shape, names, stored)
    n_channels, n_samples = values.shape[::-1] if turned else values.shape
    if turned:
        notes.append(
            f"'{dataset}' is stored as (n_samples, n_channels), as its times or names tell, and was turned"
        )
    elif n_samples < 4 <= n_channels:
        raise UserError(
            f"{where}: too few samples, {n_samples}; if it stands the other way round, turn it: {_FORM}"
        )
    check_length(n_samples, where)
    instants, rate = _time((array, group, file), path, time and time[0], stored, n_samples)
    if names is None:
        names = tuple(f"channel{k + 1}" for k in range(n_channels))
    if len(names) != n_channels:
        raise UserError(f"{where}: {len(names)} names for {n_channels} channels")
    return _Form(values, names, instants, rate, turned, notes + more)


def _values(array: h5py.Dataset, where: str, marks: Marks) -> tuple[np.ndarray, list[str]]:
    values = read_numbers(array, where)
    if values.ndim != 2 or 0 in values.shape:
        raise UserError(f"{where} has shape {values.shape}; {_FORM}")
    declared = _declared(array)
    by_file = Marks(tuple(declared)).where(values)
    lost = marks.where(values) | by_file
    notes = []
    if by_file.any():
        notes.append(
            f"{', '.join(map(digits, declared))} is a lost value, as the file says: {by_file.sum()} samples"
        )
    values = values.astype(complex if values.dtype.kind == "c" else float)
    values[lost | np.isnan(values)] = complex(np.nan, np.nan) if values.dtype.kind == "c" else np.nan
    infinite = np.argwhere(np.isinf(values))
    if infinite.size:
        channel, sample = infinite[0]
        raise UserError(
            f"{where}, channel {channel}, sample {sample} (counting from 0) is infinite; "
            "write NaN for a lost value"
        )
    return values, notes


def _declared(array: h5py.Dataset) -> list[float]:
    """Return the numbers that the file itself declares to be no value."""
    found: list[float] = []
    for key in ("_FillValue", "missing_value"):
        stated = np.asarray(array.attrs.get(key, []))
        if stated.dtype.kind in "iuf":
            found += [float(one) for one in stated.ravel() if np.isfinite(one)]
    fill = array.fillvalue
    user_defined = array.id.get_create_plist().fill_value_defined() == h5py.h5d.FILL_VALUE_USER_DEFINED
    if user_defined and np.asarray(fill).dtype.kind in "iuf" and np.isfinite(fill) and fill != 0:
        found.append(float(fill))
    return list(dict.fromkeys(found))


def _names(
    array: h5py.Dataset, other: tuple[str, h5py.Dataset] | None
) -> tuple[tuple[str, ...] | None, list[str]]:
    stated: Any = array.attrs.get("names")
    if stated is None and other is not None and other[1].dtype.kind in "SO":
        stated = other[1][()]
    if stated is None:
        return None, []
    words = [decoded(one) for one in np.atleast_1d(np.asarray(stated)).ravel()]
    latin = ["the names are not UTF-8 and were read as Latin-1"] if any(other for _, other in words) else []
    return tuple(word for word, _ in words), latin


def _refuse_halves(
    group: h5py.Group, dataset: str, names: tuple[str, ...] | None, values: np.ndarray
) -> None:
    """Refuse magnitudes and angles as real channels: an angle that jumps by a turn is no oscillation."""
    if np.iscomplexobj(values):
        return
    found = [(one.name, other.name) for one, other in pairs(names or ())]
    likely = found[0] if found else likely_pair(names or ())
    own = dataset.rpartition("/")[2]
    if likely is None and (one := half(own)) and one.part == "angle":
        likely = next(((a.name, own) for a, b in pairs(group) if b.name == own), None)
    if likely:
        raise UserError(
            f"{group.file.filename}, dataset '{dataset}': '{likely[0]}' and '{likely[1]}' look like the "
            "magnitude and the angle of one phasor; store "
            "phasors as a complex array, magnitude * exp(1j * angle)"
        )


def _is_turned(
    array: h5py.Dataset, shape: tuple[int, ...], names: tuple[str, ...] | None, time: np.ndarray | None
) -> bool:
    rows, columns = shape
    if time is not None and rows != columns:
        return time.size == rows
    if names is not None and rows != columns:
        return len(names) == columns
    try:
        labels = [{dimension.label, *dimension.keys()} for dimension in array.dims]
    except (OSError, RuntimeError):  # Scales that lead nowhere.
        return False
    return "time" in labels[0] and "time" not in labels[1]


def beside(file: h5py.File, dataset: str, name: str) -> tuple[str, h5py.Dataset] | None:
    """Return path and dataset `name` in the group where `dataset` stands, or else at the top of the file."""
    for group in (dataset.strip("/").rpartition("/")[0], ""):
        path = f"{group}/{name}".lstrip("/")
        found = file.get(path)
        if isinstance(found, h5py.Dataset) and path != dataset.strip("/"):
            return path, found
    return None


def _instants(name: str, time: h5py.Dataset, path: Path) -> np.ndarray:
    where = f"{path}, dataset '{name}'"
    if time.dtype.kind not in "iuf":
        raise UserError(f"{where} does not hold numbers; the time must be in seconds")
    if time.size != max(time.shape or (), default=0):
        raise UserError(f"{where} has shape {time.shape}; it must be one number in seconds for each sample")
    unit = decoded(time.attrs.get("units", ""))[0]
    if unit.split() and unit.split()[0].lower() not in SECONDS:
        raise UserError(f"{where} is in '{unit}'; the time must be in seconds")
    return read_numbers(time, where).astype(float).ravel()


def _time(
    places: tuple[Any, ...],
    path: Path,
    time: str | None,
    instants: np.ndarray | None,
    n_samples: int,
) -> tuple[np.ndarray, float]:
    stated = next((one.attrs["sampling_rate"] for one in places if "sampling_rate" in one.attrs), None)
    if stated is not None:
        stated = np.asarray(stated)
        if stated.size != 1 or stated.dtype.kind not in "iuf" or not 0 < stated.item() < np.inf:
            raise UserError(f"{path}: the attribute sampling_rate must be one positive number")
        stated = float(stated.item())
    if time is None or instants is None:
        if stated is None:
            raise UserError(
                f"{path} has neither a dataset 'time' nor an attribute 'sampling_rate' (samples per second)"
            )
        return np.arange(n_samples) / stated, stated
    where = f"{path}, dataset '{time}'"
    if instants.size != n_samples:
        raise UserError(f"{where} has shape {instants.shape}; it must be {n_samples} numbers, one per sample")
    rate = check_sampling(instants, lambda sample: f"{where}, sample {sample} (counting from 0)")
    if stated is not None and abs(stated - rate) > 0.01 * rate:
        raise UserError(f"{path}: sampling_rate is {stated:g}, but 'time' has {rate:g} samples per second")
    return instants, rate
