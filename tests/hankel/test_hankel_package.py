import ast
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import nonconvex.hankel as package
import nonconvex.hankel.solvers as solvers

MODULES = [m.name for m in pkgutil.walk_packages(package.__path__, "nonconvex.hankel.")]
PACKAGES = {"nonconvex.hankel", "nonconvex.hankel.operators", "nonconvex.hankel.solvers"}
METHODS = [m.name for m in pkgutil.iter_modules(solvers.__path__)]


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
    "place", [*(f"nonconvex.hankel.solvers.{name}" for name in METHODS), "nonconvex.hankel.incoherence"]
)
def test_a_module_and_its_function_share_a_name(place):
    module, name = importlib.import_module(place), place.rpartition(".")[2]
    assert inspect.ismodule(module)
    assert inspect.isfunction(getattr(package, name))
    assert getattr(module, name) is getattr(package, name)


def test_every_method_is_there():
    assert sorted(METHODS) == ["admm", "am_fiht", "fiht", "r_rmc", "ram_fiht", "sap", "svt"]


def test_am_fiht_does_not_reach_ram_fiht():
    source = Path(package.__path__[0]).parent.parent
    reached, pending = set(), ["nonconvex.hankel.solvers.am_fiht"]
    while pending:
        name = pending.pop()
        if name in reached:
            continue
        reached.add(name)
        path = source / name.replace(".", "/")
        for node in ast.walk(ast.parse(path.with_suffix(".py").read_text())):
            if isinstance(node, ast.ImportFrom):
                imported = [node.module]
            elif isinstance(node, ast.Import):
                imported = [alias.name for alias in node.names]
            else:
                continue
            pending += [module for module in imported if module.startswith("nonconvex.")]
            assert not PACKAGES & {*imported}, "import the defining module"
    assert "nonconvex.hankel.solvers.ram_fiht" not in reached
    assert "nonconvex.hankel.operators.tangent" in reached
