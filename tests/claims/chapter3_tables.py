"""Made-up tables of Figures 3.3 to 3.10: as the thesis says, the opposite, and between the two."""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

LOSSES = np.arange(1, 10) / 10
BAD = {"m1b1": np.arange(1, 10) / 20, "m2b2": np.arange(1, 10) / 20, "m2b3": np.arange(1, 10) * 3 / 100}
SAP_BAD = np.arange(1, 11) * 3 / 100
RANKS = np.arange(1, 34, 4)
SIZES = np.arange(2000, 8001, 1000)
FACTORS = np.array([1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0])
NEEDED = np.array([0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.2, 0.25, 0.3])
CHANNELS = np.array([1, 2, 4, 8, 16, 32])
MODES = ["m1b1", "m2b1", "m1b2", "m2b2", "m2b3"]


@dataclass
class Truth:
    """What is true in a world. Limits are shares of bad data, gains are factors of SAP's limit."""

    shift: dict = field(default_factory=dict)  # of SAP's line, by mode
    quadrant: float = 0.005
    full_size: float = 1.0
    matrix: float = 0.0
    sap_loss: float = 0.85  # what SAP recovers up to
    r_rmc: float = 0.93
    r_rmc_run: float = 0.3  # under M2xB3
    matrix_gain: float = 0.0
    hankel_gain: dict = field(default_factory=dict)
    admm_loss: float = 0.35
    admm_free_loss: float = 0.35
    common_luck: bool = False
    sap_cost: tuple = (2.5e-3, 1.0, 60)  # seconds per n^a, a, iterations
    r_rmc_cost: tuple = (2e-5, 2.0, 25)
    r_rmc_speed_up: float = 0.07
    admm_cost: tuple = (2e-7, 3.0, 300)
    admm_95: int = 0  # successes of the runs at 95 % loss
    channels: float = 1.0  # exponent of the number of channels
    am_shift: float = 0.0
    am_per_factor: float = 0.06
    sap_per_factor: float = 0.0


THESIS = Truth()
OPPOSITE = Truth(
    shift={"m2b1": 0.05, "m1b2": 0.1, "m2b2": 0.15},
    quadrant=-0.06,
    full_size=0.0,
    matrix=1.0,
    sap_loss=0.75,
    r_rmc=1.4,
    r_rmc_run=1.4,
    matrix_gain=1.5,
    admm_loss=0.75,
    admm_free_loss=0.75,
    sap_cost=(2e-7, 3.0, 3000),
    r_rmc_cost=(1e-4, 1.0, 5),
    r_rmc_speed_up=2.0,
    admm_cost=(1e-7, 1.0, 5),
    admm_95=12,
    channels=2.0,
    am_shift=-0.04,
    am_per_factor=0.0,
    sap_per_factor=0.03,
)
BETWEEN = Truth(
    shift={"m2b2": 0.0165, "m2b1": 0.008, "m1b2": 0.008},
    quadrant=0.0165,
    full_size=0.7,
    matrix=0.1,
    r_rmc=1.0,
    r_rmc_run=0.72,
    matrix_gain=0.55,
    admm_loss=0.55,
    admm_free_loss=0.55,
    common_luck=True,
    sap_cost=(1e-5, 2.0, 60),
    r_rmc_cost=(2e-5, 2.0, 60),
    r_rmc_speed_up=0.5,
    admm_cost=(2e-5, 2.0, 60),
    admm_95=6,
    channels=1.2,
    am_shift=0.0095,
    am_per_factor=0.0035,
    sap_per_factor=0.002,
)


