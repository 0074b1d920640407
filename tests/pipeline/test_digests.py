from importlib import reload
from pathlib import Path

import pytest

import nonconvex
from nonconvex.errors import UserError
from nonconvex.pipeline import digests

ROOT = Path(nonconvex.__file__).parent


def code(text):
    import ast

    writer = digests._Writer()
    writer.write(ast.parse(text))
    return "".join(writer.pieces)


def test_comments_docstrings_and_layout_do_not_count():
    plain = "def f(x):\n    return x + 1\n"
    dressed = '"""Module."""\n# why\n\ndef f(x):\n    """Add one."""\n    return (x\n            + 1)\n'
    assert code(plain) == code(dressed)


@pytest.mark.parametrize("other", ["def f(x):\n    return x + 2\n", "def f(y):\n    return y + 1\n"])
def test_code_counts(other):
    assert code("def f(x):\n    return x + 1\n") != code(other)


def test_imports_are_followed_wherever_they_stand():
    used = digests.modules_used(["nonconvex.problems.completion.outcome"])
    assert "nonconvex.hankel.incoherence" in used  # imported inside a function
    assert "nonconvex.hankel.operators.lift" in used  # reached through another module
    assert "nonconvex.hankel.solvers.am_fiht" not in used


def test_a_dataset_does_not_depend_on_solvers():
    used = digests.modules_used(["nonconvex.steps.datasets", "nonconvex.problems.completion.data"])
    assert not [name for name in used if "fiht" in name or "outcome" in name]


def test_am_fiht_does_not_depend_on_ram_fiht():
    assert "nonconvex.hankel.solvers.ram_fiht" not in digests.modules_used(
        ["nonconvex.hankel.solvers.am_fiht"]
    )


def test_an_unknown_module_is_named():
    with pytest.raises(UserError, match=r"no module 'nonconvex\.hankel\.nothing'"):
        digests.digest(["nonconvex.hankel.nothing"])


def test_package_inits_hold_re_exports_only():
    """They are left out of the digests, so nothing in them may matter."""
    import ast

    for path in ROOT.rglob("__init__.py"):
        for node in ast.parse(path.read_text()).body:
            plain = isinstance(node, ast.Import | ast.ImportFrom | ast.Expr)
            exported = isinstance(node, ast.Assign) and node.targets[0].id == "__all__"
            assert plain or exported, f"{path}, line {node.lineno}"


def test_no_module_imports_through_a_package():
    """A name taken from a package's __init__ would escape the digests."""
    import ast

    for path in ROOT.rglob("*.py"):
        if path.name == "__init__.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "nonconvex":
                for alias in node.names:
                    module = digests._path(node.module) or digests._path(f"{node.module}.{alias.name}")
                    assert module, f"{path}, line {node.lineno}: from {node.module} import {alias.name}"


def test_the_digest_is_the_same_in_a_fresh_process():
    before = digests.digest(["nonconvex.steps.seeds"])
    assert reload(digests).digest(["nonconvex.steps.seeds"]) == before
