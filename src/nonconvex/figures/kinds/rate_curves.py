"""Error against iteration, and the rate of convergence against a parameter with rival laws fitted to it."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nonconvex.figures.kinds.progress_curves import curve_points, draw_curve, middle_words
from nonconvex.figures.looks import Look, look
from nonconvex.figures.parts.curve_panels import CurvePanel, curve_key, curve_panels, shown
from nonconvex.figures.parts.frame import frame
from nonconvex.figures.parts.laws import INVERSE_ROOT
from nonconvex.figures.parts.limits import log_limits, quiet_log
from nonconvex.figures.parts.panels import label
from nonconvex.figures.style import INK, MUTED, TWO_COLUMNS, house_style
from nonconvex.statistics.rates import LAWS, fit_laws, trial_rates
from nonconvex.vocabulary import symbol

_LINES: dict[str, dict[str, Any]] = {
    "1/√K": {"color": "#D7301F", "linestyle": "-", "linewidth": 1.4},
    "1/K": {"color": "#0072B2", "linestyle": (0, (5, 1.5)), "linewidth": 1.0},
    "1/K²": {"color": "#7A4A00", "linestyle": (0, (1, 1.2)), "linewidth": 1.2},
}
_LIMIT: dict[str, Any] = {"color": MUTED, "linestyle": (0, (4, 1, 1, 1)), "linewidth": 1.0}
_TOP = 10.0


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw Figure 5.3: errors for several numbers of neurons, and their rates against 1/sqrt(K).

    Left, per K the median error of the trials against iteration, as
    `nonconvex.figures.kinds.progress_curves` has it. Right, the rate of every trial
    (`nonconvex.statistics.rates`), their median per K, and the lines fitted to the medians by least squares
    in 1/sqrt(K), 1/K and 1/K^2, each a curve over 1/sqrt(K) unless it is the first. A heavy-ball step of
    weight beta cannot converge faster than at the rate sqrt(beta): a line marks it.

    Parameters
    ----------
    plan : dict
        The figure's plan, with one experiment. Options: ``by``, the parameter (``n_neurons``); ``algorithm``
        (the experiment's only one); ``others``, algorithms whose median rates are drawn beside its own on the
        right; ``labels``, as `nonconvex.figures.parts.panels` has them.
    tables : dict of str to pandas.DataFrame
        One row per kept iterate: algorithm, the axes, trial, status, iteration, error.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame has a row per point of a curve (``what`` = curve), per trial (rate), per value of ``by``
        (median) and per law (law: slope, intercept, r_squared), and per trial and value for each of
        ``others`` (rate, median), all with their algorithm.
    """
    options = plan.get("options", {})
    ((name, experiment),) = plan["experiments"].items()
    by = options.get("by", "n_neurons")
    algorithm = options.get("algorithm", next(iter(experiment["algorithms"])))
    entry = {"experiment": name, "algorithms": [algorithm], "title": ""}
    asked = {**plan, "options": {**options, "by": by, "panels": [entry]}}
    (panel,) = curve_panels(asked, tables)
    rates, middles = _medians(tables[name], algorithm, by)
    known = middles[np.isfinite(middles["rate"])]
    laws = fit_laws(known[by].to_numpy(), known["rate"].to_numpy()).assign(algorithm=algorithm)

    figure = Figure(figsize=(TWO_COLUMNS, 3.7), layout="constrained")
    left, right = figure.subplots(1, 2)
    numbers = _errors(left, panel, by).assign(algorithm=algorithm)
    left.set_title(f"(a) {label(algorithm, plan)}")
    _rates(right, panel, rates, known, laws, by)
    handles = curve_key([panel]) + _law_handles(laws)
    told = experiment["algorithms"][algorithm].get("options", {})
    handles += _limit(right, told.get("beta", 0))
    parts = [(numbers, "curve"), (rates, "rate"), (middles, "median"), (laws, "law")]
    others = options.get("others", ())
    for other in others:
        own, medians = _medians(tables[name], other, by)
        parts += [(own, "rate"), (medians, "median")]
        handles.append(_other(right, medians, look(other, others), label(other, plan), by))
    frame(figure, shown(asked, [panel]), handles, _note(numbers, rates))
    numbers = pd.concat([part.assign(what=what) for part, what in parts], ignore_index=True)
    return figure, numbers[["what", *numbers.columns.drop("what")]]


