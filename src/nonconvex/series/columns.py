"""What the columns of a CSV file mean, by their names.

``time`` or ``time_s`` is the time in seconds. The others are either plain real channels of any name, or pairs
``<channel>_magnitude`` (or ``<channel>_magnitude_<unit>``) and ``<channel>_angle_deg`` (or ``_rad``). Pairs
in other spellings are read when nothing is in doubt, and refused when something is.
"""

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from nonconvex.errors import UserError, nearest
from nonconvex.series.halves import Half, likely_pair, pairs, words_of
from nonconvex.series.status import status_names

TIME = ("time", "time_s")
TURN = {"deg": 360.0, "rad": 2 * math.pi}
FORM = "'<channel>_magnitude' and '<channel>_angle_deg' (or '_angle_rad')"
_PART = re.compile(r"(?P<channel>.+)_(?P<part>magnitude|angle)(?:_(?P<unit>[^_]+))?")


@dataclass(frozen=True)
class Channel:
    """The columns of one channel: its values, or magnitude and angle with the size of a full turn."""

    name: str
    columns: tuple[int, ...]
    turn: float = 0.0
    unit: str = ""


@dataclass(frozen=True)
class Layout:
    """Where a table keeps its time and its channels, and what a reader should be told of it."""

    time: int
    channels: tuple[Channel, ...]
    kind: Literal["real", "phasor"]
    statuses: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


def read_layout(header: list[str], path: str | Path) -> Layout:
    """Return the Layout that column names say; UserError for names that do not fit together."""
    where = f"{path}, line 1"
    _refuse_numbers(header, where)
    time = _time(header, where)
    everything = {name: column for column, name in enumerate(header) if column != time}
    statuses = status_names(everything)
    others = {name: column for name, column in everything.items() if name not in statuses}
    if not others:
        raise UserError(f"{where}: there is no channel beside the time")
    parts = {name: part for name in others if (part := _PART.fullmatch(name))}
    if not any(part["part"] == "magnitude" or part["unit"] for part in parts.values()):
        parts = {}  # Angles that name no unit and no magnitude, such as rotor_angle beside rotor_speed.
    settled = {name for name in parts if _has_partner(parts, name)}
    near, notes = _near_misses([name for name in others if name not in settled], others, where)
    for channel in near:
        for column in channel.columns:
            parts.pop(header[column], None)
    pairs_found = [*near, *(_pairs(others, parts, where) if parts else ())]
    columns = tuple(everything[name] for name in statuses)
    used = {column for channel in pairs_found for column in channel.columns}
    plain = [name for name, column in others.items() if column not in used]
    if pairs_found and plain:
        first = header[pairs_found[0].columns[0]]
        raise UserError(
            f"{where}: the column '{plain[0]}' is a plain channel in a file of magnitudes and angles "
            f"(such as '{first}'); a file holds either plain channels or pairs"
        )
    if not pairs_found:
        _refuse_likely_pair(plain, where)
        return Layout(time, tuple(Channel(name, (others[name],)) for name in plain), "real", columns)
    pairs_found.sort(key=lambda channel: min(channel.columns))
    return Layout(time, tuple(pairs_found), "phasor", columns, notes)


def _time(header: list[str], where: str) -> int:
    times = [column for column, name in enumerate(header) if name in TIME]
    if not times:
        other = next((name for name in header if _is_time_in_other_units(name)), None)
        hint = f"; '{other}' is not in seconds" if other else nearest("time", header)
        raise UserError(f"{where}: no column is named 'time' or 'time_s', in seconds{hint}")
    if len(times) > 1:
        raise UserError(f"{where}: both 'time' and 'time_s' are columns; keep one")
    return times[0]


def _refuse_numbers(header: list[str], where: str) -> None:
    if len(header) < 3 or not all(_is_number(name) for name in header[1:]):
        return
    if _is_number(header[0]):
        raise UserError(f"{where} holds numbers, where the names of the columns must be")
    raise UserError(
        f"{where}: the names of the columns are numbers; if the file has a row for each channel, turn it, so "
        "that each channel is a column and each instant a row"
    )


