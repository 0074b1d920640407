import pytest

from nonconvex.errors import UserError
from nonconvex.study.blocks import block_name, block_names, block_range, remove_shorter


@pytest.mark.parametrize(
    ("trials", "size", "names"),
    [(5, 5, ["0000-0004"]), (7, 5, ["0000-0004", "0005-0006"]), (3, 5, ["0000-0002"]), (2, 1, ["0000-0000", "0001-0001"])],
)  # fmt: skip
def test_names(trials, size, names):
    assert block_names(trials, size) == names


def test_a_name_says_its_range():
    assert block_range(block_name(10, 14)) == (10, 14)
    assert block_range(block_name(12000, 12004)) == (12000, 12004)


def test_other_names_are_refused():
    with pytest.raises(UserError, match="blocks are named like 0000-0004"):
        block_range("0-4")


def test_a_block_that_grew_replaces_the_short_one(tmp_path):
    for name in ("0000-0002", "0000-0004", "0005-0006", "0000-0009"):
        (tmp_path / f"{name}.h5").touch()
    remove_shorter(tmp_path / "0000-0004.h5")
    assert sorted(p.stem for p in tmp_path.iterdir()) == ["0000-0004", "0000-0009", "0005-0006"]
