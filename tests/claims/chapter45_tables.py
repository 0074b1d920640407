"""Made-up tables of Figures 4.2 to 5.9: as the thesis says, the opposite, and between the two."""

import numpy as np
import pandas as pd

from claims.chapter3_tables import experiment
from claims.network_tables import cells_of, curves, decades, errors, levels, lines, spread, starts
from claims.network_truths import BETWEEN, THESIS

SIZES = np.arange(10, 61, 10)
RATIOS = np.array([0.8, 0.9, 1, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.35, 1.4, 1.45, 1.5, 2, 3])
LONG_RATIOS = np.array([1, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.4, 1.5, 2])
NOISE = np.array([0, 0.01, 0.05, 0.1])
NOISY_RATIOS = np.array([0.33, 0.5, 0.67, 0.83, 1, 1.17, 1.33, 1.5, 2, 2.5, 3.3, 5, 10, 25])
NOISY_LABELS = np.array([100, 150, 200, 250, 300, 350, 400, 450, 600, 750, 1000, 1500, 2000])
PHASE_SIZES = np.arange(10, 31, 5)
PHASE_RATIOS = np.array([0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 2, 3])
PHASE_SAMPLES = np.array([2, 4, 6, 8, 10, 12, 14, 16, 20, 25, 30, 40, 50, 60]) * 100
STEPS = [
    f"{method}_{factor}{end}" for factor in (2, 3) for method in ("agd", "gd") for end in ("", "_printed")
]
KINDS_LABELS = np.arange(200, 361, 20)


def noisy(truth, unknowns):
    """Return a law of errors with noise, in the number of samples over `unknowns`."""

    def law(noise, **size):
        ratio = next(iter(size.values())) / unknowns
        low = ratio < 1.1
        clean = np.where(low, truth.low_error, truth.low_error / truth.drop)
        if truth.drop == 1.0:
            clean = clean * np.where(ratio < 0.45, 3, 1.0)
        far = truth.level * noise * np.maximum(ratio / 1.5, 1) ** truth.decay
        near = truth.noisy_drop * truth.level * noise
        if truth is THESIS:  # the error is high there whatever the noise is
            near = np.maximum(near, truth.low_error)
        return np.where(noise == 0, clean, np.where(low, near, far))

    return law


def _sizes_law(truth):
    """Return the threshold of AGD over Kd, by the law of the required samples in d."""
    if truth.by_size == "kink":
        return lambda d: np.where(d < 35, 1.45, 0.85)
    if truth.by_size == "censored":
        return lambda d: np.where(d > 45, 9.0, 1.2)
    return lambda d: np.full(np.shape(d), 1.2)


def world(truth=THESIS):
    """Return the experiments and their tables, of both chapters."""
    experiments, tables = {}, {}

    def add(name, axes, table, algorithms=None, **parameters):
        names = table["algorithm"].unique() if algorithms is None else algorithms
        made = experiment({}, names, int(table["trial"].max()) + 1)
        made |= {
            "axes": list(axes),
            "parameters": {axis: list(values) for axis, values in axes.items()} | parameters,
        }
        experiments[name], tables[name] = made, table

    for part in (_signs, _speeds, _samples, _noises, _steps, _graph_rates, _graph_samples):
        part(truth, add)
    return experiments, tables


def _signs(truth, add):
    axes = {"sign": np.array(["ones", "mixed"])}
    spread = 0.6 if truth is BETWEEN else 0.1
    rng = np.random.default_rng(1)
    decade = np.repeat([100, 100 * truth.mixed], 100) * np.exp(spread * rng.standard_normal(200))
    add("sign_curves", axes, curves(axes, 100, {"agd": (decade, np.repeat("converged", 200))}, 2))
    axes |= {"n_samples": np.arange(280, 601, 20)}
    place = lambda sign, n_samples: 400 + truth.mixed_shift * (sign == "mixed")  # noqa: E731
    add("sign_success", axes, lines(axes, 100, {"agd": place}, "n_samples", lambda **_: 15, 3))
    names = ["random_start", "tensor_start_v_known", "tensor_start_v_estimated", "tensor_start_printed"]
    add("tensor_start", *starts("n_samples", [200, 500, 2000, 20000], names, truth.starts))
    rng = np.random.default_rng(5)
    cells = cells_of({"neuron": np.arange(1, 4), "order": np.array([3, 4])}, 12)
    score = np.where(cells["order"] == 3, truth.third, -15) + np.tanh(rng.standard_normal(72))
    add("tensor_signal", {}, pd.DataFrame({**cells, "score": score}), [])


