"""Where a figure's numbers came from: digests, seed, libraries, machine."""

from collections.abc import Mapping
from typing import Any

from nonconvex.page.html import Html, element, join, table
from nonconvex.page.text import plain, short

_WORDS = {"digest": "code of the runs", "blas": "BLAS"}
_ORDER = ("digest", "seed", "numpy", "scipy", "h5py", "commit", "machine", "blas")


def drawn_from(made: Mapping[str, Any]) -> Html | None:
    """Name the tables that a picture was drawn from, by the digests that the claims name, too.

    Parameters
    ----------
    made : dict
        ``tables``: sha256 by experiment; may be empty.

    Returns
    -------
    Html or None
    """
    tables = [f"{name}={str(digest)[:16]}" for name, digest in made.get("tables", {}).items()]
    return element("p", f"drawn from tables {'; '.join(tables)}", class_="origin") if tables else None


def source_table(figure: Mapping[str, Any], provenance: Mapping[str, Any]) -> Html:
    """Show the provenance of a figure, folded away; a fact on which its experiments agree is said once.

    Parameters
    ----------
    figure : dict
        The figure's plan, with its resolved experiments and, if known, what it was ``made`` from.
    provenance : dict
        By experiment: what the files and their sidecars say; may be empty.

    Returns
    -------
    Html
    """
    facts = {
        name: {"seed": experiment.get("seed"), **provenance.get(name, {})}
        for name, experiment in figure["experiments"].items()
    }
    others = sorted({name for one in facts.values() for name in one} - set(_ORDER))
    named = (*_ORDER, *others) if facts else ()
    rows = [[_WORDS.get(name, name.replace("_", " ")), _said(name, facts)] for name in named]
    made = figure.get("made", {})
    rows += [[f"sha256 of {name}", short(digest)] for name, digest in made.get("files", {}).items()]
    rows += [["code of the picture", short(made["code"])]] if "code" in made else []
    return element(
        "details", element("summary", "Where the numbers came from"), table(["what", "value"], rows)
    )


def _said(name: str, facts: Mapping[str, Mapping[str, Any]]) -> Html | str:
    """Give a fact, with the experiments that it is about where they do not all have it in common."""
    about: dict[str, list[str]] = {}
    for experiment, one in facts.items():
        about.setdefault(plain(one[name]) if name in one else "not recorded", []).append(experiment)
    if len(about) == 1:
        return element("code", *about) if "not recorded" not in about else "not recorded"
    parts = [element("li", element("code", value), f" {', '.join(names)}") for value, names in about.items()]
    return element("ul", join(parts))
