"""What one part of a claim gives under one reading, at each look."""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache

import pandas as pd

from nonconvex.claims.decision import Judged
from nonconvex.claims.entries import experiments_of, judged_settings, parts_of
from nonconvex.claims.looks import looks
from nonconvex.claims.region import NOWHERE, region, regions
from nonconvex.claims.samples.arrays import common_trials, scaled, with_axis
from nonconvex.claims.samples.measured import MEASURES, Sample
from nonconvex.claims.samples.values import last_iterates
from nonconvex.claims.words.catalogue import QUANTITIES
from nonconvex.errors import UserError
from nonconvex.statistics.bootstrap import judging_seed
from nonconvex.statistics.means import clopper_pearson
from nonconvex.statistics.spending import TOTAL, look_levels


@dataclass(frozen=True)
class Part:
    """A part of a claim under one reading, ready to be looked at.

    Attributes
    ----------
    experiments : tuple of str
        What it reads.
    settings : mapping
        Those of its quantity.
    substitute : bool
        Whether the data stand in for data of the thesis that cannot be had.
    look : callable
        From a number of trials and a level to the judged part; None where there is nothing to measure.
    available, declared : int
        Trials.
    seed : int, optional
    reasons : tuple of str
        Why it cannot be judged at this scale.
    """

    experiments: tuple[str, ...]
    settings: Mapping
    substitute: bool
    look: Callable[[int, float], Judged] | None
    available: int
    declared: int
    seed: int | None
    reasons: tuple[str, ...]

    @property
    def schedule(self) -> tuple[tuple[int, float], ...]:
        """The trials and the level of each look that there are trials for.

        Where no verdict can be given, all trials there are are looked at once: that shows a tendency.
        """
        planned = looks(self.declared)
        if self.reasons or self.available < planned[0]:
            return ((min(self.available, self.declared), TOTAL),) if self.available else ()
        levels = zip(planned, look_levels(planned), strict=True)
        return tuple((trials, alpha) for trials, alpha in levels if trials <= self.available)

    def judged(self, look: int) -> Judged:
        """Return the part at a look, counted from 0; at its last one where there are fewer."""
        if self.look is None:
            raise ValueError("a part without data has no look.")
        return self.look(*self.schedule[min(look, len(self.schedule) - 1)])

    @property
    def first_reachable(self) -> int | None:
        """The first look, from 1, at which a share can lie where the statement holds; None if at none.

        So few trials may tell too little even if all of them agree: 10 of 10 show a share above .57.
        """
        if self.settings["quantity"] not in ("share", "even decay"):
            return None
        holds, planned = region(self.settings["holds"]), looks(self.declared)
        for number, (trials, alpha) in enumerate(zip(planned, look_levels(planned), strict=True), start=1):
            if any(holds.holds(*clopper_pearson(k, trials, alpha)) for k in (0, trials)):
                return number
        return None

    def trials_at(self, look: int) -> int:
        """Return the number of trials of a look, as `judged` takes it."""
        return self.schedule[min(look, len(self.schedule) - 1)][0] if self.schedule else 0


def _substituted(experiment: Mapping | None, stated: bool) -> bool:
    """Tell whether other data stand in for the thesis's: the source knows, or else the claims file says."""
    about = (experiment or {}).get("source", {}).get("about", {})
    return bool(about.get("substitute", stated))


def read_part(
    claim: Mapping, part: str, reading: str, plan: Mapping, tables: Mapping[str, pd.DataFrame]
) -> Part:
    """Make one part of a claim ready.

    `plan` and `tables` as for `nonconvex.claims.ledger.judge`.
    """
    entry, settings = parts_of(claim, reading)[part], judged_settings(claim, part, reading)
    declared, used = entry.get("trials", claim["trials"]), experiments_of(entry)
    stated = bool(entry.get("surrogate", claim.get("surrogate", False)))
    substitute = any(_substituted(plan["experiments"].get(one), stated) for one in used)

    def empty(reason: str, seed: int | None = None) -> Part:
        return Part(tuple(used), settings, substitute, None, 0, declared, seed, (reason,))

    if any(plan["experiments"].get(one) is None or tables.get(one) is None for one in used):
        return empty("no table in this run")
    experiments = [plan["experiments"][one] for one in used]
    quantity = QUANTITIES[settings["quantity"]]
    more = settings.get("as_axis")
    read = [with_axis(tables[one], more) for one in used]
    available = min(
        common_trials(
            last_iterates(table),
            run_there,
            math.prod(len(experiment["parameters"][axis]) for axis in experiment["axes"])
            * (table[more].nunique() if more else 1),
        )
        for table, experiment, run_there in zip(
            read, experiments, quantity.names_in(settings, len(used)), strict=True
        )
    )
    seed = experiments[0]["seed"]
    if available == 0:
        return empty("no trial of every cell", seed)
    where = f"claim {claim['id']}, {part}, reading '{reading}'"
    try:
        given = [
            scaled(table, settings.get("in_units_of", {}), experiment["parameters"])
            for table, experiment in zip(read, experiments, strict=True)
        ]
    except UserError as error:
        raise UserError(f"{where}: {error}") from error
    judging = judging_seed(claim["id"], part, reading)
    pair = regions(settings["holds"], settings["fails"], quantity.bounds, where) if quantity.judged else None
    contrary = region(settings["dissents"]) if "dissents" in settings else None

    @cache
    def look(trials: int, alpha: float) -> Judged:
        sample = Sample(given[0], given[1] if len(given) > 1 else None, range(trials), judging)
        try:
            measure = MEASURES[settings["quantity"]](sample, settings)
        except UserError as error:
            raise UserError(f"{where}: {error}") from error
        holds, fails = pair or (NOWHERE, NOWHERE)
        return Judged(measure, holds, fails, alpha, "in" in settings, contrary)

    reasons = _reasons(claim, experiments, available, looks(declared)[0])
    return Part(tuple(used), settings, substitute, look, available, declared, seed, reasons)


def _reasons(claim: Mapping, experiments: Collection[Mapping], available: int, first: int) -> tuple[str, ...]:
    reasons = []
    differs = dict.fromkeys(key for experiment in experiments for key in experiment["differs"])
    if differs:
        reasons.append(f"{', '.join(differs)}: not the thesis's")
    if available < first:
        reasons.append(f"{available} trials, and the first look needs {first}")
    others = [experiment["seed"] for experiment in experiments if experiment["seed"] != claim["seed"]]
    if others:
        reasons.append(f"seed {others[0]}, not the declared {claim['seed']}")
    return tuple(reasons)


def reasons_of(parts: Collection[Part]) -> list[str]:
    """Return each reason once, with the experiments that it is about."""
    about: dict[str, dict[str, None]] = {}
    for part in parts:
        for reason in part.reasons:
            about.setdefault(reason, {})[part.experiments[0]] = None
    return [f"{reason} ({', '.join(names)})" for reason, names in about.items()]
