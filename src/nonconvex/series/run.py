"""The command `recover`: read a file, recover, and write the series, its report and its picture."""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from nonconvex.errors import UserError
from nonconvex.series.marks import read_marks
from nonconvex.series.methods import METHODS
from nonconvex.series.outliers_file import write_outliers
from nonconvex.series.outputs import refuse_what_is_in_the_way, write_together
from nonconvex.series.picture import draw, save
from nonconvex.series.read import is_hdf5, read_series
from nonconvex.series.recover import Answer, recover
from nonconvex.series.report import captions, facts, input_facts, input_sentences, sentences
from nonconvex.series.screen import quiet_end, say
from nonconvex.series.series import Series
from nonconvex.series.suspects import suspicion, wrapped_angles


def run(arguments: argparse.Namespace) -> int:
    """Run the command; UserError with the reason when the answer is refused."""
    with quiet_end():
        return _recover(arguments)


def _recover(arguments: argparse.Namespace) -> int:
    path = Path(arguments.file)
    if arguments.seed < 0:
        raise UserError(f"--seed must be at least 0, not {arguments.seed}")
    outputs = _outputs(path, arguments)
    refuse_what_is_in_the_way(outputs, path)
    series = read_series(path, arguments.dataset, arguments.missing)
    given = input_facts(path, series, arguments.missing)
    say(*input_sentences(given))
    mark, angle = suspicion(series), wrapped_angles(series)
    if series.mask.all() and arguments.method != "sap" and not arguments.replace_all:
        text = "nothing is lost, so nothing was filled or written; a lost value is an empty cell or NaN, or "
        text += "what --missing names"
        if mark:
            raise UserError(f"{path}: {text}; {mark}")
        say(text)
        return 0
    say(*(f"note: {hint}" for hint in (mark, angle) if hint))
    answer = recover(
        series,
        rank=_rank(arguments.rank, arguments.method),
        n1=arguments.n1,
        method=arguments.method,
        seed=arguments.seed,
        scale_channels=arguments.scale_channels,
        beta=_beta(arguments.beta),
        tolerance=arguments.tolerance,
        max_iterations=arguments.max_iterations,
        incoherence=arguments.incoherence,
        threshold_scale=arguments.threshold_scale,
        stage_tolerance=arguments.stage_tolerance,
    )
    report = facts(given, series, answer, arguments.seed, arguments.replace_all)
    say(*sentences(report))
    if answer.refusal and not np.isfinite(answer.values).all():
        raise UserError(f"{answer.refusal}; nothing was written")
    if answer.refusal and not arguments.force:
        raise UserError(f"{answer.refusal}; nothing was written (--force writes all the same)")
    _write(path, arguments, outputs, series, answer, report)
    if answer.refusal:
        raise UserError(f"{answer.refusal}; the files were written because of --force")
    return 0


def _outputs(path: Path, arguments: argparse.Namespace) -> list[Path]:
    """Return the files to write: the series, its report, its picture, and with sap the outliers."""
    given = arguments.output
    output = Path(given) if given else Path(f"{path.stem}_recovered{path.suffix}")
    if is_hdf5(path) != is_hdf5(output):
        raise UserError(f"--output {output}: the recovered series has the format of {path.name}")
    ends = ["_report.json", ".png", *["_outliers.csv"] * (arguments.method == "sap")]
    return [output, *(output.with_name(f"{output.stem}{end}") for end in ends)]


def _rank(text: str | None, method: str) -> int | None:
    if "rank" not in METHODS.get(method, ("rank",)):
        if text is not None:
            raise UserError(f"--rank means nothing to {method}; leave it out")
        return None
    if text is None:
        raise UserError("--rank is missing: give a whole number (two per real oscillation), or auto")
    if text == "auto":
        return None
    try:
        return int(text)
    except ValueError:
        raise UserError(f"--rank must be a whole number or auto, not '{text}'") from None


def _beta(text: str | None) -> float | str | None:
    if text is None or text in ("squared", "linear"):
        return text
    try:
        return float(text)
    except ValueError:
        raise UserError(f"--beta must be squared, linear or a number, not '{text}'") from None


def _write(
    path: Path,
    arguments: argparse.Namespace,
    outputs: list[Path],
    series: Series,
    answer: Answer,
    report: dict[str, Any],
) -> None:
    marks = read_marks(arguments.missing)
    replace = answer.outliers | arguments.replace_all
    filled = np.where(series.mask & ~replace, series.values, answer.values)
    left_out: list[str] = []

    def write_series(target: Path) -> None:
        if is_hdf5(path):
            from nonconvex.series.hdf5_file import DATASET
            from nonconvex.series.hdf5_write import write_hdf5

            left_out.extend(
                write_hdf5(path, filled, target, dataset=arguments.dataset or DATASET, marks=marks)
            )
        else:
            from nonconvex.series.csv_write import write_csv

            write_csv(path, filled, target, replace=replace, marks=marks)

    def write_report(target: Path) -> None:
        text = json.dumps(report, indent=2, allow_nan=False, ensure_ascii=False)
        target.write_text(f"{text}\n", encoding="utf-8")

    def write_picture(target: Path) -> None:
        save(draw(series, filled, answer.check.hidden, answer.outliers, *captions(report)), target)

    def write_list(target: Path) -> None:
        write_outliers(series, answer, target)

    write_together(dict(zip(outputs, (write_series, write_report, write_picture, write_list), strict=False)))
    if left_out:
        say(f"left out, as what they refer to is not in the new file: {', '.join(left_out)}")
    say(f"written: {' '.join(map(str, outputs))}")
