"""Promise 8: a mistake gives one sentence, not a schema dump or a traceback."""

import pytest


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (["trails=3"], "error: config: unknown key 'trails'; did you mean 'trials'?"),
        (["scale=previw"], "did you mean 'preview'?"),
        (["trials=-3"], "error: config: trials must be at least 1, not -3"),
        (["figures=[9.9]"], "error: config: figures names '9.9', which is unknown (known: 2.1, "),
        (["chapters=[12]"], "error: config: chapters names '12', which is unknown"),
        (["grid={rank: [99]}"], "error: config: grid: experiment phase_mode1: rank = 99 is outside 1..17"),
        (["trials=010"], "error: config: trials holds 010 without quotes, which programs read differently: write 10"),
        (["figures=[2.10]"], 'error: config: figures holds 2.10 without quotes, which YAML reads as the number 2.1: write "2.10"'),
    ],
)  # fmt: skip
def test_a_wrong_knob(project, settings, sentence):
    done = project.snakemake("-n", settings=settings, check=False)
    assert done.returncode == 1
    told = done.stdout.splitlines()
    assert sentence in told[-1], done.stdout
    assert "Traceback" not in done.stdout


def test_grid_without_name(project):
    (project.folder / "tiny.yaml").write_text("scale: smoke\ngrid: {rank: [1]}\n")
    done = project.snakemake("-n", check=False)
    assert "error: config: 'grid' needs a 'name'" in done.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("results/smoke-tiny/figures/fig2.22.png", "error: there is no figure 2.22"),
        ("results/smke/figures/fig2.2.png", "error: results/smke is not of this config"),
        ("results/smoke-tiny/tables/phase_mod1.csv", "error: there is no experiment 'phase_mod1'; did you mean 'phase_mode1'?"),
    ],
)  # fmt: skip
def test_a_wrong_target(project, target, sentence):
    done = project.snakemake(target, check=False)
    assert done.returncode == 1
    assert sentence in done.stdout.splitlines()[-1], done.stdout
    assert "Traceback" not in done.stdout
    assert not list((project.folder / ".snakemake/locks").glob("*"))


def test_the_command_line_tells_the_same(project):
    done = project.nonconvex("cost", settings=["trails=3"], check=False)
    assert done.returncode == 1
    assert done.stdout == (
        "error: config: unknown key 'trails'; did you mean 'trials'? (given on the command line)\n"
    )


def test_a_mistake_in_an_experiment(project):
    project.edit("workflow/experiments/chapter2.yaml", "method: am_fiht\n", "method: am_fit\n")
    done = project.snakemake("-n", check=False)
    assert (
        "chapter2.yaml: experiment phase_mode1: am_fiht_beta0: there is no method 'am_fit'"
        in done.stdout.splitlines()[-1]
    )


def test_what_nobody_foresaw(project):
    project.edit("src/nonconvex/pipeline/pipeline.py", "        super().check()\n", '        {}["a key"]\n')
    (project.folder / "results").mkdir()
    done = project.snakemake("-n", check=False)
    told = "error: the program failed in a way that nobody foresaw (KeyError: 'a key'): the trace is in results/logs/"
    assert done.stdout.splitlines()[-1].startswith(told), done.stdout
    assert "Traceback" not in done.stdout
    (kept,) = (project.folder / "results/logs").iterdir()
    assert ", in check\n" in kept.read_text() and kept.read_text().endswith("KeyError: 'a key'\n")
