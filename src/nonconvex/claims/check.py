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


_CLAIM = _strict(
    {
        "place": _TEXT,
        "line": {"type": "integer", "minimum": 1},
        "statement": _TEXT,
        "figures": {"type": "array", "items": _TEXT, "minItems": 1},
        "test": {"enum": list(KINDS)},
        "trials": {"type": "integer", "minimum": 2},
        "seed": {"type": "integer", "minimum": 0},
        "settings": _SETTINGS,
        "parts": _named(_strict({"experiment": _TEXT, "figure": _TEXT}, {"settings": _SETTINGS})),
        "readings": _named(_strict({"means": _TEXT}, {"settings": _SETTINGS})),
    },
    {"combine": {"enum": ["every", "any"]}, "note": _TEXT},
)
_FILE = _strict({"chapter": _TEXT, "claims": _named(_CLAIM)}, {})


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
        validate(content, _FILE, str(path))
        for name, claim in content["claims"].items():
            if name in claims:
                raise StudyError(f"{path}: the claim {name} is already defined in another claims file")
            _check_settings(claim, f"{path}: claim {name}")
            claims[name] = {"id": name, "chapter": content["chapter"], "combine": "every", **claim}
    return [claims[name] for name in sorted(claims)]


def merged_settings(claim: Mapping, part: str, reading: str) -> dict:
    """Return the settings of one part under one reading: the reading's, before the part's, the claim's."""
    return {
        **claim["settings"],
        **claim["parts"][part].get("settings", {}),
        **claim["readings"][reading].get("settings", {}),
    }


def _check_settings(claim: Mapping, where: str) -> None:
    kind = KINDS[claim["test"]]
    schema = _strict(dict(kind.required), dict(kind.optional))
    for part in claim["parts"]:
        for reading in claim["readings"]:
            validate(
                merged_settings(claim, part, reading),
                schema,
                f"{where}, settings of {part}, reading '{reading}'",
            )
    if len(claim["parts"]) > 1 and "combine" not in claim:
        raise StudyError(f"{where} has {len(claim['parts'])} parts; say 'combine: every' or 'combine: any'")


def check_algorithms(claim: Mapping, experiments: Mapping[str, Mapping]) -> None:
    """Raise a StudyError if the claim names an algorithm that its experiment does not run."""
    for part, entry in claim["parts"].items():
        known = experiments.get(entry["experiment"], {}).get("algorithms")
        for reading in claim["readings"] if known is not None else ():
            settings = merged_settings(claim, part, reading)
            for key in KINDS[claim["test"]].algorithms:
                if settings[key] not in known:
                    raise StudyError(
                        f"claim {claim['id']}: the experiment {entry['experiment']} does not run "
                        f"'{settings[key]}'{nearest(settings[key], known)}"
                    )
