"""Content digest of exactly the modules that a step uses.

Snakemake does not see imported modules, so each rule carries this digest in its parameters. It covers the
step's own modules and, transitively, every module of this package they import, wherever the import stands.
Comments, docstrings and layout do not count: the digest is taken over the syntax tree. Package ``__init__``
files hold re-exports only and are left out.
"""

import ast
import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from nonconvex.study.errors import StudyError

PACKAGE = "nonconvex"


def modules_used(roots: Iterable[str]) -> list[str]:
    """Return the sorted names of the package's modules reached from `roots` by import statements."""
    seen: set[str] = set()
    todo = list(roots)
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo.extend(_imports(name))
    return sorted(seen)


def digest(roots: Iterable[str]) -> str:
    """Return 16 hex digits for the code reached from the modules `roots`."""
    return _digest(tuple(sorted(roots)))


@cache
def _digest(roots: tuple[str, ...]) -> str:
    total = hashlib.sha256()
    for name in modules_used(roots):
        total.update(_module_text(name))
    return total.hexdigest()[:16]


@cache
def _module_text(name: str) -> bytes:
    return f"{name}\n{_code_text(_tree(name))}\n".encode()


def _path(name: str) -> Path | None:
    """Return the file of the package's module `name`, or None where `name` is a package or no module."""
    parts = name.split(".")
    path = Path(__file__).parents[1].joinpath(*parts[1:]).with_suffix(".py")
    return path if parts[0] == PACKAGE and len(parts) > 1 and path.is_file() else None


@cache
def _tree(name: str) -> ast.Module:
    path = _path(name)
    if path is None:
        raise StudyError(f"there is no module '{name}': check the method's name in workflow/experiments")
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def _imports(name: str) -> tuple[str, ...]:
    found = []
    for node in ast.walk(_tree(name)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        found += [n for n in names if _path(n) is not None]
    return tuple(sorted(set(found)))


def _code_text(node: object) -> str:
    """Return the syntax tree as text, without positions, docstrings and fields that are empty."""
    if isinstance(node, ast.AST):
        fields = {name: value for name, value in ast.iter_fields(node) if value not in (None, [])}
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
            fields["body"] = body
        inner = ",".join(f"{name}={_code_text(value)}" for name, value in fields.items())
        return f"{type(node).__name__}({inner})"
    if isinstance(node, list):
        return "[" + ",".join(map(_code_text, node)) + "]"
    return repr(node)
