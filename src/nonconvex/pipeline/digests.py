"""Content digest of exactly the modules that a step uses.

Snakemake does not see imported modules, so each rule carries this digest in its parameters. It covers the
step's own modules and, transitively, every module of this package they import, wherever the import stands.
It is taken over the syntax tree: comments, docstrings, layout and the annotations of functions do not count.

Nor does it count where a module lives and what it is called: an imported module enters by its own digest, so
that moving one makes nothing stale. Package ``__init__`` files hold re-exports only and are left out.
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nonconvex.errors import UserError

PACKAGE = "nonconvex"
_IMPORT = (ast.Import, ast.ImportFrom)
_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
_DOCUMENTED = (ast.Module, ast.ClassDef, *_FUNCTION)


def modules_used(roots: Iterable[str]) -> list[str]:
    """Return the sorted names of the package's modules reached from `roots` by import statements."""
    seen: set[str] = set()
    todo = list(roots)
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo.extend(one.module for one in _read(name).imports)
    return sorted(seen)


def digest(roots: Iterable[str]) -> str:
    """Return 16 hex digits for the code reached from the modules `roots`."""
    total = hashlib.sha256()
    for one in sorted(_module_digest(name) for name in set(roots)):
        total.update(one.encode())
    return total.hexdigest()[:16]


@dataclass(frozen=True)
class _Import:
    """A name of this package that a module uses: the module it comes from, and what it is called here.

    `name` is None where the module itself is imported.
    """

    module: str
    name: str | None
    local: str


@dataclass(frozen=True)
class _Module:
    """The code of a module: its text without imports, those from elsewhere as text, and those from here.

    The text is in pieces; `places` are those of names, which may stand for modules of this package.
    """

    pieces: tuple[str, ...]
    places: tuple[tuple[int, str], ...]
    foreign: tuple[str, ...]
    imports: tuple[_Import, ...]

    def text(self, renamed: Mapping[str, str]) -> str:
        """Return the code as text in which a name that stands for a module of this package is its digest."""
        pieces = list(self.pieces)
        for place, name in self.places if renamed else ():
            if name in renamed:
                pieces[place] = f"module({renamed[name]})"
        return "".join(pieces)


@cache
def _module_digest(name: str) -> str:
    module = _read(name)
    digests = {one.module: _module_digest(one.module) for one in module.imports}
    renamed = {one.local: digests[one.module] for one in module.imports if one.name is None}
    used = [f"{digests[one.module]} {one.name} as {one.local}" for one in module.imports if one.name]
    used += [f"module {digest}" for digest in renamed.values()]
    text = "\n".join([*sorted(used), *module.foreign, module.text(renamed)])
    return hashlib.sha256(text.encode()).hexdigest()


def _path(name: str) -> Path | None:
    """Return the file of the package's module `name`, or None where `name` is a package or no module."""
    parts = name.split(".")
    path = Path(__file__).parents[1].joinpath(*parts[1:]).with_suffix(".py")
    return path if parts[0] == PACKAGE and len(parts) > 1 and path.is_file() else None


@cache
def _read(name: str) -> _Module:
    path = _path(name)
    if path is None:
        raise UserError(f"there is no module '{name}': check the method's name in workflow/experiments")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    writer = _Writer()
    writer.write(tree)
    used = {name for _, name in writer.places}
    if "__all__" in used:
        used.update(_handed_on(tree))
    foreign, imports = set(), set()
    for node in writer.imports:
        for alias in node.names:
            local = alias.asname or alias.name.partition(".")[0]
            if local not in used:
                continue  # it serves annotations only
            own = _own(node, alias)
            if own:
                imports.add(own)
            else:
                foreign.add(f"{getattr(node, 'module', '')}.{alias.name} as {local}")
    return _Module(
        tuple(writer.pieces),
        tuple(writer.places),
        tuple(sorted(foreign)),
        tuple(sorted(imports, key=repr)),
    )


def _own(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> _Import | None:
    """Return what an import statement takes from this package, or None where it takes nothing from it."""
    local = alias.asname or alias.name.partition(".")[0]
    if isinstance(node, ast.Import):
        return _Import(alias.name, None, local) if _path(alias.name) else None
    if node.level or not node.module:
        return None
    if _path(f"{node.module}.{alias.name}"):
        return _Import(f"{node.module}.{alias.name}", None, local)
    return _Import(node.module, alias.name, local) if _path(node.module) else None


def _handed_on(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            yield from ast.literal_eval(node.value)


class _Writer:
    """Writes a syntax tree as text, and notes the places of names, and the imports, which are left out."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.places: list[tuple[int, str]] = []
        self.imports: list[ast.Import | ast.ImportFrom] = []

    def write(self, node: object) -> None:
        """Write a node, a list of nodes, or a value."""
        add = self.pieces.append
        if isinstance(node, ast.Name):
            self.places.append((len(self.pieces), node.id))
            add(f"Name(id={node.id!r},ctx={type(node.ctx).__name__}())")
        elif isinstance(node, ast.AST):
            add(f"{type(node).__name__}(")
            between = ""
            for name, value in self._fields(node):
                add(f"{between}{name}=")
                self.write(value)
                between = ","
            add(")")
        elif isinstance(node, list):
            add("[")
            for place, item in enumerate(node):
                if place:
                    add(",")
                self.write(item)
            add("]")
        else:
            add(repr(node))

    def _fields(self, node: ast.AST) -> Iterator[tuple[str, object]]:
        """Yield what counts of a node: no docstring, import, annotation of a function, nothing empty."""
        for name in node._fields:
            value = getattr(node, name, None)
            if value is None or value == []:
                continue
            if name == "annotation" and isinstance(node, ast.arg):
                continue
            if name == "returns" and isinstance(node, _FUNCTION):
                continue
            if name == "body" and _documented(node):
                value = value[1:]
            if isinstance(value, list):
                self.imports += [one for one in value if isinstance(one, _IMPORT)]
                value = [one for one in value if not isinstance(one, _IMPORT)]
            yield name, value


def _documented(node: ast.AST) -> bool:
    return isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None
