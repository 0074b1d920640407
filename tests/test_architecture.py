"""The house is as docs/architecture.md says: folders, the direction of imports, sizes."""

import ast
import re
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src/nonconvex"
PAGE = (ROOT / "docs/architecture.md").read_text()
ROWS = re.findall(r"^\| (`[a-z_/`, ]+`) \| .+ \|$", PAGE, re.M)
FOLDERS = [re.findall(r"`([a-z_/]+)`", row) for row in ROWS]
LARGEST = 300

MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path for path in PACKAGE.rglob("*.py")
}


def imports(name):
    """Return the modules of the package that a module imports, wherever the import stands."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[name].read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nonconvex"):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found.add(whole if whole in MODULES else node.module)
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names if alias.name in MODULES)
    return found - {"nonconvex"}


def place(name):
    """Return the row of the page that a module is in, from the top; 0 is above all rows."""
    parts = name.split(".")[1:]
    for length in range(len(parts), 0, -1):
        for row, folders in enumerate(FOLDERS, start=1):
            if "/".join(parts[:length]) in folders:
                return row
    assert name == "nonconvex.__main__", f"docs/architecture.md has no row for {name}"
    return 0


def test_the_page_names_every_folder_and_no_other():
    there = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*")
        if path.is_dir() and any(path.glob("*.py"))
    }
    *folders, ground = FOLDERS
    assert sorted(name for row in folders for name in row) == sorted(there)
    assert sorted(ground) == sorted(
        path.stem for path in PACKAGE.glob("*.py") if path.stem.strip("_") not in ("init", "main")
    )
    beside = re.search(r"^Beside `src`: .*?\n\n", PAGE, re.M | re.S).group()
    hidden = {"src", "results", "build", "dist"}
    top = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")} - hidden
    assert {name for name in re.findall(r"`(\w+)`", beside) if name != "src"} == {
        name for name in top if "egg" not in name
    }


@pytest.mark.parametrize("name", sorted(name for name in MODULES if not name.endswith("__init__")))
def test_imports_point_downwards(name):
    for other in imports(name):
        top, bottom = (
            FOLDERS[place(one) - 1][0].split("/")[0] if place(one) else "" for one in (name, other)
        )
        assert place(name) <= place(other) or top == bottom, f"{name} imports {other}, which is above it"


def test_no_imports_go_round_in_circles():
    done, trail = set(), []

    def visit(name):
        assert name not in trail, " -> ".join([*trail[trail.index(name) :], name])
        if name in done or name not in MODULES:
            return
        trail.append(name)
        for other in sorted(imports(name)):
            visit(other)
        trail.pop()
        done.add(name)

    for name in MODULES:
        visit(name)


def test_the_way_of_a_datum_names_things_that_there_are():
    for path in re.findall(r"`((?:problems|steps|figures|hankel|pipeline)/[\w/.]+)`", PAGE):
        found = PACKAGE / path
        assert found.exists() or found.with_suffix(".py").exists(), path


def test_no_file_is_long():
    sizes = {name: len(path.read_text().splitlines()) for name, path in MODULES.items()}
    assert {name: size for name, size in sizes.items() if size > LARGEST} == {}


def test_nothing_is_in_a_row_twice():
    rows = sorted(name for row in FOLDERS for name in row)
    assert all(one != other for one, other in pairwise(rows))
