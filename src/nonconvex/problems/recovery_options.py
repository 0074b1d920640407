"""Checking the options of a solver that recovers signals, before anything runs."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from nonconvex.errors import among
from nonconvex.hankel.observations import check_rank, check_stop
from nonconvex.problems.tiny import tiny_options, tiny_problem


def check_solver(
    solver: Callable[..., Any], tell: Sequence[str], options: Mapping[str, Any], cell: Mapping[str, Any]
) -> None:
    """Raise ValueError for what a solver cannot be given: unknown or missing names, sizes, values.

    The values are tried on a tiny problem, with one iteration.

    Parameters
    ----------
    solver : callable
        ``solver(observed, mask, *, ...)``.
    tell : sequence of str
        What it is told of an instance.
    options : mapping
    cell : mapping
        Sizes of the problems: n_channels, n_samples and, where they are told, rank and n1.
    """
    known = _keywords(solver)
    for name in options:
        if name not in known:
            raise ValueError(f"there is none called '{name}'{among(name, known)}")
    for name in tell:
        if name not in known:
            raise ValueError(f"it is told '{name}', which it does not take{among(name, known)}")
        if name in options:
            raise ValueError(f"'{name}' is given twice: it is told of the data as well; leave out one")
    for name, parameter in known.items():
        if parameter.default is parameter.empty and name not in {*tell, *options}:
            raise ValueError(f"'{name}' is missing: give it, or let the algorithm be told of it")
    _check_sizes(tell, options, cell)
    _try(solver, known, tell, options)


def _keywords(solver: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """Return what a solver takes besides the data, its mask and a function that watches it."""
    _, _, *others = inspect.signature(solver).parameters.values()
    return {one.name: one for one in others if one.name != "callback"}


def _check_sizes(tell: Sequence[str], options: Mapping[str, Any], cell: Mapping[str, Any]) -> None:
    """Refuse a rank or an n1 of the options' own that the Hankel matrix of the data does not allow."""
    if not {"rank", "n1"} & set(options):
        return
    sizes = {"rank": 1, "n1": None, **{name: cell.get(name) for name in tell}, **options}
    if "n1" not in options and not isinstance(sizes["n1"], int):
        sizes["n1"] = None  # told in words: half of the samples, as without any
    check_rank(sizes["rank"], sizes["n1"], np.empty((cell["n_channels"], cell["n_samples"])))


def _try(
    solver: Callable[..., Any],
    known: Mapping[str, inspect.Parameter],
    tell: Sequence[str],
    options: Mapping[str, Any],
) -> None:
    """Call a solver on the tiny problem, for one iteration."""
    given = tiny_options(tell, options)
    if "max_iterations" in known:
        check_stop(0, options.get("max_iterations", 1))
        given["max_iterations"] = 1
    try:
        with np.errstate(all="ignore"):
            solver(*tiny_problem(), **given)
    except (TypeError, ValueError) as error:
        raise ValueError(str(error)) from error
