"""What a recovery says of itself: for programs, and in a few lines for people."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import scipy

from nonconvex.files import file_sha256
from nonconvex.series.gaps import longest_gap, lost_in_all
from nonconvex.series.recover import Answer
from nonconvex.series.remarks import percent, remarks
from nonconvex.series.series import Series


def input_facts(path: Path, series: Series, missing: list[str]) -> dict[str, Any]:
    """Return what a report says of its input, with the marks of loss that the user named."""
    return {
        "file": os.fsencode(path.name).decode("utf-8", "backslashreplace"),
        "sha256": file_sha256(path),
        "kind": series.kind,
        "channels": len(series.names),
        "samples": series.time.size,
        "sampling_rate_hz": series.sampling_rate,
        "loss_share": float(1 - series.mask.mean()),
        "instants_lost_in_all_channels": int(lost_in_all(series.mask).sum()),
        "longest_gap_samples": longest_gap(series.mask),
        "missing": missing,
        "read_as": list(series.notes),
    }


def input_sentences(given: dict[str, Any]) -> list[str]:
    """Return the lines about the input: how it was read, and what is lost."""
    return [
        *(f"{given['file']}: {note}" for note in given["read_as"]),
        f"{given['file']}: {given['channels']} {given['kind']} channels, {given['samples']} samples at "
        f"{given['sampling_rate_hz']:g} per second; {_loss(given)} lost, "
        f"{given['instants_lost_in_all_channels']} instants in all channels, longest gap "
        f"{given['longest_gap_samples']} samples",
    ]


def facts(
    given: dict[str, Any], series: Series, answer: Answer, seed: int, replace_all: bool
) -> dict[str, Any]:
    """Return the report of a recovery, with `given` of its input, as a dict for JSON."""
    check, recovery = answer.check, answer.recovery
    errors = zip(series.names, check.channel_errors, strict=True)
    return {
        "input": given,
        "channel_sizes": {name: float(size) for name, size in zip(series.names, answer.sizes, strict=True)},
        "scaled_by_channel_sizes": answer.scaled,
        "method": answer.method,
        "options": answer.options,
        "rank": recovery.rank,
        "rank_was": _rank_was(answer),
        "candidates": [
            {"rank": one.rank, "n1": one.n1, "error": _number(one.error)} for one in answer.candidates
        ],
        "singular_values": None if answer.singular_values is None else answer.singular_values.tolist(),
        "n1": answer.options["n1"],
        "hidden": {
            "seed": seed,
            "samples": int(check.hidden.sum()),
            "outliers_left_out": check.outliers,
            "longest_run_samples": longest_gap(~check.hidden),
            "longest_gap_samples": check.longest,
            "error": _number(check.error),
            "channel_errors": {name: _number(error) for name, error in errors},
            "interpolation_error": _number(check.interpolation_error),
            "channel_interpolation_errors": {
                name: _number(error)
                for name, error in zip(series.names, check.channel_interpolation_errors, strict=True)
            },
            "status": check.status,
            "iterations": check.iterations,
        },
        "status": recovery.status,
        "reason": recovery.reason,
        "iterations": recovery.iterations,
        "outliers": None if recovery.outliers is None else _outliers(series, answer.outliers),
        "observed_values": _observed_values(answer, replace_all),
        "refused": answer.refusal,
        "versions": {"numpy": np.__version__, "scipy": scipy.__version__},
    }


def _rank_was(answer: Answer) -> str:
    if "rank" not in answer.options:
        return "found"
    if answer.candidates:
        return "chosen"
    return "given" if answer.singular_values is None else "suggested"


def _outliers(series: Series, outliers: np.ndarray) -> dict[str, Any]:
    return {
        "samples": int(outliers.sum()),
        "share_of_observed": float(outliers.sum() / series.mask.sum()),
        "channels": {name: int(row.sum()) for name, row in zip(series.names, outliers, strict=True)},
    }


def _observed_values(answer: Answer, replace_all: bool) -> str:
    if replace_all:
        return "replaced"
    return "kept" if answer.recovery.outliers is None else "kept, outliers replaced"


def sentences(report: dict[str, Any]) -> list[str]:
    """Return the report's lines for the screen, those about the input left out."""
    given, hidden = report["input"], report["hidden"]
    lines = []
    if report["candidates"]:
        lines.append(_chosen(report))
    if report["singular_values"]:
        values = " ".join(f"{value:.2g}" for value in report["singular_values"])
        ratio = report["singular_values"][report["rank"] - 1] / max(
            report["singular_values"][report["rank"]], np.finfo(float).tiny
        )
        lines.append(f"singular values of H(P(M))/p over the first: {values}")
        lines.append(
            f"suggested rank: {report['rank']}, where they fall most steeply ({ratio:.3g} times); a "
            "suggestion only: compare the error on hidden samples at other ranks"
        )
    run, gap = hidden["longest_run_samples"], hidden["longest_gap_samples"]
    beside = f", {gap} with what is lost beside them" if gap > run else ""
    lines.append(
        f"check: {hidden['samples']} observed samples hidden, in pieces like the gaps (up to {run} in a row"
        f"{beside}); relative error {percent(hidden['error'])} "
        f"(straight lines in time: {percent(hidden['interpolation_error'])})"
    )
    lines += remarks(report)
    if hidden["outliers_left_out"]:
        lines.append(f"note: {hidden['outliers_left_out']} of the hidden samples are outliers and left out")
    if hidden["longest_gap_samples"] < given["longest_gap_samples"]:
        lines.append(
            f"note: the longest gap, {given['longest_gap_samples']} samples, is longer than any gap of the "
            "check; the error inside it may be larger"
        )
    if hidden["status"] != "converged":
        lines.append(f"note: the run of the check ended with '{hidden['status']}'")
    lines.append(
        f"recovery: {report['method']}, rank {report['rank']}, n1 = {report['n1']}: {report['status']}, "
        f"{report['iterations']} iterations"
    )
    if report["outliers"]:
        lines.append(
            f"outliers: {report['outliers']['samples']} of the observed samples "
            f"({100 * report['outliers']['share_of_observed']:.1f} %), replaced by the estimate"
        )
    return lines


