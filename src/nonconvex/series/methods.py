"""The methods that `recover` knows: one line each."""

import importlib
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from nonconvex.errors import UserError, nearest
from nonconvex.hankel.incoherence import incoherence
from nonconvex.hankel.monitor import Callback
from nonconvex.hankel.recovery import Recovery

# The function `name` of the module nonconvex.hankel.solvers.`name`, and the options it takes.
METHODS = {
    "am_fiht": ("rank", "n1", "beta", "step", "tolerance", "max_iterations"),
    "ram_fiht": ("rank", "n1", "beta", "step", "tolerance", "max_iterations", "incoherence"),
    "fiht": ("rank", "n1", "tolerance", "max_iterations"),
    "svt": ("n1", "tolerance", "max_iterations"),
    "sap": ("rank", "n1", "threshold_scale", "tolerance", "max_iterations", "stage_tolerance"),
}
CHANNEL_BY_CHANNEL = ("fiht",)
"""The methods that recover each channel from its own samples alone."""

Options = dict[str, Any]
"""Options by name, of different kinds; the method checks them."""

LONGEST_STEP = 1.9
"""Of AM-FIHT and RAM-FIHT: where more than 47 % is lost, 1/p is longer, and they diverge on long gaps."""

MARGIN = 3.0
"""Of the estimated incoherence."""


def check_method(name: str, given: Iterable[str]) -> None:
    """Refuse a method that is not known, and options in `given` that it does not take."""
    if name not in METHODS:
        raise UserError(
            f"--method is '{name}', which is unknown (known: {', '.join(METHODS)}){nearest(name, METHODS)}"
        )
    for option in given:
        if option not in METHODS[name]:
            raise UserError(f"--{option.replace('_', '-')} means nothing to {name}; leave it out")


def solve(
    name: str, values: np.ndarray, mask: np.ndarray, settings: Options, callback: Callback | None = None
) -> tuple[Recovery, Options]:
    """Run a method on the samples of `values` where `mask` is True.

    Parameters
    ----------
    name : str
        Of the method.
    values : ndarray, shape (n_channels, n_samples)
        Samples.
    mask : ndarray of bool, same shape
        True where observed.
    settings : dict
        Options by name; those the method does not take are left out. A method that takes the incoherence and
        is not told gets the estimate of `estimate_incoherence`.
    callback : callable, optional
        Called with the iteration and the estimate.

    Returns
    -------
    nonconvex.hankel.recovery.Recovery
    dict
        The options used, the method's defaults included.

    Raises
    ------
    UserError
        With the solver's reason, when it refuses its input, or its linear algebra or the memory fails.
    """
    options = {option: settings[option] for option in METHODS[name] if settings.get(option) is not None}
    method = getattr(importlib.import_module(f"nonconvex.hankel.solvers.{name}"), name)
    if "step" in METHODS[name] and mask.mean() * LONGEST_STEP < 1:
        options.setdefault("step", LONGEST_STEP)
    try:
        if "incoherence" in METHODS[name] and "incoherence" not in options:
            options["incoherence"] = estimate_incoherence(values, mask, options["rank"], options["n1"])
        return method(values, mask, callback=callback, **options), {**_defaults(name, method), **options}
    except (ValueError, np.linalg.LinAlgError) as error:
        raise UserError(f"{name} failed: {error}") from error
    except MemoryError as error:
        raise UserError(
            f"{name} failed for want of memory ({error}): where the rank is above that of a large series, "
            "the first estimate needs the singular vectors of its noise; take a smaller --rank or --n1"
        ) from error


def estimate_incoherence(values: np.ndarray, mask: np.ndarray, rank: int, n1: int) -> float:
    """Return three times the incoherence of the first estimate, the best rank-r approximation of H(P(M)) / p.

    The margin is there because trimming too much can hold RAM-FIHT at a wrong point, while trimming too
    little makes it AM-FIHT.
    """
    return MARGIN * incoherence(np.where(mask, values, 0), rank=rank, n1=n1)


def _defaults(name: str, method: Callable[..., Recovery]) -> Options:
    parameters = inspect.signature(method).parameters
    return {option: parameters[option].default for option in METHODS[name]}
