"""How the families of images call a solver: the recipe of an algorithm's options and a cell's sizes."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from nonconvex.errors import among
from nonconvex.images.recipe import Recipe
from nonconvex.problems.images.data import Instance

SIZES = ("epochs", "batch_size", "steps_per_epoch", "augmentation")
"""Of a recipe: what an experiment gives as parameters, since it differs between scales.

The learning rate may be a parameter, or an option of an algorithm.
"""


def recipe_of(sizes: Mapping[str, Any], options: Mapping[str, Any]) -> Recipe:
    """Return the recipe of a cell's sizes and those of an algorithm's options that are a recipe's."""
    names = [field.name for field in fields(Recipe)]
    told = {name: value for name, value in options.items() if name in names}
    given = {name: sizes[name] for name in (*SIZES, "learning_rate") if sizes.get(name) is not None}
    return Recipe(**{**given, **told})


def trained(
    solver: Callable[..., Any],
    instance: Instance,
    images: Sequence[Any],
    options: Mapping[str, Any],
    folder: Path,
    **more: Any,
) -> Any:
    """Return what a solver makes of an instance's `images` and `more`; its progress is in the job's log."""
    say(instance.words)
    return solver(
        *images,
        model=instance.sizes["model"],
        recipe=recipe_of(instance.sizes, options),
        rounds=instance.sizes["rounds"],
        seed=instance.seed,
        device=device(),
        folder=folder,
        say=say,
        **others(options),
        **more,
    )


def others(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are the solver's own."""
    names = [field.name for field in fields(Recipe)]
    return {name: value for name, value in options.items() if name not in names}


def check_options(own: Sequence[str], cell: Mapping[str, Any], options: Mapping[str, Any]) -> None:
    """Raise ValueError for options that are neither a solver's `own` nor a recipe's, or of no use to it."""
    known = [*own, *(field.name for field in fields(Recipe) if field.name not in SIZES)]
    for name in options:
        if name not in known:
            raise ValueError(f"there is none called '{name}'{among(name, known)}")
    if "learning_rate" not in {**cell, **options}:
        raise ValueError("the learning_rate is missing")
    recipe_of(cell, options)


def device() -> str:
    """Return the device that the config asks for; no result hangs on its name.

    A machine without it is no fault of a trial, which a ValueError would make a failed row: the job ends.
    """
    asked = os.environ.get("NONCONVEX_DEVICE", "auto")
    if asked == "cuda":
        from nonconvex.images.device import choose_device

        try:
            choose_device(asked)
        except ValueError as error:
            raise SystemExit(f"error: {error}") from None
    return asked


def say(line: str) -> None:
    """Write a line of progress to the job's log at once."""
    print(line, file=sys.stderr, flush=True)
