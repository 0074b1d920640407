"""Small claims about one made-up experiment, and their ledgers."""

import numpy as np
import pandas as pd

from nonconvex.claims.ledger import judge

X = [0.1, 0.2, 0.3]
SHARE = {"quantity": "share", "of": "a", "condition": "recovered", "holds": "> 0.5", "fails": "< 0.5"}


def experiment(trials=100, seed=2021, differs=(), algorithms=("a", "b")):
    return {
        "axes": ["x"],
        "parameters": {"x": X, "size": 5},
        "algorithms": {name: {"trials": trials} for name in algorithms},
        "trials": trials,
        "seed": seed,
        "differs": list(differs),
    }


def table(success, trials=100, algorithms=("a", "b")):
    """Outcomes at all cells alike; `success`: algorithm -> marks of the trials, or of each cell's."""
    rows = []
    for name in algorithms:
        marks = np.broadcast_to(np.asarray(success.get(name, np.zeros(trials)), dtype=bool), (len(X), trials))
        for k, x in enumerate(X):
            for trial in range(trials):
                won = bool(marks[k, trial])
                rows.append(
                    (name, x, trial, "converged" if won else "iteration limit", won, 1e-6 if won else 0.3, 40)
                )
    columns = ["algorithm", "x", "trial", "status", "success", "error", "iterations"]
    return pd.DataFrame(rows, columns=columns)


def claim(name="C900", parts=None, readings=None, **more):
    entries = parts or {"one": {}}
    return {
        "id": name,
        "place": "here",
        "line": 7,
        "statement": "so",
        "figures": ["9.1"],
        "trials": 100,
        "seed": 2021,
        "combine": "every",
        "judge": SHARE,
        "parts": {key: {"experiment": "made", "figure": "9.1", **entry} for key, entry in entries.items()},
        "readings": readings or {"plain": {"means": "as written"}},
        **more,
    }


def ledger(*claims, tables=None, experiments=None, scale="thesis", **more):
    plan = {
        "scale": scale,
        "claims": list(claims),
        "experiments": experiments or {"made": experiment()},
        **more,
    }
    return judge(plan, tables)


def overall(found):
    return found[found["row"] == "claim"].set_index("claim")


def parts(found):
    return found[found["row"] == "part"].set_index("part")


def first(number, trials=100):
    """Success in the first so many trials."""
    return np.arange(trials) < number


def each(*pattern, trials=100):
    """Success in a pattern that comes again and again."""
    return np.resize(np.array(pattern, dtype=bool), trials)
