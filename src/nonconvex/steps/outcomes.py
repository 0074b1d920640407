"""The outcomes step: run one algorithm on every instance of a dataset block."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from nonconvex.problems.contract import Outcome, Row, family
from nonconvex.steps.datasets import dataset_identity, open_dataset
from nonconvex.steps.outcome_file import write_outcomes
from nonconvex.steps.unfinished import unfinished
from nonconvex.study.blocks import remove_shorter


def run_block(plan: Mapping, digest: str, dataset_path: str | Path, path: str | Path) -> None:
    """Run the plan's algorithm on the trials of a dataset block and write the outcomes to `path`.

    A trial that a solver refuses (ValueError, a failed decomposition included) becomes a row with the status
    "failed" and the reason; a mistake in the call itself (TypeError) stops the step. Where the family's
    outcome works on the trials of a cell together, none of them may be refused.
    """
    of = family(plan["family"])
    kept, solver = of.load_outcome(), of.solver(plan["method"])
    trials = range(plan["first"], plan["last"] + 1)
    on = dataset_identity(dataset_path)
    with unfinished(path, plan, digest, on) if kept.resumes else nullcontext() as folder:
        given = (plan["tell"], plan["options"], *([folder] if kept.resumes else []))
        with open_dataset(dataset_path) as dataset:
            rows = list(_rows(kept, solver, dataset.instances(trials), given))
        _report(rows)
        histories = [row.pop("history", None) for row in rows]
        write_outcomes(path, plan, digest, on, kept, rows, histories)
    remove_shorter(path)


def _rows(kept: Outcome, solver: Callable, instances: Iterable, given: Sequence) -> Iterator[Row]:
    """Yield the row of each trial; those of a cell are worked on together where the outcome does so."""
    if kept.one is not None:
        for number, _, trial, instance in instances:
            try:
                row = kept.one(solver, instance, *given)
            except ValueError as error:
                row = kept.failed(str(error))
            yield {"cell": number, "trial": trial, "reason": ""} | row
    if kept.together is not None:
        for number, group in groupby(instances, key=itemgetter(0)):
            _, _, trials, members = zip(*group, strict=True)
            for trial, row in zip(trials, kept.together(solver, list(members), *given), strict=True):
                yield {"cell": number, "trial": trial, "reason": ""} | row


def _report(rows: Sequence[Mapping]) -> None:
    """Print how the trials ended, so that the log tells of failures."""
    for status, count in sorted(Counter(row["status"] for row in rows).items()):
        print(f"{count} of {len(rows)} trials: {status}", file=sys.stderr)
    for reason, count in Counter(row["reason"] for row in rows if row["reason"]).most_common(5):
        print(f"  {count} x {reason}", file=sys.stderr)
