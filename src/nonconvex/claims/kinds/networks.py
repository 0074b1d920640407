"""The tests that Chapters 4 and 5 add: what settings each one takes."""

from nonconvex.claims.kinds.kind import (
    ALGORITHM,
    AXIS,
    BAND,
    BETTER,
    CELLS,
    CONDITION,
    DIRECTION,
    FLAG,
    LAW,
    LINES,
    NUMBER,
    OTHER_CELLS,
    PAIR,
    VALUE,
    WHOLE,
    Kind,
    value,
)

RATES = ("rate", "speed", "iterations per decade")
"""What is fitted to the iterates of each trial (`nonconvex.statistics.rates`)."""

_ERRORS = ["error", "aligned_error", "spectral_error", "start_error"]
_PER = {"algorithm": ALGORITHM, "per": AXIS, **value([*RATES, *_ERRORS], RATES)}
_SIDE_VALUE = value(["iterations", *_ERRORS], ["iterations"])
_MOMENT = {"after": WHOLE, "until": NUMBER}

NETWORK_KINDS: dict[str, Kind] = {
    "T-MONO": Kind({"trend": DIRECTION, **_PER}, CELLS),
    "T-MONO lines": Kind(
        {"algorithm": ALGORITHM, "rows": AXIS, "along": AXIS}, {"ratio": FLAG, **CELLS}, reads=("success",)
    ),
    "T-LIN values": Kind({**LAW, **_PER}, CELLS),
    "T-EXP": Kind({"algorithm": ALGORITHM}, CELLS),
    "T-BND sides": Kind({**BETTER, **LINES}, {"condition": CONDITION, **OTHER_CELLS}, None, True),
    "T-EQ sides values": Kind(
        {**PAIR, "margin": NUMBER, **_SIDE_VALUE}, {**_MOMENT, **OTHER_CELLS}, None, True
    ),
    "T-MUCH sides": Kind(
        {**BETTER, "much": NUMBER, **_SIDE_VALUE}, {"little": NUMBER, **_MOMENT, **OTHER_CELLS}, None, True
    ),
    "T-PLATEAU": Kind({"of": NUMBER, **_PER}, CELLS),
    "T-STEEP": Kind({"band": BAND, **_PER}, CELLS),
    "T-SPREAD": Kind(_PER, CELLS),
    "T-NUMBER": Kind({"value": VALUE, "band": BAND}, {"outer": BAND, **CELLS}),
    "T-EQ shares": Kind(PAIR, {"condition": CONDITION, **CELLS}),
}
