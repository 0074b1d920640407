"""How claims stand by the tables that there are: what is decided, what is open, and what runs next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import accumulate
from pathlib import Path

import pandas as pd

from nonconvex.claims.ledger import NOT_AT_THIS_SCALE, OPEN
from nonconvex.claims.next_look import Trials, choose, needs
from nonconvex.claims.step import chapter_ledger, join_ledger
from nonconvex.commands.columns import listed, rows_text
from nonconvex.pipeline.costs import blocks_cost, read_costs
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.trials import trials_there, whole, with_trials

SHOWN = ["claim", "verdict", "look", "trials", "declared"]


@dataclass(frozen=True)
class Standing:
    """How claims stand.

    Attributes
    ----------
    folder : str
    ledgers : mapping of str to DataFrame
        By chapter: of all that the config asks for.
    shown : DataFrame
        The claims' own rows, of the chapters that are to be decided.
    needed : mapping
        From `nonconvex.claims.next_look.needs`, of these chapters.
    there, coming : mapping of str to int
        The trials of each table that there is, and those of the experiments that run next.
    costs : mapping
        Experiment -> core-seconds of what runs next, and the parts that were not measured.
    """

    folder: str
    ledgers: Mapping[str, pd.DataFrame]
    shown: pd.DataFrame
    needed: Mapping[str, Trials]
    there: Trials
    coming: Trials
    costs: Mapping[str, tuple[float, list[str]]]

    def write(self, path: Path) -> None:
        """Write the ledger of all chapters."""
        texts = [ledger.to_csv(index=False, lineterminator="\n") for ledger in self.ledgers.values()]
        join_ledger([StringIO(text) for text in texts], path)

    def cheapest(self, seconds: float) -> dict[str, int]:
        """Return the cheapest experiments that come next, within so many core-seconds; at least one.

        Those of which a part was not measured come last.
        """
        order = sorted(self.coming, key=lambda name: (bool(self.costs[name][1]), self.costs[name][0]))
        total = accumulate(self.costs[name][0] for name in order)
        return {
            name: self.coming[name]
            for number, (name, spent) in enumerate(zip(order, total, strict=True))
            if number == 0 or spent <= seconds
        }

    def text(self, left: float | None) -> str:
        """Return what a person is told: what is decided and open, what runs next, and the seconds left."""
        lines = [f"\nClaims by the tables in {self.folder}:"]
        lines += rows_text([*self._decided(), *self._waiting()])
        if self.coming:
            lines += self._next()
        elif self._open():
            lines.append("Nothing is left to run: what is open needs more trials than this config has.")
        else:
            small = (self.shown["verdict"] == NOT_AT_THIS_SCALE).sum()
            more = f" {small} claims cannot be judged at this scale." if small else ""
            lines.append(f"Nothing is open.{more}")
        if left is not None and self.coming:
            lines.append(f"Time left: {max(left, 0) / 3600:.2f} hours.")
        return "\n".join(lines)

    def _open(self) -> list[str]:
        rows = self.shown.loc[self.shown["verdict"] == OPEN]
        return [f"{row.claim} {row.trials} of {row.declared} trials" for row in rows.itertuples()]

    def _decided(self) -> list[tuple[str, str]]:
        """Return each verdict, and the claims that have it, each with its look."""
        rows = self.shown.loc[(self.shown["verdict"] != OPEN) & ~self.shown["claim"].isin(self._first())]
        told = []
        for verdict, group in rows.groupby("verdict", sort=False):
            names = [f"{row.claim} ({row.look})" if row.look else row.claim for row in group.itertuples()]
            told.append((f"{verdict}, {len(names)}", listed(names)))
        return told

    def _waiting(self) -> list[tuple[str, str]]:
        groups = {"open": self._open(), "before the first look": self._first()}
        return [(f"{words}, {len(names)}", listed(names)) for words, names in groups.items() if names]

    def _first(self) -> list[str]:
        """Return the claims that wait for their first look."""
        opened = set(self.shown.loc[self.shown["verdict"] == OPEN, "claim"])
        return [
            claim
            for claim, trials in self.needed.items()
            if claim not in opened and any(name in self.coming for name in trials)
        ]

    def _next(self) -> list[str]:
        """Return the lines on what runs next, and what it costs."""
        seconds = sum(spent for spent, _ in self.costs.values())
        unknown = any(missing for _, missing in self.costs.values())
        rows = [("experiment", "trials", "core-hours")]
        for name, trials in self.coming.items():
            spent, missing = self.costs[name]
            told = f"{spent / 3600:.2f}" + (f" (not measured: {', '.join(missing)})" if missing else "")
            rows.append((name, f"{self.there.get(name, 0)} -> {trials}", told))
        more = " and what was not measured" if unknown else ""
        return [f"Next look, {seconds / 3600:.2f} core-hours{more}:", *rows_text(rows)]


def judged(pipeline: Pipeline, chapters: Sequence[str]) -> Standing:
    """Judge all claims by the tables that there are, and find what those of some chapters need next."""
    there = trials_there(pipeline)
    now = with_trials(pipeline, there)
    ledgers = {chapter: _chapter(now, chapter, there) for chapter in pipeline.chapters}
    mine = pd.concat([ledgers[chapter] for chapter in chapters], ignore_index=True)
    needed = needs(mine)
    asked = {name: pipeline.experiment(name)["trials"] for name in pipeline.experiment_names()}
    coming = choose(needed, there, asked)
    grown = with_trials(pipeline, {**there, **coming})
    # Where every algorithm has its smaller cap, more trials make no other table.
    coming = {name: trials for name, trials in coming.items() if not whole(grown.table(name))}
    costs = read_costs(pipeline.root)
    return Standing(
        pipeline.folder,
        ledgers,
        mine.loc[mine["row"] == "claim", SHOWN].astype(object).fillna(""),
        needed,
        there,
        coming,
        {name: blocks_cost(grown.experiment(name), _missing(grown, name), costs) for name in coming},
    )


def _chapter(now: Pipeline, chapter: str, there: Mapping[str, int]) -> pd.DataFrame:
    """Return the ledger of a chapter, as its claims step would, by the tables that there are."""
    product = now.claims(chapter)
    paths = {name: now.table(name).outputs[0] for name in product.plan["experiments"] if name in there}
    tables = {name: pd.read_csv(path) for name, path in paths.items()}
    return chapter_ledger(product.plan, product.digest, tables, list(paths.values()))


def _missing(pipeline: Pipeline, name: str) -> dict[str, list[str]]:
    """Return the blocks of an experiment that are not there: of its dataset, and of each algorithm."""
    found: dict[str, list[str]] = {}
    for product in pipeline.block_products(name):
        path = Path(product.outputs[0])
        if not path.is_file():
            found.setdefault(product.plan.get("algorithm", "dataset"), []).append(path.stem)
    return found
