import h5py
import numpy as np
import pytest

from nonconvex.errors import UserError
from nonconvex.hankel.signals import spectrally_sparse_signal
from nonconvex.series.read import read_series


def write(path, array, dataset="series", time=None, **attributes):
    with h5py.File(path, "w") as file:
        file[dataset] = array
        file[dataset].attrs.update(attributes)
        if time is not None:
            file["time"] = time


def test_reading(folder):
    x = np.array([[1 + 1j, 2, 3, complex(np.nan, 1)], [1, 2, 3, 4]])
    write("a.h5", x, sampling_rate=50.0, names=["p", "q"])
    series = read_series("a.h5")
    assert (series.kind, series.names, series.sampling_rate) == ("complex", ("p", "q"), 50)
    np.testing.assert_array_equal(series.mask, [[True, True, True, False], [True] * 4])
    np.testing.assert_allclose(series.time, [0, 0.02, 0.04, 0.06])
    write("b.hdf5", np.arange(8).reshape(2, 4), "volts", time=[5.0, 6, 7, 8])
    series = read_series("b.hdf5", "volts")
    assert (series.kind, series.sampling_rate, series.values.dtype) == ("real", 1, float)


@pytest.mark.parametrize(
    ("array", "more", "sentence"),
    [
        (np.ones((2, 4)), {}, "neither a dataset 'time' nor an attribute 'sampling_rate'"),
        (np.ones(4), {"sampling_rate": 1}, r"has shape \(4,\); it must be \(n_channels, n_samples\)"),
        (np.ones((2, 3)), {"sampling_rate": 1}, "too few samples, 3"),
        (np.full((2, 4), np.inf), {"sampling_rate": 1}, "channel 0, sample 0 .* is infinite"),
        (np.ones((2, 4)), {"sampling_rate": 0}, "one positive number"),
        (np.ones((2, 4)), {"sampling_rate": 1, "names": ["a"]}, "1 names for 2 channels"),
        (np.ones((2, 4)), {"time": [0.0, 1, 2]}, "'time' has shape"),
        (np.ones((2, 4)), {"time": [0.0, 1, 2, 5]}, "sample 3 .* steps by 3 s"),
        (np.ones((2, 4)), {"time": [0.0, 1, 2, 3], "sampling_rate": 2}, "sampling_rate is 2, but"),
        (np.array([[b"a"] * 4]), {"sampling_rate": 1}, "does not hold numbers"),
    ],
)
def test_bad_files(folder, array, more, sentence):
    write("bad.h5", array, **more)
    with pytest.raises(UserError, match=sentence):
        read_series("bad.h5")


def test_missing_dataset_and_foreign_file(folder):
    write("a.h5", np.ones((2, 4)), "serie", sampling_rate=1)
    with pytest.raises(UserError, match="no dataset 'series'; did you mean 'serie'"):
        read_series("a.h5")
    (folder / "text.h5").write_text("no")
    with pytest.raises(UserError, match="not an HDF5 file"):
        read_series("text.h5")


def test_recovering(folder, command):
    rng = np.random.default_rng(3)
    x = spectrally_sparse_signal(4, 80, 2, rng=rng)
    gappy = np.where(rng.random(x.shape) < 0.3, np.nan, x)
    write("a.h5", gappy, "data", time=np.arange(80) / 10, names=list("abcd"))
    status, _, _ = command("recover", "a.h5", "--dataset", "data", "--rank", 2)
    assert status == 0
    recovered = read_series("a_recovered.h5", "data")
    assert recovered.names == ("a", "b", "c", "d")
    assert recovered.sampling_rate == pytest.approx(10)
    np.testing.assert_array_equal(recovered.values[~np.isnan(gappy)], x[~np.isnan(gappy)])
    assert np.linalg.norm(recovered.values - x) < 1e-4 * np.linalg.norm(x)
