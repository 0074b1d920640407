"""Where a killed job keeps how far it is."""

import pytest

from nonconvex.steps.unfinished import unfinished

PLAN, DATASET = {"first": 0}, {"sha256": "a"}


def test_the_folder_stays_when_a_job_is_killed_and_goes_when_its_block_is_whole(tmp_path):
    block = tmp_path / "0000-0004.h5"
    with pytest.raises(KeyboardInterrupt), unfinished(block, PLAN, "code", DATASET) as folder:
        (folder / "epoch").write_text("3")
        raise KeyboardInterrupt
    with unfinished(block, PLAN, "code", DATASET) as again:
        assert (again / "epoch").read_text() == "3"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "change", [({"first": 5}, "code", DATASET), (PLAN, "other", DATASET), (PLAN, "code", {})]
)
def test_what_other_plans_code_or_data_left_is_not_gone_on_from(tmp_path, change):
    block = tmp_path / "0000-0004.h5"
    with pytest.raises(KeyboardInterrupt), unfinished(block, PLAN, "code", DATASET) as folder:
        (folder / "epoch").write_text("3")
        raise KeyboardInterrupt
    with unfinished(block, *change) as other:
        assert list(other.iterdir()) == []
        assert not folder.exists()
