"""The study at one scale: which products there are, and the plan and code digest of each."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from nonconvex.study import experiments
from nonconvex.study.blocks import block_names, block_range
from nonconvex.study.canonical import sha256
from nonconvex.study.config import SCALES, Config
from nonconvex.study.cost import job_limits, read_costs, unit_cost
from nonconvex.study.digest import digest
from nonconvex.study.errors import StudyError, nearest
from nonconvex.study.families import FAMILIES
from nonconvex.study.product import Product

THESIS = (
    "Shuai Zhang, Non-convex Optimizations for Machine Learning with Theoretical Guarantee: Robust Matrix "
    "Completion and Neural Network Learning, PhD thesis, Rensselaer Polytechnic Institute, 2021"
)


class Study:
    """Every product of the study under one config.

    Parameters
    ----------
    config : Config
        The checked knobs.
    root : path
        The project's top folder, which holds ``workflow/``; results are named relative to it.
    """

    def __init__(self, config: Config, root: str | Path = "."):
        self.config = config
        self.root = Path(root)
        self._chapters = experiments.read_chapters(
            self.root / "workflow/experiments", self.root / "workflow/schemas/experiments.schema.yaml"
        )
        self._check_choice("chapters", self._chapters)
        self._check_choice("figures", self._figure_entries)
        entries = {name: e for c in self._chapters.values() for name, e in c["experiments"].items()}
        experiments.check_grid_names(config.grid, entries)

    def at(self, folder: str) -> "Study":
        """Return the study whose results lie in ``results/{folder}``: this one, or another plain scale."""
        if folder == self.config.folder:
            return self
        if folder not in SCALES:
            raise StudyError(
                f"results/{folder} is not of this config (scale {self.config.scale}, name {self.config.name})"
                f"; give the overlay's --configfile, or a plain scale: {', '.join(SCALES)}"
            )
        plain = Config(folder, None, self.config.seed, self.config.trials, formats=self.config.formats)
        return self._others.setdefault(folder, Study(plain, self.root))

    @cached_property
    def _others(self) -> dict[str, "Study"]:
        return {}

    @cached_property
    def _figure_entries(self) -> dict[str, tuple[str, dict]]:
        """Per figure: its chapter and its entry in the chapter's file, in printed order."""
        return {
            figure: (chapter, entry)
            for chapter in sorted(self._chapters)
            for figure, entry in self._chapters[chapter]["figures"].items()
        }

    def _check_choice(self, key: str, known: dict) -> None:
        for name in getattr(self.config, key) or ():
            if name not in known:
                raise StudyError(
                    f"config: {key} names '{name}', which is unknown (known: {', '.join(known)})"
                    f"{nearest(name, known)}"
                )

    def check(self) -> None:
        """Resolve every experiment behind the wanted figures; raise a StudyError for the first mistake."""
        for name in self.experiment_names():
            self.experiment(name)

    # What there is

    @property
    def folder(self) -> str:
        """The results folder, relative to the root."""
        return f"results/{self.config.folder}"

    @cached_property
    def chapters(self) -> list[str]:
        """The chapters that the config asks for."""
        return [c for c in sorted(self._chapters) if c in (self.config.chapters or self._chapters)]

    def figures(self, chapter: str | None = None) -> list[str]:
        """Return the figures that the config asks for, of one chapter or of all, in printed order."""
        wanted = self.config.figures or self._figure_entries
        chapters = self.chapters if chapter is None else [chapter]
        return [f for f, (c, _) in self._figure_entries.items() if f in wanted and c in chapters]

    def chapter_title(self, chapter: str) -> str:
        """Return the title of a chapter."""
        return self._chapters[chapter]["title"]

    def experiment_names(self) -> list[str]:
        """Return the experiments behind the wanted figures, in the order of the files."""
        used = {name for f in self.figures() for name in self._figure_entries[f][1]["experiments"]}
        return [n for c in self.chapters for n in self._chapters[c]["experiments"] if n in used]

    def experiment(self, name: str) -> dict:
        """Return the resolved experiment `name`."""
        if name not in self._resolved:
            for chapter, content in self._chapters.items():
                if name in content["experiments"]:
                    where = f"workflow/experiments/chapter{chapter}.yaml"
                    entry = content["experiments"][name]
                    self._resolved[name] = experiments.resolve(name, entry, chapter, self.config, where)
                    break
            else:
                known = [n for c in self._chapters.values() for n in c["experiments"]]
                raise StudyError(f"there is no experiment '{name}'{nearest(name, known)}")
        return self._resolved[name]

    @cached_property
    def _resolved(self) -> dict[str, dict]:
        return {}

    def algorithm(self, experiment: str, name: str) -> dict:
        """Return the entry of algorithm `name` in an experiment."""
        known = self.experiment(experiment)["algorithms"]
        if name not in known:
            raise StudyError(f"experiment {experiment} has no algorithm '{name}'{nearest(name, known)}")
        return known[name]

    def blocks(self, experiment: str, algorithm: str | None = None) -> list[str]:
        """Return the blocks of an experiment's dataset, or of an algorithm's outcomes on it."""
        resolved = self.experiment(experiment)
        trials = resolved["trials"] if algorithm is None else self.algorithm(experiment, algorithm)["trials"]
        return block_names(trials, resolved["block"])

    # Products

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
        return Product(
            "dataset",
            f"dataset of {experiment}, trials {block}",
            plan,
            digest(["nonconvex.study.datasets", data]),
            (),
            (f"{self.folder}/datasets/{experiment}/{block}.h5",),
            **self._limits(experiment, "dataset", last - first + 1),
        )

    def outcomes(self, experiment: str, algorithm: str, block: str) -> Product:
        """Return the outcomes of one algorithm on a block of trials."""
        e, a = self.experiment(experiment), self.algorithm(experiment, algorithm)
        first, last = block_range(block)
        family = FAMILIES[e["family"]]
        solver = f"{family['methods']}.{a['method']}"
        plan = {
            "outcome": family["outcome"],
            "solver": solver,
            "algorithm": algorithm,
            "first": first,
            "last": last,
            **{key: a[key] for key in ("method", "tell", "options")},
            **{key: e[key] for key in ("parameters", "axes", "seed")},
        }
        dataset = self.dataset(experiment, self._covering(experiment, first))
        return Product(
            "outcomes",
            f"outcomes of {algorithm} on {experiment}, trials {block}",
            plan,
            digest(["nonconvex.study.outcomes", family["outcome"], solver]),
            dataset.outputs,
            (f"{self.folder}/outcomes/{experiment}/{algorithm}/{block}.h5",),
            dataset={"plan": sha256(dataset.plan), "digest": dataset.digest},
            **self._limits(experiment, algorithm, last - first + 1),
        )

    def _limits(self, experiment: str, part: str, trials: int) -> dict[str, int]:
        resolved = self.experiment(experiment)
        return job_limits(unit_cost(self._costs, resolved, part), resolved, trials)

    @cached_property
    def _costs(self) -> dict:
        return read_costs(self.root)

    def _covering(self, experiment: str, first: int) -> str:
        """Return the dataset block that starts at trial `first`."""
        for name in self.blocks(experiment):
            if block_range(name)[0] == first:
                return name
        raise StudyError(
            f"no block of {experiment} starts at trial {first}; its blocks are "
            f"{', '.join(self.blocks(experiment))}"
        )

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
        roots = [m for m in (family.get("table"), family.get("outcome"), family["data"]) if m]
        plan = {
            "table": family.get("table") if not e["algorithms"] else None,
            "outcome": family.get("outcome"),
            "parameters": e["parameters"],
            "axes": e["axes"],
            "success": e.get("success"),
            "blocks": [
                {
                    "algorithm": part.plan.get("algorithm"),
                    "plan": sha256(part.plan),
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
            digest(["nonconvex.study.tables", *roots]),
            tuple(part.outputs[0] for part in parts),
            (f"{self.folder}/tables/{experiment}.csv",),
            stamp=f"{self.folder}/stamps/tables/{experiment}.json",
        )

    def figure(self, figure: str) -> Product:
        """Return a figure in all formats, with the numbers it shows."""
        if figure not in self._figure_entries:
            raise StudyError(f"there is no figure {figure}{nearest(figure, self._figure_entries)}")
        chapter, entry = self._figure_entries[figure]
        plan = {
            "figure": figure,
            "chapter": chapter,
            "scale": self.config.folder,
            "options": {},
            **{key: value for key, value in entry.items() if key != "experiments"},
            "experiments": {name: self.experiment(name) for name in entry["experiments"]},
        }
        base = f"{self.folder}/figures/fig{figure}"
        return Product(
            "figure",
            f"figure {figure}",
            plan,
            digest(["nonconvex.figures.render", f"nonconvex.figures.{entry['kind']}"]),
            tuple(self.table(name).outputs[0] for name in entry["experiments"]),
            tuple(f"{base}.{suffix}" for suffix in ("csv", *sorted(self.config.formats))),
            stamp=f"{self.folder}/stamps/figures/fig{figure}.json",
        )

    def products(self) -> Iterator[Product]:
        """Yield every product that the config asks for, inputs before what is made from them."""
        for name in self.experiment_names():
            yield from self.block_products(name)
            yield self.table(name)
        for figure in self.figures():
            yield self.figure(figure)

