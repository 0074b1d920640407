"""The recovered HDF5 file is the input with its gaps filled: scales, references, types and all."""

import h5py
import numpy as np
import pytest
from series.test_hdf5_forms import WAVES

TRUTH = np.round(1000 * WAVES)


def gappy(kind="f8"):
    array = TRUTH.astype(kind)
    array[1, 8:11] = -5000
    return array


def make(kind="f8", **how):
    """An array as a logger writes it: two dimension scales, a fill value, and things beside it."""
    with h5py.File("a.h5", "w") as file:
        array = file.create_dataset("log/level", data=gappy(kind), **how)
        array.attrs.update({"_FillValue": np.array(-5000, kind), "scale_factor": 0.01, "units": "m"})
        file["log/time"], file["log/well"], file["notes"] = np.arange(40) / 10, np.arange(3), np.arange(5)
        file["log/time"].attrs["units"] = "seconds since the start"
        for axis, name in enumerate(("well", "time")):
            file[f"log/{name}"].make_scale(name)
            array.dims[axis].attach_scale(file[f"log/{name}"])
        array.dims[1].label = "instant"
        array.attrs["calibration"] = file["notes"].ref
        file["here"] = h5py.SoftLink("/log/level")
        file.attrs["site"] = "north"


@pytest.mark.parametrize(
    ("kind", "how"),
    [
        ("f8", {}),
        (">f4", {"compression": "gzip", "shuffle": True}),
        ("i2", {"compression": "gzip"}),
        ("i4", {}),
    ],
)
def test_scales_references_and_neighbours_stay(folder, command, kind, how):
    make(kind, **how)
    assert command("recover", "a.h5", "--dataset", "log/level", "--rank", 2, "--n1", 12)[0] == 0
    with h5py.File("a_recovered.h5") as file:
        array = file["log/level"]
        lost = gappy() == -5000
        np.testing.assert_array_equal(array[()][~lost], TRUTH[~lost])
        np.testing.assert_allclose(array[()][lost], TRUTH[lost], atol=3)
        assert array.dtype == (kind if "f" in kind else "f8")
        assert [list(axis.keys()) for axis in array.dims] == [["well"], ["time"]]
        assert array.dims[1].label == "instant"
        (back,) = file["log/time"].attrs["REFERENCE_LIST"]
        assert file[back[0]] == array == file["here"]
        assert file[array.attrs["calibration"]] == file["notes"]
        assert (array.attrs["scale_factor"], array.attrs["units"], file.attrs["site"]) == (0.01, "m", "north")
        assert array.attrs.get_id("_FillValue").dtype == array.dtype
        assert array.compression == how.get("compression")


def test_references_to_an_array_that_is_replaced_are_left_out_by_name(folder, command):
    make("i2")
    with h5py.File("a.h5", "r+") as file:
        array = file["log/level"]
        array.attrs["self"], array.attrs["part"] = array.ref, array.regionref[0, 2:5]
        file["notes"].attrs["about"] = [file["log/well"].ref, array.ref]
    _, printed, _ = command("recover", "a.h5", "--dataset", "log/level", "--rank", 2, "--n1", 12)
    assert "not in the new file: " in printed
    assert set(printed.split("new file: ")[1].split("\n")[0].split(", ")) == {
        "log/level:self",
        "log/level:part",
        "notes:about",
    }
    with h5py.File("a_recovered.h5") as file:
        assert "about" not in file["notes"].attrs and not {"self", "part"} & set(file["log/level"].attrs)
        assert file[file["log/level"].attrs["calibration"]] == file["notes"]


def test_compounds_stay_compounds(folder, command):
    pairs = np.zeros(TRUTH.shape, [("real", "f4"), ("imag", "f4")])
    pairs["real"] = TRUTH
    pairs["real"][0, 5:8] = np.nan
    with h5py.File("a.h5", "w") as file:
        file["series"] = pairs
        file["series"].attrs["sampling_rate"] = 10
    assert command("recover", "a.h5", "--rank", 2)[0] == 0
    with h5py.File("a_recovered.h5") as file:
        assert file["series"].dtype == pairs.dtype
        np.testing.assert_allclose(file["series"]["real"], TRUTH, atol=3)


@pytest.mark.parametrize("view", [False, True])
def test_what_is_in_another_file_becomes_an_array_of_this_one(folder, command, view):
    array = gappy()
    array[array == -5000] = np.nan
    with h5py.File("raw.h5", "w") as file:
        file["x"], file["t"] = array, np.arange(40) / 10
        file["x"].attrs["colour"], file["x"].attrs["see"] = "red", file["t"].ref
    with h5py.File("a.h5", "w") as file:
        file["time"] = h5py.ExternalLink("raw.h5", "/t")
        if view:
            layout = h5py.VirtualLayout(array.shape, float)
            layout[:] = h5py.VirtualSource("raw.h5", "x", array.shape)
            file.create_virtual_dataset("series", layout)
        else:
            file["series"] = h5py.ExternalLink("raw.h5", "/x")
    raw = (folder / "raw.h5").read_bytes()
    status, printed, _ = command("recover", "a.h5", "--rank", 2, "--output", "sub/b.h5")
    assert status == 0 and (folder / "raw.h5").read_bytes() == raw
    assert ("left out, as what they refer to is not in the new file: series:see" in printed) == (not view)
    with h5py.File("sub/b.h5") as file:
        assert not file["series"].is_virtual
        np.testing.assert_allclose(file["series"], TRUTH, atol=3)
        np.testing.assert_array_equal(file["time"], np.arange(40) / 10)
        assert view or file["series"].attrs["colour"] == "red"


def test_a_group_in_another_file_is_left_alone(folder, command):
    array = gappy()
    array[array == -5000] = np.nan
    with h5py.File("raw.h5", "w") as file:
        file["x"] = array
        file.attrs["sampling_rate"] = 10
    with h5py.File("a.h5", "w") as file:
        file["run"] = h5py.ExternalLink("raw.h5", "/")
    raw = (folder / "raw.h5").read_bytes()
    status, _, complaint = command("recover", "a.h5", "--rank", 2, "--dataset", "run/x")
    assert (status, complaint.count("\n"), (folder / "raw.h5").read_bytes()) == (1, 1, raw)
    assert "'run' is a link to another file" in complaint
    assert sorted(path.name for path in folder.iterdir()) == ["a.h5", "raw.h5"]