def outcomes(axes, trials, laws, seed, common=False, alike=False):
    """Make a table; `laws`: algorithm -> distance inside its limit, in widths (or that and its trials).

    `common`: a method's own luck is that of a trial in all cells. `alike`: along the last axis an instance is
    the same.
    """
    rng = np.random.default_rng(seed)
    mesh = np.meshgrid(*axes.values(), range(trials), indexing="ij")
    cells = dict(zip([*axes, "trial"], (part.ravel() for part in mesh), strict=True))
    n = len(cells["trial"])
    luck = rng.logistic(size=n)
    if alike:
        luck = np.broadcast_to(luck.reshape(mesh[0].shape)[..., :1, :], mesh[0].shape).ravel()
    parts = []
    for name, law in laws.items():
        law, number = law if isinstance(law, tuple) else (law, trials)
        own = 8 * rng.logistic(size=trials)[cells["trial"]] if common else rng.logistic(size=n)
        inside = law(**{axis: cells[axis] for axis in axes})
        success = inside + 0.7 * luck + 0.5 * own > 0
        part = pd.DataFrame({"algorithm": name, **cells, "status": "converged", "success": success})
        error = np.where(success, 1e-3, 0.5)
        part = part.assign(error=error, observed_error=error, corrupted_error=error, iterations=60)
        parts.append(part[part["trial"] < number])
    return pd.concat(parts, ignore_index=True)


def shares(axes, trials, share, names, seed):
    """Make a table in which the same trials of each cell succeed, as many as `share` says."""
    number = round(share * trials)
    laws = {name: lambda **cells: np.zeros(len(next(iter(cells.values())))) for name in names}
    table = outcomes(axes, trials, laws, seed)
    success = table["trial"] * 7 % trials < number
    return table.assign(success=success, error=np.where(success, 1e-3, 0.5))


def timed(sizes, trials, laws, seed, good_95=None):
    """Make a table of running times; `laws`: name -> (scale, exponent, iterations, factor at 95 % loss)."""
    rng = np.random.default_rng(seed)
    loss, n, trial = (a.ravel() for a in np.meshgrid([0.5, 0.95], sizes, range(trials), indexing="ij"))
    success = np.ones(len(n), dtype=bool)
    if good_95 is not None:
        success[loss > 0.9] = np.arange((loss > 0.9).sum()) < good_95
    parts = []
    for name, (scale, exponent, iterations, factor) in laws.items():
        seconds = scale * n.astype(float) ** exponent * np.where(loss > 0.9, factor, 0.5)
        seconds = seconds * np.exp(0.05 * rng.standard_normal(len(n)))
        part = {"algorithm": name, "loss": loss, "n_samples": n, "trial": trial}
        part |= {"status": np.where(success, "converged", "iteration limit"), "success": success}
        part |= {"error": np.where(success, 1e-3, 0.9), "iterations": iterations}
        parts.append(pd.DataFrame({**part, "seconds": seconds, "cpu_seconds": seconds}))
    return pd.concat(parts, ignore_index=True)


def by_channels(channels, trials, exponent, names, seed):
    """Make a table of running times of one method against the number of channels."""
    rng = np.random.default_rng(seed)
    n, trial = (a.ravel() for a in np.meshgrid(channels, range(trials), indexing="ij"))
    seconds = 0.1 * n.astype(float) ** exponent * np.exp(0.05 * rng.standard_normal(len(n)))
    made = {"n_channels": n, "trial": trial, "status": "converged", "success": True, "error": 1e-3}
    made |= {"iterations": 60, "seconds": seconds}
    return pd.concat([pd.DataFrame({"algorithm": name, **made}) for name in names], ignore_index=True)


def experiment(axes, algorithms, trials):
    parameters = {axis: [float(level) for level in levels] for axis, levels in axes.items()}
    return {"scale": "thesis", "axes": list(axes), "parameters": parameters, "trials": trials,
            "algorithms": {name: {} for name in algorithms}, "seed": 2021, "differs": []}  # fmt: skip


def _methods(mode, truth):
    run = mode == "m2b3"
    limit = 0.25 if run else 0.4

    def sap(loss, bad, gain=1.0):
        inside = (gain * limit * (1 - loss**2) - bad) / 0.015
        return np.where(loss < truth.sap_loss, inside, -40.0)

    def up_to(most):
        return lambda loss, bad: np.where((loss < most) & (bad < 0.2), 40.0, -40.0), 10

    rmc = truth.r_rmc_run if run else truth.r_rmc
    laws = {"sap": sap}
    laws |= dict.fromkeys(["r_rmc_h", "r_rmc_h_mu3"], lambda loss, bad: sap(loss, bad, rmc))
    laws |= {"admm_released_h": up_to(truth.admm_loss), "admm_free_h": up_to(truth.admm_free_loss)}
    if mode == "m1b1":
        on_matrix = ["r_rmc_x", "r_rmc_x_mu3", "admm_released_x", "admm_free_x"]
        laws |= dict.fromkeys(on_matrix, lambda loss, bad: sap(loss, bad, truth.matrix_gain))
    return laws


