"""What a file writes where a value was lost."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

_NOT_A_NUMBER = ("nan", "-nan", "+nan", "#nan", "nan(ind)", "-nan(ind)", "1.#qnan", "-1.#ind")
_NOTHING = ("na", "n/a", "#n/a", "<na>", "null", "none", "nil", "missing", "-", "--", "---", ".", "?")
WORDS = frozenset(_NOT_A_NUMBER + _NOTHING)
CLOSE = 1e-7  # A number that went through single precision is still the mark.


@dataclass(frozen=True)
class Marks:
    """The words, in lower case, and the numbers that stand for a lost value.

    Attributes
    ----------
    numbers : tuple of float
    words : frozenset of str
    """

    numbers: tuple[float, ...] = ()
    words: frozenset[str] = WORDS

    def has(self, value: float) -> bool:
        """Tell whether a number is a mark."""
        return any(math.isclose(value, number, rel_tol=CLOSE) for number in self.numbers)

    def where(self, values: np.ndarray) -> np.ndarray:
        """Return where an array holds a mark; for complex numbers in either part, but 0 in both."""
        found = np.zeros(values.shape, bool)
        for number in self.numbers:
            if not np.iscomplexobj(values):
                found |= np.isclose(values, number, rtol=CLOSE, atol=0)
            elif number == 0:
                found |= values == 0
            else:
                found |= np.isclose(values.real, number, rtol=CLOSE, atol=0)
                found |= np.isclose(values.imag, number, rtol=CLOSE, atol=0)
        return found

    def beyond(self, bound: float) -> "Marks":
        """Return the marks without the numbers of modulus at most `bound`."""
        return Marks(tuple(number for number in self.numbers if abs(number) > bound), self.words)


def read_marks(given: Iterable[str]) -> Marks:
    """Return the usual words and, beside them, what the user names: numbers and other words."""
    numbers, words = [], set()
    for text in given:
        try:
            numbers.append(float(text))
        except ValueError:
            words.add(text.strip().lower())
    return Marks(tuple(numbers), WORDS | words)
