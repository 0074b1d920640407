"""The README of the reference run's folder: what is in it, and what made it."""

from collections.abc import Mapping
from typing import Any

TEXT = """# The reference run

What came out at the thesis's own sizes, with seed 2021, as far as the looks that decide were run.
`make reference`, in the folder above, draws every figure and the page from it in about two minutes, and
computes nothing; `make audit` computes a sample of its rows again.

| file | what it holds |
|---|---|
| `claims.csv` | the ledger: the verdict on every statement, and the numbers that decide it |
| `tables/*.csv.xz` | all outcomes of an experiment, a row a trial or an iterate; pandas reads them |
| `outcomes/*.csv.xz` | a row a trial, where the table has a row an iterate |
| `figures/*.csv` | the numbers that each figure shows |
| `made/*.json` | what made each table: parameters, code digests, commits, machines, CPU seconds |
| `config.yaml` | the trials of each experiment, as an overlay on the project's `config.yaml` |
| `reference.json` | the sha256 of every file, and the digests of the code that made each experiment |

| chapter | experiments | rows | core-hours |
|---|---|---|---|
{chapters}

Made at commit {commits}, on {machines}.
{rechecks}
No number here is edited by hand: `make keep` writes this folder from results; a test compares every sha256.
"""


def readme(experiments: Mapping[str, Mapping[str, Any]], made: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the README of a reference with these experiments, and what each was made from."""
    rows = []
    for chapter in sorted({entry["chapter"] for entry in experiments.values()}):
        mine = [entry for entry in experiments.values() if entry["chapter"] == chapter]
        hours = sum(entry["core_seconds"] for entry in mine) / 3600
        rows.append(f"| {chapter} | {len(mine)} | {sum(entry['rows'] for entry in mine)} | {hours:.2f} |")
    commits = {
        block["commit"] for one in made.values() for block in one["made"].values() if "commit" in block
    }
    machines = {facts["machine"] for one in made.values() for facts in one["machines"] if "machine" in facts}
    return TEXT.format(
        chapters="\n".join(rows),
        commits=", ".join(sorted(commits)),
        machines="; ".join(sorted(machines)),
        rechecks=_rechecks(experiments),
    )


def _rechecks(experiments: Mapping[str, Mapping[str, Any]]) -> str:
    """Return what was computed again after code had changed; empty where nothing was."""
    notes = [one for entry in experiments.values() for one in entry.get("rechecks", [])]
    if not notes:
        return ""
    names = sorted(name for name, entry in experiments.items() if entry.get("rechecks"))
    commits, rows = ", ".join(sorted({note["commit"] for note in notes})), sum(note["rows"] for note in notes)
    return (
        f"\nThe code of {len(names)} experiments has changed since they were run. {rows} of their rows, "
        f"drawn at random, were computed again by the changed code (commit {commits}), and all agreed "
        f"(`make recheck`): {', '.join(names)}.\n"
    )
