"""Images in npz files: what is read, and that odd and hostile ones are one sentence."""

import io
import os
import pickle
import zipfile

import numpy as np
import pytest
from images.made import damaged, numbers, pixels, readable, refused

from nonconvex.images import read_mined, read_npz

MB = 2**20
WHOLE = {"images": pixels(12, 4, 5), "labels": numbers(12)}
TEST = {"test_images": pixels(6, 4, 5, seed=2), "test_labels": numbers(6)}


class Evil:
    """Makes a folder when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def npy(array, **header):
    """The bytes of an array; `header` is what they say of it, where that is not the truth."""
    buffer = io.BytesIO()
    said = {"descr": array.dtype.str, "fortran_order": False, "shape": array.shape} | header
    np.lib.format.write_array_header_1_0(buffer, said)
    return buffer.getvalue() + array.tobytes()


def pack(path, members, compression=zipfile.ZIP_DEFLATED):
    """Write a zip of (name, bytes), whatever the names are."""
    with zipfile.ZipFile(path, "w", compression) as file:
        for name, data in members:
            file.writestr(name, data)
    return path


def arrays(*members):
    return [("images.npy", npy(WHOLE["images"])), ("labels.npy", npy(WHOLE["labels"])), *members]


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("kind", ["u1", "i2", ">i4", "u8"])
def test_what_numpy_writes_is_read(tmp_path, save, kind):
    path = tmp_path / "mine.npz"
    save(path, **WHOLE | {"labels": WHOLE["labels"].astype(kind)}, **TEST, mined=pixels(3, 4, 5))
    found = read_npz(path)
    for name, array in (WHOLE | TEST | {"mined": pixels(3, 4, 5)}).items():
        kept = getattr(found, name)
        assert kept.dtype == (np.int64 if "labels" in name else np.uint8)
        np.testing.assert_array_equal(kept if "labels" in name else kept[..., 0], array)


def test_orders_and_colours(tmp_path):
    colours = np.asfortranarray(pixels(12, 4, 5, 3))
    np.savez(tmp_path / "mine.npz", images=colours, labels=WHOLE["labels"])
    found = read_npz(tmp_path / "mine.npz")
    np.testing.assert_array_equal(found.images, colours)
    assert found.images.flags.c_contiguous
    assert found.test_images is found.mined is None


def test_without_pixels_only_labels_are_read(tmp_path):
    path = tmp_path / "mine.npz"
    np.savez(path, images=pixels(3000, 64, 64), labels=numbers(3000))
    sketch = read_npz(path, pixels=False)
    assert (sketch.images.shape, sketch.images.strides) == ((3000, 64, 64, 1), (0, 0, 0, 0))
    np.testing.assert_array_equal(sketch.labels, read_npz(path).labels)
    np.savez(path, images=pixels(3000, 64, 64), labels=numbers(2999))
    with refused("labels must be one for each of the 3000 images", memory=4 * MB):
        read_npz(path, pixels=False)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"images": WHOLE["images"] / 255}, "'images' must be uint8, brightness from 0 to 255, not float64"),
        ({"images": pixels(12, 3, 4, 5)}, "with 1 or 3 channels, not (12, 3, 4, 5); move the channels to the end"),
        ({"images": pixels(12, 20)}, "'images' must have the shape (n, height, width)"),
        ({"images": pixels(0, 4, 5), "labels": numbers(0)}, "it is empty or damaged"),
        ({"images": np.uint8(3)}, "'images' must have the shape"),
        ({"labels": WHOLE["labels"].astype(float)}, "'labels' must be whole numbers, one for each image, not float64"),
        ({"labels": WHOLE["labels"].astype(str)}, "'labels' must be whole numbers"),
        ({"labels": WHOLE["labels"] > 0}, "'labels' must be whole numbers"),
        ({"labels": numbers(11)}, "labels must be one for each of the 12 images"),
        ({"labels": numbers(12)[:, None]}, "labels must be one for each of the 12 images, got the shape (12, 1)"),
        ({"labels": numbers(12).astype(int) - 1}, "labels must be whole numbers from 0, got -1 at index 0"),
        ({"labels": numbers(12) + np.uint64(2**64 - 9)}, "must be whole numbers from 0, got 18446744073709551609"),
        ({"labels": numbers(12) + 1}, "no image has the label 0"),
        ({"test_images": TEST["test_images"]}, "test_images and test_labels go together"),
        (TEST | {"test_labels": TEST["test_labels"] + 1}, "test_labels has the class 3"),
        (TEST | {"test_images": pixels(6, 5, 4)}, "test_images are 5 x 4 x 1, and images are 4 x 5 x 1"),
        ({"mined": pixels(6, 4, 5, 3)}, "mined are 4 x 5 x 3"),
        ({"image": WHOLE["images"]}, "holds 'image.npy'; it may hold the arrays images, labels, test_images, test_labels and mined; did you mean 'images'?"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("whole", [True, False])
def test_an_odd_file_is_one_sentence(tmp_path, change, message, whole):
    np.savez(tmp_path / "mine.npz", **WHOLE | change)
    with refused("mine.npz", message):
        read_npz(tmp_path / "mine.npz", pixels=whole)


def test_a_set_needs_images_and_labels(tmp_path):
    path = tmp_path / "mine.npz"
    np.savez(path, mined=WHOLE["images"])
    with refused("has no array 'images': a set needs 'images' and 'labels', and this has 'mined'"):
        read_npz(path)
    np.savez(path)
    with refused("a set needs 'images' and 'labels', and this has none"):
        read_npz(path)


def test_mined_images_have_a_file_of_their_own(tmp_path):
    path = tmp_path / "mined.npz"
    np.savez(path, mined=pixels(5, 4, 5, 3))
    np.testing.assert_array_equal(read_mined(path), pixels(5, 4, 5, 3))
    assert read_mined(path, pixels=False).shape == (5, 4, 5, 3)
    np.savez(path, data=pixels(5, 4, 5, 3))
    with refused("holds 'data.npy'"):
        read_mined(path)
    np.savez(path, **WHOLE, mined=pixels(5, 4, 5))
    with refused("must have the array 'mined' and no other, and has 'images', 'labels', 'mined'"):
        read_mined(path)


def test_no_pickle_is_loaded_wherever_it_is(tmp_path):
    path, made = tmp_path / "mine.npz", tmp_path / "made"
    evil = np.array([Evil(made)] * 12, dtype=object)
    for change in ({"images": evil}, {"labels": evil}):
        np.savez(path, allow_pickle=True, **WHOLE | change)
        for read in (read_npz, read_mined):
            with refused("holds Python objects, a pickle, which is never loaded"):
                read(path)
    path.write_bytes(pickle.dumps({"data": Evil(made)}))
    with refused("is no .npz file but a pickle, which is never loaded", "docs/own-data.md"):
        read_npz(path)
    pack(path, arrays(("mined.npy", pickle.dumps(Evil(made)))))
    with refused("'mined' is no array as numpy.savez writes it"):
        read_npz(path)
    pack(path, arrays(("data.pkl", pickle.dumps(Evil(made)))))
    with refused("holds 'data.pkl'"):
        read_npz(path)
    nested = np.zeros(12, dtype=[("a", "O")])
    pack(path, [("images.npy", npy(nested, descr=[("a", "|O")])), ("labels.npy", npy(WHOLE["labels"]))])
    with refused("holds Python objects"):
        read_npz(path)
    assert not made.exists()


@pytest.mark.parametrize(
    "name", ["../images.npy", "/images.npy", "a/images.npy", "images", "images\nx.npy", ".npy"]
)
def test_members_with_other_names_are_one_sentence(tmp_path, name):
    with refused("mine.npz holds ", repr(name)):
        read_npz(pack(tmp_path / "mine.npz", arrays((name, npy(WHOLE["images"])))))
    assert sorted(os.listdir(tmp_path)) == ["mine.npz"]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_members_that_come_twice_are_one_sentence(tmp_path):
    with refused("holds the array 'images' twice"):
        read_npz(pack(tmp_path / "mine.npz", arrays(("images.npy", npy(WHOLE["images"])))))


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_compressions_are_one_sentence(tmp_path, compression):
    with refused("'images' is packed in a way that numpy.savez does not"):
        read_npz(pack(tmp_path / "mine.npz", arrays(), compression))


@pytest.mark.parametrize(
    "header",
    [
        {"shape": (12, 4, 4)},
        {"shape": (10**9, 28, 28)},
        {"shape": (-12, -4, 5)},
        {"shape": (2**40, 2**40, 2**40)},
        {"shape": (12, 0, 5)},
    ],
)
def test_a_shape_that_is_not_that_of_the_bytes_is_one_sentence(tmp_path, header):
    members = [("images.npy", npy(WHOLE["images"], **header)), ("labels.npy", npy(WHOLE["labels"]))]
    with refused("'images' says that it has the shape", "it is empty or damaged", memory=2 * MB):
        read_npz(pack(tmp_path / "mine.npz", members))


def test_bombs_are_refused_before_memory_is_taken(tmp_path):
    path = tmp_path / "mine.npz"
    np.savez_compressed(path, images=np.zeros((70, 1000, 1000), np.uint8), labels=np.zeros(70, int))
    with refused("mine.npz has ", "more than 200 times as many", memory=4 * MB):
        read_npz(path)
    several = {name: np.zeros((30, 1000, 1000), np.uint8) for name in ("images", "test_images", "mined")}
    np.savez_compressed(path, **several, labels=np.zeros(30, int), test_labels=np.zeros(30, int))
    with refused("more than 200 times as many", memory=4 * MB):
        read_npz(path)
    # A member that says that it has 5 GB.
    data = bytearray(pack(path, arrays(), zipfile.ZIP_STORED).read_bytes())
    entry = data.index(b"PK\x01\x02")
    data[entry + 24 : entry + 28] = (2**32 - 2).to_bytes(4, "little")
    path.write_bytes(data)
    with refused("mine.npz", memory=4 * MB):
        read_npz(path)
    blank = {"images": np.zeros((300, 200, 200), np.uint8), "labels": np.zeros(300, int)}
    np.savez_compressed(path, **blank)  # small enough to be meant
    assert len(read_npz(path).images) == 300


def test_what_is_no_npz_file_is_one_sentence(tmp_path):
    path = tmp_path / "mine.npz"
    np.save(path.with_suffix(".npy"), WHOLE["images"])
    with refused("is a single array; put images and labels into one file with numpy.savez"):
        read_npz(path.with_suffix(".npy"))
    path.write_text("image,label\n")
    with refused("is no .npz file: it begins with other bytes"):
        read_npz(path)
    path.write_bytes(b"")
    with refused("is empty"):
        read_npz(path)
    with refused("is a folder, where a file is wanted"):
        read_npz(tmp_path)
    with refused("is not there"):
        read_npz(tmp_path / "none.npz")


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_a_damaged_file_is_one_sentence_or_the_same_images(tmp_path, save):
    """Cut anywhere, or with any byte changed: never another exception, never other pixels."""
    path = tmp_path / "mine.npz"
    save(path, **WHOLE)
    whole = path.read_bytes()
    places = np.random.default_rng(1).choice(len(whole), 300, replace=False)
    for found in readable(path, damaged(whole, range(0, len(whole), 37), places, 1), read_npz):
        np.testing.assert_array_equal(found.images[..., 0], WHOLE["images"])
        assert found.labels.tolist() == WHOLE["labels"].tolist()
