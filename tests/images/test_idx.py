"""IDX files and folders: what is read, and that odd and hostile ones are one sentence."""

import gzip
import hashlib
from dataclasses import replace

import numpy as np
import pytest
from images.made import NAMES, idx, idx_arrays, numbers, pixels, refused, write_idx

from nonconvex.images import read_idx, read_idx_folder
from nonconvex.images.files import bounded, idx_folder, known
from nonconvex.images.files.idx import scan_idx
from nonconvex.images.files.idx_folder import idx_files, read_idx_files

MB = 2**20


def same(found, arrays):
    for name, array in zip(("images", "labels", "test_images", "test_labels"), arrays, strict=True):
        kept = getattr(found, name)
        assert kept.dtype == (np.uint8 if "images" in name else np.int64)
        np.testing.assert_array_equal(kept[..., 0] if "images" in name else kept, array)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.parametrize("mark", ["-", "."])
def test_a_folder_is_read_however_its_files_are_named_and_packed(tmp_path, pack, ending, mark):
    names = [name.replace("-idx", f"{mark}idx") + ending for name in NAMES]
    same(read_idx_folder(write_idx(tmp_path, names=names, pack=pack)), idx_arrays())


def test_a_plain_file_goes_before_a_gzipped_one(tmp_path):
    write_idx(tmp_path)
    write_idx(tmp_path, idx_arrays(9, 3), [f"{name}.gz" for name in NAMES], gzip.compress)
    same(read_idx_folder(tmp_path), idx_arrays())


def test_a_scan_checks_all_and_keeps_nothing(tmp_path):
    array = pixels(300, 100, 100)
    for pack in (bytes, gzip.compress):
        (tmp_path / "a").write_bytes(pack(idx(array)))
        assert scan_idx(tmp_path / "a", 3) == (array.shape, hashlib.sha256(idx(array)).hexdigest())
    (tmp_path / "a").write_bytes(idx(array)[:-1])
    with refused("a should hold 3000000 bytes", "only 2999999", memory=4 * MB):
        scan_idx(tmp_path / "a", 3)


def test_without_pixels_labels_are_read_and_images_take_no_memory(tmp_path):
    found, which = read_idx_files(idx_files(write_idx(tmp_path)), pixels=False)
    assert which is None
    assert found.images.shape == (12, 4, 5, 1)
    assert found.images.strides == (0, 0, 0, 0)
    assert found.test_labels.tolist() == [0, 1, 2, 0, 1, 2]


WHOLE = idx(pixels(20, 4, 5))


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (WHOLE[:-1], "should hold 400 bytes after its header, 20 x 4 x 5, and holds only 399"),
        (WHOLE + b"x", "and holds more"),
        (WHOLE[:11], "ends within its header"),
        (WHOLE[:3], "is no IDX file"),
        (idx(numbers(20)), "holds labels, where images are wanted: was it swapped"),
        (idx(pixels(4, 4)), "is no IDX file of images or labels"),
        (idx(pixels(20, 4, 5), kind=0x0D), "IDX numbers of the type 0x0d, where bytes, 0x08, are wanted"),
        (idx(pixels(0, 4, 5)), "holds nothing: its header says 0 x 4 x 5"),
        (b"label,pixel1\n5,0\n", "is no IDX file"),
        (b"\x80\x04\x95", "is no IDX file"),
        (idx(pixels(1, 4, 5), shape=(2**32 - 1,) * 3), "more than 4294967296 are not read"),
        (idx(pixels(1, 4, 5), shape=(10**6, 28, 28)), "more than 200 times as many"),
    ],
)
def test_an_odd_file_is_one_sentence(tmp_path, pack, content, message):
    path = tmp_path / "images"
    path.write_bytes(pack(content))
    for read in (read_idx, scan_idx):
        with refused(str(path), message, memory=4 * MB):
            read(path, 3)


@pytest.mark.parametrize("cut", [1, 10, 30])
def test_a_gzipped_file_that_is_cut_short_is_one_sentence(tmp_path, cut):
    whole = gzip.compress(WHOLE)
    (tmp_path / "cut").write_bytes(whole[: len(whole) - cut])
    with refused("cut is damaged or cut short"):
        read_idx(tmp_path / "cut", 3)
    damaged = bytearray(whole)
    damaged[-6] ^= 1  # of its checksum
    (tmp_path / "cut").write_bytes(damaged)
    with refused("cut is damaged or cut short"):
        read_idx(tmp_path / "cut", 3)


def test_of_a_bomb_no_more_is_read_than_its_header_says(tmp_path):
    (tmp_path / "bomb").write_bytes(gzip.compress(WHOLE + bytes(100 * MB), 1))
    with refused("and holds more", memory=8 * MB):
        read_idx(tmp_path / "bomb", 3)
    (tmp_path / "bomb").write_bytes(gzip.compress(idx(np.zeros((100, 1000, 1000), np.uint8)), 1))
    with refused("more than 200 times as many", memory=4 * MB):
        read_idx(tmp_path / "bomb", 3)


