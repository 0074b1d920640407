"""What a family of problems is: the modules that hold its parts, and what each part must have.

A family is named in experiments and plans. Its parts are loaded here and nowhere else, when they are needed:
a command that draws data never imports a solver, and the digest of a step covers the parts it uses, not the
list of families. So a new family, or a new line in its file, makes no result stale.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from nonconvex.errors import UserError, among

Cell = Mapping[str, Any]
Streams = Mapping[str, np.random.Generator]
Arrays = Mapping[str, np.ndarray]
Row = dict[str, Any]
Part = TypeVar("Part", "Data", "Outcome", "Table")

_NOTHING = {"f": np.nan, "i": 0, "b": False, "S": ""}
"""By kind of dtype: what a refused trial has in a column."""

_DTYPES = re.compile(r"f[48]|i[1248]|\?|S[1-9]\d*")


@dataclass(frozen=True)
class Data:
    """How instances are drawn, stored and rebuilt: ``DATA`` of a family's `data` module.

    Attributes
    ----------
    check : ``check(cell)``
        Raises ValueError for a cell that cannot exist, KeyError for a missing parameter.
    draw : ``draw(cell, streams)``
        Returns the arrays to store, by name.
    build : ``build(cell, stored)``, or ``build(cell, stored, streams)`` where streams are `redrawn`
        Returns the instance, any object.
    streams : dict
        Random stream -> names of the cell values that it depends on.
    redrawn : tuple of str
        Streams whose draws are too bulky to be stored: `build` draws them again, and checks what it draws
        against the first numbers that `draw` stored.
    read : ``read(paths, parameters)``, optional
        Returns what is stored once a block of the files of the family's source, in the source's order, and
        handed to `build` with what was drawn.
    limit : ``limit(parameters)``, optional
        Returns the parameters of an experiment, axes as lists, without the values for which the source has
        too little; ValueError where none is left.
    work : ``work(cell)``, optional
        Returns how many multiply-accumulates a trial of a cell takes, where that tells its cost on machines
        that nobody has measured.
    """

    check: Callable[[Cell], None]
    draw: Callable[[Cell, Streams], Arrays]
    build: Callable[..., Any]
    streams: Mapping[str, Sequence[str]] = field(default_factory=dict)
    redrawn: tuple[str, ...] = ()
    read: Callable[[Sequence[Path], Mapping[str, Any]], Arrays] | None = None
    limit: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    work: Callable[[Cell], float] | None = None


@dataclass(frozen=True)
class Outcome:
    """What is kept of an algorithm's run: ``OUTCOME`` of a family's `outcome` module.

    Attributes
    ----------
    columns : dict
        Name -> dtype of what is kept of a trial; "status" is one of them.
    check : ``check(solver, tell, options, cell)``
        Raises ValueError for options that the solver cannot use on a cell. Where the family `requires` an
        optional package, the solver is its name alone: no command waits for that package's import.
    one : ``one(solver, instance, tell, options)``
        Returns the row of one trial; ValueError makes it a failed one.
    together : ``together(solver, instances, tell, options)``
        Instead of `one`: returns the rows of all trials of a cell; none of them may be refused.
    tell : tuple of str
        What a solver may be told of an instance.
    history : dict, optional
        Name -> dtype of what is kept of every iterate, under "history" of a row; the table then has one row
        per iterate.
    resumes : bool
        Whether a trial that was killed can be gone on with: `one` then also takes ``folder``, a Path where it
        keeps how far it is. The folder is the block's, and is removed when the block is whole.
    packages : tuple of str
        Distributions whose versions a block tells beside those that all blocks tell.
    """

    columns: Mapping[str, str]
    check: Callable[[Any, Sequence[str], Mapping[str, Any], Cell], None]
    one: Callable[..., Row] | None = None
    together: Callable[..., Sequence[Row]] | None = None
    tell: tuple[str, ...] = ()
    history: Mapping[str, str] | None = None
    resumes: bool = False
    packages: tuple[str, ...] = ()

    def failed(self, reason: str) -> Row:
        """Return the row of a trial that was refused: it counts as a failure, never as missing."""
        row: Row = {name: _NOTHING[np.dtype(dtype).kind] for name, dtype in self.columns.items()}
        row |= {"status": "failed", "reason": reason}
        return row if self.history is None else row | {"history": {name: [] for name in self.history}}


@dataclass(frozen=True)
class Table:
    """What is tabulated of instances that no algorithm runs on: ``TABLE`` of a family's `table` module.

    Attributes
    ----------
    columns : ``columns(axes)``
        Returns the header.
    rows : ``rows(axes, cell, trial, instance)``
        Yields the rows of one trial.
    """

    columns: Callable[[Sequence[str]], list[str]]
    rows: Callable[[Sequence[str], Cell, int, Any], Iterable[tuple[Any, ...]]]


@dataclass(frozen=True)
class Family:
    """A kind of problems; its parts are named, and loaded when they are asked for.

    Attributes
    ----------
    data : str
        Module with ``DATA``.
    outcome : str, optional
        Module with ``OUTCOME``, of a family with algorithms.
    solvers : str, optional
        Package of its methods: method ``m`` is the function ``m`` of the module ``m`` in it.
    table : str, optional
        Module with ``TABLE``, of a family without algorithms.
    timed : bool
        Whether outcomes hold running times: its jobs run alone on their machine.
    once : bool
        Whether nothing is drawn: there is one trial, whatever the config asks for.
    source : str, optional
        Name of the source that its data are read from (`nonconvex.problems.source`).
    tell : tuple of str, optional
        What solvers may be told, where that is less than the outcome's `tell`.
    requires : tuple of str
        Packages of an optional extra that its solvers import, and the make target that adds them, last.
    words : dict
        Parameter -> (words, symbol), where they differ from those of `nonconvex.vocabulary`. In footers,
        ``parameter=value`` -> (words, ""): what a value is called, and ``parameter, briefly`` -> (words,
        symbol): few words before a symbol that alone could mean something else.
    """

    data: str
    outcome: str | None = None
    solvers: str | None = None
    table: str | None = None
    timed: bool = False
    once: bool = False
    source: str | None = None
    tell: tuple[str, ...] | None = None
    requires: tuple[str, ...] = ()
    words: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def load_data(self) -> Data:
        """Return how the family's instances are drawn."""
        return _part(self.data, "DATA", Data)

    def load_outcome(self) -> Outcome:
        """Return what is kept of an outcome; UserError for a family without algorithms."""
        if self.outcome is None:
            raise UserError("no algorithm runs on this family: it has no 'outcome'")
        return _part(self.outcome, "OUTCOME", Outcome)

    def load_table(self) -> Table:
        """Return what is tabulated of instances; UserError for a family with algorithms."""
        if self.table is None:
            raise UserError("this family needs algorithms: it has no 'table' of its own")
        return _part(self.table, "TABLE", Table)

    def solver_module(self, method: str) -> str:
        """Return the module that a method lives in."""
        return f"{self.solvers}.{method}"

    def check_method(self, method: str) -> None:
        """Raise UserError where there is no method of this name; nothing is imported for it."""
        known = _methods(self.solvers) if self.solvers else ()
        if method not in known:
            raise UserError(f"there is no method '{method}'{among(method, known)}")

    def solver(self, method: str) -> Callable[..., Any]:
        """Return the function of a method; UserError where there is none of this name."""
        self.check_method(method)
        return getattr(imported(self.solver_module(method)), method)

    def lacking(self) -> str | None:
        """Return, in a clause, which optional package is not installed here; None where nothing is."""
        *packages, target = self.requires or ("",)
        missing = [name for name in packages if find_spec(name) is None]
        return f"{' and '.join(missing)} is not installed (make {target})" if missing else None

    def told(self) -> tuple[str, ...]:
        """Return what its solvers may be told of an instance."""
        return self.load_outcome().tell if self.tell is None else self.tell


