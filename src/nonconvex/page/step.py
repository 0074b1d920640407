"""The page step: gather figures, ledger and provenance of a results folder, and write its page."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from nonconvex.files import write_text
from nonconvex.page.build import build
from nonconvex.page.ledger import read_claims
from nonconvex.page.reference import ReferenceRun
from nonconvex.reference.store import FOLDER, LEDGER, read_csv, read_reference
from nonconvex.steps.provenance import read_sidecar

_SAID_BY_SIDECARS = ("digest", "numpy", "scipy", "h5py", "torch", "commit", "machine", "blas")


def write_page(plan: Mapping, inputs: Sequence[str], path: str | Path) -> None:
    """Write the evidence page to `path`.

    The stamps of figures and tables, among `inputs`, say what was drawn from what. The provenance sidecars
    are read where they exist: the page shows machine and commit, but never depends on them.
    """
    own = [name for name in inputs if Path(name).parent != Path(FOLDER)]
    ledger = next(name for name in own if Path(name).name == "claims.csv")
    stamps = {name: json.loads(Path(name).read_text()) for name in own if name.endswith(".json")}
    figures = {s["plan"]["figure"]: _figure(s) for s in stamps.values() if "figure" in s["plan"]}
    made_from = {Path(name).stem: s["inputs"] for name, s in stamps.items() if "blocks" in s["plan"]}
    page = build(
        {
            "scale": plan["scale"],
            "title": "Does the thesis hold up?",
            "thesis": plan["thesis"],
            "chapters": plan["chapters"],
            "formats": plan["formats"],
            "figures": [figures[figure] for figure in plan["figures"]],
            "left_out": plan.get("left_out", {}),
            "reference": _reference(plan["reference"]) if plan.get("reference") else None,
        },
        pd.read_csv(ledger, dtype={"figure": str}),
        {name: _facts(blocks) for name, blocks in made_from.items()},
    )
    write_text(path, page)


def _reference(told: Mapping) -> ReferenceRun:
    """Return the reference run; the plan tells what of it is stale."""
    ledger = read_csv(read_reference().content(LEDGER), dtype={"figure": str})
    return ReferenceRun({claim.name: claim for claim in read_claims(ledger)}, **told["state"])


def _figure(stamp: Mapping) -> dict:
    """Return a figure's plan with the sha256 of the tables and files that its stamp names."""
    made = {
        "tables": {Path(path).stem: digest for path, digest in stamp["inputs"].items()},
        "files": {Path(path).name: digest for path, digest in stamp["outputs"].items()},
        "code": stamp["digest"],
    }
    return {**stamp["plan"], "made": made}


def _facts(blocks: Iterable[str]) -> dict[str, str]:
    """Return what the sidecars of an experiment's blocks say, each fact once."""
    sidecars = [read_sidecar(block) for block in blocks]
    facts = {}
    for name in _SAID_BY_SIDECARS:
        said = dict.fromkeys(str(sidecar[name]) for sidecar in sidecars if name in sidecar)
        if said:
            facts[name] = ", ".join(said)
    return facts