def test_what_is_no_file_is_one_sentence(tmp_path, monkeypatch):
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").touch()
    for name, message in [("folder", "is a folder"), ("empty", "is empty"), ("none", "is not there")]:
        with refused(str(tmp_path / name), message):
            read_idx(tmp_path / name, 3)
    (tmp_path / "mine").write_bytes(WHOLE)

    def forbidden(*words):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(bounded, "open", forbidden, raising=False)  # of this module only
    with refused("mine cannot be read (Permission denied)"):
        read_idx(tmp_path / "mine", 3)


def test_a_folder_that_is_none_or_lacks_a_file(tmp_path):
    (tmp_path / "file").touch()
    with refused("file is a file, where a folder with IDX files is wanted"):
        read_idx_folder(tmp_path / "file")
    with refused("none is no folder"):
        read_idx_folder(tmp_path / "none")
    write_idx(tmp_path / "set")
    (tmp_path / "set" / NAMES[3]).unlink()
    with refused("has no file t10k-labels-idx1-ubyte, plain or with .gz"):
        read_idx_folder(tmp_path / "set")
    (tmp_path / "set" / NAMES[3]).mkdir()
    with refused(f"{NAMES[3]} is a folder, where a file is wanted"):
        read_idx_folder(tmp_path / "set")


@pytest.mark.parametrize(
    ("place", "array", "message"),
    [
        (0, numbers(12), "train-images-idx3-ubyte holds labels, where images are wanted"),
        (1, pixels(12, 4, 5), "train-labels-idx1-ubyte holds images, where labels are wanted"),
        (1, numbers(11), "labels must be one for each of the 12 images, got the shape (11,)"),
        (3, numbers(7), "test_labels must be one for each of the 6 test_images"),
        (1, numbers(12) * 2, "no image has the label 1"),
        (3, numbers(6) + 1, "test_labels has the class 3, and labels do not"),
        (2, pixels(6, 5, 4), "test_images are 5 x 4 x 1, and images are 4 x 5 x 1"),
    ],
)
@pytest.mark.parametrize("whole", [True, False])
def test_files_that_do_not_go_together_are_one_sentence(tmp_path, place, array, message, whole):
    arrays = list(idx_arrays())
    arrays[place] = array
    files = idx_files(write_idx(tmp_path / "set", arrays))
    with refused(message, "set"):
        read_idx_files(files, pixels=whole)


@pytest.fixture
def published(monkeypatch):
    """Two sets whose bytes are known: small ones."""
    made = {"A": idx_arrays(), "B": [array[::-1] for array in idx_arrays()]}
    sets = tuple(
        replace(
            known.MNIST,
            name=name,
            sha256={
                part: hashlib.sha256(idx(array)).hexdigest()
                for part, array in zip(known.IDX_PARTS, arrays, strict=True)
            },
        )
        for name, arrays in made.items()
    )
    monkeypatch.setattr(idx_folder, "IDX_SETS", sets)
    return made, sets


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lambda data: gzip.compress(data, 1)])
def test_a_known_set_is_known_by_its_contents_whatever_packed_them(tmp_path, published, pack):
    made, sets = published
    assert read_idx_files(idx_files(write_idx(tmp_path, made["B"], pack=pack)))[1] is sets[1]


def test_a_known_set_with_other_files_is_refused(tmp_path, published):
    made, _ = published
    changed = made["A"][0].copy()
    changed[3, 2, 1] ^= 1
    with refused("train-images-idx3-ubyte is not the file of A, whose train-labels lies beside it"):
        read_idx_folder(write_idx(tmp_path / "one", [changed, *made["A"][1:]]))
    with refused("t10k-images-idx3-ubyte holds the t10k-images of B, where the t10k-images of A are wanted"):
        read_idx_folder(write_idx(tmp_path / "two", [*made["A"][:2], *made["B"][2:]]))
    with refused("holds the t10k-images of A, where the train-images of A are wanted: files were swapped"):
        read_idx_folder(write_idx(tmp_path / "three", [*made["A"][2:], *made["A"][:2]]))


@pytest.mark.skipif(
    not known.FASHION_FOLDER.is_dir(), reason="Debian's dataset-fashion-mnist is not installed"
)
def test_fashion_mnist_of_debian():
    found, which = read_idx_files(idx_files(known.FASHION_FOLDER))
    assert which is known.FASHION_MNIST
    assert found.images.shape == (60_000, 28, 28, 1)
    assert np.bincount(found.test_labels).tolist() == [1000] * 10