def _speeds(truth, add):
    for seed, (name, axis, values) in enumerate(
        [
            ("speed_neurons", "n_neurons", [2, 4, 6, 8]),
            ("speed_patches_d", "n_patches", [2, 5, 10, 15]),
            ("speed_patches_p", "n_patches", [2, 5, 10]),
        ],
        start=10,
    ):
        axes, ends = {axis: np.array(values)}, np.repeat("converged", 20 * len(values))
        middle = np.exp(np.log(values).mean())  # where the methods differ by `faster`
        drawn = {
            "agd": (100, truth.growth),
            "agd_theorem": (1000, truth.growth),
            "gd": (100 * truth.faster, truth.growth),
            "agd_scaled": (100 / middle ** (truth.by_km / 2), truth.by_km / 2),
            "gd_scaled": (100 * truth.faster / middle**truth.by_km, truth.by_km),
        }
        laws = {
            algorithm: (decades(values, scale, power, truth.spread, 20, seed + 5 * k), ends)
            for k, (algorithm, (scale, power)) in enumerate(drawn.items())
        }
        bend = truth.bend if truth.bent == 1 else 1.0
        add(name, axes, curves(axes, 20, laws, seed, bend))


def _samples(truth, add):
    law, width = _sizes_law(truth), lambda **_: 0.04
    places = {
        "agd": lambda patch_size, samples_ratio: law(patch_size),
        "gd": lambda patch_size, samples_ratio: 1.2 + truth.region,
    }
    axes = {"patch_size": SIZES, "samples_ratio": RATIOS}
    add("samples_dimension", axes, lines(axes, 100, {"agd": places["agd"]}, "samples_ratio", width, 20))
    pair = places | {"agd": lambda patch_size, samples_ratio: 1.2}
    add("region", axes, lines(axes, 100, pair, "samples_ratio", width, 21))
    axes = {"patch_size": np.array([10, 20, 40, 60]), "samples_ratio": LONG_RATIOS}
    add("region_long", axes, lines(axes, 20, pair, "samples_ratio", width, 22))
    axes = {"n_neurons": np.arange(1, 9), "n_samples": np.arange(20, 201, 10)}
    start = 22 if truth.by_neurons == 1 else 120
    place = lambda n_neurons, n_samples: start * n_neurons**truth.by_neurons  # noqa: E731
    add("samples_neurons", axes, lines(axes, 100, {"agd": place}, "n_samples", lambda **_: 12, 23))


def _noises(truth, add):
    axes = {"noise": NOISE, "samples_ratio": NOISY_RATIOS}
    add("noise_samples", axes, errors(axes, 100, noisy(truth, 1), ["agd"], 30))
    axes = {"noise": NOISE, "n_labelled": NOISY_LABELS}
    table = errors(axes, 100, noisy(truth, 300), ["agd"], 31)
    clean = (table["noise"] == 0) & (table["n_labelled"] >= 600)
    table.loc[clean, "success"] = spread(table.loc[clean, "trial"], 100) < 100 * truth.accurate
    add("graph_noise", axes, table, n_neurons=5, n_features=60)
    axes = {"patch_size": PHASE_SIZES, "samples_ratio": PHASE_RATIOS}
    place = lambda patch_size, samples_ratio: 26 / patch_size if truth.by_patch < 0 else 1.2  # noqa: E731
    add("noise_phase_0", axes, lines(axes, 100, {"agd": place}, "samples_ratio", lambda **_: 0.03, 32))
    axes = {"noise": NOISE[1:], "patch_size": PHASE_SIZES, "n_samples": PHASE_SAMPLES}

    def needed(noise, patch_size, n_samples):
        step = np.searchsorted(NOISE[1:], noise)
        return 1200 * (patch_size / 20) ** truth.by_patch * (1 + truth.by_noise) ** step

    add("noise_phase", axes, lines(axes, 100, {"agd": needed}, "n_samples", lambda **_: 120, 33))


def _steps(truth, add):
    rng = np.random.default_rng(40)
    luck = rng.standard_normal(100)
    ends = dict.fromkeys(STEPS, np.repeat("diverged", 100))
    ends |= dict.fromkeys(["agd_2", "gd_2"], np.repeat("converged", 100))
    order = spread(np.arange(100), 100)
    ends["agd_3"] = np.where(order < 100 * truth.agd_ends, "converged", "iteration limit")
    ends["gd_3"] = np.where(order < 100 * truth.gd_diverges, "diverged", "converged")
    if truth is BETWEEN:
        for name in ("gd_3", "agd_3"):
            ends[f"{name}_printed"] = ends[name]
    laws = {}
    for name in STEPS:
        decade = 80 * (truth.faster if name.startswith("gd") else 1) * np.exp(0.2 * luck)
        laws[name] = (decade * np.exp(0.2 * rng.standard_normal(100)), ends[name])
    add("step_sizes", {}, curves({}, 100, laws, 41, truth.bend, truth.bent, target=1e-6))
    add("cnn_levels", {}, levels(100, {"agd": (50, 1.0, 0), "gd": (50 * truth.faster, 1.0, 0)}, {}, 42))


