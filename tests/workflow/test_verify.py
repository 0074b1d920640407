"""`verify` finds whatever is not as asked for, and changes nothing."""

import random
import shutil

import pytest
from project_copy import Project

from nonconvex.errors import UserError
from nonconvex.steps.block_file import content_sha256

FLIPS = 200


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("verified"))
    project.snakemake()
    return project


@pytest.fixture
def project(finished, tmp_path):
    return Project.twin(finished, tmp_path / "copy")


def test_a_finished_run_is_whole(project):
    done = project.nonconvex("verify")
    assert "are whole" in done.stdout.splitlines()[-1]


def test_what_is_wrong_is_named_and_left_alone(project):
    base = project.folder / "results/smoke-tiny"
    cut = base / "outcomes/phase_mode1/am_fiht/0000-0001.h5"
    cut.write_bytes(cut.read_bytes()[:-100])
    (base / "datasets/phase_mode1/0000-0001.h5").unlink()
    numbers = base / "figures/fig2.2.csv"
    numbers.write_text(numbers.read_text().replace("0", "1", 1))
    (base / "tables/notes.csv").write_text("a,b\n")
    before = project.results()
    done = project.nonconvex("verify", check=False)
    assert done.returncode == 1
    assert "outcomes of am_fiht on phase_mode1, trials 0000-0001: it is damaged" in done.stdout
    assert "datasets/phase_mode1/0000-0001.h5 is missing" in done.stdout
    assert "figure 2.2: it has a damaged results/smoke-tiny/figures/fig2.2.csv" in done.stdout
    assert "tables/notes.csv: this config does not ask for it" in done.stdout
    assert "make resume" in done.stdout
    assert project.results() == before


def test_another_seed_makes_everything_stale(project):
    done = project.nonconvex("verify", settings=["seed=5"], check=False)
    assert done.returncode == 1
    assert "made by another plan (seed)" in done.stdout


def test_a_folder_of_nothing_is_one_line_and_not_one_for_each_file(project):
    shutil.rmtree(project.folder / "results/smoke-tiny")
    told = project.nonconvex("verify", check=False)
    assert told.returncode == 1 and len(told.stdout.splitlines()) == 2
    assert "results/smoke-tiny: none of the" in told.stdout


def test_where_much_is_missing_it_is_counted_by_kind(project):
    """As after one figure was made; what is there and wrong is still named."""
    base = project.folder / "results/smoke-tiny"
    for part in ("datasets", "tables", "figures", "claims", "outcomes/phase_mode1/ram_fiht"):
        shutil.rmtree(base / part)
    cut = base / "outcomes/phase_mode1/am_fiht/0000-0001.h5"
    cut.write_bytes(cut.read_bytes()[:-100])
    told = project.nonconvex("verify", check=False).stdout.splitlines()
    assert len(told) < 10
    assert any("products are missing: dataset 1, outcomes 1" in line for line in told)
    assert any("outcomes of am_fiht on phase_mode1, trials 0000-0001: it is damaged" in line for line in told)


def test_every_flipped_bit_is_found(project):
    block = project.folder / "results/smoke-tiny/outcomes/phase_mode1/ram_fiht/0000-0001.h5"
    whole = block.read_bytes()
    chance = random.Random(1)
    for _ in range(FLIPS):
        place = chance.randrange(8 * len(whole))
        damaged = bytearray(whole)
        damaged[place // 8] ^= 1 << place % 8
        block.write_bytes(damaged)
        with pytest.raises(UserError, match=r"damaged"):
            content_sha256(block)
