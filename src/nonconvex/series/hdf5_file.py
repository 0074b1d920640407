"""Series in HDF5 files: array (n_channels, n_samples), NaN where missing, and its time or sampling rate."""

from pathlib import Path
from typing import Literal

import h5py
import numpy as np

from nonconvex.errors import UserError, nearest
from nonconvex.series.series import Series
from nonconvex.series.timeline import check_length, check_sampling

DATASET = "series"


def read_hdf5(path: str | Path, dataset: str = DATASET) -> Series:
    """Read a series from an HDF5 file.

    The array `dataset` has shape (n_channels, n_samples), real or complex. Instants come from the dataset
    ``time`` in seconds, or from the attribute ``sampling_rate`` of the array or the file. The array's
    attribute ``names`` may name the channels.
    """
    path = Path(path)
    if not path.is_file():
        raise UserError(f"{path} cannot be read (no such file)")
    try:
        file = h5py.File(path, "r", locking=False)
    except OSError as error:
        raise UserError(f"{path} is not an HDF5 file, or is damaged") from error
    with file:
        values = _array(file, path, dataset)
        where = f"{path}, dataset '{dataset}'"
        check_length(values.shape[1], where)
        time, rate = _time(file, path, dataset, values.shape[1])
        names = file[dataset].attrs.get("names", [f"channel{k + 1}" for k in range(len(values))])
        names = tuple(name.decode() if isinstance(name, bytes) else str(name) for name in names)
    if len(names) != len(values):
        raise UserError(f"{where}: {len(names)} names for {len(values)} channels")
    kind: Literal["real", "complex"] = "complex" if np.iscomplexobj(values) else "real"
    return Series(values, ~np.isnan(values), time, rate, names, kind)


def write_hdf5(source: str | Path, values: np.ndarray, target: str | Path, dataset: str = DATASET) -> None:
    """Write `values` to `target` in place of the array of `source`, with its time and attributes."""
    with h5py.File(source, "r", locking=False) as old, h5py.File(target, "w", track_order=False) as new:
        arrays = {dataset: values}
        if "time" in old and dataset != "time":
            arrays["time"] = old["time"][()]
        for name, array in arrays.items():
            new.create_dataset(name, data=array, track_times=False)
            for key, value in old[name].attrs.items():
                new[name].attrs[key] = value
        for key, value in old.attrs.items():
            new.attrs[key] = value


def _array(file: h5py.File, path: Path, dataset: str) -> np.ndarray:
    if dataset not in file or not isinstance(file[dataset], h5py.Dataset):
        known = [name for name in file if isinstance(file[name], h5py.Dataset)]
        hint = nearest(dataset, known) or f"; it has {', '.join(known) or 'none'}; choose with --dataset"
        raise UserError(f"{path} has no dataset '{dataset}'{hint}")
    array = file[dataset][()]
    where = f"{path}, dataset '{dataset}'"
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "iufc":
        raise UserError(f"{where} does not hold numbers")
    if array.ndim != 2 or array.shape[0] == 0:
        raise UserError(f"{where} has shape {array.shape}; it must be (n_channels, n_samples)")
    array = array.astype(complex if array.dtype.kind == "c" else float)
    infinite = np.argwhere(np.isinf(array))
    if infinite.size:
        channel, sample = infinite[0]
        raise UserError(
            f"{where}, channel {channel}, sample {sample} (counting from 0) is infinite; "
            "write NaN for a lost value"
        )
    if array.dtype.kind == "c":
        array[np.isnan(array)] = complex(np.nan, np.nan)
    return array


def _time(file: h5py.File, path: Path, dataset: str, n_samples: int) -> tuple[np.ndarray, float]:
    stated = file[dataset].attrs.get("sampling_rate", file.attrs.get("sampling_rate"))
    if stated is not None:
        stated = np.asarray(stated)
        if stated.size != 1 or stated.dtype.kind not in "iuf" or not 0 < stated.item() < np.inf:
            raise UserError(f"{path}: the attribute sampling_rate must be one positive number")
        stated = float(stated.item())
    if "time" not in file or dataset == "time":
        if stated is None:
            raise UserError(
                f"{path} has neither a dataset 'time' nor an attribute 'sampling_rate' (samples per second)"
            )
        return np.arange(n_samples) / stated, stated
    time = np.asarray(file["time"][()])
    if time.shape != (n_samples,) or time.dtype.kind not in "iuf":
        raise UserError(
            f"{path}, dataset 'time' has shape {time.shape}; it must be {n_samples} numbers, one per sample"
        )
    time = time.astype(float)
    rate = check_sampling(time, lambda sample: f"{path}, dataset 'time', sample {sample} (counting from 0)")
    if stated is not None and abs(stated - rate) > 0.01 * rate:
        raise UserError(f"{path}: sampling_rate is {stated:g}, but 'time' has {rate:g} samples per second")
    return time, rate
