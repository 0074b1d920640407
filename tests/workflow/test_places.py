"""Where and as whom the workflow runs: told before anything is computed, or mended."""

import os
import sys

import pytest

DATASET = "results/smoke-tiny/datasets/phase_mode1/0000-0001.h5"


def test_another_folder_is_refused(project, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    told = f"error: this workflow runs in its own folder, where its data and results are: cd {project.folder}"
    done = project.snakemake("-n", "--directory", str(elsewhere), check=False)
    assert done.returncode == 1 and told in done.stdout.splitlines()[-1], done.stdout


def test_as_a_module_it_is_refused(project):
    (project.folder / "other.smk").write_text(
        'module thesis:\n    snakefile: "Snakefile"\n    config: {"scale": "smoke"}\nuse rule * from thesis as t_*\n'
    )
    done = project.snakemake("-n", "-s", "other.smk", check=False)
    assert "cannot be a module of another workflow: run it by itself" in done.stdout.splitlines()[-1]
    assert "Traceback" not in done.stdout


@pytest.mark.parametrize("command", ["cost", "sweep", "audit"])
def test_commands_say_that_they_need_the_project_s_folder(project, tmp_path_factory, command):
    environment = project.environment | {"PYTHONPATH": str(project.folder / "src")}
    project.folder = tmp_path_factory.mktemp("elsewhere")
    done = project.run([sys.executable, "-m", "nonconvex", command], check=False, environment=environment)
    assert done.stdout.startswith(f"error: {command} works in a clone of the project")
    assert "it has no Snakefile" in done.stdout and done.stdout.count("\n") == 1


def test_a_user_without_a_name(project, tmp_path_factory):
    site = tmp_path_factory.mktemp("site")
    (site / "sitecustomize.py").write_text(
        "import pwd\n\ndef nameless(number):\n    raise KeyError(number)\n\npwd.getpwuid = nameless\n"
    )
    names = ("LOGNAME", "USER", "LNAME", "USERNAME")
    environment = {key: value for key, value in project.environment.items() if key not in names}
    environment |= {"PYTHONPATH": f"{site}{os.pathsep}{project.folder / 'src'}"}
    project.run([sys.executable, "-m", "nonconvex", "sweep"], environment=environment)
    words = project.command("--cores", "1", DATASET)
    assert "1 of 1 steps" in project.run(words, environment=environment).stdout
