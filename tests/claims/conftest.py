import numpy as np
import pandas as pd
import pytest

from nonconvex.claims.check import read_claims

PREVIEW = {"p": np.arange(2, 10) * 5 / 100, "rank": [1, 2, 3, 4, 6, 8, 10, 13, 16]}
PREVIEW_MODE3 = {"p": np.arange(11, 20) * 5 / 100, "rank": list(range(2, 21, 2))}
THESIS = {"p": np.arange(1, 10) * 5 / 100, "rank": list(range(1, 56, 3))}
THESIS_MODE3 = {"p": np.arange(11, 20) * 5 / 100, "rank": list(range(2, 41, 2))}
ALGORITHMS = ["am_fiht_beta0", "am_fiht", "ram_fiht"]


def _experiment(name, grid, trials, seed, differs):
    return {
        "experiment": name,
        "scale": "thesis" if not differs else "preview",
        "axes": ["p", "rank"],
        "parameters": {axis: [float(v) for v in values] for axis, values in grid.items()},
        "algorithms": {algorithm: {"trials": trials} for algorithm in ALGORITHMS},
        "trials": trials,
        "seed": seed,
        "differs": differs,
    }


def _table(grid, trials, slopes, rng, share=1.0):
    """Outcomes whose threshold rank is share x slope x p; failures blow up where they are far from it."""
    rows = []
    for p in grid["p"]:
        for rank in grid["rank"]:
            luck = rng.standard_normal(trials)
            for algorithm in ALGORITHMS:
                threshold = share * slopes[algorithm] * p
                own = luck + 0.5 * rng.standard_normal(trials)
                margin = (threshold - rank) / (0.4 + 0.08 * threshold) + own
                for trial in range(trials):
                    success = margin[trial] > 0
                    status = (
                        "converged" if success else "diverged" if margin[trial] < -0.7 else "iteration limit"
                    )
                    error = 1e-6 if success else float("inf") if status == "diverged" else 0.3
                    rows.append((algorithm, float(p), rank, trial, status, bool(success), error, error, 40))
    columns = [
        "algorithm",
        "p",
        "rank",
        "trial",
        "status",
        "success",
        "error",
        "observed_error",
        "iterations",
    ]
    return pd.DataFrame(rows, columns=columns)


def _of_chapter(number):
    """Return a fixture: all claims of a chapter."""

    @pytest.fixture(scope="session", name=f"chapter{number}")
    def chapter(pytestconfig):
        return read_claims([pytestconfig.rootpath / "workflow" / "claims" / f"chapter{number}.yaml"])

    return chapter


chapter2, chapter3, chapter4, chapter5, chapter6, chapter7 = map(_of_chapter, range(2, 8))


@pytest.fixture(scope="session")
def claims(chapter2):
    """The claims about the phase transitions."""
    return [claim for claim in chapter2 if claim["id"] <= "C004"]


@pytest.fixture(scope="session")
def plan_and_tables(claims):
    """Make a plan and its tables: `slopes` (of threshold rank in p) by mode, or one for all modes."""

    def make(slopes, trials, *, preview=False, seed=2021, differs=(), start=0):
        grids = [PREVIEW, PREVIEW, PREVIEW_MODE3] if preview else [THESIS, THESIS, THESIS_MODE3]
        experiments, tables = {}, {}
        # In mode 3 the fractions are two to ten times as large, and the ranks are not.
        shares = [1, 1, 0.25] if preview else [1, 1, 0.5]
        for mode, grid in enumerate(grids, start=1):
            name = f"phase_mode{mode}"
            chosen = slopes.get(mode, slopes) if isinstance(next(iter(slopes)), int) else slopes
            experiments[name] = _experiment(name, grid, trials, seed, list(differs))
            tables[name] = _table(
                grid, trials, chosen, np.random.default_rng([start, mode]), shares[mode - 1]
            )
        plan = {"scale": "preview" if preview else "thesis", "claims": claims, "experiments": experiments}
        return plan, tables

    return make


@pytest.fixture(scope="session")
def heavy_ball():
    return {"am_fiht_beta0": 36, "am_fiht": 54, "ram_fiht": 54}


@pytest.fixture(scope="session")
def thesis_case(plan_and_tables, heavy_ball):
    return plan_and_tables(heavy_ball, 100)
