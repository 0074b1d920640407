"""What a source of data from outside is: files, what must be known of them, and what is said of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nonconvex.errors import UserError, among
from nonconvex.problems.contract import imported

Settings = Mapping[str, Any]


@dataclass(frozen=True)
class Found:
    """What a study must know of a source's files before it reads their data.

    Attributes
    ----------
    own : bool
        Whether they are the user's own; the config must then have a name.
    sha256 : str
        Of the bytes of the files (`nonconvex.files.files_sha256`). Their paths decide nothing.
    facts : dict
        Parameters that come from them; those of an experiment with the same names get their values from here.
    about : dict
        What figures say of them; plain JSON.
    missing : str or None
        Why they cannot be read here, in a clause, where a study may know all about files that it lacks.
    reading : dict
        What its readers must be told, such as marks of lost samples: parameters, without axes, of every
        experiment on it.
    """

    own: bool
    sha256: str
    facts: Mapping[str, Any]
    about: Mapping[str, Any]
    missing: str | None = None
    reading: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Source:
    """A source: ``SOURCE`` of a module that the registry names. `settings` are the config's ``data.{name}``.

    Attributes
    ----------
    check : ``check(settings, name)``
        Raises UserError for settings that do not go together; `name` is the config's, or None.
    paths : ``paths(settings, root)``
        Returns the files that are asked for, in an order of its own; UserError when the user's do not exist.
        None, where they come with a package that is not installed.
    find : ``find(settings, root)``
        Checks those files; UserError, one sentence, for some that are not what they should be.
    note : ``note(about)``
        Returns what a figure says of the user's own files, or None; `about` is what `find` knows of it.
    """

    check: Callable[[Settings, str | None], None]
    paths: Callable[[Settings, Path], tuple[Path, ...]]
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
