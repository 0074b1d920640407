"""The one exception whose text is meant for the person at the keyboard."""

import difflib
from collections.abc import Iterable


class UserError(ValueError):
    """A mistake in the user's input or files, told in one sentence: what, where, what to do."""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the known word closest to `word`, or an empty string."""
    match = difflib.get_close_matches(str(word), [str(k) for k in known], n=1, cutoff=0.5)
    return f"; did you mean '{match[0]}'?" if match else ""


def among(word: str, known: Iterable[str]) -> str:
    """Return ``" (known: x, y); did you mean 'x'?"``: what a `word` that is unknown could have been."""
    names = [str(name) for name in known]
    return f" (known: {', '.join(names)}){nearest(word, names)}"
