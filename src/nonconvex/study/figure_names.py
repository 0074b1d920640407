"""The experiments and algorithms that a figure's options name, checked before anything runs."""

from collections.abc import Iterable, Iterator, Mapping

from nonconvex.study.errors import StudyError, nearest

_EXPERIMENT = ("experiment", "experiments")
_ALGORITHM = ("algorithm", "algorithms", "repeat")
_EITHER = ("panels",)  # each kind of figure has panels of one or the other


def check_figure_names(options: Mapping, experiments: Mapping[str, Mapping], where: str) -> None:
    """Refuse a name in a figure's options that is none of its experiments or of their algorithms."""
    for key, name, of in _named(options):
        known = [] if key in _ALGORITHM else list(experiments)
        if key not in _EXPERIMENT:
            known += _algorithms([experiments[of]] if of in experiments else experiments.values())
        if name not in known:
            raise StudyError(
                f"{where}: {key} has the unknown name '{name}' (known: {', '.join(known)})"
                f"{nearest(name, known)}"
            )


def _algorithms(experiments: Iterable[Mapping]) -> list[str]:
    return sorted({name for experiment in experiments for name in experiment["algorithms"]})


def _named(value: object, key: str = "", of: object = None) -> Iterator[tuple[str, str, object]]:
    """Yield each name with the key that it stands under and the experiment given beside it, however deep."""
    if isinstance(value, Mapping):
        for inner, item in value.items():
            # Under `repeat` an algorithm may be the key, with those whose lines come back in its panel.
            if key == "repeat" and isinstance(item, list):
                yield key, inner, of
                inner = key
            yield from _named(item, inner, value.get("experiment", of))
    elif isinstance(value, list):
        for item in value:
            yield from _named(item, key, of)
    elif isinstance(value, str) and key in (*_EXPERIMENT, *_ALGORITHM, *_EITHER):
        yield key, value, of
