"""Strict reading of claims files: a slip becomes one sentence with the nearest known name."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from nonconvex.claims.kinds import KINDS
from nonconvex.study.errors import StudyError, nearest
from nonconvex.study.strict import read_yaml, validate

_TEXT = {"type": "string"}
_SETTINGS = {"type": "object"}


def _named(entry: dict) -> dict:
    return {"type": "object", "minProperties": 1, "additionalProperties": entry}


def _strict(required: dict, optional: dict) -> dict:
    return {
        "type": "object",
        "properties": required | optional,
        "required": list(required),
        "additionalProperties": False,
    }


_PARTS = _named(
    _strict(
        {"experiment": _TEXT, "figure": _TEXT},
        {
            "settings": _SETTINGS,
            "test": {"enum": list(KINDS)},
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
        "test": {"enum": list(KINDS)},
        "trials": {"type": "integer", "minimum": 1},
        "seed": {"type": "integer", "minimum": 0},
        "settings": _SETTINGS,
        "parts": _PARTS,
        "readings": _named(
            _strict({"means": _TEXT}, {"settings": _SETTINGS, "parts": _PARTS, "correction": _TEXT})
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


def _file(content: object) -> dict:
    """Return the schema of a claims file: its untested claims need less than the others."""
    claims = content.get("claims") if isinstance(content, dict) else None
    untested = [k for k, v in claims.items() if "untested" in (v or {})] if isinstance(claims, dict) else []
    entries = _named(_CLAIM) | {"properties": dict.fromkeys(untested, _UNTESTED)}
    return _strict({"chapter": _TEXT, "claims": entries}, {})


def read_claims(paths: Sequence[str | Path]) -> list[dict]:
    """Read claims files and return the claims as plain dicts, sorted by id.

    Raises
    ------
    StudyError
        Names the file, the place, the slip and the nearest known word.
    """
    claims = {}
    for path in paths:
        content = read_yaml(path)
        validate(content, _file(content), str(path))
        for name, claim in content["claims"].items():
            if name in claims:
                raise StudyError(f"{path}: the claim {name} is already defined in another claims file")
            if "untested" not in claim:
                _check_settings(claim, f"{path}: claim {name}")
            claims[name] = {"id": name, "chapter": content["chapter"], "combine": "every", **claim}
    return [claims[name] for name in sorted(claims)]


def parts_of(claim: Mapping, reading: str) -> Mapping[str, Mapping]:
    """Return the parts of a claim under one reading: the reading's own where it has some."""
    return claim["readings"][reading].get("parts", claim["parts"])


def named_test(claim: Mapping, part: Mapping) -> str:
    """Return the name of the test of one part: its own, or the claim's."""
    return part.get("test", claim["test"])


def merged_settings(claim: Mapping, part: str, reading: str) -> dict:
    """Return the settings of one part under one reading: the reading's, before the part's, the claim's.

    A part with a test of its own does not take the claim's settings, which are those of another test. Of
    the reading's it takes those that its test knows.
    """
    entry, chosen = parts_of(claim, reading)[part], claim["readings"][reading].get("settings", {})
    own = entry.get("settings", {})
    if "test" not in entry:
        return {**claim["settings"], **own, **chosen}
    kind = KINDS[entry["test"]]
    return {**own, **{k: v for k, v in chosen.items() if k in kind.required or k in kind.optional}}


def _check_settings(claim: Mapping, where: str) -> None:
    for reading in claim["readings"]:
        parts = parts_of(claim, reading)
        for part, entry in parts.items():
            kind = KINDS[named_test(claim, entry)]
            schema = _strict(dict(kind.required), dict(kind.optional))
            place = f"settings of {part}, reading '{reading}'"
            validate(merged_settings(claim, part, reading), schema, f"{where}, {place}")
            if kind.beside not in (None, "beside" in entry):
                needs = "needs" if kind.beside else "takes no"
                raise StudyError(
                    f"{where}, {part}: the test {named_test(claim, entry)} {needs} 'beside: <experiment>'"
                )
        if len(parts) > 1 and "combine" not in claim:
            raise StudyError(f"{where} has {len(parts)} parts; say 'combine: every' or 'combine: any'")


def check_algorithms(claim: Mapping, experiments: Mapping[str, Mapping]) -> None:
    """Raise a StudyError if the claim names an algorithm that its experiment does not run."""
    for reading in claim["readings"]:
        for part, entry in parts_of(claim, reading).items():
            used = [entry[key] for key in ("experiment", "beside") if key in entry]
            settings = merged_settings(claim, part, reading)
            named = KINDS[named_test(claim, entry)].names_in(settings, len(used))
            for experiment, names in zip(used, named, strict=True):
                known = experiments.get(experiment, {}).get("algorithms")
                unknown = (
                    next((name for name in names if name not in known), None) if known is not None else None
                )
                if unknown is not None:
                    raise StudyError(
                        f"claim {claim['id']}: the experiment {experiment} does not run "
                        f"'{unknown}'{nearest(unknown, known)}"
                    )
