"""What a chapter's claims name has to exist in its experiments."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from nonconvex.claims.check import check_algorithms, merged_settings, named_test, parts_of
from nonconvex.claims.kinds.registry import KINDS
from nonconvex.study.config import Config
from nonconvex.study.study import Study

# Columns of tables of facts, which are no axes.
FACTS = ("order",)


def thesis_study(root: Path, chapter: str, folder: Path) -> Study:
    """Return a chapter's experiments at thesis scale."""
    name = f"workflow/experiments/chapter{chapter}.yaml"
    (folder / "workflow" / "experiments").mkdir(parents=True)
    shutil.copytree(root / "workflow" / "schemas", folder / "workflow" / "schemas")
    shutil.copy(root / name, folder / name)
    return Study(Config(scale="thesis", chapters=(chapter,)), folder)


def check_declared(claims: Sequence[Mapping], study: Study) -> None:
    """Fail where a claim names an experiment, algorithm, axis, cell or number of trials that is not drawn."""
    behind_figures = set(study.experiment_names())
    for claim in (claim for claim in claims if "untested" not in claim):
        check_algorithms(claim, {name: study.experiment(name) for name in behind_figures})
        for reading in claim["readings"]:
            for name, part in parts_of(claim, reading).items():
                where = f"{claim['id']}, {reading}, {name}"
                used = [part[key] for key in ("experiment", "beside") if key in part]
                assert set(used) <= behind_figures, f"{where}: {used}"
                assert part["figure"] in claim["figures"], where
                kind, settings = KINDS[named_test(claim, part)], merged_settings(claim, name, reading)
                available = [
                    study.experiment(experiment)["algorithms"][algorithm]["trials"]
                    for experiment, algorithms in zip(used, kind.names_in(settings, len(used)), strict=True)
                    for algorithm in algorithms
                ]
                first, last = study.experiment(used[0]), study.experiment(used[-1])
                assert part.get("trials", claim["trials"]) == min(available or [first["trials"]]), where
                axes = {settings[key] for key in ("rows", "along", "per") if key in settings}
                assert axes <= set(first["axes"]), f"{where}: {axes}"
                cells = settings.get("cells", {})
                assert _draws(first, cells), f"{where}: {cells}"
                assert _draws(last, settings.get("other_cells", {})), where


def _draws(experiment: Mapping, limits: Mapping) -> bool:
    """Return whether an experiment draws cells within the limits."""
    return all(
        any(_within(level, limit) for level in experiment["parameters"][axis])
        for axis, limit in limits.items()
        if axis not in FACTS
    )


def _within(level: float | str, limit: Mapping) -> bool:
    if "is" in limit:
        return level == limit["is"]
    return limit.get("min", -1) - 1e-9 <= level <= limit.get("max", 1e9) + 1e-9
