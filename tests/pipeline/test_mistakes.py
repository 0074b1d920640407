"""What is unknown or misspelt is told in one sentence, with the nearest name, before anything runs."""

import shutil

import pytest

from nonconvex.claims.check import read_claims
from nonconvex.claims.names import check_claims
from nonconvex.errors import UserError
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import Config

PANELS = "panels: [am_fiht_beta0, am_fiht, ram_fiht]"


@pytest.fixture
def told(pytestconfig, tmp_path):
    """Return a function that replaces a text in a file of a chapter and returns the sentence of the check."""
    for folder in ("workflow", "resources"):
        shutil.copytree(pytestconfig.rootpath / folder, tmp_path / folder)

    def edit(what, chapter, old, new):
        path = tmp_path / f"workflow/{what}/chapter{chapter}.yaml"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))
        with pytest.raises(UserError) as caught:
            Pipeline(Config("smoke", chapters=(chapter,)), tmp_path).check()
        sentence = str(caught.value)
        assert "\n" not in sentence
        assert f"chapter{chapter}" in sentence or "claim C" in sentence
        return sentence

    return edit


@pytest.mark.parametrize(
    ("chapter", "old", "new", "message"),
    [
        ("2", "options: {beta: squared}", "options: {beat: squared}", "phase_mode1: the options of am_fiht: there is none called 'beat' (known: rank, n1, beta, step, tolerance, max_iterations); did you mean 'beta'?"),
        ("2", "options: {beta: squared}", "options: {beta: sqared}", "the options of am_fiht: beta must be \"squared\", \"linear\" or a number from 0 to below 1, got 'sqared'"),
        ("2", "options: {beta: 0.0}", "options: {rank: 2}", "'rank' is given twice"),
        ("2", "max_iterations: 500}", "max_iterations: 0}", "max_iterations must be a positive integer"),
        ("2", "method: am_fiht", "method: heavy_ball", "am_fiht_beta0: there is no method 'heavy_ball' (known: admm, am_fiht, "),
        ("2", "method: am_fiht", "method: am_fit", "did you mean 'am_fiht'?"),
        ("3", "options: {n1: 1, missing: released}", "options: {n1: 1, wieght: 2}", "there is none called 'wieght' (known: n1, missing, weight, penalty, tolerance, max_iterations); did you mean 'weight'?"),
        ("3", "options: {missing: released}", "options: {missing: relesed}", "missing"),
        ("4", "method: descend", "method: milestones", "there is no method 'milestones' (known: critical_point, descend, descend_curvature, descend_theorem, iterative_pruning, prune_and_train)"),
        ("2", "&success {column: error, ", "&success {column: eror, ", "success has the unknown column 'eror' (known: status, error, observed_error, iterations); did you mean 'error'?"),
    ],
)  # fmt: skip
def test_in_an_algorithm(told, chapter, old, new, message):
    assert message in told("experiments", chapter, old, new)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("kind: phase_diagram", "kind: dodge", "figure 2.2: kind is 'dodge', which is unknown (known: binned_errors, error_curves, "),
        (PANELS, PANELS.replace("panels", "panles"), "figure 2.2: unknown key 'panles'; did you mean 'panels'?"),
        (PANELS, PANELS.replace("ram_fiht", "ram_fit"), "which is no algorithm of phase_mode1 (known: am_fiht_beta0, am_fiht, ram_fiht); did you mean 'ram_fiht'?"),
        ("x: p, y: rank, panels", "x: p, y: n1, panels", "figure 2.2: y has 'n1', which is no axis of phase_mode1 (known: p, rank)"),
        ("repeat: {ram_fiht: [am_fiht_beta0, am_fiht]}", "repeat: {ramfiht: [am_fiht]}", "ramfiht"),
        ("algorithms: [am_fiht_beta0_r8, am_fiht_r8", "algorithms: [am_fiht_beta0_r8, am_fiht_r7", "figure 2.10: "),
        ("experiments: [noise_circular], title", "experiments: [noise_square], title", "'noise_square'"),
    ],
)  # fmt: skip
def test_in_a_figure(told, old, new, message):
    assert message in told("experiments", "2", old, new)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("quantity: share\n", "quantity: shares\n", "there is no quantity 'shares'; did you mean 'share'?"),
        ("      rows: rank\n", "      rows: rnk\n", "has no axis 'rnk'; did you mean 'rank'?"),
        ("      rows: rank\n", "      row: rank\n", "unknown key 'row'; did you mean 'rows'?"),
        ("      over: ram_fiht\n", "      over: ram_fit\n", "does not run 'ram_fit'; did you mean 'ram_fiht'?"),
        ("experiment: phase_mode1, figure", "experiment: phase_mode11, figure", "there is no experiment 'phase_mode11'"),
        ("column: error", "column: eror", "has no column 'eror' in its table; did you mean 'error'?"),
        ('holds: "-1 to 1"', 'holds: "within 1"', "holds: 'within 1' is no region; write "),
    ],
)  # fmt: skip
def test_in_a_claim(told, old, new, message):
    assert message in told("claims", "2", old, new)


def test_a_claim_needs_the_columns_that_its_quantity_reads(pytestconfig):
    pipeline = Pipeline(Config("smoke", chapters=("2",)), pytestconfig.rootpath)
    experiments = {name: pipeline.experiment(name) for name in pipeline.experiment_names()}
    columns = {name: pipeline.columns(name) for name in experiments}
    claims = read_claims([pytestconfig.rootpath / "workflow/claims/chapter2.yaml"])
    check_claims(claims, experiments, columns)
    columns["phase_mode1"].remove("success")
    needed = "the experiment phase_mode1 has no column 'success' in its table, which the quantity 'difference of thresholds' needs"
    with pytest.raises(UserError, match=rf"^claim C001, mode 1: {needed} \(known: algorithm, p, rank, "):
        check_claims(claims, experiments, columns)


def test_a_block_that_only_a_larger_scale_has_is_checked_at_every_scale(told):
    sentence = told(
        "experiments", "2", "ram_fiht: *ram_fiht\n\n", "ram_fiht: {<<: *ram_fiht, block: {thesis: 7}}\n\n"
    )
    assert "the block of ram_fiht, 7, must divide the dataset's, 5, at scale thesis" in sentence
