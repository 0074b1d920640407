import shutil

import h5py
import numpy as np
import pytest

from nonconvex.errors import UserError
from nonconvex.steps.block_file import (
    content_sha256,
    new_file,
    open_block,
    read_array,
    read_plan,
    write_array,
    write_facts,
)

ARRAYS = {
    "mask": np.arange(30).reshape(2, 3, 5) % 3 == 0,
    "complex": np.array([1 + 2j, -3j]),
    "text": np.array([b"converged", b""], dtype="S16"),
}


@pytest.fixture
def block(tmp_path):
    path = tmp_path / "0000-0001.h5"
    write(path)
    return path


def write(path):
    with new_file(path) as file:
        write_facts(file, "dataset", {"seed": 1}, "abc")
        for name, array in ARRAYS.items():
            write_array(file, name, array)


def test_arrays_come_back_exactly(block):
    with open_block(block, "dataset") as file:
        assert read_plan(file) == {"seed": 1}
        for name, array in ARRAYS.items():
            found = read_array(file, name)
            assert found.dtype == array.dtype
            assert np.array_equal(found, array)


def test_other_programs_can_open_it(block):
    with h5py.File(block) as file:
        assert "numpy" in file.attrs["versions"]


def test_two_writes_give_the_same_bytes(block, tmp_path):
    write(tmp_path / "again.h5")
    assert block.read_bytes() == (tmp_path / "again.h5").read_bytes()


def test_every_flipped_bit_is_found(block, tmp_path):
    whole = block.read_bytes()
    rng = np.random.default_rng(0)
    for place in rng.integers(0, 8 * len(whole), 200):
        damaged = bytearray(whole)
        damaged[place // 8] ^= 1 << (place % 8)
        path = tmp_path / "damaged.h5"
        path.write_bytes(damaged)
        with pytest.raises(UserError, match=r"damaged\.h5"):
            content_sha256(path)


@pytest.mark.parametrize("keep", [0, 100, 512, 600, -1])
def test_a_truncated_file_is_refused_by_name(block, keep):
    block.write_bytes(block.read_bytes()[:keep])
    with pytest.raises(UserError, match=r"0000-0001\.h5.*make resume"), open_block(block, "dataset"):
        pass


def test_a_foreign_file_is_refused(tmp_path):
    with h5py.File(tmp_path / "foreign.h5", "w") as file:
        file["x"] = 1
    with pytest.raises(UserError, match="not a block file of this project"):
        content_sha256(tmp_path / "foreign.h5")


def test_another_kind_is_refused(block):
    with pytest.raises(UserError, match="holds dataset, not outcomes"), open_block(block, "outcomes"):
        pass


def test_an_incomplete_file_is_refused(block, tmp_path):
    """A file whose checksum is right but which was never marked complete."""
    import hashlib

    from nonconvex.steps.block_file import USER_BLOCK, header

    path = tmp_path / "incomplete.h5"
    shutil.copy(block, path)
    with h5py.File(path, "r+") as file:
        del file.attrs["complete"]
    rest = path.read_bytes()[USER_BLOCK:]
    path.write_bytes(header(hashlib.sha256(rest).hexdigest()) + rest)
    with pytest.raises(UserError, match="incomplete"), open_block(path, "dataset"):
        pass


def test_a_failed_write_leaves_nothing_and_keeps_the_old_file(block):
    before = block.read_bytes()
    with pytest.raises(RuntimeError), new_file(block) as file:
        file["x"] = 1
        raise RuntimeError
    assert block.read_bytes() == before
    assert [p.name for p in block.parent.iterdir()] == [block.name]
