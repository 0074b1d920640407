"""Error against iteration, and rates of algorithms against a parameter on the scales of rival laws."""

from collections.abc import Mapping, Sequence
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
from nonconvex.figures.parts.laws import LAWS, fitted_law, law_axis
from nonconvex.figures.parts.limits import log_limits, quiet_log
from nonconvex.figures.parts.panels import label
from nonconvex.figures.style import TWO_COLUMNS, house_style
from nonconvex.statistics.rates import trial_rates
from nonconvex.vocabulary import symbol, words_of

_TOP = 10.0
_COLUMNS = 3


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw the rates of Figure 6.3 and their like.

    In the first panel, per value of the parameter, the median error of the trials against iteration, as
    `nonconvex.figures.kinds.progress_curves` has it. In each other panel, per algorithm, the mean over the
    trials of the rate (`nonconvex.statistics.rates`), shaded one standard deviation to each side, and the
    line that is fitted to the means by least squares in the law whose scale the axis has. All panels of
    rates share the axis of the rate.

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``by``, the parameter; ``errors``, with ``experiment``, ``algorithm`` and
        ``title``, what the first panel shows; ``panels``, those of rates, each with ``experiment``,
        ``algorithms`` (all), ``title`` and ``law``, ``root`` (of the square root, by default) or
        ``inverse_root``; ``labels``, as `nonconvex.figures.parts.panels` has them.
    tables : dict of str to pandas.DataFrame
        One row per kept iterate: algorithm, the axes, trial, status, iteration, error.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame has a row per point of an error curve (``what`` = curve), per trial (rate), per algorithm
        and value of ``by`` (mean: mean, sd, trials, without, those without a rate), and per algorithm of a
        panel (law: law, slope, intercept, r_squared).
    """
    options = plan["options"]
    by, first = options["by"], options["errors"]
    entries = [_errors_entry(first, by), *options["panels"]]
    asked = {**plan, "options": {**options, "by": None, "panels": entries}}
    left, *panels = curve_panels(asked, tables)
    rows = -(-(1 + len(panels)) // _COLUMNS)
    figure = Figure(figsize=(TWO_COLUMNS, 1.4 + 2.3 * rows), layout="constrained")
    grid = figure.subplots(rows, _COLUMNS, squeeze=False).ravel()
    numbers = [_errors(grid[0], left, by).assign(what="curve", panel=left.title)]
    names = list(dict.fromkeys(curve.algorithm for panel in panels for curve in panel.curves))
    rates, means = [], []
    for axes, panel, entry in zip(grid[1:], panels, options["panels"], strict=False):
        law = entry.get("law", "root")
        told, fits = [], []
        for curve in panel.curves:
            front = {"panel": panel.title, "experiment": curve.experiment, "algorithm": curve.algorithm}
            own = trial_rates(curve.rows, [by, "trial"]).assign(**front)
            middles = _means(own, by).assign(**front)
            known = middles.dropna(subset="mean")
            fit = fitted_law(known[by].to_numpy(), known["mean"].to_numpy(), law)
            _rates(axes, middles, fit, law, look(curve.algorithm, names), by)
            told.append(f"{label(curve.algorithm, plan).split(',')[0]} R² = {_share(fit)}")
            fits.append(fit)
            rates.append(own.assign(what="rate"))
            means.append(middles.assign(what="mean"))
            numbers.append(pd.DataFrame([{"what": "law", **front, "law": law, **fit}]))
        sign = symbol(by, words_of(plan))
        law_axis(axes, plan["experiments"][panel.experiments[0]]["parameters"][by], law)
        axes.set_xlabel(f"{sign}, on a scale of {LAWS[law].written(sign)}")
        axes.set_title(
            "\n".join([panel.title, ", ".join(told) if _drawn(fits) else "no line, too few points"])
        )
    together = pd.concat(means)
    low, high = (together["mean"] - together["sd"]).min(), (together["mean"] + together["sd"]).max()
    for index, axes in enumerate(grid):
        if index > len(panels):
            axes.set_axis_off()
        elif index:
            axes.set_ylim(low - 0.05 * (high - low), high + 0.05 * (high - low))
            if index % _COLUMNS in (0, 1):
                axes.set_ylabel("rate ν, error per iteration")
    handles = [*curve_key([left]), *_handles(names, plan)]
    everything = pd.concat([*numbers, *rates, *means], ignore_index=True)
    lines = bool(everything.loc[everything["what"] == "law", "slope"].notna().any())
    frame(figure, shown(asked, [left, *panels]), handles, _note(numbers[0], together, lines=lines))
    return figure, everything[["what", *everything.columns.drop("what")]]


def _errors_entry(first: Mapping[str, Any], by: str) -> dict[str, Any]:
    return {
        "experiment": first["experiment"],
        "algorithms": [first["algorithm"]],
        "title": first.get("title", ""),
        "by": by,
    }


def _errors(axes: Axes, panel: CurvePanel, by: str) -> pd.DataFrame:
    numbers = []
    for index, curve in enumerate(panel.curves):
        points = curve_points(curve.rows)
        front = {"experiment": curve.experiment, "algorithm": curve.algorithm, by: curve.value}
        numbers.append(points.assign(**front))
        draw_curve(axes, points, curve.look, index)
    numbers = pd.concat(numbers, ignore_index=True)
    limits = log_limits(numbers[["centre", "low", "high"]], top=_TOP)
    axes.set(yscale="log", ylim=limits, xlabel="iterations", ylabel="relative error", title=panel.title)
    axes.set_xlim(left=0)
    quiet_log(axes.yaxis, limits)
    return numbers


def _means(rates: pd.DataFrame, by: str) -> pd.DataFrame:
    """Return mean and standard deviation of the rates, and how many trials have none, per value."""
    rows = []
    for value, own in rates.groupby(by, sort=True):
        known = own["rate"].dropna()
        rows.append(
            {
                by: value,
                "mean": known.mean() if len(known) else np.nan,
                "sd": known.std() if len(known) > 1 else 0.0,
                "trials": len(own),
                "without": len(own) - len(known),
            }
        )
    return pd.DataFrame(rows)


def _rates(axes: Axes, means: pd.DataFrame, fit: Mapping[str, float], law: str, one: Look, by: str) -> None:
    function = LAWS[law].function
    at, mean, sd = function(means[by].to_numpy(dtype=float)), means["mean"], means["sd"]
    axes.fill_between(at, mean - sd, mean + sd, color=one.color, alpha=0.16, linewidth=0, zorder=1)
    axes.plot(at, mean, color=one.color, linestyle="none", zorder=4, **one.markers())
    ends = np.array([at.min(), at.max()])
    axes.plot(
        ends, fit["slope"] * ends + fit["intercept"], color=one.color, linestyle=one.line, linewidth=1.1
    )


def _handles(names: list[str], plan: Mapping[str, Any]) -> list[Line2D]:
    looks = {name: look(name, names) for name in names}
    return [
        Line2D(
            [], [], color=one.color, linestyle=one.line, label=f"rates: {label(name, plan)}", **one.markers()
        )
        for name, one in looks.items()
    ]


def _share(fit: Mapping[str, float]) -> str:
    return f"{fit['r_squared']:.3f}" if np.isfinite(fit["r_squared"]) else "–"


def _drawn(fits: Sequence[Mapping[str, float]]) -> bool:
    return any(np.isfinite(fit["slope"]) for fit in fits)


def _note(curves: pd.DataFrame, means: pd.DataFrame, *, lines: bool) -> str:
    words = middle_words(curves)
    note = [f"(a) {words[0]}", *words[1:]]
    fitted = ", with the line fitted to the means" if lines else ""
    note.append(f"rates: means over the trials, shaded one standard deviation{fitted}")
    without = int(means["without"].sum())
    if without:
        note.append(f"{without} of {int(means['trials'].sum())} trials have no rate and are left out")
    return "; ".join(note)
