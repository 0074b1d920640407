"""The thesis's symbols and the short words that go with them on axes, in footers and on the page."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Word:
    """A parameter's name in plain words and, where the thesis has one, its symbol in mathtext."""

    words: str
    math: str = ""


WORDS = {
    "n_channels": Word("number of channels", "n_c"),
    "n_samples": Word("number of samples", "n"),
    "n1": Word("rows of each Hankel matrix", "n_1"),
    "mode": Word("mode of missing data"),
    "p": Word("fraction of entries observed", "p"),
    "loss": Word("share of entries lost"),
    "rank": Word("rank", "r"),
    "amplitude_exponent": Word("spread of the amplitudes, in decades"),
    "incoherence": Word("incoherence", r"\mu"),
    "beta": Word("heavy-ball weight", r"\beta"),
    "noise": Word("relative noise level", r"\sigma/E_x"),
    "loss_percent": Word("data loss in per cent", "100(1-p)"),
    "event_time": Word("time of the event, in seconds"),
}

_MODES = {1: "single entries", 2: "whole instants", 3: "runs in half of channels"}


def word(name):
    """Look a parameter up; one without an entry is named by its identifier, in words."""
    return WORDS.get(name, Word(str(name).replace("_", " ")))


def ordered(names):
    """Sort parameters as this list has them; those without an entry follow by name."""
    known = list(WORDS)
    return sorted(names, key=lambda name: (known.index(name) if name in WORDS else len(known), name))


def axis_label(name):
    """Label an axis: the words, then the symbol, such as ``rank, r`` with r in italics."""
    return f"{word(name).words}, ${word(name).math}$" if word(name).math else word(name).words


def symbol(name):
    """Name a parameter as briefly as possible in a figure: its symbol, or else its words."""
    return f"${word(name).math}$" if word(name).math else word(name).words


def mode_title(mode):
    """Title a panel by its mode of missing data."""
    return f"Mode {mode}: {_MODES[mode]}" if mode in _MODES else f"Mode {mode}"


def number(value):
    """Write a number for a reader: at most four significant digits, no trailing zeros."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:d}" if isinstance(value, int) else f"{value:.4g}"
