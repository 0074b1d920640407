"""Names that look like the magnitude or the angle of a phasor, in whatever spelling.

``north_Magnitude_kV``, ``VoltageMag``, ``Va_Ang (rad)`` and ``bus1_va_degree`` are not the documented names,
but nobody means two plain channels by them.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

DEGREES = ("deg", "degs", "degree", "degrees")
RADIANS = ("rad", "rads", "radian", "radians")
_STRONG = dict.fromkeys(("magnitude", "magnitudes", "magn", "mag"), "magnitude")
_STRONG |= dict.fromkeys(("angle", "angles", "ang"), "angle")
# Words that mean other things as well, and count only beside no strong one.
_WEAK = dict.fromkeys(("amplitude", "ampl", "amp", "modulus", "abs", "rms", "vm"), "magnitude")
_WEAK |= dict.fromkeys(("phase", "phi", "theta", "delta", "arg", "argument", "va"), "angle")
_ONLY_WITH_UNIT = ("va",)  # also the volts of phase a, or voltamperes
_UNITS = ("v", "kv", "mv", "volt", "volts", "a", "ka", "ma", "amp", "amps", "ampere", "amperes", "pu")
_GLUED = re.compile(r"(.+?)(magnitude|mag|angle|ang)")
_OTHER_WORDS = ("imag", "triangle", "rectangle")


@dataclass(frozen=True)
class Half:
    """One half of a phasor, as a column's name says.

    Attributes
    ----------
    name : str
        Of the column.
    part : {"magnitude", "angle"}
    words : tuple of str
        The rest of the name, without its unit.
    unit : str
        "deg" or "rad" for angles, the unit as written for magnitudes; empty when the name does not say.
    """

    name: str
    part: str
    words: tuple[str, ...]
    unit: str

    def owners(self) -> set[tuple[str, ...]]:
        """Return what the phasor may be called: a trailing V or A is a unit or a name."""
        words = tuple(word.lower() for word in self.words)
        return {words, (*words, *words_of(self.unit.lower()))} if self.part == "magnitude" else {words}


def half(name: str) -> Half | None:
    """Return what half of a phasor a name looks like, or None."""
    words = words_of(name)
    lower = [word.lower() for word in words]
    nameless = tuple(word for word in words if word.lower() not in DEGREES + RADIANS)
    stated = next((word for word in lower if word in DEGREES + RADIANS), "")
    unit_of_angle = stated and ("deg" if stated in DEGREES else "rad")
    for known in (_STRONG, _WEAK):
        for place in reversed(range(len(words))):
            part = known.get(lower[place])
            if part is None or (lower[place] in _ONLY_WITH_UNIT and not stated):
                continue
            rest = [*words[:place], *words[place + 1 :]]
            if part == "angle":
                return Half(name, part, tuple(word for word in rest if word in nameless), unit_of_angle)
            unit = words[-1] if place < len(words) - 1 and lower[-1] in _UNITS else ""
            return Half(name, part, tuple(rest[:-1] if unit else rest), unit)
    return Half(name, "angle", nameless, unit_of_angle) if stated and nameless else None


def pairs(names: Iterable[str]) -> list[tuple[Half, Half]]:
    """Return the magnitudes and angles among `names` that belong to the same phasor."""
    found = [one for name in names if (one := half(name))]
    magnitudes = [one for one in found if one.part == "magnitude"]
    angles = [one for one in found if one.part == "angle"]
    return [(one, other) for one in magnitudes for other in angles if one.owners() & other.owners()]


def likely_pair(names: Iterable[str]) -> tuple[str, str] | None:
    """Return a magnitude and an angle that probably belong together though their names do not agree.

    Either one name says more than the other (``north_voltage_mag``, ``north_ang``), or the magnitude has the
    phasor's bare name (``north_kV``, ``north_ang``), or they are ``vm`` and ``va`` without a phase b.
    """
    names = list(names)
    angles = [one for name in names if (one := half(name)) and one.part == "angle"]
    for angle in angles:
        owner = {word.lower() for word in angle.words}
        for name in names:
            one = half(name)
            if one and one.part == "magnitude":
                words = {word.lower() for word in one.words}
                if owner and words and (owner <= words or words <= owner):
                    return name, angle.name
            if one is None and owner and bare(name) == tuple(word.lower() for word in angle.words):
                return name, angle.name
    by_words = {tuple(word.lower() for word in words_of(name)): name for name in names}
    for one_words, name in by_words.items():
        magnitude, other_phase = (_instead(one_words, word) for word in ("vm", "vb"))
        if "va" in one_words and magnitude in by_words and other_phase not in by_words:
            return by_words[magnitude], name
    return None


def _instead(words: tuple[str, ...], word: str) -> tuple[str, ...]:
    return tuple(word if one == "va" else one for one in words)


def bare(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case, without a unit at its end."""
    words = [word.lower() for word in words_of(name)]
    return tuple(words[:-1] if len(words) > 1 and words[-1] in _UNITS else words)


def words_of(name: str) -> list[str]:
    """Return the words of a name, cut where its marks, its case or a known ending say so."""
    found: list[str] = []
    name = re.sub(r"[°º]", " deg ", name).replace("p.u.", " pu ").replace("∠", " ang ")
    for piece in re.findall(r"[^\W_]+", name):
        if piece.lower() in _UNITS + DEGREES + RADIANS:
            found.append(piece)
            continue
        piece = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", piece)
        for word in re.findall(r"[^\W\d]+|\d+", piece):
            glued = None if word.lower() in {*_STRONG, *_OTHER_WORDS} else _GLUED.fullmatch(word.lower())
            cut = glued.end(1) if glued else len(word)
            found += [word[:cut], word[cut:]] if glued else [word]
    return found
