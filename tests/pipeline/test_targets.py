"""A target that no rule makes is told in one sentence, with the nearest name; every file of the study is one."""

import pytest

from nonconvex.commands.sweep import sweep
from nonconvex.errors import UserError
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.targets import check_targets
from nonconvex.study.config import Config


@pytest.fixture(scope="module")
def pipeline(pytestconfig):
    return Pipeline(Config("smoke", figures=("2.2", "7.8")), pytestconfig.rootpath)


def test_every_file_of_the_study_is_a_target(pipeline):
    files = [file for product in pipeline.products() for file in product.files]
    check_targets(pipeline, ["all", "chapter2", "chapter7", *files])


@pytest.mark.parametrize(
    "target",
    [
        "results/smoke/figures/fig2.3.png",  # not wanted by the config
        "results/thesis/tables/phase_mode2.csv",  # of another scale
        "./results/preview/claims/chapter4.csv",
    ],
)
def test_so_is_one_that_the_config_leaves_out(pipeline, target):
    check_targets(pipeline, [target])


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("chapter77", "there is no target 'chapter77': it is one of all, chapter2, .*; did you mean 'chapter7'?"),
        ("fig7.5", "there is no target 'fig7.5': .* a file such as results/smoke/figures/fig7.5.png"),
        ("figure", "there is no target 'figure'"),
        ("README.md", "there is no target 'README.md'"),
        ("results", "there is no target 'results'"),
        ("results/smoke", "the target results/smoke is a folder"),
        ("results/smok/claims.csv", "results/smok is not of this config"),
        ("results/smoke/figures", "no rule makes the target results/smoke/figures"),
        ("results/smoke/index.htm", "no rule makes .*; did you mean 'results/smoke/index.html'"),
        ("results/smoke/fig/fig7.5.png", "did you mean 'results/smoke/figures/fig7.5.png'"),
        ("results/smoke/figures/fig7.99.png", "there is no figure 7.99 .chapter 7 has 7.1, 7.2, "),
        ("results/smoke/figures/fig7.5.svg", "the figure 7.5 is .*fig7.5.csv, .*fig7.5.pdf, .*fig7.5.png"),
        ("results/smoke/tables/phase_mod1.csv", "no experiment 'phase_mod1'; did you mean 'phase_mode1'"),
        ("results/smoke/claims/chapter1.csv", "there is no chapter 1 .known: 2, 3, 4, 5, 6, 7"),
        ("results/smoke/datasets/phase_mode1/0007-0009.h5", "its blocks are 0000-0"),
        ("results/smoke/outcomes/phase_mode1/am_fit/0000-0000.h5", "did you mean 'am_fiht'"),
        ("results/smoke/outcomes/phase_mode1/am_fiht/0007-0009.h5", "has no block 0007-0009; its blocks are 0000"),
    ],
)  # fmt: skip
def test_what_no_rule_makes(pipeline, target, sentence):
    with pytest.raises(UserError, match=sentence) as caught:
        check_targets(pipeline, ["all", target])
    assert "\n" not in str(caught.value)


def test_the_sweep_refuses_before_it_touches_anything(tmp_path, monkeypatch, pipeline):
    monkeypatch.chdir(tmp_path)
    stray = tmp_path / "results/smoke/tables/.x.99999999.tmp.csv"
    stray.parent.mkdir(parents=True)
    stray.write_text("half")
    with pytest.raises(UserError, match="chapter77"):
        sweep(pipeline, targets=["chapter77"])
    sweep(pipeline, targets=["chapter7"], dry=True)
    assert stray.exists()
    sweep(pipeline, targets=["chapter7"])
    assert not stray.exists()


def test_make_hands_its_target_to_the_sweep(pytestconfig):
    makefile = (pytestconfig.rootpath / "Makefile").read_text()
    run = makefile.partition("\nrun: ")[2].partition("\n\n")[0].splitlines()
    assert (
        "sweep" in run[1]
        and "$(NAMED)" in run[1]
        and "NAMED = $(if $(TARGET),--target $(TARGET))" in makefile
    )
    assert "snakemake $(TARGET)" in run[2]