def _chosen(report: dict[str, Any]) -> str:
    """Return the line on the ranks that were compared with the n1 taken."""
    same = sorted(
        (one for one in report["candidates"] if one["n1"] == report["n1"]), key=lambda one: one["rank"]
    )
    errors = ", ".join(f"{one['rank']}: {percent(one['error'])}" for one in same)
    others = sorted({one["n1"] for one in report["candidates"]} - {report["n1"]})
    beside = f" (n1 = {others[0]} was tried, too)" if others else ""
    return (
        f"chosen: rank {report['rank']}, n1 = {report['n1']}, by hiding other samples; relative error by "
        f"rank: {errors}{beside}"
    )


def captions(report: dict[str, Any]) -> tuple[str, str]:
    """Return title and footer of the picture."""
    given, hidden = report["input"], report["hidden"]
    wrong = f", {report['outliers']['samples']} outliers" if report["outliers"] else ""
    title = (
        f"{given['file']}: {_loss(given)} lost{wrong}, recovered by {report['method']}, rank {report['rank']}"
    )
    compared = hidden["samples"] - hidden["outliers_left_out"]
    footer = (
        f"n1 = {report['n1']}; {report['status']} after {report['iterations']} iterations; relative error on "
        f"{compared} hidden samples {percent(hidden['error'])}"
    )
    return title, f"{footer}. REFUSED: do not use" if report["refused"] else footer


def _loss(given: dict[str, Any]) -> str:
    return f"{100 * given['loss_share']:.1f} %"


def _number(value: float) -> float | None:
    """JSON has no NaN and no infinity."""
    return float(value) if np.isfinite(value) else None