def world(truth=THESIS):
    """Return the experiments and their tables."""
    experiments, tables = {}, {}

    def add(name, axes, table):
        trials = int(table["trial"].max()) + 1
        experiments[name], tables[name] = experiment(axes, table["algorithm"].unique(), trials), table

    for seed, (mode, bad) in enumerate(BAD.items()):
        axes = {"loss": LOSSES, "bad": bad}
        table = outcomes(axes, 100, _methods(mode, truth), seed, truth.common_luck)
        add(f"methods_{mode}", axes, table)
    for seed, mode in enumerate(MODES, start=10):
        axes = {"bad": SAP_BAD[:7] if mode == "m2b3" else SAP_BAD, "rank": RANKS}
        start = 0.26 - truth.shift.get(mode, 0.06 if mode == "m2b3" else 0.0)
        for name, top in ((f"sap_{mode}", start), (f"quadrant_{mode}", start - truth.quadrant)):
            law = {"sap": lambda bad, rank, top=top: (top - 0.006 * rank - bad) / 0.008}
            add(name, axes, outcomes(axes, 100, law, seed))
    on_matrix = ["r_rmc_x", "r_rmc_x_mu3", "admm_released_x", "admm_free_x"]
    for mode in ("m2b2", "m2b3"):
        axes = {"bad": np.array([0.05])}
        add(f"matrix_{mode}", axes, shares(axes, 20, truth.matrix, on_matrix, 20))
    axes = {"bad": np.array([0.09])}
    add("full_size_sap", axes, shares(axes, 20, truth.full_size, ["sap"], 22))
    rmc, admm = (*truth.r_rmc_cost, truth.r_rmc_speed_up), (*truth.admm_cost, 0.5)
    for seed, (name, sizes, trials, laws, good_95) in enumerate(
        [
            ("sap", SIZES, 10, {"sap": (*truth.sap_cost, 0.5)}, None),
            ("r_rmc", SIZES, 3, {"r_rmc_h": rmc, "r_rmc_h_mu3": rmc}, None),
            ("admm", SIZES[:3], 4, {"admm_released_h": admm, "admm_free_h": admm}, truth.admm_95),
        ],
        start=30,
    ):
        axes = {"loss": np.array([0.5, 0.95]), "n_samples": sizes}
        add(f"growth_{name}", axes, timed(sizes, trials, laws, seed, good_95))

    def needs(shift, per_factor):
        return lambda loss, first_factor: (0.9 - loss - shift - per_factor * np.log(first_factor)) / 0.012

    axes = {"loss": np.sort(1 - NEEDED), "first_factor": FACTORS}
    am = needs(truth.am_shift, truth.am_per_factor)
    laws = {"sap": needs(0.0, truth.sap_per_factor), "am_fiht": am, "am_fiht_beta0": am}
    add("conditioning", axes, outcomes(axes, 100, laws, 41, alike=True))
    # The name of the method in the table may be either.
    names = ["sap", "sap_channels"]
    axes = {"n_channels": CHANNELS}
    add("growth_channels", axes, by_channels(CHANNELS, 10, truth.channels, names, 43))
    axes = {"bad": np.array([0.06, 0.12, 0.18, 0.24, 0.3]), "rank": np.array([1, 5, 9, 17])}
    limits = {"sap": (0.2, 0.27), "sap_c2": (0.27, 0.27), "sap_c3": (0.27, 0.2)}  # at rank 1, and above
    laws = {
        name: lambda bad, rank, one=one, more=more: (np.where(rank == 1, one, more) - bad) / 0.01
        for name, (one, more) in limits.items()
    }
    add("threshold_scale", axes, outcomes(axes, 20, laws, 42))
    return experiments, tables
