"""The pipeline: the plan, code digest and files of every product of the study."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path

from nonconvex.study.blocks import block_range
from nonconvex.study.canonical import sha256
from nonconvex.study.config import SCALES, Config
from nonconvex.study.cost import job_limits, read_costs, unit_cost
from nonconvex.study.digest import digest
from nonconvex.study.errors import StudyError, nearest
from nonconvex.study.families import FAMILIES
from nonconvex.study.figure_names import check_figure_names
from nonconvex.study.pmu_figures import figure_words
from nonconvex.study.product import Product
from nonconvex.study.roots import roots
from nonconvex.study.strict import read_yaml
from nonconvex.study.study import THESIS, Study


class Pipeline(Study):
    """Every product of the study under one config; the workflow's rules ask it for files and parameters."""

    def __init__(self, config: Config, root: str | Path = "."):
        super().__init__(config, root)
        for kind in ("dataset", "outcomes", "table", "figure", "claims", "ledger", "page", "_limits"):
            setattr(self, kind, cache(getattr(self, kind)))  # each rule asks several times for each job

    def check(self) -> None:
        """Raise a StudyError for the first mistake in what the config asks for."""
        super().check()
        self.data_files()
        self.page()

    def at(self, folder: str) -> "Pipeline":
        """Return the pipeline whose results lie in ``results/{folder}``: this one, or another plain scale."""
        if folder == self.config.folder:
            return self
        if folder not in SCALES:
            raise StudyError(
                f"results/{folder} is not of this config (scale {self.config.scale}, name {self.config.name})"
                f"; give the overlay's --configfile, or a plain scale: {', '.join(SCALES)}"
            )
        plain = replace(self.config, scale=folder, name=None, grid={}, data={})
        return self._others.setdefault(folder, Pipeline(plain, self.root))

    @cached_property
    def _others(self) -> dict[str, "Pipeline"]:
        return {}

    def dataset(self, experiment: str, block: str) -> Product:
        """Return the dataset block `block` of an experiment."""
        e = self.experiment(experiment)
        first, last = block_range(block)
        data = FAMILIES[e["family"]]["data"]
        plan = {
            "data": data,
            "first": first,
            "last": last,
            **{key: e[key] for key in ("dataset", "independent", "parameters", "axes", "seed")},
        }
        if "recording" in e:
            plan["recording"] = e["recording"]["sha256"]
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
        e, a = self.experiment(experiment), self.algorithm(experiment, algorithm)
        first, last = block_range(block)
        known = self.blocks(experiment, algorithm)
        if block not in known:
            raise StudyError(
                f"{algorithm} on {experiment} has no block {block}; its blocks are {', '.join(known)}"
            )
        family = FAMILIES[e["family"]]
        solver = family.get("solver") or f"{family['methods']}.{a['method']}"
        plan = {
            "outcome": family["outcome"],
            "solver": solver,
            "algorithm": algorithm,
            "first": first,
            "last": last,
            **{key: a[key] for key in ("method", "tell", "options")},
            **{key: e[key] for key in ("parameters", "axes", "seed")},
        }
        dataset = self.dataset(experiment, self.blocks(experiment)[first // e["block"]])
        return Product(
            "outcomes",
            f"outcomes of {algorithm} on {experiment}, trials {block}",
            plan,
            digest(roots("outcomes", plan)),
            dataset.outputs,
            (f"{self.folder}/outcomes/{experiment}/{algorithm}/{block}.h5",),
            dataset={"plan": dataset.plan_sha256, "digest": dataset.digest},
            **self._limits(experiment, algorithm, last - first + 1),
        )

    def _limits(self, experiment: str, part: str, trials: int) -> dict:
        resolved = self.experiment(experiment)
        return job_limits(unit_cost(self._costs, resolved, part), resolved, trials)

    @cached_property
    def _costs(self) -> dict:
        return read_costs(self.root)

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
        family = FAMILIES[e["family"]]
        parts = self._outcome_products(experiment)
        if not parts:
            parts = [self.dataset(experiment, block) for block in self.blocks(experiment)]
        plan = {
            "table": family.get("table") if not e["algorithms"] else None,
            "outcome": family.get("outcome"),
            "data": family["data"],
            "parameters": e["parameters"],
            "axes": e["axes"],
            "success": e.get("success"),
            "blocks": [
                {
                    "algorithm": part.plan.get("algorithm"),
                    "plan": part.plan_sha256,
                    "digest": part.digest,
                    "dataset": part.dataset,
                }
                for part in parts
            ],
        }
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
            known = ", ".join(self._figure_entries)
            raise StudyError(
                f"there is no figure {figure} (known: {known}){nearest(figure, self._figure_entries)}"
            )
        chapter, entry = self._figure_entries[figure]
        experiments = {name: self.experiment(name) for name in entry["experiments"]}
        plan = {
            "figure": figure,
            "chapter": chapter,
            "scale": self.config.folder,
            "options": {},
            **figure_words(entry, experiments),
            "experiments": experiments,
        }
        where = f"workflow/experiments/chapter{chapter}.yaml: figure {figure}"
        check_figure_names(plan["options"], experiments, where)
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
        path = self._claims_file(chapter)
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

    def _claims_file(self, chapter: str) -> str:
        return f"workflow/claims/chapter{chapter}.yaml"

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
        }
        return Product(
            "page",
            "evidence page",
            plan,
            digest(roots("page", plan)),
            (
                *self.ledger().outputs,
                *(product.stamp for product in (*figures, *tables)),
                *(path for product in figures for path in product.outputs),
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
