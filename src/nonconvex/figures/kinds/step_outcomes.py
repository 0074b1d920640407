"""How methods end under step sizes: an example of each, and the shares of trials by their end."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from nonconvex.figures.looks import look
from nonconvex.figures.parts.frame import frame
from nonconvex.figures.parts.limits import log_limits, quiet_log
from nonconvex.figures.parts.panels import key, label
from nonconvex.figures.style import INK, TWO_COLUMNS, house_style

ENDS: dict[str, tuple[str, dict[str, Any]]] = {
    "converged": ("converged", {"facecolor": "#FFFFFF"}),
    "iteration limit": ("neither by the last iteration", {"facecolor": "#CFCFCF", "hatch": "..."}),
    "stalled": ("stalled", {"facecolor": "#9A9A9A", "hatch": "///"}),
    "diverged": ("diverged", {"facecolor": "#1A1A1A"}),
    "failed": ("refused", {"facecolor": "#8F3B00"}),
}
"""How a trial can end, from best to worst: words and fill."""

_TOLD = {"diverged": "diverged", "stalled": "stalled", "iteration limit": "not yet converged"}
_TOP = 1e3
_HIGH = 1e-2
_MARKERS = 7


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw the step sizes of Figure 4.10 and their like.

    Above, per entry of ``examples``, the error of one trial against iteration, all algorithms from the same
    start on the same data. Below, per entry of ``bars``, one bar per algorithm: the shares of all trials that
    converged, that diverged, and that did neither by the cap of the iterations: "not yet converged".

    Parameters
    ----------
    plan : dict
        The figure's plan, with one experiment. Options: ``examples``, a list of mappings with ``title`` and
        ``algorithms``; ``trial``, the example's number (by default per entry the first of the trials whose
        algorithms end as most trials' do); ``bars``, a list of the same; ``looks``, which
        algorithm's look an algorithm has (its own); ``labels``, as `nonconvex.figures.parts.panels` has them.
    tables : dict of str to pandas.DataFrame
        One row per kept iterate: algorithm, trial, status, iteration, error.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame has a row per point of an example (``what`` = example) and per algorithm and end (share):
        what, panel, algorithm, trial, iteration, error, end, count, trials, share, median_iterations.
    """
    options = plan.get("options", {})
    (table,) = (tables[name] for name in plan["experiments"])
    examples, bars = options["examples"], options["bars"]
    figure = Figure(figsize=(TWO_COLUMNS, 5.2), layout="constrained")
    top, below = figure.subfigures(2, 1, squeeze=False, height_ratios=[1.25, 1]).ravel()
    upper = top.subplots(1, len(examples), sharey=True, squeeze=False)[0]
    lower = below.subplots(1, len(bars), sharex=True, squeeze=False)[0]
    numbers = []
    for axes, panel in zip(upper, examples, strict=True):
        trial, words = _chosen(plan, panel, table)
        numbers += [_example(axes, plan, panel, table, name, trial) for name in panel["algorithms"]]
        axes.set_title(f"{panel['title']}\n{words}")
        axes.set_xlabel("iterations")
        axes.set_xlim(left=0)
    numbers = [pd.concat(numbers, ignore_index=True)]
    limits = log_limits(numbers[0]["error"], top=_TOP)
    upper[0].set(yscale="log", ylim=limits, ylabel="relative error")
    quiet_log(upper[0].yaxis, limits)
    for axes, panel in zip(lower, bars, strict=True):
        numbers.append(_bars(axes, plan, panel, table))
    drawn = list(dict.fromkeys(name for panel in examples for name in panel["algorithms"]))
    handles: list[Artist] = [*key(list({_looks(plan, name): name for name in drawn}), plan)]
    numbers = pd.concat(numbers, ignore_index=True)
    ended = set(numbers.loc[numbers["count"] > 0, "end"])
    handles += [
        Patch(label=words, edgecolor=INK, linewidth=0.5, **fill)
        for end, (words, fill) in ENDS.items()
        if end in ended
    ]
    _frame(figure, plan, handles, numbers)
    return figure, numbers


def _looks(plan: Mapping[str, Any], algorithm: str) -> str:
    return plan.get("options", {}).get("looks", {}).get(algorithm, algorithm)


