"""Strict reading of claims files: a slip becomes one sentence with the nearest known name.

The Snakemake main process imports this module: neither it nor what it imports may load numpy or pandas.
Whether the names in a claim are those of its experiments is for `nonconvex.claims.names`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nonconvex.claims.entries import Claim, judged_settings, parts_of
from nonconvex.claims.region import region, regions
from nonconvex.claims.words.catalogue import QUANTITIES
from nonconvex.claims.words.limits import limits
from nonconvex.claims.words.quantity import Quantity, Schema
from nonconvex.errors import UserError, nearest
from nonconvex.validation import read_yaml, validate

_TEXT: Schema = {"type": "string"}
_SETTINGS: Schema = {"type": "object"}


def _named(entry: Schema) -> Schema:
    return {"type": "object", "minProperties": 1, "additionalProperties": entry}


def _strict(required: Mapping[str, Schema], optional: Mapping[str, Schema]) -> Schema:
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }


_PARTS = _named(
    _strict(
        {"experiment": _TEXT, "figure": _TEXT},
        {
            "judge": _SETTINGS,
            "trials": {"type": "integer", "minimum": 1},
            "beside": _TEXT,
            "surrogate": {"type": "boolean"},
        },
    )
)
_CLAIM = _strict(
    {
        "place": _TEXT,
        "line": {"type": "integer", "minimum": 1},
        "statement": _TEXT,
        "figures": {"type": "array", "items": _TEXT, "minItems": 1},
        "judge": _SETTINGS,
        "trials": {"type": "integer", "minimum": 1},
        "seed": {"type": "integer", "minimum": 0},
        "parts": _PARTS,
        "readings": _named(
            _strict({"means": _TEXT}, {"judge": _SETTINGS, "parts": _PARTS, "correction": _TEXT})
        ),
    },
    {
        "combine": {"enum": ["every", "any"]},
        "note": _TEXT,
        "correction": _TEXT,
        "surrogate": {"type": "boolean"},
        "finding": {"type": "boolean"},
    },
)
# A statement that no experiment can test, and why.
_UNTESTED = _strict({key: _CLAIM["properties"][key] for key in ("place", "line", "statement", "figures")}
                    | {"untested": _TEXT}, {"note": _TEXT})  # fmt: skip


def _file(content: object) -> Schema:
    """Return the schema of a claims file: its untested claims need less than the others."""
    claims = content.get("claims") if isinstance(content, dict) else None
    untested = [k for k, v in claims.items() if "untested" in (v or {})] if isinstance(claims, dict) else []
    entries = _named(_CLAIM) | {"properties": dict.fromkeys(untested, _UNTESTED)}
    return _strict({"chapter": _TEXT, "claims": entries}, {})


def read_claims(paths: Sequence[str | Path]) -> list[dict[str, Any]]:
    """Read claims files and return the claims as plain dicts, sorted by id.

    Raises
    ------
    UserError
        Names the file, the place, the slip and the nearest known word.
    """
    claims = {}
    for path in paths:
        content: Any = read_yaml(path)  # plain JSON
        validate(content, _file(content), str(path))
        for name, claim in content["claims"].items():
            if name in claims:
                raise UserError(f"{path}: the claim {name} is already defined in another claims file")
            if "untested" not in claim:
                _check_settings(claim, f"{path}: claim {name}")
            claims[name] = {"id": name, "chapter": content["chapter"], "combine": "every", **claim}
    _check_corrections(claims)
    return [claims[name] for name in sorted(claims)]


def _check_corrections(claims: Mapping[str, Claim]) -> None:
    """Refuse a correction that names no finding."""
    findings = [name for name, claim in claims.items() if claim.get("finding")]
    for name, claim in claims.items():
        for told in (claim, *claim.get("readings", {}).values()):
            correction = told.get("correction", "")
            if correction and correction not in findings:
                raise UserError(
                    f"claim {name}: there is no finding '{correction}'{nearest(correction, findings)}"
                )


def _check_settings(claim: Claim, where: str) -> None:
    for reading in claim["readings"]:
        parts = parts_of(claim, reading)
        for part, entry in parts.items():
            here = f"{where}, {part}, reading '{reading}'"
            _check_judge(judged_settings(claim, part, reading), entry, here)
        if len(parts) > 1 and "combine" not in claim:
            raise UserError(f"{where} has {len(parts)} parts; say 'combine: every' or 'combine: any'")


def _check_judge(settings: Mapping[str, Any], entry: Mapping[str, Any], where: str) -> None:
    name = settings.get("quantity")
    if name is None:
        raise UserError(f"{where}: judge needs a quantity (known: {', '.join(QUANTITIES)})")
    if name not in QUANTITIES:
        raise UserError(f"{where}: there is no quantity '{name}'{nearest(str(name), QUANTITIES)}")
    quantity = QUANTITIES[name]
    known = quantity.settings
    required = {key: known[key] for key in quantity.needed}
    validate(settings, _strict(required, known), f"{where}, judge")
    _check_either(quantity, settings, where)
    if quantity.judged:
        regions(settings["holds"], settings["fails"], quantity.bounds, f"{where}, judge")
        _check_dissents(settings, f"{where}, judge")
    _check_groups(settings, where)
    if settings.get("rows") is not None and settings.get("rows") == settings.get("along"):
        raise UserError(f"{where}: rows and along are both '{settings['rows']}'")
    if quantity.against and not ({"over", "over_cells", "over_column"} & set(settings) or "beside" in entry):
        raise UserError(
            f"{where}: the quantity '{name}' needs 'over', 'over_cells' or 'beside': another side"
        )
    if quantity.beside not in (None, "beside" in entry):
        needs = "needs" if quantity.beside else "takes no"
        raise UserError(f"{where}: the quantity '{name}' {needs} 'beside: <experiment>'")


def _check_dissents(settings: Mapping[str, Any], where: str) -> None:
    """Refuse what no row is asked for, and a region in which rows would dissent that do as is said."""
    if "dissents" not in settings:
        return
    if "in" not in settings:
        raise UserError(f"{where}: dissents needs 'in: every ...', which says of what")
    contrary = region(settings["dissents"], f"{where}, dissents")
    if contrary.overlaps(region(settings["holds"])):
        raise UserError(f"{where}: holds '{settings['holds']}' and dissents '{contrary.words}' overlap")


def _check_groups(settings: Mapping[str, Any], where: str) -> None:
    """Refuse groups of trials that have no use: they are levels, or strata of levels."""
    binned = list(settings.get("bins", {}))
    if binned and binned[0] not in (settings.get("per"), settings.get("strata")):
        raise UserError(f"{where}: the bins of '{binned[0]}' are neither 'per' nor 'strata'")
    if "strata" in settings and ("per" not in settings or settings["strata"] == settings["per"]):
        raise UserError(f"{where}: strata are of the levels of another axis, which 'per' names")
    for column, given in settings.get("among", {}).items():
        for limit in limits(given):
            if isinstance(limit, str):
                raise UserError(
                    f"{where}: the limit on '{column}' is '{limit}', but trials are told by numbers"
                )
    if "rows" in settings and binned:
        raise UserError(f"{where}: thresholds take no bins")


def _check_either(quantity: Quantity, settings: Mapping[str, Any], where: str) -> None:
    """Refuse settings that give none of the groups of which one is needed, or parts of two."""
    if not quantity.either:
        return
    whole = [group for group in quantity.either if all(name in settings for name in group)]
    partly = [group for group in quantity.either if any(name in settings for name in group)]
    if len(whole) != 1 or len(partly) != 1:
        choices = " or ".join(", ".join(group) for group in quantity.either)
        raise UserError(f"{where}: the quantity '{settings['quantity']}' needs either {choices}")
