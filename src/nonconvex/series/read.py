"""Reading a series, in the format that its file's name says."""

from collections.abc import Iterable
from pathlib import Path

from nonconvex.errors import UserError
from nonconvex.series.marks import read_marks
from nonconvex.series.series import Series

CSV = (".csv",)
HDF5 = (".h5", ".hdf5")


def read_series(path: str | Path, dataset: str | None = None, missing: Iterable[str] = ()) -> Series:
    """Read a multichannel series.

    Parameters
    ----------
    path : path
        A ``.csv``, ``.h5`` or ``.hdf5`` file; `nonconvex.series.columns` and
        `nonconvex.series.hdf5_file.read_hdf5` say what it must hold. Empty cells and NaN are missing values;
        so are the words of `nonconvex.series.marks`; a phasor of which either half is missing is missing.
    dataset : str, optional
        Of an HDF5 file: the array's name, ``series`` when not given.
    missing : iterable of str
        Numbers and words that stand for a missing value, too, such as ``-9999``.

    Returns
    -------
    nonconvex.series.series.Series

    Raises
    ------
    UserError
        One sentence with file, line and column, for anything that is not such a file.
    """
    if is_hdf5(path):
        from nonconvex.series.hdf5_file import DATASET, read_hdf5

        return read_hdf5(path, dataset or DATASET, read_marks(missing))
    if dataset is not None:
        raise UserError(f"{path} is a CSV file, which has no dataset; leave --dataset out")
    from nonconvex.series.csv_file import read_csv

    return read_csv(path, read_marks(missing))


def is_hdf5(path: str | Path) -> bool:
    """Tell HDF5 from CSV by the name; UserError for a name that says neither."""
    suffix = Path(path).suffix.lower()
    if suffix not in CSV + HDF5:
        raise UserError(f"{path}: the name must end in one of {', '.join(CSV + HDF5)}")
    return suffix in HDF5
