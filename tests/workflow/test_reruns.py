"""Promise 2: what depends on a change is made again, and nothing else."""

import os
import shutil
import sys

import pytest
from project_copy import Project

DATASET = "Drawing trials 0000-0001 of phase_mode1"
TABLE = "Tabulating phase_mode1"
FIGURE = "Drawing figure 2.2"
CLAIMS = "Judging the claims of chapter 2"
LEDGER = "Joining the chapters' claims"
PAGE = "Writing results/smoke-tiny/index.html"
AFTER = {TABLE, FIGURE, CLAIMS, LEDGER, PAGE}


def running(*algorithms, block="0000-0001"):
    return {f"Running {name} on trials {block} of phase_mode1" for name in algorithms}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("finished"))
    project.snakemake()
    return project


@pytest.fixture
def project(finished, tmp_path):
    """A finished run in a folder of its own."""
    return Project.twin(finished, tmp_path / "copy")


def test_nothing_is_left_to_do(project):
    assert project.would_run() == []


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("src/nonconvex/hankel/solvers/ram_fiht.py", '"""', '"""A different docstring. '),
        ("src/nonconvex/hankel/solvers/ram_fiht.py", "\ndef ", "\n# a comment\n\n\ndef "),
        ("workflow/rules/outcomes.smk", "rule outcomes:", "# a comment\nrule outcomes:"),
        ("workflow/experiments/chapter2.yaml", "# Chapter 2:", "# A comment. Chapter 2:"),
        ("workflow/claims/chapter2.yaml", "# What Chapter 2", "# A comment. What Chapter 2"),
    ],
)
def test_comments_and_docstrings_make_nothing_again(project, path, old, new):
    project.edit(path, old, new)
    assert project.would_run() == []


def test_touching_makes_nothing_again(project):
    for path in (
        "src/nonconvex/hankel/solvers/am_fiht.py",
        "results/smoke-tiny/datasets/phase_mode1/0000-0001.h5",
    ):
        os.utime(project.folder / path)
    assert project.would_run() == []


def edit_ram_fiht(project):
    path = project.folder / "src/nonconvex/hankel/solvers/ram_fiht.py"
    path.write_text(path.read_text() + "\n_EDITED = True\n")


def test_editing_an_algorithm_makes_its_outcomes_and_what_hangs_on_them_again(project):
    edit_ram_fiht(project)
    assert set(project.would_run()) == running("ram_fiht") | AFTER


def test_editing_signals_makes_everything_again(project):
    path = project.folder / "src/nonconvex/hankel/signals.py"
    path.write_text(path.read_text() + "\n_EDITED = True\n")
    everything = running("am_fiht_beta0", "am_fiht", "ram_fiht") | AFTER | {DATASET}
    assert set(project.would_run()) == everything


def test_editing_a_figure_makes_the_figure_and_the_page_again(project):
    path = project.folder / "src/nonconvex/figures/kinds/phase_diagram.py"
    path.write_text(path.read_text() + "\n_EDITED = True\n")
    assert set(project.would_run()) == {FIGURE, PAGE}


def test_editing_a_claim_makes_the_ledger_again(project):
    project.edit("workflow/claims/chapter2.yaml", "approximately linear", "almost linear")
    assert set(project.would_run()) == {CLAIMS, LEDGER, PAGE}


def test_an_algorithms_option_makes_its_outcomes_again(project):
    project.edit("workflow/experiments/chapter2.yaml", "options: {beta: 0.0}", "options: {beta: 0.01}")
    assert set(project.would_run()) == running("am_fiht_beta0") | AFTER


def test_a_success_criterion_makes_the_table_again(project):
    project.edit("workflow/experiments/chapter2.yaml", "below: 1.0e-3", "below: 1.0e-2")
    assert set(project.would_run()) == AFTER


def test_the_seed_makes_everything_again(project):
    everything = running("am_fiht_beta0", "am_fiht", "ram_fiht") | AFTER | {DATASET}
    assert set(project.would_run(["seed=7"])) == everything


