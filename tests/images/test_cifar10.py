"""CIFAR-10's binary archive: what is read, and that other and hostile archives are one sentence."""

import gzip
import hashlib
import io
import os
import pickle
import tarfile

import numpy as np
import pytest
from images.made import damaged, members, readable, records, refused, tar

from nonconvex.images.files import cifar10, known
from nonconvex.images.files.cifar10 import check_cifar10, read_binary_archive, read_cifar10

FOLDER = "cifar-10-batches-bin"
MB = 2**20


@pytest.fixture
def archive(tmp_path):
    def write(content=None, **changes):
        path = tmp_path / "cifar-10-binary.tar.gz"
        path.write_bytes(tar(content or members(), **changes))
        return path

    return write


def read(path):
    return read_binary_archive(path, images_a_file=10)


def test_images_come_in_the_order_of_the_files_names_with_their_colours(archive):
    found = read(archive())
    for start, seed in [(0, 1), (10, 2), (20, 3), (30, 4), (40, 5)]:
        raw = np.frombuffer(records(10, seed=seed), np.uint8).reshape(10, 3073)
        for k in (0, 7):
            image = found.images[start + k]
            for row, column in [(0, 0), (3, 31), (31, 5)]:
                place = 1 + 32 * row + column
                colours = [raw[k, place + 1024 * colour] for colour in range(3)]
                assert image[row, column].tolist() == colours
    assert found.images.shape == (50, 32, 32, 3)
    assert found.images.flags.c_contiguous
    assert found.labels.tolist() == 5 * list(range(10)) == 5 * found.test_labels.tolist()
    raw = np.frombuffer(records(10, seed=6), np.uint8).reshape(10, 3073)
    np.testing.assert_array_equal(found.test_images[2, :, :, 0].ravel(), raw[2, 1:1025])


def test_only_the_published_archive_is_read(archive, monkeypatch):
    path = archive()
    md5 = hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()
    with refused(f"is not cifar-10-binary.tar.gz as published: its md5 is {md5}, not {known.CIFAR10_MD5}"):
        read_cifar10(path)
    monkeypatch.setattr(cifar10, "CIFAR10_MD5", md5)
    check_cifar10(path)
    with refused("has 30730 bytes, which are not those of"):
        read_cifar10(path)


def test_the_python_and_matlab_versions_name_the_binary_one(tmp_path):
    data = pickle.dumps({b"data": [1]})
    for folder, language in [("cifar-10-batches-py", "Python"), ("cifar-10-batches-mat", "MATLAB")]:
        path = tmp_path / "mine.tar.gz"
        path.write_bytes(tar({folder: None, f"{folder}/data_batch_1": data}))
        with refused(
            f"is the {language} version of CIFAR-10", "get the binary version, cifar-10-binary.tar.gz"
        ):
            check_cifar10(path)


@pytest.mark.parametrize(
    "content", [b"", b"\x80\x04", gzip.compress(b"", mtime=0), gzip.compress(b"a" * 600, mtime=0)[:-9]]
)
def test_what_is_no_archive_is_one_sentence(tmp_path, content):
    path = tmp_path / "mine.tar.gz"
    path.write_bytes(content)
    for reader in (read_cifar10, read):
        with refused("mine.tar.gz"):
            reader(path)
    with refused("is a folder, where a file is wanted"):
        read_cifar10(tmp_path)
    with refused("is not there"):
        read_cifar10(tmp_path / "none")


def with_member(name, data=b"x", **fields):
    def change(infos):
        info = tarfile.TarInfo(name)
        info.size = len(data or b"")
        for field, value in fields.items():
            setattr(info, field, value)
        return [infos[0], (info, data), *infos[1:]]

    return change


@pytest.mark.parametrize(
    "name",
    ["../../evil", "/evil", f"{FOLDER}/../evil", f"{FOLDER}/data_batch_6.bin", "evil", f"{FOLDER}/\nx"],
)
def test_members_of_other_names_are_one_sentence(archive, tmp_path, name):
    with refused(f"holds {name!r}, which is no file of cifar-10-binary.tar.gz"):
        read(archive(change=with_member(name)))
    assert os.listdir(tmp_path) == ["cifar-10-binary.tar.gz"]


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.DIRTYPE]
)
def test_links_and_other_kinds_are_one_sentence(archive, kind):
    change = with_member(f"{FOLDER}/data_batch_1.bin", None, type=kind, linkname="/etc/passwd")
    with refused("data_batch_1.bin is a link or something else that is no plain file"):
        read(archive(change=change))


def test_members_that_come_twice_are_one_sentence(archive):
    with refused(f"holds '{FOLDER}/data_batch_1.bin' twice"):
        read(archive(change=with_member(f"{FOLDER}/data_batch_1.bin", records(10))))


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("data_batch_3.bin", records(9), "data_batch_3.bin has 27657 bytes"),
        ("data_batch_3.bin", records(10) + b"x", "data_batch_3.bin has 30731 bytes"),
        ("test_batch.bin", b"", "test_batch.bin has 0 bytes"),
        ("readme.html", bytes(2**16 + 1), "readme.html has 65537 bytes"),
        ("data_batch_2.bin", records(10, label=[0, 1, 2, 10, 4, 5, 6, 7, 8, 9]), "data_batch_2.bin has the label 10 at image 3, not one of 0 to 9"),
    ],
)  # fmt: skip
def test_wrong_sizes_and_labels_are_one_sentence(archive, name, data, message):
    with refused(message):
        read(archive(members() | {f"{FOLDER}/{name}": data}))


def test_a_file_that_is_missing_is_one_sentence(archive):
    whole = members()
    del whole[f"{FOLDER}/data_batch_4.bin"]
    with refused("has no cifar-10-batches-bin/data_batch_4.bin"):
        read(archive(whole))


def test_bombs_are_refused_before_memory_is_taken(archive, tmp_path):
    name = f"{FOLDER}/data_batch_1.bin"
    path = archive(members() | {name: bytes(100 * MB)})
    with refused(f"{name} has 104857600 bytes", memory=8 * MB):
        read(path)
    # A header for a longer name that is 100 MB long: the library would read it into memory.
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 100 * MB
    buffer = io.BytesIO(info.tobuf(tarfile.GNU_FORMAT) + bytes(100 * MB))
    path = tmp_path / "bomb.tar.gz"
    path.write_bytes(gzip.compress(buffer.getvalue(), 1))
    del buffer
    with refused("holds more than cifar-10-binary.tar.gz does", memory=8 * MB):
        read(path)


def test_a_damaged_archive_is_one_sentence_or_the_same_images(archive):
    """Cut anywhere, or with any byte changed: never another exception, never other pixels."""
    path = archive()
    whole, expected = path.read_bytes(), read(path)
    places = [*range(30), *np.random.default_rng(2).choice(len(whole), 40, replace=False)]
    cuts = np.linspace(0, len(whole) - 1, 15).astype(int)
    for found in readable(path, damaged(whole, cuts, places, 2), read):
        np.testing.assert_array_equal(found.images, expected.images)
