"""The experiments and algorithms that a figure's options name, checked before anything runs."""

from collections.abc import Iterator, Mapping

from nonconvex.study.errors import StudyError, nearest

_EXPERIMENT = ("experiment", "experiments")
_ALGORITHM = ("algorithm", "algorithms")


def check_figure_names(options: Mapping, experiments: Mapping[str, Mapping], where: str) -> None:
    """Refuse a name in a figure's options that is none of its experiments or of their algorithms."""
    algorithms = {name for experiment in experiments.values() for name in experiment["algorithms"]}
    for key, name in _named(options):
        known = list(experiments) if key in _EXPERIMENT else sorted(algorithms)
        if key == "panels":  # each kind of figure has panels of one or the other
            known = [*experiments, *known]
        if name not in known:
            raise StudyError(
                f"{where}: {key} has the unknown name '{name}' (known: {', '.join(known)})"
                f"{nearest(name, known)}"
            )


def _named(value: object, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield each name with the key that it stands under, however deep."""
    if isinstance(value, Mapping):
        for inner, item in value.items():
            yield from _named(item, inner)
    elif isinstance(value, list):
        for item in value:
            yield from _named(item, key)
    elif isinstance(value, str) and key in (*_EXPERIMENT, *_ALGORITHM, "panels"):
        yield key, value
