"""The conda file, the lock and pyproject.toml say the same."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
SAME = {"snakemake-minimal": "snakemake", "matplotlib-base": "matplotlib"}


def locked():
    """Return the versions of requirements.lock that hold for Python 3.11."""
    versions = {}
    for line in (ROOT / "requirements.lock").read_text().splitlines():
        match = re.match(r"([a-z0-9.-]+)==(\S+)", line)
        if match and ">= '3.12'" not in line:
            versions[match.group(1)] = match.group(2)
    return versions


def test_the_conda_file_pins_what_the_lock_pins():
    conda = yaml.safe_load((ROOT / "envs/nonconvex.yaml").read_text())
    pins = dict(item.split("=") for item in conda["dependencies"])
    assert pins.pop("python") == "3.11"
    lock = locked()
    assert {SAME.get(name, name): version for name, version in pins.items()} == {
        SAME.get(name, name): lock[SAME.get(name, name)] for name in pins
    }


def test_the_conda_file_has_every_dependency():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = project["dependencies"] + project["optional-dependencies"]["pipeline"]
    needed = {re.match(r"[a-z0-9-]+", item).group() for item in asked}
    conda = yaml.safe_load((ROOT / "envs/nonconvex.yaml").read_text())
    given = {item.split("=")[0] for item in conda["dependencies"]} - {"python"}
    assert {SAME.get(name, name) for name in given} == needed


def test_every_rule_names_an_existing_environment():
    for rules in (ROOT / "workflow/rules").glob("*.smk"):
        for path in re.findall(r"conda:\s*\"([^\"]+)\"", rules.read_text()):
            assert (rules.parent / path).is_file(), rules


def test_every_rule_has_what_a_scheduler_and_a_reader_need():
    for rules in (ROOT / "workflow/rules").glob("*.smk"):
        for rule in re.split(r"(?m)^rule ", rules.read_text())[1:]:
            for directive in ("log", "benchmark", "conda", "threads", "resources", "message", "shell"):
                assert re.search(rf"(?m)^    {directive}:", rule), f"{rules.name}: {rule.split(':')[0]}"


@pytest.mark.parametrize("extra", ["slurm", "docs", "images"])
def test_what_few_need_is_pinned_beside_the_lock_and_not_in_it(extra):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = {re.match(r"[a-z0-9-]+", item).group() for item in project["optional-dependencies"][extra]}
    pinned = set(re.findall(r"(?m)^([a-z0-9-]+)==", (ROOT / f"requirements-{extra}.lock").read_text()))
    by_the_makefile = {"torch"} if extra == "images" else set()
    assert needed - by_the_makefile <= pinned
    assert not pinned & set(locked())


def test_torch_is_pinned_by_the_makefile_within_what_the_extra_allows():
    (pinned,) = re.findall(r"(?m)^TORCH \?= torch==(\d+)\.(\d+)\.\d+$", (ROOT / "Makefile").read_text())
    extra = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["images"]
    (least,) = re.findall(r"torch>=(\d+)\.(\d+)", " ".join(extra))
    assert tuple(map(int, pinned)) >= tuple(map(int, least))


def test_the_locks_name_no_registry():
    for lock in ROOT.glob("requirements*.lock"):
        assert "://" not in lock.read_text(), lock
