"""What figures say of a set of images."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nonconvex.images.files import known
from nonconvex.images.files.known import KnownSet

ORIGINALS = {"mnist": known.MNIST, "cifar10": known.CIFAR10}
"""By the name of the source: the set that the thesis's figures are about."""


def described(
    source: str,
    which: KnownSet | None,
    facts: Mapping[str, int],
    n_test: int,
    where: Path,
    mined: Sequence[Path],
) -> dict[str, Any]:
    """Return what is known about a set, as plain JSON.

    Parameters
    ----------
    source : str
        "mnist" or "cifar10".
    which : KnownSet or None
        None: the user's own images.
    facts : dict
        As `nonconvex.problems.images.source.find` returns them.
    n_test : int
        Images for tests, held out or the set's own.
    where : path
        A file of the set, which names it when it is the user's own.
    mined : sequence of paths
        The file of the mined images, if they have one.
    """
    original = ORIGINALS[source].name
    name = which.name if which else where.name.split(".")[0] if where.suffix == ".npz" else where.parent.name
    substitute = which is None or which.name != original
    size = f"{facts['height']} × {facts['width']}, {'grey' if facts['n_channels'] == 1 else 'in colour'}"
    parts = [f"{facts['n_pool']} labelled images and {n_test} for tests, {size}"]
    if which is known.MNIST5K:
        parts.append("all from its training set")
    if facts["n_mined"]:
        origin = f" of {mined[0].name}" if mined else ""
        parts.append(f"and {facts['n_mined']} mined ones without labels{origin}")
    return {
        "name": name,
        "version": which.version if which else "",
        "licence": which.licence if which else "the user's own",
        "substitute": substitute,
        "words": f"{name}{f' in the place of {original}' if substitute else ''}: {', '.join(parts)}",
    }
