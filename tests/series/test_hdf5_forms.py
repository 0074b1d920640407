"""Forms in which HDF5 files hold a series: read as they are meant, or refused in one sentence."""

import h5py
import numpy as np
import pytest
from problems.recordings import own

from nonconvex.errors import UserError
from nonconvex.series.read import read_series

WAVES = np.array([[1.0], [2], [3]]) * np.cos(np.arange(40) / 4 + np.array([[0], [1], [2]]))


def write(name="a.h5", array=WAVES, dataset="series", **attributes):
    with h5py.File(name, "w") as file:
        file[dataset] = array
        file[dataset].attrs.update({"sampling_rate": 10.0, **attributes})
    return name


def edit(name="a.h5"):
    return h5py.File(name, "r+")


@pytest.mark.parametrize("parts", [("real", "imag"), ("r", "i")])
def test_compounds_of_real_and_imaginary_parts(folder, parts):
    pairs = np.zeros(WAVES.shape, [(part, float) for part in parts])
    pairs[parts[0]], pairs[parts[1]] = WAVES, -2 * WAVES
    write(array=pairs)
    series = read_series("a.h5")
    assert series.kind == "complex"
    np.testing.assert_array_equal(series.values, WAVES * (1 - 2j))


def test_an_array_in_a_group_is_found_by_its_path_with_its_own_time(folder):
    with h5py.File("a.h5", "w") as file:
        file["march/volts"], file["march/time"], file["march/names"] = (
            WAVES,
            np.arange(40) / 5,
            ["p", "q", "r"],
        )
        file["time"] = np.arange(7.0)
    series = read_series("a.h5", "march/volts")
    assert (series.names, series.sampling_rate) == (("p", "q", "r"), pytest.approx(5))
    with pytest.raises(UserError, match=r"no dataset 'series'.*march/volts"):
        read_series("a.h5")


def test_the_other_way_round(folder, command):
    gappy = WAVES.copy()
    gappy[1, 8:11] = np.nan
    write(array=gappy.T, names=["p", "q", "r"])
    series = read_series("a.h5")
    np.testing.assert_array_equal(series.values, gappy)
    assert "was turned" in series.notes[0]
    assert command("recover", "a.h5", "--rank", 2)[0] == 0
    with h5py.File("a_recovered.h5") as file:
        np.testing.assert_allclose(file["series"], WAVES.T, atol=1e-3)
    with edit() as file:
        del file["series"].attrs["names"]
        file["time"] = np.arange(40)[:, None] / 10
    np.testing.assert_array_equal(read_series("a.h5").values, gappy)
    write(array=WAVES[:, :3].T, names=["a", "b", "c"])
    with edit() as file:
        file["series"].dims[0].label = "time"
    with pytest.raises(UserError, match="too few samples, 3"):
        read_series("a.h5")
    write(array=WAVES.T)
    with pytest.raises(UserError, match="too few samples, 3; if it stands the other way round, turn it"):
        read_series("a.h5")


def test_names_in_every_form(folder):
    write(array=WAVES[:1], names="only")
    assert read_series("a.h5").names == ("only",)
    write(names=np.array(["Gävle".encode("latin-1"), b"q", b"r"]))
    assert (read_series("a.h5").names[0], read_series("a.h5").notes) == (
        "Gävle",
        ("the names are not UTF-8 and were read as Latin-1",),
    )


@pytest.mark.parametrize("key", ["_FillValue", "missing_value"])
@pytest.mark.parametrize("kind", ["f4", "f8", "i4"])
def test_what_the_file_says_is_missing(folder, key, kind):
    array = np.round(100 * WAVES).astype(kind)
    array[2, 5:8] = -7777
    write(array=array, **{key: np.array(-7777, kind)})
    series = read_series("a.h5")
    np.testing.assert_array_equal(~series.mask, array == -7777)
    assert series.notes == ("-7777 is a lost value, as the file says: 3 samples",)


def test_what_was_never_written_is_missing(folder):
    with h5py.File("a.h5", "w") as file:
        array = file.create_dataset("series", (3, 40), float, chunks=(3, 10), fillvalue=1e20)
        array[:, :30] = WAVES[:, :30]
        file.attrs["sampling_rate"] = 10
    assert not read_series("a.h5").mask[:, 30:].any()
    np.testing.assert_array_equal(read_series(write(), missing=[repr(float(WAVES[0, 0]))]).mask.sum(), 119)


def compress_with_a_filter_nobody_has():
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_chunk((3, 40))
    plist.set_filter(32015, h5py.h5z.FLAG_OPTIONAL)
    with h5py.File("a.h5", "w") as file:
        space = h5py.h5s.create_simple((3, 40))
        h5py.h5d.create(file.id, b"series", h5py.h5t.NATIVE_DOUBLE, space, plist).write_direct_chunk(
            (0, 0), b"x"
        )
        file["series"].attrs["sampling_rate"] = 10


def damage_a_chunk():
    with h5py.File("a.h5", "w") as file:
        array = file.create_dataset("series", data=WAVES, compression="gzip")
        array.attrs["sampling_rate"] = 10
        array.id.write_direct_chunk((0, 0), b"no gzip at all")


def lead_nowhere():
    with h5py.File("a.h5", "w") as file:
        file["series"] = h5py.ExternalLink("elsewhere.h5", "/volts")


def lead_nowhere_inside():
    with h5py.File("a.h5", "w") as file:
        file["series"] = h5py.SoftLink("/gone")


def cut_short():
    write()
    with open("a.h5", "r+b") as file:
        file.truncate(600)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (compress_with_a_filter_nobody_has, "compressed with zstd (filter 32015), which is not installed"),
        (damage_a_chunk, "dataset 'series' cannot be read; it is damaged"),
        (lead_nowhere, "'series' is a link to '/volts' in elsewhere.h5, which is not there"),
        (lead_nowhere_inside, "'series' is a link to '/gone', which is not in the file"),
        (cut_short, "is not an HDF5 file, or is damaged"),
        (
            lambda: write(names=["p_mag", "p_ang", "speed"]),
            "look like the magnitude and the angle of one phasor",
        ),
    ],
)
def test_what_cannot_be_read_is_one_sentence_here_and_in_the_pipeline(folder, monkeypatch, make, sentence):
    if make is compress_with_a_filter_nobody_has:
        monkeypatch.setitem(__import__("sys").modules, "hdf5plugin", None)
    make()
    for read in (read_series, own):
        with pytest.raises(UserError) as caught:
            read("a.h5")
        assert sentence in str(caught.value) and "\n" not in str(caught.value)


def test_magnitudes_and_angles_side_by_side_are_no_plain_channels(folder):
    write(dataset="Vmag")
    with edit() as file:
        file["Vang"] = WAVES
        file.attrs["sampling_rate"] = 10
    with pytest.raises(UserError, match=r"'Vmag' and 'Vang' look like .* store phasors as a complex array"):
        read_series("a.h5", "Vang")
    write(dataset="angle")
    assert read_series("a.h5", "angle").kind == "real"


def test_a_time_or_names_that_cannot_be_read(folder):
    write()
    with edit() as file:
        file["time"] = np.array([b"noon"] * 40)
    with pytest.raises(UserError, match="dataset 'time' does not hold numbers; the time must be in seconds"):
        read_series("a.h5")
    write()
    with edit() as file:
        names = file.create_dataset(
            "names", data=np.array([b"p", b"q", b"r"]), chunks=(3,), compression="gzip"
        )
        names.id.write_direct_chunk((0,), b"no gzip at all")
    with pytest.raises(UserError, match="cannot be read to its end; it is damaged"):
        read_series("a.h5")