def _medians(table: pd.DataFrame, algorithm: str, by: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the rate of every trial of an algorithm, and their medians."""
    rates = trial_rates(table[table["algorithm"] == algorithm], [by, "trial"])
    # A trial without a rate counts as one that does not converge.
    middles = rates.assign(rate=rates["rate"].fillna(np.inf)).groupby(by, as_index=False)["rate"].median()
    return rates.assign(algorithm=algorithm), middles.assign(algorithm=algorithm)


def _errors(axes: Axes, panel: CurvePanel, by: str) -> pd.DataFrame:
    numbers = []
    for index, curve in enumerate(panel.curves):
        points = curve_points(curve.rows)
        numbers.append(points.assign(**{by: curve.value}))
        draw_curve(axes, points, curve.look, index)
    numbers = pd.concat(numbers, ignore_index=True)
    limits = log_limits(numbers[["centre", "low", "high"]], top=_TOP)
    axes.set(yscale="log", ylim=limits, xlabel="iterations", ylabel="relative error")
    axes.set_xlim(left=0)
    quiet_log(axes.yaxis, limits)
    return numbers


def _rates(
    axes: Axes, panel: CurvePanel, rates: pd.DataFrame, middles: pd.DataFrame, laws: pd.DataFrame, by: str
) -> None:
    root = LAWS["1/√K"]
    looks = {curve.value: curve.look for curve in panel.curves}
    for value, own in rates.groupby(by):
        axes.plot(
            [root(value)] * len(own), own["rate"], "_", color=looks[value].color, markersize=6, zorder=2
        )
    for value, rate in zip(middles[by], middles["rate"], strict=True):
        axes.plot(
            root(value), rate, color=looks[value].color, linestyle="none", zorder=4, **looks[value].markers()
        )
    values = np.linspace(min(looks), max(looks), 200)
    for law in laws.itertuples():
        heights = law.slope * LAWS[law.law](values) + law.intercept
        axes.plot(root(values), heights, zorder=3, **_LINES[law.law])
    ticks = sorted(looks)
    axes.set_xlabel(f"{symbol(by)}, on a scale of {INVERSE_ROOT.written(symbol(by))}")
    axes.set_xticks([root(value) for value in ticks], [str(value) for value in ticks])
    axes.set(ylabel="rate ν, error per iteration", title="(b) rates")
    axes.axhline(1, color=MUTED, linewidth=0.6, zorder=0)


def _limit(axes: Axes, beta: float) -> list[Line2D]:
    """Mark the rate below which a heavy-ball step of this weight cannot come."""
    if not beta:
        return []
    axes.axhline(beta**0.5, zorder=1, **_LIMIT)
    return [
        Line2D([], [], label=f"$\\sqrt{{\\beta}}$ = {beta**0.5:.3f}, the heavy ball's own rate", **_LIMIT)
    ]


def _other(axes: Axes, middles: pd.DataFrame, one: Look, words: str, by: str) -> Line2D:
    """Draw the median rates of another algorithm; those that do not converge have no place."""
    known = middles[np.isfinite(middles["rate"])]
    style = {"color": one.color, "linestyle": one.line, "linewidth": 0.8, **one.markers(hollow=True)}
    axes.plot(LAWS["1/√K"](known[by].to_numpy()), known["rate"], zorder=3, **style)
    return Line2D([], [], label=words, **style)


def _law_handles(laws: pd.DataFrame) -> list[Line2D]:
    handles = [
        Line2D([], [], label=f"line in {law.law}: R² = {law.r_squared:.3f}", **_LINES[law.law])
        for law in laws.dropna(subset="slope").itertuples()
    ]
    dash = Line2D([], [], color=INK, marker="_", linestyle="none", label="rate of one trial")
    return [*handles, dash]


def _note(numbers: pd.DataFrame, rates: pd.DataFrame) -> str:
    words = middle_words(numbers)
    note = [f"(a) {words[0]}", *words[1:]]
    short = int((rates["status"] != "converged").sum())
    if short:
        note.append(f"{short} of {len(rates)} trials did not reach the error at which a run ends")
    return "; ".join(note)
