"""Tables of the right shape for every experiment, with outcomes that mean nothing."""

import numpy as np
import pandas as pd

ENDS = ["converged", "iteration limit", "stalled", "diverged", "failed"]


def random_table(experiment, columns, trials, rng, share=None):
    """Make a table of an experiment's cells, algorithms and trials.

    `share`: of trials that succeed, the same in all cells; drawn for each algorithm if not given.
    """
    levels = [np.asarray(experiment["parameters"][axis]) for axis in experiment["axes"]]
    parts = []
    for name, own in (experiment["algorithms"] or {"": {"trials": experiment["trials"]}}).items():
        number = min(trials, own["trials"])
        mesh = np.meshgrid(*levels, np.arange(number), indexing="ij")
        cells = dict(zip([*experiment["axes"], "trial"], (part.ravel() for part in mesh), strict=True))
        n = len(cells["trial"])
        success = rng.random(n) < (rng.random() if share is None else share)
        drawn = {"algorithm": name, **cells, "success": success, "status": rng.choice(ENDS, n, p=_mix(share))}
        lost = np.isin(drawn["status"], ["diverged", "failed"])
        drawn["error"] = np.where(lost, rng.choice([np.inf, np.nan], n), 10.0 ** rng.uniform(-8, 0.5, n))
        drawn["iterations"] = rng.integers(1, 4000, n)
        for column in columns:
            if column.startswith("iterations_"):
                drawn[column] = np.where(rng.random(n) < 0.3, np.nan, np.sort(rng.integers(1, 4000, n)))
            elif column not in drawn:
                drawn[column] = rng.lognormal(size=n)
        parts.append(pd.DataFrame(drawn))
    table = pd.concat(parts, ignore_index=True)
    if "iteration" in columns:
        table = _iterates(table, rng)
    if "round" in columns:  # several rounds of each trial, with the same ratios in all of them
        parts = [
            table.assign(
                round=number, pruning_ratio=1 - 0.8**number, test_error=table["test_error"] * 0.9**number
            )
            for number in range(11)
        ]
        table = pd.concat(parts, ignore_index=True)
    if "mask_accuracy" in columns and "round" not in columns:
        table["mask_accuracy"] = np.round(rng.uniform(0.3, 1.0, len(table)), 2)
    if "order" in columns:  # facts with several rows for each trial
        table = pd.concat([table.assign(order=order) for order in (3, 4)], ignore_index=True)
    return table[[column for column in dict.fromkeys(columns) if column in table]]


def _mix(share):
    return [0.5, 0.2, 0.1, 0.1, 0.1] if share is None else [share, *[(1 - share) / 4] * 4]


def _iterates(table, rng):
    """Give each trial nine iterates whose error falls or, in some, does not."""
    n = len(table)
    at = np.concatenate([np.zeros((n, 1)), np.cumsum(rng.integers(1, 60, (n, 8)), axis=1)], axis=1)
    power = np.where(rng.random(n) < 0.8, rng.uniform(0.2, 1.2, n), -0.1)[:, None]
    rows = table.loc[table.index.repeat(9)].reset_index(drop=True)
    seconds = (at * rng.lognormal(-3, 0.2, (n, 1))).ravel()
    return rows.assign(
        iteration=at.astype(int).ravel(),
        error=(10.0 ** (-power * np.arange(9))).ravel(),
        seconds=seconds,
        cpu_seconds=seconds,
    )
