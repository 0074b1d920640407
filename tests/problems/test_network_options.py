"""Options of an algorithm that trains networks are checked before anything runs."""

import shutil

import pytest

from nonconvex.errors import UserError
from nonconvex.study.config import Config
from nonconvex.study.study import Study


@pytest.fixture
def edited(pytestconfig, tmp_path):
    """Return a function that replaces text in a chapter's experiments and reads the study."""
    shutil.copytree(pytestconfig.rootpath / "workflow", tmp_path / "workflow")

    def edit(chapter, old, new):
        path = tmp_path / f"workflow/experiments/chapter{chapter}.yaml"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))
        return Study(Config("smoke", chapters=(chapter,)), tmp_path).check()

    return edit


AGD_2 = "{rule: over_k, factor: 2.0, max_iterations: 6000, target: 1.0e-6, every: 20}"
CHOSEN = "{rule: chosen, factor: 1.0, beta: 0.8, max_iterations: 4000, target: 1.0e-6}"


@pytest.mark.parametrize(
    ("chapter", "old", "new", "message"),
    [
        ("4", AGD_2, "{rule: overk}", "step_sizes: the options of agd_2: rule must be one of .*over_k, .*got 'overk'"),
        ("4", AGD_2, "{factr: 3.0}", r"agd_2: there is none called 'factr' .*did you mean 'factor'"),
        ("4", AGD_2, "{factor: -3.0}", "agd_2: factor must be a finite number"),
        ("4", AGD_2, "{beta: 1.5}", "agd_2: beta must be"),
        ("4", AGD_2, "{every: 0}", "agd_2: every must be a positive integer"),
        ("4", AGD_2, "{max_iterations: 2.5}", "agd_2: max_iterations must be a positive integer"),
        ("4", "start: tensor_v_known", "start: tensor_v_knwon", "start must be one of random, tensor_v_known"),
        ("4", "method: descend", "method: descnd", r"there is no method 'descnd' \(known: .*descend, .*\); did you mean 'descend'"),
        ("5", CHOSEN, "{rule: over_k}", "graph_levels: the options of agd: rule for regression must be one of theorem, chosen"),
        ("5", "start: tensor\n", "start: tensr\n", "start must be one of random, tensor, tensor_printed"),
    ],
)  # fmt: skip
def test_each_mistake_is_one_sentence(edited, chapter, old, new, message):
    with pytest.raises(UserError, match=message) as caught:
        edited(chapter, old, new)
    assert "\n" not in str(caught.value)


def test_a_grid_of_a_prime_number_of_nodes_is_a_path(edited):
    with pytest.raises(UserError, match="401 nodes, a prime number, make no grid but a path"):
        edited(
            "5",
            "n_nodes: {thesis: 2500, preview: 900, smoke: 400",
            "n_nodes: {thesis: 2500, preview: 900, smoke: 401",
        )
