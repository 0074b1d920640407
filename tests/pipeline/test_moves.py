"""Digests do not see where code lives or what its file is called, nor code that a step does not use."""

import json
import shutil
import sys

import pytest
from project_copy import Project

ASK = """
import json
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import check_config
config = check_config({"scale": "smoke", "chapters": ["2", "4"]}, "workflow/schemas/config.schema.yaml")
print(json.dumps({product.name: product.digest for product in Pipeline(config).products()}))
"""


def digests_of(project):
    environment = project.environment | {"PYTHONPATH": str(project.folder / "src")}
    return json.loads(project.run([sys.executable, "-c", ASK], environment=environment).stdout)


def blocks_and_tables(digests):
    return {
        name: digest for name, digest in digests.items() if name.startswith(("dataset", "outcomes", "table"))
    }


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    return Project(tmp_path_factory.mktemp("original"))


@pytest.fixture(scope="module")
def before(original):
    return digests_of(original)


@pytest.fixture
def copy(original, tmp_path):
    return Project.twin(original, tmp_path / "project")


def replace(project, old, new):
    """Replace a text in every file of the package; it must be somewhere."""
    found = [path for path in (project.folder / "src").rglob("*.py") if old in path.read_text()]
    assert found, old
    for path in found:
        path.write_text(path.read_text().replace(old, new))


def test_moving_and_renaming_modules_makes_no_block_stale(copy, before):
    package = copy.folder / "src/nonconvex"
    elsewhere = package / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "__init__.py").touch()
    # A module whose functions are imported, one that is imported itself, a whole folder, and a family's data.
    shutil.move(package / "hankel/heavy_ball.py", elsewhere / "momentum.py")
    replace(copy, "nonconvex.hankel.heavy_ball import", "nonconvex.elsewhere.momentum import")
    shutil.move(package / "problems/descent_rows.py", elsewhere / "kept.py")
    replace(copy, "from nonconvex.problems import descent_rows", "from nonconvex.elsewhere import kept")
    replace(copy, "nonconvex.problems.descent_rows import", "nonconvex.elsewhere.kept import")
    replace(copy, "descent_rows.", "kept.")
    shutil.move(package / "hankel/operators", package / "hankel/algebra")
    replace(copy, "nonconvex.hankel.operators", "nonconvex.hankel.algebra")
    shutil.move(package / "problems/completion/data.py", package / "problems/completion/drawn.py")
    replace(copy, "nonconvex.problems.completion.data", "nonconvex.problems.completion.drawn")
    family = package / "problems/completion/family.py"
    family.write_text(family.read_text().replace("{__package__}.data", "{__package__}.drawn"))
    assert blocks_and_tables(digests_of(copy)) == blocks_and_tables(before)


def test_editing_a_module_makes_stale_what_uses_it_and_nothing_else(copy, before):
    copy.edit("src/nonconvex/hankel/heavy_ball.py", "** 2 / 5\n    if", "** 2 / 4\n    if")
    after = digests_of(copy)
    stale = {name for name in before if name.startswith("outcomes") and after[name] != before[name]}
    assert stale == {
        name
        for name in before
        if name.startswith("outcomes of am_fiht") or name.startswith("outcomes of ram_fiht")
    }
    assert all(after[name] == before[name] for name in before if name.startswith("dataset"))


def test_a_new_method_for_networks_and_a_new_family_make_nothing_stale(copy, before):
    solvers = copy.folder / "src/nonconvex/networks/solvers"
    text = (solvers / "descend.py").read_text()
    (solvers / "plain.py").write_text(text.replace("def descend(", "def plain("))
    folder = copy.folder / "src/nonconvex/problems"
    shutil.copytree(folder / "graph", folder / "networks")
    replace(copy, '    "graph",\n', '    "graph",\n    "networks",\n')
    assert digests_of(copy) == before
