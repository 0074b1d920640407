import ast
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import nonconvex.hankel as package

MODULES = [f"nonconvex.hankel.{m.name}" for m in pkgutil.iter_modules(package.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_every_public_thing_has_a_docstring(name):
    module = importlib.import_module(name)
    assert module.__doc__
    for attribute, value in vars(module).items():
        own = getattr(value, "__module__", None) == name
        if own and not attribute.startswith("_") and (inspect.isfunction(value) or inspect.isclass(value)):
            assert inspect.getdoc(value), attribute
            if inspect.isclass(value):
                for method, member in vars(value).items():
                    if inspect.isfunction(member) and not method.startswith("_"):
                        assert inspect.getdoc(member), f"{attribute}.{method}"


@pytest.mark.parametrize(
    "name",
    [
        "am_fiht",
        "ram_fiht",
        "fiht",
        "svt",
        "sap",
        "r_rmc",
        "admm",
        "incoherence",
        "spectrally_sparse_signal",
        "hankel_matrix",
    ],
)
def test_the_face_is_documented_in_full(name):
    doc = getattr(package, name).__doc__
    for part in (
        "Parameters",
        "Returns",
        "Raises",
        "References",
        "thesis" if "hesis" not in doc else "hesis",
    ):
        assert part in doc


@pytest.mark.parametrize(
    "name", ["am_fiht", "ram_fiht", "fiht", "svt", "sap", "r_rmc", "admm", "incoherence"]
)
def test_a_module_and_its_function_share_a_name(name):
    module = importlib.import_module(f"nonconvex.hankel.{name}")
    assert inspect.ismodule(module)
    assert inspect.isfunction(getattr(package, name))
    assert getattr(module, name) is getattr(package, name)


def test_am_fiht_does_not_reach_ram_fiht():
    folder = Path(package.__path__[0])
    reached, pending = set(), ["am_fiht"]
    while pending:
        name = pending.pop()
        if name in reached:
            continue
        reached.add(name)
        for node in ast.walk(ast.parse((folder / f"{name}.py").read_text())):
            if isinstance(node, ast.ImportFrom):
                imported = [node.module]
            elif isinstance(node, ast.Import):
                imported = [alias.name for alias in node.names]
            else:
                continue
            assert "nonconvex.hankel" not in imported, "import the defining module"
            pending += [m.split(".")[2] for m in imported if m.startswith("nonconvex.hankel.")]
    assert "ram_fiht" not in reached
    assert "tangent" in reached
