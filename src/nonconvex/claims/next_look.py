"""What claims need: by the ledger, the trials of their next look; by claims files, those of any look."""

from collections.abc import Iterable, Mapping

import pandas as pd

from nonconvex.claims.entries import Claim, experiments_of, parts_of
from nonconvex.claims.ledger import OPEN
from nonconvex.claims.looks import looks

Trials = dict[str, int]  # by experiment


def trials_at_look(declared: int, look: int) -> int:
    """Return the trials of a look, counted from 0; those of the last one where there are fewer looks."""
    planned = looks(declared)
    return planned[min(look, len(planned) - 1)]


def needs(ledger: pd.DataFrame) -> dict[str, Trials]:
    """Return, for each claim that is not decided, the trials that its next look needs of each experiment.

    That is the first look of a claim of which a part has fewer trials than that, or no table, and otherwise
    the look after the last one of each reading that is open. Other claims are left out: they are decided, at
    their last look, or no experiment can test them.
    """
    found = {}
    for claim, rows in ledger.groupby("claim", sort=True):
        parts = rows.loc[rows["row"] == "part"]
        first = _largest(parts, 0, below_only=True)
        more = {} if first or rows["verdict"].iloc[0] != OPEN else _after(rows.loc[rows["row"] != "claim"])
        if first or more:
            found[str(claim)] = first or more
    return found


def _after(rows: pd.DataFrame) -> Trials:
    """Return what the next look of a claim's open readings needs."""
    needed: Trials = {}
    for _, reading in rows.groupby("reading", sort=False):
        own = reading.iloc[0]  # of all parts together, or of the only one
        if own["verdict"] == OPEN:
            look = int(str(own["look"]).partition(" of ")[0])
            _raise_to(needed, _largest(reading.loc[reading["row"] == "part"], look))
    return needed


def _largest(parts: pd.DataFrame, look: int, below_only: bool = False) -> Trials:
    """Return the largest number of trials of a look that any part needs of each experiment.

    With `below_only`, parts that have been looked at with so many trials need none.
    """
    needed: Trials = {}
    for _, part in parts.iterrows():
        trials = trials_at_look(int(part["declared"]), look)
        if not below_only or int(part["trials"]) < trials:
            _raise_to(needed, dict.fromkeys(str(part["experiments"]).split("; "), trials))
    return needed


def _raise_to(needed: Trials, more: Mapping[str, int]) -> None:
    for name, trials in more.items():
        needed[name] = max(trials, needed.get(name, 0))


def together(claims: Iterable[Mapping[str, int]]) -> Trials:
    """Return the most trials that any of several claims needs of each experiment."""
    needed: Trials = {}
    for one in claims:
        _raise_to(needed, one)
    return needed


def planned_trials(claim: Claim, look: int) -> Trials:
    """Return the trials that a look of a claim needs of each experiment, by what the claim declares."""
    needed: Trials = {}
    for reading in claim["readings"] if "untested" not in claim else ():
        for entry in parts_of(claim, reading).values():
            trials = trials_at_look(entry.get("trials", claim["trials"]), look)
            _raise_to(needed, dict.fromkeys(experiments_of(entry), trials))
    return needed


def choose(
    needed: Mapping[str, Mapping[str, int]], there: Mapping[str, int], asked: Mapping[str, int]
) -> Trials:
    """Return which experiments run next, and up to how many trials.

    Parameters
    ----------
    needed : mapping of str to mapping
        From `needs`, by claim.
    there : mapping of str to int
        The trials of the tables that there are.
    asked : mapping of str to int
        The experiments that may run, and the most trials of each.
    """
    wanted = {name: min(trials, asked.get(name, 0)) for name, trials in together(needed.values()).items()}
    return {name: wanted[name] for name in asked if wanted.get(name, 0) > there.get(name, 0)}
