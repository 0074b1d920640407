"""The config's grid: values that it gives to experiments' parameters instead of their own."""

from collections.abc import Mapping
from typing import Any, TypeGuard

from nonconvex.errors import UserError, nearest
from nonconvex.validation import kind_of, number_hint


def grid_overlay(grid: Mapping, experiment: str, values: Mapping) -> dict:
    """Return the values that the config's `grid` gives to an experiment's parameters.

    `grid` maps parameter names to values, for every experiment that has the parameter, or experiment names
    to such a mapping; the latter wins. Several values reach the experiments that have the parameter as an
    axis.
    """
    general = {key: value for key, value in grid.items() if not isinstance(value, Mapping)}
    own = grid.get(experiment, {})
    chosen = {
        key: value
        for key, value in general.items()
        if key in values and (isinstance(values[key], list) or not _several(value))
    }
    for key, value in own.items():
        if key not in values:
            raise UserError(f"config: grid.{experiment} has no parameter '{key}'{nearest(key, values) or ''}")
        chosen[key] = value
    places = {key: f"{experiment}.{key}" if key in own else key for key in chosen}
    return {
        key: _grid_value(f"config: grid.{places[key]}", value, values[key]) for key, value in chosen.items()
    }


def _no_axis(where: str, value: list) -> UserError:
    return UserError(
        f"{where} must be one value, not {value}: no figure has an axis for it; run each value under a "
        "name of its own"
    )


def _several(value: object) -> TypeGuard[list]:
    return isinstance(value, list) and len(value) > 1


def check_grid_names(grid: Mapping, experiments: Mapping[str, Mapping]) -> None:
    """Refuse a key of `grid` that is neither an experiment nor a parameter of one."""
    parameters = {key for entry in experiments.values() for key in entry["parameters"]}
    for key, value in grid.items():
        if key in experiments and not isinstance(value, Mapping):
            raise UserError(f"config: grid.{key} must be a mapping of parameters to values, not {value!r}")
        if key in parameters and isinstance(value, Mapping):
            raise UserError(
                f"config: grid.{key} must be one value or a list, not a mapping: {key} is a parameter; "
                f"for one experiment alone write that experiment's name: {{{key}: ...}}"
            )
        known = experiments if isinstance(value, Mapping) else parameters
        if key not in known:
            raise UserError(f"config: grid has the unknown name '{key}'{nearest(key, known)}")


def check_grid_reach(grid: Mapping, asked: Mapping[str, Mapping]) -> None:
    """Refuse a key of `grid` that changes none of the experiments `asked` for, or has values and no axis."""
    for key, value in grid.items():
        if isinstance(value, Mapping):
            if key not in asked:
                raise _no_effect(key, "shows this experiment")
            continue
        usual = [entry["parameters"][key]["thesis"] for entry in asked.values() if key in entry["parameters"]]
        if not usual:
            raise _no_effect(key, "has this parameter")
        if _several(value) and not any(isinstance(one, list) for one in usual):
            raise _no_axis(f"config: grid.{key}", value)


def _no_effect(key: str, verb: str) -> UserError:
    return UserError(
        f"config: grid.{key} changes nothing: no figure that is asked for {verb}; leave it out, or ask for "
        "a figure that does"
    )


def _grid_value(where: str, value: Any, standard: Any) -> Any:
    if isinstance(standard, list) and not isinstance(value, list):
        value = [value]
    if value == []:
        raise UserError(f"{where} is empty; give at least one value or leave the key out")
    if _several(value) and not isinstance(standard, list):
        raise _no_axis(where, value)
    if isinstance(value, list) and not isinstance(standard, list):
        (value,) = value
    usual = standard if isinstance(standard, list) else [standard]
    sample, whole = usual[0], all(isinstance(one, int) for one in usual)
    items = value if isinstance(value, list) else [value]
    for item in items:
        wanted = str if isinstance(sample, str) else (int, float)
        if not isinstance(item, wanted) or isinstance(item, bool):
            kind = "text" if wanted is str else "a number"
            raise UserError(f"{where} must be {kind}, not {kind_of(item)}{number_hint(item)}")
        if whole and not isinstance(item, int):
            raise UserError(f"{where} must be a whole number, not {item!r}")
    if len({repr(float(i)) if not isinstance(i, str) else i for i in items}) != len(items):
        raise UserError(f"{where} holds a value twice: {items}")
    return value
