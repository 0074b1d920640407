"""Only what trains needs torch, and nothing else of the package does when it is imported."""

import ast
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "src/nonconvex"
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in PACKAGE.rglob("*.py")
}
WITHOUT = ("image_set", "model_facts", "recipe")

IMPORTED = """
import sys
sys.modules["torch"] = None
import nonconvex.images, nonconvex.images.models, nonconvex.images.solvers
from nonconvex.images import image_set, model_facts, recipe
"""


def at_import(name):
    """Return what a module imports when it is imported itself."""
    found = set()
    for node in ast.parse(MODULES[name].read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def test_modules_that_need_torch_are_all_among_the_images():
    needy = {name for name in MODULES if any(one.split(".")[0] == "torch" for one in at_import(name))}
    assert needy
    while more := {name for name in MODULES if at_import(name) & needy} - needy:
        needy |= more
    assert {name for name in needy if not name.startswith("nonconvex.images.")} == set()
    assert not needy & {f"nonconvex.images.{name}" for name in WITHOUT}


def test_sets_recipes_and_facts_are_imported_without_it():
    done = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
