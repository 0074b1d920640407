"""T-BEST: "A has the smallest error among all methods", level by level."""

from collections.abc import Mapping
from math import ceil

import numpy as np

from nonconvex.claims.decision import Decision, no_information
from nonconvex.claims.quantities.ordering import order_values
from nonconvex.statistics.multiplicity import holm

LEVEL_SHARE = 0.8
FEWEST_PAIRS = 10
FEWEST_LEVELS = 3
PART_LEVEL = 0.01


def smallest_of_all(a: np.ndarray, others: Mapping[str, np.ndarray], *, seed: int) -> Decision:
    """Judge "A's values are the smallest of all methods' ".

    At each level A is compared (`nonconvex.claims.quantities.ordering.order_values`) with each other method
    that has at least 10 trials in which both have a value. The level is reproduced if A is smaller than each
    of them; it is not reproduced if A is not smaller than one of them, with P < 1 % after Holm's correction
    over the methods. The statement is reproduced if at least 80 % of the levels are and none is not
    reproduced; it is not reproduced if more than 20 % of the levels are not. At least 3 levels must count.

    Parameters
    ----------
    a : ndarray, shape (n_levels, n_trials)
        NaN for a trial without a value.
    others : mapping of str to ndarray
        The other methods' values, shaped as `a`.
    seed : int
        From `judging_seed`.

    Notes
    -----
    A method with fewer common trials at a level is not compared there: the statement is about the trials
    that converge. `detail` counts how many comparisons that leaves out.
    """
    outcomes: list[str] = []
    each_for: list[float] = []
    each_against: list[float] = []
    lost: dict[str, int] = {}
    left_out = 0
    for level in range(len(a)):
        found = {}
        for name, values in others.items():
            both = np.isfinite(a[level]) & np.isfinite(values[level])
            if both.sum() >= FEWEST_PAIRS:
                found[name] = order_values(a[level, both], values[level, both], seed=seed + level)
        left_out += len(others) - len(found)
        if not found:
            continue
        against = holm([one.p_against for one in found.values()])
        worse = [n for n, p in zip(found, against, strict=True) if found[n].outcome == "N" and p < PART_LEVEL]
        for name in worse:
            lost[name] = lost.get(name, 0) + 1
        smaller = all(one.outcome == "R" for one in found.values())
        outcomes.append("N" if worse else "R" if smaller else "I")
        each_for.append(max(one.p_for for one in found.values()))
        each_against.append(float(against.min()))
    n = len(outcomes)
    if n < min(FEWEST_LEVELS, len(a)) or n == 0:
        return no_information(
            f"{n} of {len(a)} levels have {FEWEST_PAIRS} trials with both values", LEVEL_SHARE
        )
    needed = ceil(LEVEL_SHARE * n - 1e-9)
    won, given_up = outcomes.count("R"), outcomes.count("N")
    outcome = "R" if won >= needed and given_up == 0 else "N" if given_up > n - needed else "I"
    others_lost = ", ".join(f"{name} {count}" for name, count in lost.items()) or "none"
    detail = (
        f"share of levels at which it is smallest, {n} of {len(a)} levels: {won} for, "
        f"{given_up} against (not smaller than: {others_lost}); {left_out} comparisons left out, "
        f"fewer than {FEWEST_PAIRS} trials with both values"
    )
    # The P value of "at least so many levels": the least favourable of the levels that are needed for it.
    p_for, p_against = sorted(each_for)[needed - 1], sorted(each_against)[n - needed]
    return Decision(outcome, won / n, effect=won / n, margin=LEVEL_SHARE,
                    p_for=p_for, p_against=p_against, detail=detail)  # fmt: skip
