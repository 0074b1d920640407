"""Runs of self-training, seen in the plane of the first model, the teacher and the last model."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nonconvex.figures.parts.curve_panels import Curve, curve_panels, shown
from nonconvex.figures.parts.frame import frame
from nonconvex.figures.style import INK, MUTED, TWO_COLUMNS, house_style
from nonconvex.vocabulary import number, symbol, words_of

_PATH, _OTHERS = "#0072B2", "#B8B8B8"
_MARKED = (1, 2, 5, 10, 20, 50, 100, 200, 500)
_FAR = 1.5  # lengths beyond which a run has left the picture
_POINTS: dict[str, dict[str, Any]] = {
    "truth": {"marker": "*", "markersize": 11, "color": "#D55E00", "markeredgecolor": "white"},
    "start": {"marker": "s", "markersize": 5.5, "color": INK},
    "mixture": {"marker": "x", "markersize": 6.5, "markeredgewidth": 1.8, "color": "#B5179E"},
    "end": {"marker": "D", "markersize": 5.5, "color": _PATH, "markeredgecolor": "white"},
}
_WORDS = {
    "truth": "$W^*$", "start": "$W^{(0)}$", "mixture": r"$W^{[\hat{\lambda}]}$", "end": "$W^{(L)}$, the end",
}  # fmt: skip
_ROUNDS: dict[str, Any] = {
    "marker": "o", "markersize": 3.4, "markeredgewidth": 0.3, "markeredgecolor": "white", "color": _PATH,
    "linestyle": "none",
}  # fmt: skip
_OFF: dict[str, Any] = {"color": "#D55E00", "linestyle": (0, (5, 1.5))}


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw Figure 7.3: the models after each round, in the plane of W0, W* and the last model.

    A panel for each number of unlabelled data, one trial in colour and the others thin, all with W* at the
    origin and W0 on the first axis; W[lambda-hat] is that of the trial in colour. The lower panels show, of
    this trial, the distance of each model from W*, and from the plane.

    Parameters
    ----------
    plan : dict
        The figure's plan, with one experiment. Options: ``trial``, which one is in colour (0).
    tables : dict of str to pandas.DataFrame
        One row per round: algorithm, trial, status, round, x, y, off_plane, error, mixture_x and the axes.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame has the table's rows with a finite error, and ``panel``.
    """
    options = plan.get("options", {})
    trial = options.get("trial", 0)
    ((name, experiment),) = plan["experiments"].items()
    by = experiment["axes"][0] if experiment["axes"] else None
    asked = {**plan, "options": {"panels": [{"experiment": name, "title": "", "by": by}]}}
    (panel,) = curve_panels(asked, tables)
    figure = Figure(figsize=(TWO_COLUMNS, 5.4), layout="constrained")
    grid = figure.subplots(2, len(panel.curves), squeeze=False, sharey="row", height_ratios=[5, 3])
    numbers, spans = [], []
    for column, curve in enumerate(panel.curves):
        title = _title(plan, by, curve, trial)
        rows = curve.rows[np.isfinite(curve.rows["error"])]
        numbers.append(rows.assign(panel=title))
        spans.append(_plane(grid[0, column], rows, trial))
        _distances(grid[1, column], rows[rows["trial"] == trial])
        grid[0, column].set_title(title)
    _fit(grid, spans, pd.concat(numbers))
    frame(figure, shown(asked, [panel]), _handles(), _note(pd.concat(numbers), trial))
    numbers = pd.concat(numbers, ignore_index=True)
    return figure, numbers[["panel", *numbers.columns.drop("panel")]]


def _title(plan: Mapping[str, Any], by: str | None, curve: Curve, trial: int) -> str:
    own = curve.rows[curve.rows["trial"] == trial]
    ended = f"trial {trial}: {own['status'].iloc[0]} after {own['round'].max()} rounds" if len(own) else ""
    at = f"{symbol(by, words_of(plan))} = {number(curve.value)}" if by else ""
    return "\n".join(filter(None, [at, ended]))


