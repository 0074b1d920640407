"""The list of outliers that a recovery found, as a CSV file."""

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np

from nonconvex.series.recover import Answer
from nonconvex.series.series import Series

# Columns of a value, and how to get them from it.
_PARTS: dict[str, dict[str, Callable[[complex], float]]] = {
    "real": {"": np.real},
    "complex": {"_real": np.real, "_imaginary": np.imag},
    "phasor": {"_magnitude": np.abs, "_angle_deg": lambda value: np.degrees(np.angle(value))},
}


def write_outliers(series: Series, answer: Answer, target: str | Path) -> None:
    """Write a row for each outlier, in the order of time.

    Its columns are the time in seconds, the channel, the observed value, the estimate that replaces it, and
    the modulus of their difference; real values take one column, phasors and complex values two.

    Parameters
    ----------
    series : nonconvex.series.series.Series
        As read.
    answer : nonconvex.series.recover.Answer
        Of a method that looks for outliers.
    target : path
        The file to write.
    """
    parts = _PARTS[series.kind]
    values = (series.values, answer.values)
    names = [f"{which}{part}" for which in ("observed", "estimate") for part in parts]
    with open(target, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["time", "channel", *names, "size"])
        for sample, channel in np.argwhere(answer.outliers.T):
            both = [value[channel, sample] for value in values]
            numbers = [part(value) for value in both for part in parts.values()]
            cells = [f"{number:.10g}" for number in (*numbers, abs(both[0] - both[1]))]
            writer.writerow([f"{series.time[sample]:.10g}", series.names[channel], *cells])
