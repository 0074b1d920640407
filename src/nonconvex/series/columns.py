"""What the columns of a CSV file mean, by their names.

``time`` or ``time_s`` is the time in seconds. The others are either plain real channels of any name, or pairs
``<channel>_magnitude`` (or ``<channel>_magnitude_<unit>``) and ``<channel>_angle_deg`` (or ``_rad``).
"""

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from nonconvex.errors import UserError, nearest

TIME = ("time", "time_s")
TURN = {"deg": 360.0, "rad": 2 * math.pi}
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
    """Where a table keeps its time and its channels."""

    time: int
    channels: tuple[Channel, ...]
    kind: Literal["real", "phasor"]


def read_layout(header: list[str], path: str | Path) -> Layout:
    """Return the Layout that column names say; UserError for names that do not fit together."""
    where = f"{path}, line 1"
    times = [column for column, name in enumerate(header) if name in TIME]
    if not times:
        raise UserError(f"{where}: no column is named 'time' or 'time_s'{nearest('time', header)}")
    if len(times) > 1:
        raise UserError(f"{where}: both 'time' and 'time_s' are columns; keep one")
    others = {name: column for column, name in enumerate(header) if column != times[0]}
    if not others:
        raise UserError(f"{where}: there is no channel beside the time")
    parts = {name: part for name in others if (part := _PART.fullmatch(name))}
    if not parts:
        channels = tuple(Channel(name, (column,)) for name, column in others.items())
        return Layout(times[0], channels, "real")
    plain = [name for name in others if name not in parts]
    if plain:
        raise UserError(
            f"{where}: the column '{plain[0]}' is a plain channel in a file of magnitudes and angles; "
            "a file holds either plain channels or pairs"
        )
    return Layout(times[0], _pairs(others, parts, where), "phasor")


def _pairs(columns: dict[str, int], parts: dict[str, re.Match[str]], where: str) -> tuple[Channel, ...]:
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
        for half, remedy in (("magnitude", "_magnitude"), ("angle", "_angle_deg' or '_angle_rad")):
            if half not in halves:
                (given,) = halves.values()
                raise UserError(
                    f"{where}: the column '{given}' has no partner; the {half} of '{channel}' is missing "
                    f"(a name ending in '{remedy}')"
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
    return tuple(channels)
