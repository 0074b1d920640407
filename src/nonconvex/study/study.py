"""The study under one config: which chapters, figures, experiments and blocks there are."""

from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from nonconvex.errors import UserError, among, nearest
from nonconvex.files import files_sha256
from nonconvex.problems.contract import Family, families, family
from nonconvex.problems.source import Found, source, source_names
from nonconvex.study import experiments
from nonconvex.study.blocks import block_names
from nonconvex.study.checks import check_streams, check_trials
from nonconvex.study.config import REFERENCE, Config
from nonconvex.study.experiments import LeftOut
from nonconvex.study.figure_names import other_figures
from nonconvex.study.grid import check_grid_names, check_grid_reach

THESIS = (
    "Shuai Zhang, Non-convex Optimizations for Machine Learning with Theoretical Guarantee: Robust Matrix "
    "Completion and Neural Network Learning, PhD thesis, Rensselaer Polytechnic Institute, 2021"
)

_block_names = cache(block_names)  # asked for with every outcome


class Study:
    """What the study consists of under one config.

    Parameters
    ----------
    config : Config
        The checked knobs.
    root : path
        The project's top folder, which holds ``workflow/``; results are named relative to it.
    chapters : mapping, optional
        What the chapters' files hold, where they have been read.
    """

    def __init__(
        self, config: Config, root: str | Path = ".", chapters: Mapping[str, dict] | None = None
    ) -> None:
        self.config = config
        self.root = Path(root)
        self._chapters = chapters or experiments.read_chapters(
            self.root / "workflow/experiments", self.root / "workflow/schemas/experiments.schema.yaml"
        )
        self._check_choice("chapters", self._chapters)
        self._check_choice("figures", self._figure_entries)
        entries = {name: entry for name, (_, entry) in self._experiment_entries.items()}
        check_grid_names(config.grid, entries)
        check_trials(config.trials, entries)

    @cached_property
    def _figure_entries(self) -> dict[str, tuple[str, dict]]:
        """Per figure: its chapter and its entry in the chapter's file, in printed order."""
        return {
            figure: (chapter, entry)
            for chapter in sorted(self._chapters)
            for figure, entry in self._chapters[chapter]["figures"].items()
        }

    @cached_property
    def _experiment_entries(self) -> dict[str, tuple[str, dict]]:
        """Per experiment: its chapter and its entry in the chapter's file, in the order of the files."""
        return {
            name: (chapter, entry)
            for chapter, content in self._chapters.items()
            for name, entry in content["experiments"].items()
        }

    def _check_choice(self, key: str, known: Mapping) -> None:
        for name in getattr(self.config, key) or ():
            if name not in known:
                others = other_figures(name, known) if key == "figures" else among(name, known)
                raise UserError(f"config: {key} names '{name}', which is unknown{others}")

    def check(self) -> None:
        """Resolve every experiment behind the wanted figures; raise a UserError for the first mistake."""
        for figure in self.config.figures or ():
            if figure in self.left_out:
                raise UserError(f"config: figure {figure} cannot be made here: {self.left_out[figure]}")
        if not self.figures():
            raise UserError(
                f"config: no figure is left: none of {', '.join(self.config.figures or ())} is of "
                f"chapters {', '.join(self.chapters)}; leave 'chapters' out, or add theirs"
            )
        asked = {name for figure in self.asked_figures() for name in self.experiments_of(figure)}
        check_grid_reach(self.config.grid, {name: self._experiment_entries[name][1] for name in asked})
        for name in self.experiment_names():
            self.experiment(name)
        check_streams(entry for _, entry in self._experiment_entries.values())

    # What there is

    @property
    def folder(self) -> str:
        """The results folder, relative to the root."""
        return f"results/{self.config.folder}"

    @cached_property
    def chapters(self) -> list[str]:
        """The chapters that the config asks for, or that the figures are of which it asks for."""
        asked = {self.chapter_of(figure) for figure in self.config.figures or ()}
        chosen = [c for c in self.every_chapter if c in (self.config.chapters or self._chapters)]
        return [c for c in chosen if c in asked] or chosen

    @property
    def every_chapter(self) -> list[str]:
        """All chapters that there are, wanted or not."""
        return sorted(self._chapters)

    def figures(self, chapter: str | None = None) -> list[str]:
        """Return the figures to be made, of one chapter or of all, in printed order; not those `left_out`."""
        chapters = self.chapters if chapter is None else [chapter]
        made = [figure for figure in self.asked_figures() if figure not in self.left_out]
        return [figure for figure in made if self.chapter_of(figure) in chapters]

    def asked_figures(self) -> list[str]:
        """Return the figures that the config asks for, whether or not they can be made here."""
        wanted = self.config.figures or self._figure_entries
        return [f for f, (c, _) in self._figure_entries.items() if f in wanted and c in self.chapters]

    @cached_property
    def left_out(self) -> dict[str, str]:
        """The figures that the config asks for and that cannot be made here, and why, in a clause.

        An optional package is missing, or data are, or the data that there are have too few samples. A table
        that is there already needs no package, nor does the reference run, which brings its own.
        """
        why: dict[str, str] = {}
        for figure in self.asked_figures():
            for name in self.experiments_of(figure):
                brought = (
                    self.config.name == REFERENCE
                    or (self.root / self.folder / f"tables/{name}.csv").is_file()
                )
                lacking = self._too_small(name) if brought else self.lacking(name)
                if lacking:
                    why[figure] = lacking
        return why

    def lacking(self, name: str) -> str | None:
        """Return why an experiment cannot be run here, in a clause; None where it can."""
        of = self._optional(name)
        if of is None:
            return None
        return of.lacking() or self._too_small(name) or self._found(str(of.source)).missing

    def _too_small(self, name: str) -> str | None:
        """Return why a source has too little for an experiment, in a clause; None where it has enough."""
        if self._optional(name):
            try:
                self.experiment(name)
            except LeftOut as error:
                return str(error)
        return None

    def _optional(self, name: str) -> Family | None:
        """Return an experiment's family if it needs an optional package, else None."""
        of = families().get(self._experiment_entries[name][1]["family"])
        return of if of is not None and of.requires else None

    def experiments_of(self, figure: str) -> list[str]:
        """Return the experiments that a figure shows."""
        return list(self._figure_entries[figure][1]["experiments"])

    def figure_title(self, figure: str) -> str:
        """Return the title of a figure."""
        return str(self._figure_entries[figure][1]["title"])

    def chapter_of(self, figure: str) -> str:
        """Return the chapter of a figure."""
        return self._figure_entries[figure][0]

    @property
    def every_figure(self) -> list[str]:
        """All figures that there are, wanted or not, in printed order."""
        return list(self._figure_entries)

    def chapter_title(self, chapter: str) -> str:
        """Return the title of a chapter."""
        return self._chapters[chapter]["title"]

    @staticmethod
    def claims_file(chapter: str) -> str:
        """Return the file of a chapter's claims, relative to the root."""
        return f"workflow/claims/chapter{chapter}.yaml"

    def experiment_names(self) -> list[str]:
        """Return the experiments behind the wanted figures, in the order of the files."""
        used = {name for f in self.figures() for name in self._figure_entries[f][1]["experiments"]}
        return [name for name, (chapter, _) in self._experiment_entries.items() if name in used]

    def timed_experiments(self) -> list[str]:
        """Return all experiments whose outcomes hold running times, wanted or not."""
        timed = {name for name, of in families().items() if of.timed}
        return [name for name, (_, entry) in self._experiment_entries.items() if entry["family"] in timed]

    def has(self, name: str) -> bool:
        """Tell whether any chapter has the experiment `name`, wanted or not."""
        return name in self._experiment_entries

    def experiment(self, name: str) -> dict:
        """Return the resolved experiment `name`."""
        if name not in self._resolved:
            if not self.has(name):
                raise UserError(f"there is no experiment '{name}'{nearest(name, self._experiment_entries)}")
            chapter, entry = self._experiment_entries[name]
            where = f"workflow/experiments/chapter{chapter}.yaml"
            self._resolved[name] = self._resolve(name, entry, chapter, where)
        return self._resolved[name]

    def _resolve(self, name: str, entry: Mapping[str, Any], chapter: str, where: str) -> dict[str, Any]:
        try:
            of = family(entry["family"])
        except UserError as error:
            raise UserError(f"{where}: experiment {name}: {error}") from error
        found = self._found(of.source) if of.source else None
        return experiments.resolve(name, entry, chapter, self.config, where, found)

    def _found(self, name: str) -> Found:
        """Return what is known of the files that the config names for a source."""
        if name not in self._sources:
            found = source(name).find(self.config.data.get(name) or {}, self.root)
            if found.own and not self.config.name:
                raise UserError(
                    f"config: data.{name} names files of your own, which need a 'name', so that their "
                    "results are written to their own folder results/{scale}-{name} and the scale's own "
                    "results stay whole"
                )
            self._sources[name] = found
        return self._sources[name]

    @cached_property
    def _sources(self) -> dict[str, Found]:
        return {}

    def data_files(self) -> dict[str, list[str]]:
        """Return where the files of sources lie, by the sha256 of their bytes: bundled and the config's."""
        found = {
            source(name).paths(settings or {}, self.root)
            for name in source_names()
            for settings in (None, self.config.data.get(name))
        }
        whole = [paths for paths in sorted(found) if paths and all(path.is_file() for path in paths)]
        try:
            return {files_sha256(paths): [str(path) for path in paths] for paths in whole}
        except OSError as error:
            raise UserError(f"{error.filename} cannot be read ({error.strerror})") from error

    @cached_property
    def _resolved(self) -> dict[str, dict]:
        return {}

    def algorithm(self, experiment: str, name: str) -> dict:
        """Return the entry of algorithm `name` in an experiment."""
        known = self.experiment(experiment)["algorithms"]
        if name not in known:
            raise UserError(f"experiment {experiment} has no algorithm '{name}'{nearest(name, known)}")
        return known[name]

    def blocks(self, experiment: str, algorithm: str | None = None) -> list[str]:
        """Return the blocks of an experiment's dataset, or of an algorithm's outcomes on it.

        A dataset that algorithms run on is drawn in whole blocks: more trials later leave them as they are.
        """
        part = self.experiment(experiment) if algorithm is None else self.algorithm(experiment, algorithm)
        trials, block = part["trials"], part["block"]
        if part.get("algorithms"):
            trials = -(-trials // block) * block
        return list(_block_names(trials, block))