def families() -> Mapping[str, Family]:
    """Return all families by name."""
    return imported(f"{__package__}.registry").FAMILIES


def family(name: str) -> Family:
    """Return the family called `name`; UserError, with the nearest name, where there is none."""
    known = families()
    if name not in known:
        raise UserError(f"there is no family '{name}'{among(name, known)}")
    return known[name]


def imported(module: str) -> ModuleType:
    """Import a module that a family names; whatever keeps it from being imported is one sentence."""
    try:
        return import_module(module)
    except Exception as error:
        raise UserError(f"{module} cannot be imported: {type(error).__name__}: {error}") from error


@cache
def _part(module: str, name: str, kind: type[Part]) -> Part:
    """Return a part of a family, after checking that each of its hooks takes what it will be given."""
    part = getattr(imported(module), name, None)
    if not isinstance(part, kind):
        raise UserError(f"{module}: {name} must be a {kind.__name__}, not {part!r}")
    for hook, words in _hooks(part, module):
        try:
            inspect.signature(getattr(part, hook)).bind(*words)
        except TypeError as error:
            raise UserError(f"{module}: {hook} must take ({', '.join(words)}): {error}") from error
    return part


def _hooks(part: Data | Outcome | Table, module: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the names of a part's hooks with what each one is called with; `module` holds the part."""
    match part:
        case Data():
            for stream, names in part.streams.items():
                if isinstance(names, str):
                    raise UserError(f"{module}: the stream '{stream}' needs a tuple of names, not '{names}'")
            yield "check", ("cell",)
            yield "draw", ("cell", "streams")
            yield "build", ("cell", "stored", *(("streams",) if part.redrawn else ()))
            if part.read is not None:
                yield "read", ("paths", "parameters")
            if part.limit is not None:
                yield "limit", ("parameters",)
            if part.work is not None:
                yield "work", ("cell",)
        case Outcome():
            yield "check", ("solver", "tell", "options", "cell")
            if "status" not in part.columns:
                raise UserError(f"{module}: the columns of OUTCOME must have 'status'")
            for name, dtype in {**part.columns, **(part.history or {})}.items():
                if not _DTYPES.fullmatch(dtype):
                    raise UserError(
                        f"{module}: the column '{name}' has the type '{dtype}', none of f8, i8, ?, S16"
                    )
            if (part.one is None) == (part.together is None):
                raise UserError(f"{module}: OUTCOME needs one of 'one' and 'together', and not both")
            if part.one is not None:
                folder = ("folder",) if part.resumes else ()
                yield "one", ("solver", "instance", "tell", "options", *folder)
            else:
                yield "together", ("solver", "instances", "tell", "options")
        case Table():
            yield "columns", ("axes",)
            yield "rows", ("axes", "cell", "trial", "instance")


@cache
def _methods(package: str) -> tuple[str, ...]:
    """Return the names of the modules in a package that hold a function of their own name."""
    folder = Path(str(imported(package).__path__[0]))
    named = sorted(path for path in folder.glob("*.py") if path.stem != "__init__")
    return tuple(path.stem for path in named if f"\ndef {path.stem}(" in path.read_text(encoding="utf-8"))
