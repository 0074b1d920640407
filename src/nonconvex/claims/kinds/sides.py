"""The tests that compare two sides (`nonconvex.claims.sides`): what settings each one takes."""

from nonconvex.claims.kinds.kind import (
    ALGORITHM,
    AXIS,
    BAND,
    BETTER,
    CELLS,
    CONDITION,
    DIRECTION,
    FLAG,
    MARGIN,
    NUMBER,
    OPERATION_NAMES,
    OTHER_CELLS,
    PAIR,
    SHARE,
    WHOLE,
    Kind,
    value,
)

_ALONG = {"along": AXIS, "success": DIRECTION}
_LINE = {"condition": CONDITION, "complement": FLAG, **OTHER_CELLS}
_OPERATIONS = {"enum": list(OPERATION_NAMES)}

SIDE_KINDS: dict[str, Kind] = {
    "T-EQ sides": Kind({**PAIR, "margin": MARGIN, **_ALONG}, {"rows": AXIS, **_LINE}, None, True),
    "T-GAP sides": Kind({**BETTER, **_ALONG}, {"rows": AXIS, "largest": MARGIN, **_LINE}, None, True),
    "T-FAR": Kind({"much": NUMBER, **BETTER, **_ALONG}, {"or_success": FLAG, **_LINE}, None, True),
    "T-FLAT": Kind(
        {"algorithm": ALGORITHM, "rows": AXIS, "margin": MARGIN, **_ALONG},
        {"condition": CONDITION, "complement": FLAG, **CELLS},
    ),
    "T-GRID": Kind(
        BETTER,
        {"mixed_only": FLAG, "largest": SHARE, "much": SHARE, "little": SHARE, **CELLS},
        None,
        reads=("success",),
    ),
    "T-SHARE": Kind(
        {"algorithm": ALGORITHM, "condition": CONDITION, "at_least": SHARE, "below": SHARE},
        {"fewest": WHOLE, **CELLS},
    ),
    "T-LEVEL": Kind(
        {"algorithm": ALGORITHM, "along": AXIS, "band": BAND}, {"outer": BAND, **CELLS}, reads=("success",)
    ),
    "T-ORD sides": Kind(
        {**value(["error", "iterations", "seconds"]), **BETTER},
        {"smallest": NUMBER, **OTHER_CELLS},
        None,
        True,
    ),
    "T-TIME sides": Kind(
        {
            "fast": ALGORITHM,
            "slow": ALGORITHM,
            "fast_goal": CONDITION,
            "slow_goal": CONDITION,
            "fast_operations": _OPERATIONS,
            "slow_operations": _OPERATIONS,
            "per": AXIS,
            "sizes": {"enum": ["largest", "all"]},
        },
        {"stated": NUMBER, "smallest": NUMBER, **OTHER_CELLS},
        None,
        True,
        ("seconds", "iterations"),
    ),
    "T-GROW": Kind(
        {"per": AXIS, "growth": {"enum": ["relative", "absolute"]}, **BETTER},
        OTHER_CELLS,
        None,
        True,
        ("seconds", "iterations"),
    ),
    "T-CONTEXT": Kind(
        {"algorithm": ALGORITHM, **value(["seconds", "iterations"], ["iterations"]), "stated": NUMBER}, CELLS
    ),
}
