"""What a run can be asked for by name: all, a chapter, or a file below results/."""

import posixpath
import re
from collections.abc import Iterable
from dataclasses import replace

from nonconvex.errors import UserError, nearest
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.product import Product

_BLOCK = r"(?P<block>\d{4,}-\d{4,})\.h5"
_FILES = {
    "dataset": rf"datasets/(?P<experiment>\w+)/{_BLOCK}",
    "outcomes": rf"outcomes/(?P<experiment>\w+)/(?P<algorithm>\w+)/{_BLOCK}",
    "table": r"(stamps/)?tables/(?P<experiment>\w+)\.(csv|json)",
    "figure": r"(stamps/)?figures/fig(?P<figure>[^/]+)\.[a-z]+",
    "claims": r"(stamps/)?claims/chapter(?P<chapter>\w+)\.(csv|json)",
    "ledger": r"(stamps/)?claims\.(csv|json)",
    "page": r"index\.html|stamps/page\.json",
}


def check_targets(pipeline: Pipeline, targets: Iterable[str]) -> None:
    """Raise a UserError for the first target that no rule makes: a name misspelt, or a file of none."""
    names = ["all", *(f"chapter{chapter}" for chapter in pipeline.chapters)]
    for target in targets:
        path = posixpath.normpath(target)
        if path.startswith("results/"):
            _check_file(pipeline, path)
        elif target not in names:
            meant = target.removeprefix("fig").removesuffix(".png")
            figure = meant if meant in pipeline.every_figure else pipeline.every_figure[0]
            raise UserError(
                f"there is no target '{target}': it is one of {', '.join(names)}, or a file such as "
                f"{pipeline.folder}/figures/fig{figure}.png{nearest(target, names)}"
            )


def _check_file(pipeline: Pipeline, path: str) -> None:
    _, folder, *rest = path.split("/", 2)
    if not rest:
        raise UserError(f"the target {path} is a folder: name one of its files, or 'all'")
    whose = pipeline.at(folder)
    product = _product(whose, path, rest[0])
    known = product.files if product else _large_files(whose)
    if path not in known:
        made = f": the {product.name} is {', '.join(product.files)}" if product else nearest(path, known)
        raise UserError(f"no rule makes the target {path}{made}")


def _product(whose: Pipeline, path: str, rest: str) -> Product | None:
    """Return the product that a file's name speaks of; None where no product has such files."""
    for kind, pattern in _FILES.items():
        match = re.fullmatch(pattern, rest)
        if match:
            names = match.groupdict()
            try:
                _check_block(whose, **names)
                return getattr(whose, kind)(**names)
            except UserError as error:
                raise UserError(f"no rule makes the target {path}: {error}") from error
    return None


def _check_block(whose: Pipeline, experiment: str = "", block: str = "", **names: str) -> None:
    """Refuse a chapter or a block of a dataset that there is not; the other names refuse themselves."""
    chapter = names.get("chapter")
    if chapter and chapter not in whose.every_chapter:
        raise UserError(f"there is no chapter {chapter} (known: {', '.join(whose.every_chapter)})")
    if block and "algorithm" not in names and block not in whose.blocks(experiment):
        raise UserError(f"its blocks are {', '.join(whose.blocks(experiment))}")


def _large_files(whose: Pipeline) -> list[str]:
    """Return every file that people ask for, wanted by the config or not: tables, figures, ledgers, page."""
    return whose.under(replace(whose.config, chapters=None, figures=None)).results()
