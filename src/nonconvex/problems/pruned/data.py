"""Instances of pruned one-hidden-layer networks: supports, teacher and data (thesis, Section 6.4)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nonconvex.problems.contract import Data
from nonconvex.problems.redrawn import FIRST, check_first

STREAMS = {
    "truth": ("n_neurons", "n_features", "kept"),
    "supports": ("n_neurons", "n_features", "kept", "spread", "supports"),
    "inputs": ("n_features", "kept"),
    "noise": ("n_features", "kept"),
    "start": ("n_neurons", "n_features", "kept"),
}
"""Neither N, noise, start distance, pruning ratio nor kind of supports changes another draw."""

REDRAWN = ("inputs", "noise")
"""Bulky Gaussian draws: a dataset stores their first numbers only, and they are drawn again when needed."""

PLACES = ("kept", "all")
"""Which weights a start differs from W* in."""


@dataclass(frozen=True, eq=False)
class Instance:
    """One training problem with its teacher and its start point.

    Attributes
    ----------
    inputs : ndarray, shape (n_samples, n_features), float64
        x_n ~ N(0, I). Fewer samples are the first of more.
    outputs : ndarray, shape (n_samples,), float64
        y_n, noise included.
    mask : ndarray, shape (n_features, n_neurons), bool
        M*, True where a weight of the teacher is kept.
    truth : ndarray, shape (n_features, n_neurons), float64
        W*, its kept entries uniform on [-1/2, 1/2].
    start : ndarray, shape (n_features, n_neurons), float64
        W0, at an exact relative distance from W*.
    distance : float
        That distance.
    pruning_ratio : float
        1 - r_ave / d of the masks to be found; nan where none is asked for.
    """

    inputs: np.ndarray
    outputs: np.ndarray
    mask: np.ndarray
    truth: np.ndarray
    start: np.ndarray
    distance: float
    pruning_ratio: float


def check(cell: Mapping) -> None:
    """Raise ValueError when no instance of this cell can exist."""
    from nonconvex.networks.arguments import choice, number, positive_integer
    from nonconvex.networks.supports import check_sizes

    for name in ("n_neurons", "n_features", "n_samples", "kept"):
        positive_integer(name, cell[name])
    check_sizes(cell["n_features"], cell["n_neurons"], cell["kept"], cell.get("spread", 0), cell["supports"])
    choice("start_on", cell.get("start_on", PLACES[0]), PLACES)
    number("distance", cell["distance"], np.finfo(float).tiny)
    number("noise", cell.get("noise", 0), 0)
    if "truth_seed" in cell and (not isinstance(cell["truth_seed"], int) or cell["truth_seed"] < 0):
        raise ValueError(f"truth_seed must be a whole number from 0 on, got {cell['truth_seed']!r}")
    if "pruning_ratio" in cell:
        kept = round((1 - number("pruning_ratio", cell["pruning_ratio"], 0, 1)) * cell["n_features"])
        if kept < 1:
            raise ValueError(f"pruning_ratio = {cell['pruning_ratio']} leaves no weight")


def draw(cell: Mapping, streams: Mapping[str, np.random.Generator]) -> dict[str, np.ndarray]:
    """Draw what determines an instance.

    M*, W* and W0, (n_features, n_neurons) each, and the first numbers of inputs and noise, by which another
    random stream is told.
    """
    from nonconvex.networks.supports import draw_sizes, draw_supports, draw_uniform, start_at

    supports = _stream(cell, streams, "supports")
    sizes = draw_sizes(cell["kept"], cell.get("spread", 0), cell["n_neurons"], rng=supports)
    mask = draw_supports(cell["n_features"], sizes, cell["supports"], rng=supports)
    truth = draw_uniform(mask, rng=_stream(cell, streams, "truth"))
    where = None if cell.get("start_on") == "all" else mask
    return {
        "mask": mask,
        "truth": truth,
        "start": start_at(cell["distance"], truth, where, rng=streams["start"]),
        **{f"first_{name}": _stream(cell, streams, name).standard_normal(FIRST) for name in REDRAWN},
    }


def build(
    cell: Mapping, stored: Mapping[str, np.ndarray], streams: Mapping[str, np.random.Generator]
) -> Instance:
    """Rebuild an instance; ValueError where `REDRAWN` streams draw other numbers than for the dataset."""
    from nonconvex.networks.models.mean import mean_outputs

    n_samples, level = cell["n_samples"], float(cell.get("noise", 0.0))
    inputs = _stream(cell, streams, "inputs").standard_normal((n_samples, cell["n_features"]))
    normal = _stream(cell, streams, "noise").standard_normal(max(n_samples, FIRST))
    check_first("inputs", stored["first_inputs"], inputs.ravel())
    check_first("noise", stored["first_noise"], normal)
    clean = mean_outputs(inputs, stored["truth"])
    sigma = level * np.sqrt(np.mean(clean**2))  # E_y, a root mean square
    return Instance(
        inputs,
        clean + sigma * normal[:n_samples] if level else clean,
        stored["mask"],
        stored["truth"],
        stored["start"],
        float(cell["distance"]),
        float(cell.get("pruning_ratio", np.nan)),
    )


def _stream(cell: Mapping, streams: Mapping[str, np.random.Generator], name: str) -> np.random.Generator:
    """Return the stream `name`, or one that is the same in all trials where they have one truth and data."""
    if "truth_seed" not in cell:
        return streams[name]
    return np.random.default_rng([cell["truth_seed"], list(STREAMS).index(name)])


DATA = Data(check, draw, build, streams=STREAMS, redrawn=REDRAWN)
