"""The user's knobs: config.yaml, overlays and key=value settings, checked before anything runs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from nonconvex.errors import UserError
from nonconvex.problems.source import source, source_names
from nonconvex.study.plain_scalars import refuse_ambiguous
from nonconvex.validation import read_yaml, validate

SCALES = ("smoke", "preview", "thesis")
FORMATS = ("pdf", "png")
REFERENCE = "reference"  # name of the config that draws the reference run


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
    device: str = "auto"

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
    for key in values.keys() & {"trials", "seed"}:
        values[key] = _whole(values[key])
    if "formats" in values:
        values["formats"] = tuple(dict.fromkeys(["png", *values["formats"]]))  # the page shows the PNG
    return Config(**values)


def _whole(value: Any) -> Any:
    """Return whole numbers written as 3.0, which the schema lets pass, as 3."""
    if isinstance(value, Mapping):
        return {key: _whole(one) for key, one in value.items()}
    return int(value)


def read_config(
    main: str | Path, overlays: Iterable[str | Path] = (), settings: Iterable[str] = ()
) -> dict[str, object]:
    """Read the main file, lay overlay files over it, then ``key=value`` settings.

    The commands and the workflow's rules read by this, so that a setting means the same to all of them.

    Raises
    ------
    UserError
        One sentence: a file that cannot be read, or a value that other programs would read differently.
    """
    merged: dict[str, object] = {}
    for path in [main, *overlays]:
        try:
            part = read_yaml(path)
        except UnicodeDecodeError:
            raise UserError(f"{path} is not text in UTF-8: save it as such") from None
        if part is not None and not isinstance(part, dict):
            raise UserError(f"{path} must hold a mapping of knobs, such as 'scale: preview'")
        refuse_ambiguous(Path(path).read_text(encoding="utf-8"), str(path))
        _merge(merged, part or {})
    for setting in settings:
        _merge(merged, _setting(setting))
    return merged


def _setting(setting: str) -> dict[str, object]:
    key, equals, value = setting.partition("=")
    if not equals:
        raise UserError(f"the setting '{setting}' has no value; write key=value, such as scale=thesis")
    try:
        read = {key: yaml.safe_load(value)}
    except yaml.YAMLError as error:
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise UserError(f"the value of the setting '{setting}' is not valid YAML: {problem}") from error
    try:
        refuse_ambiguous(value, "config", key)
    except UserError as error:
        raise UserError(f"{error} (a shell takes quotes away: put '...' around the whole setting)") from None
    return read


def _merge(target: dict, part: Mapping) -> None:
    for key, value in part.items():
        if isinstance(value, Mapping) and isinstance(target.get(key), dict):
            _merge(target[key], value)
        else:
            target[key] = value
