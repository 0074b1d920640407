"""Whether the names in claims are those of the experiments: algorithms, axes, levels, columns, figures.

The Snakemake main process imports this module: neither it nor what it imports may load numpy or pandas.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from nonconvex.claims.entries import Claim, experiments_of, judged_settings, parts_of
from nonconvex.claims.words.catalogue import QUANTITIES
from nonconvex.claims.words.limits import check_limit
from nonconvex.errors import UserError, nearest

_WORDS = ("algorithm", "status", "success")
Experiments = Mapping[str, Mapping[str, Any]]


def check_claims(
    claims: Sequence[Claim],
    experiments: Experiments,
    columns: Mapping[str, Sequence[str]],
    *,
    names: Collection[str] | None = None,
    figures: Collection[str] | None = None,
) -> None:
    """Refuse the first name in the claims that the experiments do not have.

    Parameters
    ----------
    claims : sequence of mapping
        From `nonconvex.claims.check.read_claims`.
    experiments : mapping of str to mapping
        The resolved experiments. A part about another one is left out: nobody asks for its figures.
    columns : mapping of str to sequence of str
        The columns of the experiments' tables. The columns of an experiment that is missing here go
        unchecked.
    names : collection of str, optional
        Every experiment that a file defines, asked for or not.
    figures : collection of str, optional
        Every figure that a file defines.

    Raises
    ------
    UserError
        One sentence with the claim, the part, the name and the nearest known one.
    """
    for claim in claims:
        where = f"claim {claim['id']}"
        for figure in claim["figures"]:
            _refuse_unknown(figure, figures, f"{where}: there is no figure {figure}")
        if "untested" in claim:
            continue
        for reading in claim["readings"]:
            for part, entry in parts_of(claim, reading).items():
                here = f"{where}, {part}"
                figure, used = entry["figure"], experiments_of(entry)
                _refuse_unknown(figure, claim["figures"], f"{here}: {figure} is no figure of the claim")
                for name in used:
                    _refuse_unknown(name, names, f"{here}: there is no experiment '{name}'")
                if all(name in experiments for name in used):
                    _check_part(claim, part, reading, experiments, columns)
        check_algorithms(claim, experiments)


def check_algorithms(claim: Claim, experiments: Experiments) -> None:
    """Raise a UserError if the claim names an algorithm that its experiment does not run."""
    for reading in claim["readings"]:
        for part, entry in parts_of(claim, reading).items():
            used, settings = experiments_of(entry), judged_settings(claim, part, reading)
            quantity = QUANTITIES[settings["quantity"]]
            for experiment, algorithms in zip(used, quantity.names_in(settings, len(used)), strict=True):
                known = experiments.get(experiment, {}).get("algorithms")
                if known and quantity.facts and not algorithms:
                    raise UserError(
                        f"claim {claim['id']}, {part}: the experiment {experiment} runs {', '.join(known)}; "
                        "say which one: 'of: <algorithm>'"
                    )
                for name in algorithms:
                    said = f"claim {claim['id']}, {part}: the experiment {experiment} does not run '{name}'"
                    _refuse_unknown(name, known, said)


def _check_part(
    claim: Claim, part: str, reading: str, experiments: Experiments, columns: Mapping[str, Sequence[str]]
) -> None:
    """Refuse an axis, a level or a column of one part that an experiment behind it does not have."""
    entry, settings = parts_of(claim, reading)[part], judged_settings(claim, part, reading)
    quantity, used = QUANTITIES[settings["quantity"]], experiments_of(entry)
    for name, limited in zip(used, quantity.limits_in(settings, len(used)), strict=True):
        here = f"claim {claim['id']}, {part}: the experiment {name}"
        table = columns.get(name)
        for column in quantity.table_columns(settings):
            _refuse_unknown(column, table, f"{here} has no column '{column}' in its table")
        axes = [*experiments[name]["axes"], *_made_axes(settings)]
        for axis in (settings[key] for key in quantity.naming("axis") if key in settings):
            _refuse_unknown(axis, axes, f"{here} has no axis '{axis}'")
        # A quantity without algorithms reads facts, and any column of their table may limit them.
        known = axes if "of" in quantity.settings else None if table is None else [*axes, *table]
        for axis in limited:
            _refuse_unknown(axis, known, f"{here} has no axis '{axis}'")
            if axis in settings.get("bins", {}):
                raise UserError(f"{here} has '{axis}' in bins, which no cell is limited to: say 'among'")
        if settings.get("median") and {"among", "bins", "strata"} & set(settings):
            raise UserError(f"{here} takes medians, which are of all trials: neither among, bins nor strata")
        if quantity.facts and table is not None and "trial" not in table:
            raise UserError(f"{here} has no trials, and the quantity '{settings['quantity']}' is over trials")
        _check_units(settings, experiments[name]["parameters"], here)
        for column in quantity.columns(settings):
            if table is not None and column not in table:
                raise UserError(
                    f"{here} has no column '{column}' in its table, which the quantity "
                    f"'{settings['quantity']}' needs (known: {', '.join(table)})"
                )
        for key in (key for key in quantity.naming("column") if key in settings):
            if settings[key] in _WORDS:
                raise UserError(f"{here}: the column '{settings[key]}' holds no numbers")
            _refuse_unknown(
                settings[key],
                None if table is None else [*table, *quantity.made_of(key, table)],
                f"{here} has no column '{settings[key]}' in its table",
            )
    for key, name in zip(("cells", "over_cells"), (used[0], used[-1]), strict=True):
        where = f"claim {claim['id']}, {part}: the limit on"
        _check_limits(settings.get(key, {}), settings.get("in_units_of", {}), experiments[name], where)


def _made_axes(settings: Mapping[str, Any]) -> list[str]:
    """Return the columns that settings make axes of: what tells a trial's rows apart, and what is in bins."""
    return [*([settings["as_axis"]] if "as_axis" in settings else []), *settings.get("bins", {})]


def _check_limits(
    limits: Mapping[str, Any], units: Mapping[str, Sequence[str]], experiment: Mapping[str, Any], where: str
) -> None:
    """Refuse limits that no level of an axis meets, neither of this scale nor of the thesis's."""
    here = experiment["parameters"]
    thesis = {**here, **experiment.get("thesis", {})}
    for axis, limit in limits.items():
        if not isinstance(here.get(axis), list):
            continue
        levels = thesis[axis] if isinstance(thesis[axis], list) else [thesis[axis]]
        sizes = [thesis[unit] for unit in units.get(axis, [])]
        if not sizes:
            check_limit(limit, [*here[axis], *levels], f"{where} '{axis}'")
        elif all(isinstance(size, int | float) for size in sizes):
            check_limit(limit, [level / math.prod(sizes) for level in levels], f"{where} '{axis}'")


def _check_units(settings: Mapping[str, Any], parameters: Mapping[str, Any], here: str) -> None:
    """Refuse units that are no numbers of the experiment."""
    known = [key for key, value in parameters.items() if _numbers(value)]
    for axis, units in settings.get("in_units_of", {}).items():
        for name in [axis, *units]:
            _refuse_unknown(name, known, f"{here} has no number '{name}' to count in")


def _numbers(value: object) -> bool:
    return all(isinstance(one, int | float) for one in (value if isinstance(value, list) else [value]))


def _refuse_unknown(name: str, known: Collection[str] | None, said: str) -> None:
    """Raise a UserError that begins with `said` if the name is not among those known; None is unknown."""
    if known is not None and name not in known:
        raise UserError(f"{said}{nearest(name, known)}")
