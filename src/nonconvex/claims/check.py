"""Strict reading of claims files: a slip becomes one sentence with the nearest known name.

The Snakemake main process imports this module: neither it nor what it imports may load numpy or pandas.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from nonconvex.claims.kinds.kind import Schema
from nonconvex.claims.kinds.registry import KINDS
from nonconvex.errors import UserError, nearest
from nonconvex.validation import read_yaml, validate

Claim = Mapping[str, Any]

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
    return [claims[name] for name in sorted(claims)]


def parts_of(claim: Claim, reading: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the parts of a claim under one reading: the reading's own where it has some."""
    return claim["readings"][reading].get("parts", claim["parts"])


def named_test(claim: Claim, part: Mapping[str, Any]) -> str:
    """Return the name of the test of one part: its own, or the claim's."""
    return part.get("test", claim["test"])


def merged_settings(claim: Claim, part: str, reading: str) -> dict[str, Any]:
    """Return the settings of one part under one reading: the reading's, before the part's, the claim's.

    A part with a test of its own does not take the claim's settings, which are those of another test. Of
    the reading's it takes those that its test knows.
    """
    entry, chosen = parts_of(claim, reading)[part], claim["readings"][reading].get("settings", {})
    own = entry.get("settings", {})
    if "test" not in entry:
        return {**claim["settings"], **own, **chosen}
    kind = KINDS[entry["test"]]
    return {**own, **{k: v for k, v in chosen.items() if k in kind.settings}}


def _check_settings(claim: Claim, where: str) -> None:
    for reading in claim["readings"]:
        parts = parts_of(claim, reading)
        for part, entry in parts.items():
            kind = KINDS[named_test(claim, entry)]
            schema = _strict(kind.required, kind.optional)
            place = f"settings of {part}, reading '{reading}'"
            validate(merged_settings(claim, part, reading), schema, f"{where}, {place}")
            if kind.beside not in (None, "beside" in entry):
                needs = "needs" if kind.beside else "takes no"
                raise UserError(
                    f"{where}, {part}: the test {named_test(claim, entry)} {needs} 'beside: <experiment>'"
                )
        if len(parts) > 1 and "combine" not in claim:
            raise UserError(f"{where} has {len(parts)} parts; say 'combine: every' or 'combine: any'")


def check_claims(
    claims: Sequence[Claim],
    experiments: Mapping[str, Mapping[str, Any]],
    columns: Mapping[str, Sequence[str]],
    *,
    names: Collection[str] | None = None,
    figures: Collection[str] | None = None,
) -> None:
    """Refuse the first name in the claims that the experiments do not have.

    Parameters
    ----------
    claims : sequence of mapping
        From `read_claims`.
    experiments : mapping of str to mapping
        The resolved experiments. A part about another one is left out: nobody asks for its figures.
    columns : mapping of str to sequence of str
        The columns of the experiments' tables. The values of an experiment that is missing here go unchecked.
    names : collection of str, optional
        Every experiment that a file defines, asked for or not.
    figures : collection of str, optional
        Every figure that a file defines.

    Raises
    ------
    UserError
        One sentence with the claim, the part, the name and the nearest known one.
    """
    for claim in claims:
        where = f"claim {claim['id']}"
        for figure in claim["figures"]:
            _refuse_unknown(figure, figures, f"{where}: there is no figure {figure}")
        if "untested" in claim:
            continue
        for reading in claim["readings"]:
            for part, entry in parts_of(claim, reading).items():
                here = f"{where}, {part}"
                figure, used = entry["figure"], _experiments_of(entry)
                _refuse_unknown(figure, claim["figures"], f"{here}: {figure} is no figure of the claim")
                for name in used:
                    _refuse_unknown(name, names, f"{here}: there is no experiment '{name}'")
                if all(name in experiments for name in used):
                    _check_part(claim, part, reading, experiments, columns)
        check_algorithms(claim, experiments)


def check_algorithms(claim: Claim, experiments: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise a UserError if the claim names an algorithm that its experiment does not run."""
    for reading in claim["readings"]:
        for part, entry in parts_of(claim, reading).items():
            used = _experiments_of(entry)
            kind, settings = KINDS[named_test(claim, entry)], merged_settings(claim, part, reading)
            for experiment, algorithms in zip(used, kind.names_in(settings, len(used)), strict=True):
                known = experiments.get(experiment, {}).get("algorithms")
                for name in algorithms:
                    said = f"claim {claim['id']}, {part}: the experiment {experiment} does not run '{name}'"
                    _refuse_unknown(name, known, said)


def _check_part(
    claim: Claim,
    part: str,
    reading: str,
    experiments: Mapping[str, Mapping[str, Any]],
    columns: Mapping[str, Sequence[str]],
) -> None:
    """Refuse an axis or a value of one part that an experiment behind it does not have."""
    entry, settings = parts_of(claim, reading)[part], merged_settings(claim, part, reading)
    kind, used = KINDS[named_test(claim, entry)], _experiments_of(entry)
    for name, limited in zip(used, kind.limits_in(settings, len(used)), strict=True):
        here = f"claim {claim['id']}, {part}: the experiment {name}"
        axes, table = experiments[name]["axes"], columns.get(name)
        for axis in (settings[key] for key in kind.naming("axis") if key in settings):
            _refuse_unknown(axis, axes, f"{here} has no axis '{axis}'")
        # A test without algorithms reads facts, and any column of their table may limit them.
        known = axes if kind.algorithms else None if table is None else [*axes, *table]
        for axis in limited:
            _refuse_unknown(axis, known, f"{here} has no axis '{axis}'")
        for column in kind.columns(settings):
            if table is not None and column not in table:
                raise UserError(
                    f"{here} has no column '{column}' in its table, which {named_test(claim, entry)} needs "
                    f"(known: {', '.join(table)})"
                )
        for key in kind.naming("value"):
            _refuse_unknown(
                settings[key],
                None if table is None else [*table, *kind.made_of(key, table)],
                f"{here} has no value '{settings[key]}' in its table",
            )


def _experiments_of(entry: Mapping[str, Any]) -> list[str]:
    """Return the one or two experiments that a part of a claim is about."""
    return [entry[key] for key in ("experiment", "beside") if key in entry]


def _refuse_unknown(name: str, known: Collection[str] | None, said: str) -> None:
    """Raise a UserError that begins with `said` if the name is not among those known; None is unknown."""
    if known is not None and name not in known:
        raise UserError(f"{said}{nearest(name, known)}")
