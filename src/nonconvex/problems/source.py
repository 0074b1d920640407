"""What a source of data from outside is: a file, what must be known of it, and what is said of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nonconvex.errors import UserError, among
from nonconvex.problems.contract import imported

Settings = Mapping[str, Any]


@dataclass(frozen=True)
class Found:
    """What a study must know of a file before it reads its data.

    Attributes
    ----------
    own : bool
        Whether it is the user's file.
    sha256 : str
        Of the file's bytes. The path decides nothing.
    facts : dict
        Parameters that come from it; those of an experiment with the same names get their values from here.
    about : dict
        What figures say of it; plain JSON.
    reading : dict
        What its readers must be told, such as marks of lost samples: parameters, without axes, of every
        experiment on it.
    """

    own: bool
    sha256: str
    facts: Mapping[str, Any]
    about: Mapping[str, Any]
    reading: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Source:
    """A source: ``SOURCE`` of a module that the registry names. `settings` are the config's ``data.{name}``.

    Attributes
    ----------
    check : ``check(settings, name)``
        Raises UserError for settings that do not go together; `name` is the config's, or None.
    path : ``path(settings, root)``
        Returns the file that is asked for; UserError when the user's does not exist.
    find : ``find(settings, root)``
        Reads and checks that file; UserError, one sentence, for one that is not what it should be.
    note : ``note(about)``
        Returns what a figure says of the user's own file, or None; `about` is what `find` knows of it.
    """

    check: Callable[[Settings, str | None], None]
    path: Callable[[Settings, Path], Path]
    find: Callable[[Settings, Path], Found]
    note: Callable[[Mapping[str, Any]], str | None]


def source_names() -> list[str]:
    """Return the names of all sources."""
    return list(imported(f"{__package__}.registry").SOURCES)


def source(name: str) -> Source:
    """Return the source called `name`; UserError, with the nearest name, where there is none."""
    known = imported(f"{__package__}.registry").SOURCES
    if name not in known:
        raise UserError(f"there is no source '{name}'{among(name, known)}")
    return imported(known[name]).SOURCE
