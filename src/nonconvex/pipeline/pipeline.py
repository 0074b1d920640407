"""The pipeline: the plan, code digest and files of every product of the study."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path

from nonconvex.canonical import sha256
from nonconvex.claims.check import read_claims
from nonconvex.claims.names import check_claims
from nonconvex.errors import UserError
from nonconvex.figures.options.check import check_options
from nonconvex.pipeline.costs import job_limits, read_costs, unit_cost
from nonconvex.pipeline.digests import digest
from nonconvex.pipeline.plans import dataset_plan, figure_plan, outcomes_plan, table_plan
from nonconvex.pipeline.product import Product
from nonconvex.pipeline.reference_state import reference_state
from nonconvex.pipeline.roots import roots
from nonconvex.pipeline.work import MEMORY, protocol, wants_gpu
from nonconvex.steps.tables import table_columns
from nonconvex.study.blocks import block_range
from nonconvex.study.config import SCALES, Config
from nonconvex.study.figure_names import other_figures
from nonconvex.study.study import THESIS, Study
from nonconvex.validation import read_yaml


class Pipeline(Study):
    """Every product of the study under one config; the workflow's rules ask it for files and parameters."""

    def __init__(
        self, config: Config, root: str | Path = ".", chapters: Mapping[str, dict] | None = None
    ) -> None:
        super().__init__(config, root, chapters)
        for kind in ("dataset", "outcomes", "table", "figure", "claims", "ledger", "page", "_limits"):
            setattr(self, kind, cache(getattr(self, kind)))  # each rule asks several times for each job

    def check(self) -> None:
        """Raise a UserError for the first mistake in what the config asks for."""
        super().check()
        self.data_files()
        self.page()
        self._check_claims()

    def _check_claims(self) -> None:
        """Raise a UserError for a claim about something that the experiments or figures do not have."""
        experiments = {name: self.experiment(name) for name in self.experiment_names()}
        check_claims(
            read_claims([self.root / self.claims_file(chapter) for chapter in self.chapters]),
            experiments,
            {name: self.columns(name) for name in experiments},
            names=list(self._experiment_entries),
            figures=self.every_figure,
        )

    def under(self, config: Config) -> "Pipeline":
        """Return the pipeline of the same study under another config; no file is read again."""
        other = Pipeline(config, self.root, self._chapters)
        other._costs = self._costs
        return other

    def at(self, folder: str) -> "Pipeline":
        """Return the pipeline whose results lie in ``results/{folder}``: this one, or another plain scale."""
        if folder == self.config.folder:
            return self
        if folder not in SCALES:
            raise UserError(
                f"results/{folder} is not of this config (scale {self.config.scale}, name {self.config.name})"
                f"; give the overlay's --configfile, or a plain scale: {', '.join(SCALES)}"
            )
        if folder not in self._others:
            plain = replace(self.config, scale=folder, name=None, grid={}, data={})
            self._others[folder] = self.under(plain)
        return self._others[folder]

    @cached_property
    def _others(self) -> dict[str, "Pipeline"]:
        return {}

    def dataset(self, experiment: str, block: str) -> Product:
        """Return the dataset block `block` of an experiment."""
        e = self.experiment(experiment)
        first, last = block_range(block)
        plan = dataset_plan(e, first, last)
        return Product(
            "dataset",
            f"dataset of {experiment}, trials {block}",
            plan,
            digest(roots("dataset", plan)),
            (),
            (f"{self.folder}/datasets/{experiment}/{block}.h5",),
            **self._limits(experiment, "dataset", last - first + 1),
        )

    def outcomes(self, experiment: str, algorithm: str, block: str) -> Product:
        """Return the outcomes of one algorithm on a block of trials."""
        e = self.experiment(experiment)
        first, last = block_range(block)
        known = self.blocks(experiment, algorithm)
        if block not in known:
            raise UserError(
                f"{algorithm} on {experiment} has no block {block}; its blocks are {', '.join(known)}"
            )
        plan = outcomes_plan(e, algorithm, first, last)
        dataset = self.dataset(experiment, self.blocks(experiment)[first // e["block"]])
        limits = self._limits(experiment, algorithm, last - first + 1)
        gpu = self.config.device != "cpu" and wants_gpu(e, last - first + 1)
        if gpu:
            limits["memory_mb"] = max(limits["memory_mb"], MEMORY)
        return Product(
            "outcomes",
            f"outcomes of {algorithm} on {experiment}, trials {block}",
            plan,
            digest(roots("outcomes", plan)),
            dataset.outputs,
            (f"{self.folder}/outcomes/{experiment}/{algorithm}/{block}.h5",),
            dataset={"plan": dataset.plan_sha256, "digest": dataset.digest},
            gpu=gpu,
            **limits,
        )

    def _limits(self, experiment: str, part: str, trials: int) -> dict:
        resolved = self.experiment(experiment)
        return job_limits(unit_cost(self._costs, resolved, part), resolved, trials)

    @cached_property
    def _costs(self) -> dict:
        return read_costs(self.root)

    def told_left_out(self) -> list[str]:
        """Return a line on each reason why figures are left out, and on each axis of which values are."""
        reasons: dict[str, list[str]] = {}
        for figure, why in self.left_out.items():
            reasons.setdefault(why, []).append(figure)
        told = [f"left out: Figure {', '.join(figures)}: {why}" for why, figures in reasons.items()]
        for name in self.experiment_names():
            for axis, values in self.experiment(name).get("dropped", {}).items():
                told.append(f"{name}: more than the data at hand, and left out: {axis} = {values}")
        return told

    def protocol(self, experiment: str) -> dict:
        """Return the sizes of an experiment at this scale, whatever data are at hand."""
        return protocol(self._experiment_entries[experiment][1], self.config.scale)

    def block_products(self, experiment: str) -> list[Product]:
        """Return the dataset blocks and all outcome blocks of an experiment."""
        datasets = [self.dataset(experiment, block) for block in self.blocks(experiment)]
        return datasets + self._outcome_products(experiment)

    def _outcome_products(self, experiment: str) -> list[Product]:
        return [
            self.outcomes(experiment, algorithm, block)
            for algorithm in self.experiment(experiment)["algorithms"]
            for block in self.blocks(experiment, algorithm)
        ]

    def table(self, experiment: str) -> Product:
        """Return the table of an experiment."""
        e = self.experiment(experiment)
        parts = self._outcome_products(experiment)
        if not parts:
            parts = [self.dataset(experiment, block) for block in self.blocks(experiment)]
        plan = table_plan(e, parts)
        return Product(
            "table",
            f"table of {experiment}",
            plan,
            digest(roots("table", plan)),
            tuple(part.outputs[0] for part in parts),
            (f"{self.folder}/tables/{experiment}.csv",),
            stamp=f"{self.folder}/stamps/tables/{experiment}.json",
        )

    def figure(self, figure: str) -> Product:
        """Return a figure in all formats, with the numbers it shows."""
        if figure not in self._figure_entries:
            raise UserError(f"there is no figure {figure}{other_figures(figure, self.every_figure)}")
        chapter, entry = self._figure_entries[figure]
        experiments = {name: self.experiment(name) for name in entry["experiments"]}
        plan = figure_plan(figure, chapter, self.config.folder, entry, experiments)
        where = f"workflow/experiments/chapter{chapter}.yaml: figure {figure}"
        columns = {name: self.columns(name) for name in experiments}
        check_options(plan["kind"], plan["options"], experiments, columns, where)
        base = f"{self.folder}/figures/fig{figure}"
        return Product(
            "figure",
            f"figure {figure}",
            plan,
            digest(roots("figure", plan)),
            tuple(self.table(name).outputs[0] for name in entry["experiments"]),
            tuple(f"{base}.{suffix}" for suffix in ("csv", *sorted(self.config.formats))),
            stamp=f"{self.folder}/stamps/figures/fig{figure}.json",
        )

    def claims(self, chapter: str) -> Product:
        """Return the ledger rows of the claims about the wanted figures of a chapter."""
        path = self.claims_file(chapter)
        used = [n for n in self.experiment_names() if self.experiment(n)["chapter"] == chapter]
        plan = {
            "file": path,
            "claims": sha256(read_yaml(self.root / path)),
            "scale": self.config.folder,
            "figures": self.figures(chapter),
            "experiments": {name: self.experiment(name) for name in used},
        }
        return Product(
            "claims",
            f"claims of chapter {chapter}",
            plan,
            digest(roots("claims", plan)),
            tuple(self.table(name).outputs[0] for name in used),
            (f"{self.folder}/claims/chapter{chapter}.csv",),
            stamp=f"{self.folder}/stamps/claims/chapter{chapter}.json",
        )

    def wanted_claims(self, chapter: str) -> list[dict]:
        """Return the claims about the wanted figures of a chapter."""
        claims = read_claims([self.root / self.claims_file(chapter)])
        return [claim for claim in claims if set(self.figures(chapter)).intersection(claim["figures"])]

    def columns(self, experiment: str) -> list[str]:
        """Return the columns of an experiment's table."""
        e = self.experiment(experiment)
        return table_columns(e["family"], e["axes"])

    def ledger(self) -> Product:
        """Return the ledger of all wanted chapters."""
        return Product(
            "ledger",
            "ledger of claims",
            {"chapters": self.chapters},
            digest(roots("ledger", {})),
            tuple(self.claims(chapter).outputs[0] for chapter in self.chapters),
            (f"{self.folder}/claims.csv",),
            stamp=f"{self.folder}/stamps/claims.json",
        )

    def results(self) -> list[str]:
        """Return every file that a run is for: tables, figures, ledgers and the page."""
        return [path for product in self.products() if product.stamp for path in product.outputs]

    def chapter_files(self, chapter: str) -> list[str]:
        """Return the files of a chapter's figures and claims."""
        products = [self.figure(figure) for figure in self.figures(chapter)]
        return [path for product in (*products, self.claims(chapter)) for path in product.outputs]

    def page(self) -> Product:
        """Return the evidence page."""
        figures = [self.figure(figure) for figure in self.figures()]
        tables = [self.table(name) for name in self.experiment_names()]
        plan = {
            "scale": self.config.folder,
            "thesis": THESIS,
            "chapters": {chapter: self.chapter_title(chapter) for chapter in self.chapters},
            "formats": list(self.config.formats),
            "figures": self.figures(),
            "left_out": self.left_out,
            "reference": reference_state(self),
        }
        return Product(
            "page",
            "evidence page",
            plan,
            digest(roots("page", plan)),
            (
                *self.ledger().outputs,
                *(product.files[-1] for product in (*figures, *tables)),  # their stamps
                *(path for product in figures for path in product.outputs),
                *(("reference/reference.json", "reference/claims.csv") if plan["reference"] else ()),
            ),
            (f"{self.folder}/index.html",),
            stamp=f"{self.folder}/stamps/page.json",
        )

    def products(self) -> Iterator[Product]:
        """Yield every product that the config asks for, inputs before what is made from them."""
        for name in self.experiment_names():
            yield from self.block_products(name)
            yield self.table(name)
        for figure in self.figures():
            yield self.figure(figure)
        for chapter in self.chapters:
            yield self.claims(chapter)
        yield self.ledger()
        yield self.page()