def _graph_rates(truth, add):
    axes, neurons = {"n_neurons": np.arange(1, 9)}, np.repeat(np.arange(1.0, 9.0), 20)
    rng = np.random.default_rng(50)
    law = {"inverse sqrt": 0.99 - 0.2 / np.sqrt(neurons), "inverse square": 0.99 - 0.2 / neurons**2}
    rate = law.get(truth.rate, law["inverse sqrt"])
    spread = 0.03 if truth.rate == "noise" else 0.001
    laws = {}
    for name in ("agd", "agd_beta0", "agd_beta03", "agd_theorem", "agd_curvature"):
        decade = -1 / np.log10(np.minimum(rate + spread * rng.standard_normal(160), 0.999))
        # Three trials in ten do not get there where the truth is between.
        laws[name] = (
            decade,
            np.where((truth is BETWEEN) & (rng.random(160) < 0.3), "iteration limit", "converged"),
        )
    bend = truth.bend if truth.bent == 1 else 1.0
    add("graph_neurons", axes, curves(axes, 20, laws, 51, bend, target=1e-6))
    counts = {"agd": (50, truth.bend, truth.bent), "gd": (50 * truth.faster, truth.bend, truth.bent)}
    counts["theorem"] = (900, 1.0, 0)
    add("graph_levels", {}, levels(100, counts, {"theorem": truth.theorem}, 52))


def _graph_samples(truth, add):
    width = lambda **_: 12  # noqa: E731
    degrees, averages = np.arange(2, 17, 2), np.arange(1, 6) / 5
    grids = [("labels_dimension", "n_features", np.arange(10, 61, 10), np.arange(50, 901, 50), ["agd"])]
    for end in ("", "_n2"):
        grids.append((f"labels_degree{end}", "degree", degrees, np.arange(200, 801, 50), ["agd"]))
        names = ["common", "row_norm"]
        grids.append(
            (f"labels_average_degree{end}", "average_degree", averages, np.arange(200, 601, 20), names)
        )
    slow = lambda **_: 40 if truth is BETWEEN else 12  # noqa: E731
    for seed, (name, axis, values, labels, algorithms) in enumerate(grids, start=60):
        axes = {axis: values, "n_labelled": labels}
        start = 500 if truth.labels < 1 else 240

        def place(n_labelled, axis=axis, ends=(values[0], values[-1]), start=start, **cell):
            return start * (1 + (truth.labels - 1) * (cell[axis] - ends[0]) / (ends[1] - ends[0]))

        wide = (lambda **_: 30) if axis == "n_features" else slow
        add(name, axes, lines(axes, 100, dict.fromkeys(algorithms, place), "n_labelled", wide, seed))
    for seed, end in enumerate(("", "_n1", "_n2"), start=70):
        axes = {"graph": np.array(["cycle", "grid", "regular"]), "n_labelled": KINDS_LABELS}
        place = lambda graph, n_labelled: 270 + truth.kinds * (graph == "grid")  # noqa: E731
        add(f"graph_kinds{end}", axes, lines(axes, 100, {"agd": place}, "n_labelled", width, seed))
    axes = {"graph": np.array(["cycle", "grid", "regular", "bounded"])}
    add("sigma_one", axes, pd.DataFrame(cells_of(axes, 10)).assign(largest_singular_value=truth.sigma), [])
    axes = {"n_labelled": np.array([500, 1000, 2000, 3000, 5000, 8000])}
    names = [f"iterations_{number}" for number in (500, 1500, 6000)]
    law = lambda n_labelled: 0.3 * (n_labelled / 500) ** truth.distance  # noqa: E731
    add("classification", axes, errors(axes, 100, law, names, 80))
    axes = {"n_labelled": np.array([3000, 12000, 20000, 32000, 64000])}
    add("classification_critical", axes, errors(axes, 100, law, ["critical"], 81))
    axes, ends = {"n_labelled": np.array([12000, 32000])}, np.repeat("converged", 40)
    laws = {"agd": (np.full(40, 100), ends)}
    add("classification_curves", axes, curves(axes, 20, laws, 82, truth.bend, truth.bent, target=1e-6))
    axes = {"n_nodes": np.array([100, 2500, 10000])}
    cells = cells_of(axes, 1)
    degree = 4 - truth.edge / np.sqrt(cells["n_nodes"])
    add("grid_degree", axes, pd.DataFrame(cells).assign(mean_degree=degree), [])
    names = ["random_start", "tensor_start", "tensor_start_printed"]
    add("graph_tensor_start", *starts("n_labelled", [500, 3000, 30000], names, truth.starts))
