"""Finding and reading the objects of an HDF5 file, with a sentence for each way in which that fails."""

import contextlib
import importlib
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from nonconvex.errors import UserError, nearest

_FILTERS = {
    4: "szip",
    307: "bzip2",
    32000: "lzf",
    32001: "blosc",
    32004: "lz4",
    32008: "bitshuffle",
    32013: "zfp",
    32015: "zstd",
    32026: "blosc2",
}
_COMPLEX = ({"real", "imag"}, {"r", "i"})


def find(file: h5py.File, path: Path, dataset: str) -> h5py.Dataset:
    """Return the dataset of that name, or UserError with those that there are."""
    try:
        found = file.get(dataset)
    except (OSError, RuntimeError, ValueError) as error:
        raise UserError(f"{path}, dataset '{dataset}' cannot be opened; the file is damaged") from error
    if isinstance(found, h5py.Dataset):
        return found
    link = file.get(dataset, getlink=True) if found is None else None
    if isinstance(link, h5py.ExternalLink):
        raise UserError(
            f"{path}: '{dataset}' is a link to '{link.path}' in {link.filename}, which is not there; put "
            "that file beside this one, or copy the array into it"
        )
    if isinstance(link, h5py.SoftLink):
        raise UserError(f"{path}: '{dataset}' is a link to '{link.path}', which is not in the file")
    known = _arrays(file)
    raise UserError(
        f"{path} has no dataset '{dataset}'{nearest(dataset, known).removesuffix('?')}; it has "
        f"{', '.join(known) or 'none'}; choose with --dataset, or name it '{dataset}'"
    )


def read_numbers(array: h5py.Dataset, where: str) -> np.ndarray:
    """Return the numbers of a dataset, real or complex; UserError with the reason when there are none.

    Compounds of a real and an imaginary part, as MATLAB writes them, are complex numbers.
    """
    parts = array.dtype.names
    is_complex = parts is not None and set(parts) in _COMPLEX
    if array.shape is None or not (is_complex or array.dtype.kind in "iufc"):
        raise UserError(f"{where} does not hold numbers")
    try:
        values = array[()]
    except (OSError, RuntimeError) as error:
        if not _fetch_filters(array, where):
            raise UserError(
                f"{where} cannot be read; it is damaged, or a part of it is in a file elsewhere"
            ) from error
        values = array[()]
    if is_complex:
        real, imaginary = sorted(parts, reverse=True)
        values = values[real] + 1j * values[imaginary]
    return np.asarray(values)


def decoded(name: Any) -> tuple[str, bool]:
    """Return a name as text, and whether its bytes were not UTF-8 and were taken for Latin-1."""
    raw = name if isinstance(name, bytes) else str(name).encode(errors="surrogateescape")
    try:
        return raw.decode(), False
    except UnicodeDecodeError:
        return raw.decode("latin-1"), True


def _arrays(file: h5py.File) -> list[str]:
    """Return the datasets that may be a series, in all groups; those of other shapes when there are none."""
    found: list[h5py.Dataset] = []

    def visit(name: str, thing: h5py.Dataset | h5py.Group) -> None:
        if isinstance(thing, h5py.Dataset):
            found.append(thing)

    with contextlib.suppress(OSError, RuntimeError, KeyError):  # What is damaged is no candidate.
        file.visititems(visit)
    tables = [one for one in found if len(one.shape or ()) == 2]
    return [one.name.lstrip("/") for one in tables or found]


def _fetch_filters(array: h5py.Dataset, where: str) -> bool:
    """Tell whether filters that were missing are there now; UserError with the first that is not."""
    plist = array.id.get_create_plist()
    filters = [plist.get_filter(place) for place in range(plist.get_nfilters())]
    missing = [(number, label) for number, _, _, label in filters if not h5py.h5z.filter_avail(number)]
    if missing:
        with contextlib.suppress(ImportError):  # It installs its filters when it is imported.
            importlib.import_module("hdf5plugin")
    for number, label in missing:
        if not h5py.h5z.filter_avail(number):
            name = _FILTERS.get(number) or label.decode(errors="replace") or "a filter"
            raise UserError(
                f"{where} is compressed with {name} (filter {number}), which is not installed; install the "
                "Python package hdf5plugin, or write the file again with gzip (h5repack -f GZIP=4)"
            )
    return bool(missing)