def test_more_trials_compute_only_the_new_block(project):
    block = "0002-0003"
    new = running("am_fiht_beta0", "am_fiht", "ram_fiht", block=block) | AFTER
    assert set(project.would_run(["trials=4"])) == new | {f"Drawing trials {block} of phase_mode1"}


def test_one_figure_can_be_asked_for(project):
    edit_ram_fiht(project)
    words = ["results/smoke-tiny/figures/fig2.2.png"]
    assert set(project.would_run(words=words)) == running("ram_fiht") | {TABLE, FIGURE}


class TestWithoutSnakemakesMemory:
    """After ``.snakemake`` is lost, Snakemake calls any file finished: the files speak for themselves."""

    @pytest.fixture
    def project(self, project):
        shutil.rmtree(project.folder / ".snakemake")
        return project

    def test_the_sweep_leaves_a_good_run_alone(self, project):
        before = project.results()
        assert project.nonconvex("sweep").stdout == ""
        assert project.results() == before
        assert project.would_run() == []

    def test_the_sweep_finds_what_other_code_made(self, project):
        edit_ram_fiht(project)
        assert project.would_run() == []  # Snakemake alone would let it pass
        swept = project.nonconvex("sweep").stdout
        assert (
            "removed the outcomes of ram_fiht on phase_mode1, trials 0000-0001: it was made by other code"
            in swept
        )
        assert "outcomes of am_fiht on" not in swept
        assert set(project.would_run()) == running("ram_fiht") | AFTER

    def test_the_sweep_finds_what_another_knob_made(self, project):
        swept = project.nonconvex("sweep", settings=["seed=7"]).stdout
        assert swept.count("it was made by another plan (seed)") >= 4
        everything = running("am_fiht_beta0", "am_fiht", "ram_fiht") | AFTER | {DATASET}
        assert set(project.would_run(["seed=7"])) == everything

    def test_the_table_refuses_a_stale_block(self, project):
        """Also a person who never sweeps gets no table from stale outcomes."""
        edit_ram_fiht(project)
        os.remove(project.folder / "results/smoke-tiny/tables/phase_mode1.csv")
        done = project.snakemake("results/smoke-tiny/tables/phase_mode1.csv", check=False)
        assert done.returncode == 1
        assert "ram_fiht/0000-0001.h5 is stale: it was made by other code than this run's; run 'make resume'" in done.stdout  # fmt: skip

    def test_the_sweep_finds_a_damaged_table(self, project):
        path = project.folder / "results/smoke-tiny/tables/phase_mode1.csv"
        path.write_text(path.read_text().replace("True", "False"))
        assert "table of phase_mode1: it has a damaged" in project.nonconvex("sweep").stdout
        assert TABLE in project.would_run()


def test_code_that_changes_during_a_run_is_noticed(project):
    """The digest that a job was planned with is checked against the code that it finds."""
    words = [
        "dataset",
        "--plan",
        '{"family": "masks"}',
        "--digest",
        "0123",
        "--output",
        "x.h5",
    ]
    done = project.run(
        [sys.executable, "-m", "nonconvex", *words],
        check=False,
        environment=project.environment | {"PYTHONPATH": str(project.folder / "src")},
    )
    assert (
        done.stdout
        == "error: the code of this step was changed while the run was going on; start the run again\n"
    )


def test_a_damaged_dataset_is_drawn_again_with_what_stands_on_it(project):
    before = project.results()
    block = project.folder / "results/smoke-tiny/datasets/phase_mode1/0000-0001.h5"
    block.write_bytes(block.read_bytes()[:5000])
    swept = project.nonconvex("sweep").stdout
    assert "removed the dataset of phase_mode1, trials 0000-0001" in swept
    assert "it stands on results/smoke-tiny/datasets/phase_mode1/0000-0001.h5, which had to go" in swept
    project.snakemake()
    assert project.results() == before