def _is_time_in_other_units(name: str) -> bool:
    words = [word.lower() for word in words_of(name)]
    return words[:1] in (["time"], ["t"]) and words[-1] in (
        "ms",
        "us",
        "ns",
        "msec",
        "min",
        "h",
        "hours",
        "days",
    )


def _is_number(name: str) -> bool:
    try:
        return math.isfinite(float(name))
    except ValueError:
        return False


def _has_partner(parts: dict[str, re.Match[str]], name: str) -> bool:
    """Tell whether both halves have documented names; ``_angle_degrees`` is another spelling."""
    both = [part for part in parts.values() if part["channel"] == parts[name]["channel"]]
    angles = [part["unit"] for part in both if part["part"] == "angle"]
    return 0 < len(angles) < len(both) and all(unit in (None, *TURN) for unit in angles)


def _near_misses(
    names: list[str], columns: dict[str, int], where: str
) -> tuple[list[Channel], tuple[str, ...]]:
    """Return the pairs among `names` that another spelling hides, and what to say of them."""
    found = pairs(names)
    seen: set[str] = set()
    for magnitude, angle in found:
        _refuse_doubt(magnitude, angle, seen, where)
        seen |= {magnitude.name, angle.name}
    channels = [
        Channel(
            "_".join(angle.words) or "phasor",
            (columns[magnitude.name], columns[angle.name]),
            TURN[angle.unit],
            magnitude.unit,
        )
        for magnitude, angle in found
    ]
    if not found:
        return [], ()
    magnitude, angle = found[0]
    more = f"; likewise {len(found) - 1} more" if len(found) > 1 else ""
    return channels, (
        f"'{magnitude.name}' and '{angle.name}' are read as the magnitude and the angle "
        f"({'degrees' if angle.unit == 'deg' else 'radians'}) of '{channels[0].name}'{more}",
    )


def _refuse_doubt(magnitude: Half, angle: Half, seen: set[str], where: str) -> None:
    name = "_".join(angle.words) or "<channel>"
    twice = seen & {magnitude.name, angle.name}
    if twice:
        raise UserError(
            f"{where}: the column '{twice.pop()}' has more than one partner; name the halves of each "
            f"phasor {FORM}"
        )
    if not angle.unit:
        raise UserError(
            f"{where}: the columns '{magnitude.name}' and '{angle.name}' look like the magnitude and the "
            "angle of one phasor, but the angle's name does not say its unit; name them "
            f"'{name}_magnitude' and '{name}_angle_deg' or '{name}_angle_rad'"
        )


def _refuse_likely_pair(names: list[str], where: str) -> None:
    likely = likely_pair(names)
    if likely:
        raise UserError(
            f"{where}: the columns '{likely[0]}' and '{likely[1]}' look like the magnitude and the angle "
            f"of one phasor; name such pairs {FORM}, or give the angle another name"
        )


def _pairs(columns: dict[str, int], parts: dict[str, re.Match[str]], where: str) -> list[Channel]:
    found: dict[str, dict[str, str]] = {}
    for name, part in parts.items():
        halves = found.setdefault(part["channel"], {})
        if part["part"] in halves:
            raise UserError(
                f"{where}: the columns '{halves[part['part']]}' and '{name}' both give the {part['part']} of "
                f"'{part['channel']}'"
            )
        if part["part"] == "angle" and part["unit"] not in TURN:
            raise UserError(
                f"{where}: the column '{name}' does not say its unit; name it "
                f"'{part['channel']}_angle_deg' or '{part['channel']}_angle_rad'"
            )
        halves[part["part"]] = name
    channels = []
    for channel, halves in found.items():
        for one, remedy in (("magnitude", "_magnitude"), ("angle", "_angle_deg' or '_angle_rad")):
            if one not in halves:
                (given,) = halves.values()
                raise UserError(
                    f"{where}: the column '{given}' has no partner; the {one} of '{channel}' is missing "
                    f"(a name ending in '{remedy}'); a plain channel needs another name"
                )
        magnitude, angle = halves["magnitude"], halves["angle"]
        channels.append(
            Channel(
                channel,
                (columns[magnitude], columns[angle]),
                TURN[parts[angle]["unit"]],
                parts[magnitude]["unit"] or "",
            )
        )
    return channels
