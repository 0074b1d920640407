"""Stamps: what a product was made from, and whether the one on disk is what its plan asks for."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from nonconvex.canonical import json_text
from nonconvex.files import file_sha256, write_text


def write_stamp(
    path: str | Path, plan: Mapping, digest: str, inputs: Iterable[str], outputs: Iterable[str]
) -> None:
    """Write what a product was made from: plan, code digest and the sha256 of its inputs and outputs."""
    stamp = {
        "plan": plan,
        "digest": digest,
        "inputs": {str(name): file_sha256(name) for name in inputs},
        "outputs": {str(name): file_sha256(name) for name in outputs},
    }
    write_text(path, json_text(stamp) + "\n")


def stamp_problem(
    path: str | Path,
    plan: Mapping,
    digest: str,
    inputs: Iterable[str],
    outputs: Iterable[str],
    gone: Iterable[str] = (),
) -> str | None:
    """Return why a product is not what its plan asks for, or None when all of it agrees.

    A product is stale when another plan, code or input made it, and damaged when an output's bytes changed.
    Inputs named in `gone` need not exist.
    """
    try:
        stamp = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return "its stamp is missing or unreadable"
    if json_text(stamp.get("plan")) != json_text(plan):
        return other_plan(stamp.get("plan") or {}, plan)
    if stamp.get("digest") != digest:
        return "it was made by other code"
    for what, names, verb in (
        ("inputs", inputs, "was made from another"),
        ("outputs", outputs, "has a damaged"),
    ):
        expected = stamp.get(what, {})
        if sorted(expected) != sorted(names):
            return f"it has other {what}"
        for name in sorted(set(names).difference(gone)):
            if not Path(name).is_file():
                return f"{name} is missing"
            if file_sha256(name) != expected[name]:
                return f"it {verb} {name}"
    return None


def other_plan(found: Mapping, plan: Mapping) -> str:
    """Say that something was made by another plan, and in which parts the plans differ."""
    parts = sorted(key for key in {*found, *plan} if found.get(key) != plan.get(key))
    return f"it was made by another plan ({', '.join(parts)})"
