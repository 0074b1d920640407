"""What can be wrong with an experiment: found before anything runs, and told in one sentence."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from nonconvex.errors import UserError, among, nearest
from nonconvex.problems.contract import Family, families, family
from nonconvex.study.cells import cells
from nonconvex.study.config import SCALES


def check_experiment(experiment: Mapping[str, Any], where: str, of_cells: str) -> None:
    """Raise a UserError for the first mistake in a resolved experiment.

    It begins with `where`; with `of_cells`, if a cell cannot exist, whose values may be the config's.

    Its family, the streams and parameters that it names, its algorithms and their options must exist, and so
    must an instance of each of its cells.
    """
    with _told(where):
        of = family(experiment["family"])
        data = of.load_data()
    known = set(experiment["parameters"])
    for stream, names in experiment["independent"].items():
        for word, words in [(stream, data.streams), *((name, known) for name in names)]:
            if word not in words:
                raise UserError(f"{where}: independent has the unknown name '{word}'{nearest(word, words)}")
    _check_parts(experiment, of, where)
    grid = cells(experiment)
    with _told(of_cells):
        for cell in grid:
            data.check(cell)
    for name, algorithm in experiment["algorithms"].items():
        _check_algorithm(name, algorithm, of, grid[0], where, of_cells)


def check_blocks(entry: Mapping[str, Any], where: str) -> None:
    """Refuse an algorithm's block that does not divide the dataset's, at any scale: small ones run first."""
    for scale in SCALES:
        whole = entry["block"].get(scale, entry["block"]["thesis"])
        for name, algorithm in entry.get("algorithms", {}).items():
            block = algorithm.get("block", {}).get(scale, whole)
            if whole % block:
                raise UserError(
                    f"{where}: the block of {name}, {block}, must divide the dataset's, {whole}, at "
                    f"scale {scale}"
                )


def check_trials(trials: object, entries: Mapping[str, Mapping[str, Any]]) -> None:
    """Refuse numbers of trials for an experiment that there is not, or whose data are drawn once."""
    for name in trials if isinstance(trials, Mapping) else ():
        if name not in entries:
            raise UserError(f"config: trials names the unknown experiment '{name}'{nearest(name, entries)}")
        of = families().get(entries[name]["family"])
        if of is not None and of.once:
            raise UserError(
                f"config: trials.{name} has no meaning: its data are drawn once, for trials that are all "
                "the same; leave it out"
            )


def check_streams(entries: Iterable[Mapping[str, Any]]) -> None:
    """Refuse a stream of a family that depends on a name which no experiment on its data has.

    A cell may lack a name, as where a size is given in another way; one that all lack is misspelt, and cells
    that differ would share their draws.
    """
    used: dict[str, tuple[Family, set[str]]] = {}
    for entry in entries:
        of = families().get(entry["family"])
        if of is None:
            continue  # told of when the experiment is asked for
        used.setdefault(of.data, (of, set()))[1].update(entry["parameters"])
    for module, (of, known) in used.items():
        for stream, depends in of.load_data().streams.items():
            for name in depends:
                if name not in known:
                    raise UserError(
                        f"{module}: the stream '{stream}' depends on '{name}', which none of its experiments "
                        f"has{among(name, sorted(known))}"
                    )


@contextmanager
def _told(where: str) -> Iterator[None]:
    """Say where it was that something did not exist or could not be used."""
    try:
        yield
    except KeyError as error:
        raise UserError(f"{where}: the parameter '{error.args[0]}' is missing") from error
    except ValueError as error:
        raise UserError(f"{where}: {error}") from error


def _check_parts(experiment: Mapping[str, Any], of: Family, where: str) -> None:
    """Check that a family has what the experiment needs: algorithms, or a table of its own, and a success."""
    with _told(where):
        if not experiment["algorithms"]:
            of.load_table()
            return
        kept = of.load_outcome()
    if kept.history is not None:
        return
    if "success" not in experiment:
        raise UserError(f"{where}: 'success' is missing: say which column must be below what")
    column = experiment["success"]["column"]
    if column not in kept.columns:
        raise UserError(f"{where}: success has the unknown column '{column}'{among(column, kept.columns)}")
    if kept.columns[column].startswith("S"):
        raise UserError(f"{where}: success has the column '{column}', which holds words and no numbers")


def _check_algorithm(
    name: str, algorithm: Mapping[str, Any], of: Family, cell: Mapping[str, Any], where: str, of_cells: str
) -> None:
    """Check an algorithm's method, what it is told, and its options on a cell."""
    with _told(f"{where}: {name}"):
        of.check_method(algorithm["method"])
        solver = algorithm["method"] if of.requires else of.solver(algorithm["method"])
        known = of.told()
    for fact in algorithm["tell"]:
        if fact not in known:
            raise UserError(f"{where}: {name} cannot be told '{fact}'{among(fact, known)}")
    # Sizes that a solver cannot use may be the config's.
    with _told(f"{of_cells}: the options of {name}"):
        of.load_outcome().check(solver, algorithm["tell"], algorithm["options"], cell)
