"""The command `recover`: read a file, recover, and write the series, its report and its picture."""

import argparse
import json
from pathlib import Path

import numpy as np

from nonconvex.errors import UserError
from nonconvex.series.marks import read_marks
from nonconvex.series.methods import METHODS
from nonconvex.series.outliers_file import write_outliers
from nonconvex.series.outputs import write_together
from nonconvex.series.picture import draw, save
from nonconvex.series.read import is_hdf5, read_series
from nonconvex.series.recover import recover
from nonconvex.series.report import captions, facts, sentences


def run(arguments: argparse.Namespace) -> int:
    """Run the command; UserError with the reason when the answer is refused."""
    path = Path(arguments.file)
    if arguments.seed < 0:
        raise UserError(f"--seed must be at least 0, not {arguments.seed}")
    output = _output(path, arguments.output)
    series = read_series(path, arguments.dataset, arguments.missing)
    answer = recover(
        series,
        rank=_rank(arguments.rank, arguments.method),
        n1=arguments.n1,
        method=arguments.method,
        seed=arguments.seed,
        beta=_beta(arguments.beta),
        tolerance=arguments.tolerance,
        max_iterations=arguments.max_iterations,
        incoherence=arguments.incoherence,
        threshold_scale=arguments.threshold_scale,
        stage_tolerance=arguments.stage_tolerance,
    )
    report = facts(path, series, answer, arguments.seed, arguments.replace_all)
    print(*sentences(report), sep="\n")
    if answer.refusal and not np.isfinite(answer.values).all():
        raise UserError(f"{answer.refusal}; nothing was written")
    if answer.refusal and not arguments.force:
        raise UserError(f"{answer.refusal}; nothing was written (--force writes all the same)")
    replace = answer.outliers | arguments.replace_all
    filled = np.where(series.mask & ~replace, series.values, answer.values)
    outputs = {
        output: lambda target: _write(path, arguments, filled, replace, target),
        output.with_name(f"{output.stem}_report.json"): lambda target: target.write_text(
            json.dumps(report, indent=2, allow_nan=False, ensure_ascii=False) + "\n", encoding="utf-8"
        ),
        output.with_name(f"{output.stem}.png"): lambda target: save(
            draw(series, filled, answer.check.hidden, answer.outliers, *captions(report)), target
        ),
    }
    if answer.recovery.outliers is not None:
        outputs[output.with_name(f"{output.stem}_outliers.csv")] = lambda target: write_outliers(
            series, answer, target
        )
    write_together(outputs)
    print("written:", *outputs)
    if answer.refusal:
        raise UserError(f"{answer.refusal}; the files were written because of --force")
    return 0


def _output(path: Path, given: str | None) -> Path:
    output = Path(given) if given else Path(f"{path.stem}_recovered{path.suffix}")
    if is_hdf5(path) != is_hdf5(output):
        raise UserError(f"--output {output}: the recovered series has the format of {path.name}")
    if output.resolve() == path.resolve():
        raise UserError(f"--output {output} is the input, which is not overwritten; give another name")
    return output


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
    path: Path, arguments: argparse.Namespace, filled: np.ndarray, replace: np.ndarray, target: Path
) -> None:
    marks = read_marks(arguments.missing)
    if is_hdf5(path):
        from nonconvex.series.hdf5_file import DATASET
        from nonconvex.series.hdf5_write import write_hdf5

        write_hdf5(path, filled, target, dataset=arguments.dataset or DATASET, marks=marks)
    else:
        from nonconvex.series.csv_write import write_csv

        write_csv(path, filled, target, replace=replace, marks=marks)
