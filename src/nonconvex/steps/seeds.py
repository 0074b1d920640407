"""Random streams: every stream is named by what it depends on, never by a position."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from nonconvex.canonical import decimal_text


def stream_path(seed: int, dataset: str, values: Mapping[str, Any], trial: int | str, stream: str) -> str:
    """Return the text that names one random stream.

    Parameters
    ----------
    seed : int
        Root seed of the study.
    dataset : str
        Name of the dataset family's realisation; experiments with one dataset name share instances.
    values : mapping
        The cell values this stream depends on; their order does not matter.
    trial : int
        Number of the trial, from 0.
    stream : str
        Name of the stream: truth, inputs, mask, corruption, noise, start or graph.
    """
    cell = ",".join(f"{name}={decimal_text(values[name])}" for name in sorted(values))
    return f"seed={seed}|dataset={dataset}|{cell}|trial={trial}|stream={stream}"


def generator(path: str) -> np.random.Generator:
    """Return the generator of the stream named `path` (PCG64 on a SeedSequence of the path's sha256)."""
    entropy = int.from_bytes(hashlib.sha256(path.encode()).digest(), "big")
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy)))


def stream_paths(
    seed: int,
    dataset: str,
    cell: Mapping[str, Any],
    depends: Mapping[str, Iterable[str]],
    trial: int | str,
) -> dict[str, str]:
    """Return the path of each stream of a trial; the trial ``"*"`` stands for any.

    `depends` maps a stream's name to the names of the cell values it depends on; names that the cell does
    not have are left out.
    """
    paths = {}
    for stream, names in depends.items():
        values = {name: cell[name] for name in names if name in cell}
        paths[stream] = stream_path(seed, dataset, values, trial, stream)
    return paths


def fingerprint(seed: int) -> str:
    """Return a short text that changes when this numpy draws other numbers than another one did.

    It covers the kinds of draws the datasets use: uniform, normal, integer, choice and permutation.
    """
    rng = generator(f"seed={seed}|fingerprint")
    drawn = [
        rng.random(4),
        rng.standard_normal(4),
        rng.integers(0, 1 << 30, 4),
        rng.choice(100, 4, replace=False),
        rng.permutation(8),
        rng.uniform(1.0, 5.0, 4),
    ]
    text = ";".join(",".join(repr(value) for value in part.tolist()) for part in drawn)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
