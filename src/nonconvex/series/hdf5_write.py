"""Writing an HDF5 file again with the lost samples of its array filled."""

import contextlib
import shutil
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from nonconvex.errors import UserError
from nonconvex.series.hdf5_file import beside, is_turned
from nonconvex.series.marks import Marks

_OF_DIMENSIONS = ("DIMENSION_LIST", "DIMENSION_LABELS", "REFERENCE_LIST")
_OF_TYPE = ("_FillValue", "missing_value", "valid_min", "valid_max", "valid_range")


def write_hdf5(
    source: str | Path, values: np.ndarray, target: str | Path, *, dataset: str, marks: Marks
) -> list[str]:
    """Write a copy of `source` whose array `dataset` holds `values`; return the attributes left out.

    It is the whole file, so that groups, links, attributes and references in it stay what they are. The array
    keeps its type when that has room for `values`: whole numbers become double precision. An array, or its
    time, that is in another file or a view of other arrays becomes an array of this file; its attributes that
    refer to objects of the other file are left out.

    Parameters
    ----------
    source : path
        The file that was read.
    values : ndarray, shape (n_channels, n_samples)
        As they are to be written, channels first however `source` stores them.
    target : path
        The file to write.
    dataset : str
        The array's name.
    marks : nonconvex.series.marks.Marks
        Those that `source` was read with.
    """
    stored = values.T if is_turned(source, dataset, marks) else values
    shutil.copyfile(source, target)
    left_out: list[str] = []
    parent = dataset.strip("/").rpartition("/")[0] or "/"
    with h5py.File(source, "r", locking=False) as old, h5py.File(target, "r+", locking=False) as new:
        if old[parent].file.id != old.id:
            raise UserError(
                f"{source}: '{parent}' is a link to another file, {old[parent].file.filename}; give that"
            )
        array, time = old[dataset], beside(old, dataset, "time")
        if _is_own(old, array) and _holds_fractions(array.dtype) and array.scaleoffset is None:
            new[dataset][...] = _as_type(stored, array.dtype)
        else:
            left_out += _replace(new, dataset, array, stored)
        if time is not None and not _is_own(old, time[1]):
            left_out += _replace(new, *time, time[1][()])
    return left_out


def _is_own(file: h5py.File, array: h5py.Dataset) -> bool:
    """Tell whether writing to the array changes its own file alone."""
    return bool(array.file.id == file.id and not array.is_virtual and array.external is None)


def _holds_fractions(dtype: np.dtype[Any]) -> bool:
    return all(dtype[part].kind == "f" for part in dtype.names) if dtype.names else dtype.kind in "fc"


def _as_type(values: np.ndarray, dtype: np.dtype[Any]) -> np.ndarray:
    if dtype.names is None:
        return values.astype(dtype)
    pair = np.empty(values.shape, dtype)
    real, imaginary = sorted(dtype.names, reverse=True)
    pair[real], pair[imaginary] = values.real, values.imag
    return pair


def _replace(file: h5py.File, name: str, old: h5py.Dataset, values: np.ndarray) -> list[str]:
    """Put a new array in the place of the old, with its attributes, dimension scales and labels."""
    in_file = file.get(name) if file.get(name, getlink=True, getclass=True) is h5py.HardLink else None
    scales: list[list[h5py.Dataset]] = [[] for _ in old.dims]
    if in_file is not None:
        with contextlib.suppress(OSError, RuntimeError):  # Scales that lead nowhere stay out.
            scales = [list(dimension.values()) for dimension in in_file.dims]
            for dimension, attached in zip(in_file.dims, scales, strict=True):
                for scale in attached:
                    dimension.detach_scale(scale)
    kept = {
        key: old.attrs[key]
        for key in old.attrs
        if key not in _OF_DIMENSIONS and (in_file is not None or not _refers(old, key))
    }
    dangling = [] if in_file is None else _pointing_at(file, in_file)
    for holder, key in dangling:
        del file[holder].attrs[key]
        if file[holder] == in_file:
            kept.pop(key)
    storage: dict[str, Any] = {}
    if old.compression in ("gzip", "lzf"):
        storage = {key: getattr(old, key) for key in ("chunks", "compression", "compression_opts", "shuffle")}
    del file[name]
    new = file.create_dataset(name, data=values, track_times=False, **storage)
    for key, value in kept.items():
        new.attrs[key] = np.asarray(value).astype(values.dtype) if key in _OF_TYPE else value
    for axis, attached in enumerate(scales):
        if old.dims[axis].label:
            new.dims[axis].label = old.dims[axis].label
        for scale in attached:
            new.dims[axis].attach_scale(scale)
    if in_file is None:
        return [f"{name}:{key}" for key in old.attrs if key not in kept]
    return [f"{holder.strip('/')}:{key}" for holder, key in dangling]


def _pointing_at(file: h5py.File, array: h5py.Dataset) -> list[tuple[str, str]]:
    """Return the attributes, as object and key, that refer to an array that goes; not those of dimensions."""
    found: list[tuple[str, str]] = []

    def visit(name: str, thing: h5py.Dataset | h5py.Group) -> None:
        for key in thing.attrs:
            if key in _OF_DIMENSIONS or not h5py.check_ref_dtype(thing.attrs.get_id(key).dtype):
                continue
            references = np.atleast_1d(thing.attrs[key]).ravel()
            if any(reference and file[reference] == array for reference in references):
                found.append((name, key))

    visit("/", file)
    file.visititems(visit)
    return found


def _refers(array: h5py.Dataset, key: str) -> bool:
    """Tell whether an attribute holds references to objects, alone or in a compound."""
    dtype = array.attrs.get_id(key).dtype
    fields = [field for field, *_ in (dtype.fields or {}).values()]
    inner = h5py.check_vlen_dtype(dtype)
    return any(h5py.check_ref_dtype(one) for one in (dtype, *fields, *([inner] if inner else ())))