def _ends(table: pd.DataFrame, algorithm: str) -> pd.DataFrame:
    """Return the last iterate of every trial."""
    own = table[table["algorithm"] == algorithm]
    return own.sort_values("iteration", kind="stable").groupby("trial").tail(1)


def _chosen(plan: Mapping[str, Any], panel: Mapping[str, Any], table: pd.DataFrame) -> tuple[int, str]:
    """Choose the trial that is drawn, and say whose example it is."""
    ends = pd.concat(
        {name: _ends(table, name).set_index("trial")["status"] for name in panel["algorithms"]}, axis=1
    )
    ways = ends.fillna("").agg("|".join, axis=1).sort_index()
    commonest = ways.value_counts(sort=False).idxmax()
    trial = plan.get("options", {}).get("trial", int(ways.index[ways == commonest][0]))
    alike = int((ways == ways.get(trial)).sum())
    return trial, f"trial {trial}: {alike} of {len(ways)} end so"


def _example(
    axes: Axes,
    plan: Mapping[str, Any],
    panel: Mapping[str, Any],
    table: pd.DataFrame,
    algorithm: str,
    trial: int,
) -> pd.DataFrame:
    own = table[(table["algorithm"] == algorithm) & (table["trial"] == trial)].sort_values("iteration")
    one = look(_looks(plan, algorithm), list(panel["algorithms"]))
    points = own[["iteration", "error"]].replace([np.inf, -np.inf], np.nan)
    at = points["iteration"].to_numpy()
    # Evenly over the iterations: the first ones are kept more densely.
    marked = sorted({*np.searchsorted(at, np.linspace(at[0], at[-1], _MARKERS)).tolist()}) if len(at) else []
    axes.plot(
        points["iteration"],
        points["error"],
        color=one.color,
        linestyle=one.line,
        linewidth=1.3,
        markevery=marked,
        label=label(algorithm, plan),
        **one.markers(),
    )
    end = own["status"].iloc[-1] if len(own) else "converged"
    known = points.dropna()
    if end in _TOLD and len(known):
        last = known.iloc[-1]
        where: dict[str, Any] = {
            "xytext": (6, -2),
            "textcoords": "offset points",
            "size": 6.5,
            "color": one.color,
            "va": "top",
        }
        if end != "diverged":  # at the right edge: below a line that stayed high, else above it
            side = ("top", -7) if last["error"] > _HIGH else ("bottom", 7)
            where |= {"xytext": (-2, side[1]), "ha": "right", "va": side[0]}
        axes.annotate(_TOLD[end], (last["iteration"], min(last["error"], _TOP)), **where)
    front = {"what": "example", "panel": panel["title"], "algorithm": algorithm, "trial": trial}
    return points.assign(**front)[[*front, "iteration", "error"]]


def _bars(axes: Axes, plan: Mapping[str, Any], panel: Mapping[str, Any], table: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for place, algorithm in enumerate(panel["algorithms"]):
        ends = _ends(table, algorithm)
        left = 0.0
        for end, (_, fill) in ENDS.items():
            some = ends[ends["status"] == end]
            share = len(some) / len(ends) if len(ends) else 0.0
            axes.barh(place, share, left=left, height=0.7, edgecolor=INK, linewidth=0.5, **fill)
            left += share
            rows.append(
                {
                    "what": "share",
                    "panel": panel["title"],
                    "algorithm": algorithm,
                    "end": end,
                    "count": len(some),
                    "trials": len(ends),
                    "share": share,
                    "median_iterations": some["iteration"].median() if len(some) else np.nan,
                }
            )
    axes.set_title(panel["title"])
    axes.set_yticks(range(len(panel["algorithms"])), [label(name, plan) for name in panel["algorithms"]])
    axes.invert_yaxis()
    axes.set(xlim=(0, 1), xlabel="share of trials")
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "¼", "½", "¾", "1"])
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right"]].set_visible(False)
    return pd.DataFrame(rows)


def _frame(figure: Figure, plan: Mapping[str, Any], handles: Sequence[Artist], numbers: pd.DataFrame) -> None:
    shares = numbers[numbers["what"] == "share"]
    which = "one trial" if "trial" in plan.get("options", {}) else "the first trial that ends as most do"
    note = f"Above: {which}; below: all {int(shares['trials'].max())} trials, by how they ended"
    frame(figure, plan, handles, note)