def _near(rows: pd.DataFrame) -> pd.DataFrame:
    """Return a run up to where it leaves the picture."""
    far = np.flatnonzero(rows["error"].to_numpy() > _FAR)
    return rows.iloc[: far[0]] if len(far) else rows


def _plane(axes: Axes, rows: pd.DataFrame, trial: int) -> pd.DataFrame:
    """Draw the runs; return the places that must be in view."""
    seen = [pd.DataFrame({"x": [0.0], "y": [0.0]})]
    for which, run in rows.groupby("trial"):
        run = _near(run.sort_values("round"))
        seen.append(run[["x", "y"]])
        if which != trial:
            axes.plot(run["x"], run["y"], color=_OTHERS, linewidth=0.7, zorder=1)
            continue
        axes.plot(run["x"], run["y"], color=_PATH, linewidth=1.3, zorder=3)
        some = run[run["round"].isin(_MARKED)]
        axes.plot(some["x"], some["y"], zorder=4, **_ROUNDS)
        axes.plot(*run[["x", "y"]].iloc[0], linestyle="none", zorder=5, **_POINTS["start"])
        axes.plot(run["mixture_x"].iloc[0], 0, linestyle="none", zorder=5, **_POINTS["mixture"])
        axes.plot(*run[["x", "y"]].iloc[-1], linestyle="none", zorder=5, **_POINTS["end"])
    axes.axhline(0, color=MUTED, linewidth=0.6, zorder=0)
    axes.plot(0, 0, linestyle="none", zorder=5, **_POINTS["truth"])
    return pd.concat(seen)


def _distances(axes: Axes, run: pd.DataFrame) -> None:
    run = _near(run.sort_values("round"))
    axes.plot(run["round"] + 1, run["error"], color=_PATH, linewidth=1.3)
    axes.plot(run["round"] + 1, run["off_plane"], linewidth=1.2, **_OFF)
    axes.set(xscale="log", xlabel=r"round $\ell$ + 1")
    axes.xaxis.set_major_formatter("{x:g}")


def _fit(grid: np.ndarray, spans: Sequence[pd.DataFrame], numbers: pd.DataFrame) -> None:
    """Give all panels of the plane the same scale, and a unit of length the same length both ways."""
    every = pd.concat(spans)
    for axes in grid[0]:
        margin = 0.05
        axes.set(
            xlim=(every["x"].min() - margin, every["x"].max() + margin),
            ylim=(min(every["y"].min(), 0) - margin, every["y"].max() + margin),
            aspect="equal",
            xlabel="along $W^{(0)}-W^*$",
        )
    grid[0, 0].set_ylabel("towards $W^{(L)}$, across")
    near = numbers.loc[numbers["error"] <= _FAR, ["error", "off_plane"]]
    for axes in grid[1]:
        axes.set_ylim(0, 1.1 * near.to_numpy().max())
    grid[1, 0].set_ylabel("distance")


def _handles() -> list[Line2D]:
    points = [Line2D([], [], linestyle="none", label=_WORDS[name], **one) for name, one in _POINTS.items()]
    dots = Line2D([], [], label="rounds 1, 2, 5, 10, 20, 50, ...", **_ROUNDS)
    return [
        *points,
        dots,
        Line2D([], [], color=_OTHERS, linewidth=0.7, label="other trials"),
        Line2D([], [], color=_PATH, label="below: distance from $W^*$"),
        Line2D([], [], label="below: distance from the plane", **_OFF),
    ]


def _note(numbers: pd.DataFrame, trial: int) -> str:
    note = f"Trial {trial} in colour; each is drawn in its own plane; lengths over $\\|W^*\\|_F$"
    left = numbers[numbers["error"] > _FAR].groupby(["panel", "trial"]).ngroups
    return f"{note}; {left} left the picture, farther than {number(_FAR)} from $W^*$" if left else note
