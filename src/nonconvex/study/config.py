"""The user's knobs: config.yaml, overlays and key=value settings, checked before anything runs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from nonconvex.errors import UserError
from nonconvex.problems.source import source, source_names
from nonconvex.validation import read_yaml, validate

SCALES = ("smoke", "preview", "thesis")
FORMATS = ("pdf", "png")


@dataclass(frozen=True)
class Config:
    """The knobs of one run; None stands for the scale's own value."""

    scale: str = "preview"
    name: str | None = None
    seed: int | None = None
    trials: int | Mapping[str, int] | None = None
    chapters: tuple[str, ...] | None = None
    figures: tuple[str, ...] | None = None
    formats: tuple[str, ...] = FORMATS
    grid: Mapping[str, object] = field(default_factory=dict)
    data: Mapping[str, Mapping] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        """Name of the results folder: the scale, and the overlay's name where there is one."""
        return f"{self.scale}-{self.name}" if self.name else self.scale

    def trials_of(self, experiment: str) -> int | None:
        """Return the number of trials that the config gives an experiment; None for the scale's own."""
        return self.trials.get(experiment) if isinstance(self.trials, Mapping) else self.trials


def check_config(raw: Mapping, schema: str | Path) -> Config:
    """Return the checked knobs of the raw mapping that Snakemake or YAML read.

    Raises
    ------
    UserError
        One sentence that names the key, the value and the remedy.
    """
    validate(dict(raw), read_yaml(schema), "config")
    values = {key: value for key, value in raw.items() if value is not None}
    if values.get("grid") and not values.get("name"):
        raise UserError(
            "config: 'grid' needs a 'name', so that the changed grid is written to its own folder "
            "results/{scale}-{name} and the scale's own results stay whole"
        )
    for name in source_names():
        source(name).check((values.get("data") or {}).get(name) or {}, values.get("name"))
    for key in ("chapters", "figures"):
        if key in values:
            values[key] = tuple(str(item) for item in values[key])
    if "formats" in values:
        values["formats"] = tuple(dict.fromkeys(["png", *values["formats"]]))  # the page shows the PNG
    return Config(**values)


def read_config(
    main: str | Path, overlays: Iterable[str | Path] = (), settings: Iterable[str] = ()
) -> dict[str, object]:
    """Read the main file, lay overlay files over it, then ``key=value`` settings, as Snakemake does."""
    merged: dict[str, object] = {}
    for path in [main, *overlays]:
        part = read_yaml(path)
        if part is not None and not isinstance(part, dict):
            raise UserError(f"{path} must hold a mapping of knobs, such as 'scale: preview'")
        _merge(merged, part or {})
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise UserError(f"the setting '{setting}' has no value; write key=value, such as scale=thesis")
        merged[key] = yaml.safe_load(value)
    return merged


def _merge(target: dict, part: Mapping) -> None:
    for key, value in part.items():
        if isinstance(value, Mapping) and isinstance(target.get(key), dict):
            _merge(target[key], value)
        else:
            target[key] = value
