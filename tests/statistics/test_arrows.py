"""Figures and claims stand beside each other, on statistics: none of them imports what stands above it."""

import ast
from pathlib import Path

import pytest

import nonconvex

SOURCE = Path(nonconvex.__file__).parent


def imported(package):
    for path in (SOURCE / package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
            elif isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)


@pytest.mark.parametrize(
    ("package", "others"),
    [
        ("statistics", ["claims", "figures", "study", "pipeline", "commands", "page"]),
        ("figures", ["claims", "page"]),
        ("claims", ["figures", "page"]),
    ],
)
def test_no_arrow_runs_back_up(package, others):
    found = set(imported(package))
    assert found
    for other in others:
        assert not [name for name in found if f"{name}.".startswith(f"nonconvex.{other}.")]
