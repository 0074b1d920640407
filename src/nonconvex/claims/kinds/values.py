"""The tests on shares, errors, iterations and seconds: what settings each one takes."""

from nonconvex.claims.kinds.kind import (
    ALGORITHM,
    ALGORITHMS,
    AXIS,
    BAND,
    BETTER,
    CELLS,
    CONDITION,
    DIRECTION,
    FLAG,
    LEVELS,
    MARGIN,
    NUMBER,
    PAIR,
    WHOLE,
    Kind,
    Schema,
    value,
)

_VALUE = value(
    ["error", "observed_error", "iterations", "seconds", *(f"iterations_{level}" for level in LEVELS)],
    ["iterations"],
)
# Facts are read as they stand: a row is a fact, not a trial that iterates.
_FACT = value(_VALUE["value"]["enum"])
_ONE_GIVEN = {"given": CONDITION, **CELLS}
_GIVEN = {"given_than": CONDITION, **_ONE_GIVEN}
_UNTIL: Schema = {
    "type": "object",
    "properties": {"error": NUMBER, "iterations": WHOLE, "stop": FLAG},
    "additionalProperties": False,
    "minProperties": 1,
    "maxProperties": 1,
}
_CURVE = {"along": AXIS, "success": DIRECTION, "condition": CONDITION}
_PROPORTION: Schema = {
    "anyOf": [{"enum": ["all", "none", "some", "most"]}, {**NUMBER, "exclusiveMaximum": 1}]
}
_BEST = {"better": ALGORITHM, "than": ALGORITHMS}

VALUE_KINDS: dict[str, Kind] = {
    "T-PROP": Kind(
        {"algorithm": ALGORITHM, "condition": CONDITION, "share": _PROPORTION},
        {"stated_trials": WHOLE, "smallest": NUMBER, "fewest": WHOLE, **CELLS},
    ),
    "T-ORD values": Kind({**BETTER, **_VALUE}, {"smallest": NUMBER, "largest": NUMBER, **_GIVEN}),
    "T-EQ values": Kind({**PAIR, **_VALUE}, {"margin": NUMBER, **_GIVEN}),
    "T-EQ curve": Kind({**PAIR, "margin": MARGIN, **_CURVE}, CELLS),
    "T-BEST": Kind({**_BEST, **_VALUE}, _GIVEN),
    "T-WITHIN": Kind({**_BEST, "margin": NUMBER, **_VALUE}, _GIVEN),
    "T-MUCH": Kind(
        {"much": NUMBER, **BETTER, **_VALUE}, {"little": NUMBER, "or_success": CONDITION, **_GIVEN}
    ),
    "T-MUCH beside": Kind({"much": NUMBER, **BETTER, **_VALUE}, {"little": NUMBER, **_GIVEN}, True),
    "T-BAND": Kind(
        {"algorithm": ALGORITHM, "band": BAND, **_VALUE},
        {"outer": BAND, "per": AXIS, "until": _UNTIL, "geometric": FLAG, **_ONE_GIVEN},
    ),
    "T-PRO": Kind({"algorithm": ALGORITHM, "per": AXIS, **_VALUE}, _ONE_GIVEN),
    "T-TIME": Kind(
        {"fast": ALGORITHM, "slow": ALGORITHM, "fast_until": _UNTIL, "slow_until": _UNTIL},
        {"stated": NUMBER, "smallest": NUMBER, **CELLS},
        reads=("status", "seconds"),
    ),
    "T-FAIL": Kind({"algorithm": ALGORITHM, "above": NUMBER}, CELLS, reads=("status", "success", "error")),
    "T-LIMIT": Kind({"limit": NUMBER, "beyond": NUMBER, **_FACT}, CELLS),
    "T-GAP": Kind({**BETTER, "largest": NUMBER, **_CURVE}, CELLS),
}
