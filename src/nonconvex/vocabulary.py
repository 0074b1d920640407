"""The thesis's symbols and the short words that go with them on axes, in footers and on the page."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Word:
    """A parameter's name in plain words and, where the thesis has one, its symbol in mathtext.

    A value that is an identifier has an entry of its own, such as ``noise_kind=circular``, and so has what
    goes before a symbol that alone could mean something else, such as ``distance, briefly``.
    """

    words: str
    math: str = ""


WORDS = {
    "n_channels": Word("number of channels", "n_c"),
    "n_samples": Word("number of samples", "n"),
    "n1": Word("rows of each Hankel matrix", "n_1"),
    "mode": Word("mode of missing data"),
    "p": Word("fraction of entries observed", "p"),
    "missing_mode": Word("mode of missing data"),
    "bad_mode": Word("mode of bad data"),
    "loss": Word("share of entries lost"),
    "bad": Word("share of entries corrupted"),
    "angle": Word("angles of the outliers"),
    "rank": Word("rank", "r"),
    "amplitude_exponent": Word("spread of the amplitudes, in decades"),
    "first_factor": Word("factor on the first sinusoid"),
    "incoherence": Word("incoherence", r"\mu"),
    "beta": Word("heavy-ball weight", r"\beta"),
    "noise_kind": Word("kind of noise"),
    "noise_kind=circular": Word("circular complex"),
    "noise": Word("relative noise level", r"\sigma/E_x"),
    "loss_percent": Word("data loss in per cent", "100(1-p)"),
    "event_time": Word("time of the event, in seconds"),
    "n_neurons": Word("number of neurons", "K"),
    "n_patches": Word("number of patches", "M"),
    "patch_size": Word("dimension of the patches", "d"),
    "n_features": Word("dimension of the features", "d"),
    "n_inputs": Word("dimension of the inputs", "p"),
    "samples_ratio": Word("samples per unknown weight", "N/Kd"),
    "n_labelled": Word("number of labelled nodes", r"|\Omega|"),
    "graph": Word("graph"),
    "degree": Word("degree of the graph", r"\delta"),
    "average_degree": Word("average degree over degree", r"\delta_{ave}/\delta"),
    "n_nodes": Word("number of nodes"),
    "nodes_ratio": Word("nodes per labelled node"),
    "sign": Word("output weights", "v_j"),
    "iteration": Word("iterations"),
}

_MODES = {1: "single entries", 2: "whole instants", 3: "runs in half of channels"}


def word(name: str, words: Mapping[str, Sequence[str]] = {}) -> Word:
    """Look a parameter up; one without an entry is named by its identifier.

    Parameters
    ----------
    name : str
    words : mapping of str to sequence of str
        Plain words and symbol of parameters that mean something else here than in `WORDS`.

    Returns
    -------
    Word
    """
    if name in words:
        return Word(*words[name])
    return WORDS.get(name, Word(str(name).replace("_", " ")))


def words_of(plan: Mapping[str, Any]) -> dict[str, Sequence[str]]:
    """Merge the words that the experiments of a figure's plan bring along; the first to name one has it."""
    merged: dict[str, Sequence[str]] = {}
    for experiment in plan["experiments"].values():
        merged = {**experiment.get("words", {}), **merged}
    return merged


def ordered(names: Iterable[str]) -> list[str]:
    """Sort parameters as this list has them; those without an entry follow by name."""
    known = list(WORDS)
    return sorted(names, key=lambda name: (known.index(name) if name in WORDS else len(known), name))


def axis_label(name: str, words: Mapping[str, Sequence[str]] = {}) -> str:
    """Label an axis: the words, then the symbol, such as ``rank, r`` with r in italics."""
    one = word(name, words)
    return f"{one.words}, ${one.math}$" if one.math else one.words


def symbol(name: str, words: Mapping[str, Sequence[str]] = {}) -> str:
    """Name a parameter as briefly as possible in a figure: its symbol, or else its words."""
    one = word(name, words)
    return f"${one.math}$" if one.math else one.words


def brief(name: str, words: Mapping[str, Sequence[str]] = {}) -> str:
    """Name a parameter where nothing around says what its symbol means: few words before it, if any."""
    entry = f"{name}, briefly"
    if entry not in WORDS and entry not in words:
        return symbol(name, words)
    one = word(entry, words)
    return f"{one.words} ${one.math}$"


def value_text(name: str, value: object, words: Mapping[str, Sequence[str]] = {}) -> str:
    """Write a parameter's value for a reader: a number, several, or the words for an identifier."""
    if isinstance(value, list | tuple):
        return ", ".join(value_text(name, one, words) for one in value)
    if not isinstance(value, str):
        return number(value)
    entry = f"{name}={value}"
    return word(entry, words).words if entry in WORDS or entry in words else value.replace("_", " ")


_IDLE = {"bad": ("bad_mode", "angle"), "loss": ("missing_mode",), "noise": ("noise_kind",)}


def idle(name: str, parameters: Mapping[str, object]) -> bool:
    """Tell whether a parameter says nothing beside another that is 0: the mode of bad data where none are."""
    return any(parameters.get(other) == 0 and name in names for other, names in _IDLE.items())


def mode_title(mode: object) -> str:
    """Title a panel by its mode of missing data."""
    return f"Mode {mode}: {_MODES[mode]}" if mode in _MODES else f"Mode {mode}"


def power_of_ten(value: float) -> str:
    """Write a number as a power of ten where it is one, such as ``1e-6``; else as `number` does."""
    exponent = math.log10(value) if value > 0 else 0.5
    return f"$10^{{{round(exponent)}}}$" if abs(exponent - round(exponent)) < 1e-9 else number(value)


def number(value: object) -> str:
    """Write a number for a reader: at most four significant digits, no trailing zeros."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:d}" if isinstance(value, int) else f"{value:.4g}"


BELOW_ONE = 1 - 1e-9
"""Errors below it are below 1, which is the error of zeros, whatever rounding made of that."""
