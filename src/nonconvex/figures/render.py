"""Write a figure's files: the same bytes every time, and never half a file."""

import importlib
import os
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from nonconvex.figures.style import house_style
from nonconvex.files import temporary_name

# What would otherwise hold a date or a version.
_METADATA = {
    "pdf": {"CreationDate": None, "ModDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
}
_PLACES = 6  # of a figure's width or height


def render(
    plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame], outputs: Mapping[str, str | Path]
) -> None:
    """Draw a figure and write its files.

    Parameters
    ----------
    plan : dict
        The figure's plan; ``plan["kind"]`` names the module of this package that draws it.
    tables : dict of str to pandas.DataFrame
        The table of each experiment in the plan.
    outputs : dict of str to path
        Where each format goes: any of ``pdf``, ``png``, ``svg``, ``csv``. The csv holds exactly the
        numbers that are drawn.

    Raises
    ------
    ValueError
        For an unknown kind or format.
    """
    unknown = sorted(set(outputs) - {*_METADATA, "csv"})
    if unknown:
        raise ValueError(
            f"outputs: format {unknown[0]!r} of figure {plan['figure']} is none of pdf, png, svg, csv."
        )
    with house_style():
        figure, numbers = _kind(plan).draw(plan, tables)
        FigureCanvasAgg(figure)
        _settle(figure)
        _write_all(figure, numbers, {kind: Path(path) for kind, path in outputs.items()})


def _settle(figure: Figure) -> None:
    """Lay a figure out and round where its axes stand: the layout's last bits differ from call to call."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        axes.set_position(tuple(round(edge, _PLACES) for edge in axes.get_position(original=True).bounds))


def _kind(plan: Mapping[str, Any]) -> ModuleType:
    kind = plan["kind"]
    known = kind.isidentifier() and Path(__file__).with_name("kinds").joinpath(f"{kind}.py").exists()
    if not known:
        raise ValueError(
            f"kind: figure {plan['figure']} asks for {kind!r}, which nonconvex.figures.kinds does not have."
        )
    return importlib.import_module(f"{__package__}.kinds.{kind}")


def _write_all(figure: Figure, numbers: pd.DataFrame, outputs: Mapping[str, Path]) -> None:
    temporary = {kind: temporary_name(path) for kind, path in outputs.items()}
    try:
        for kind, path in temporary.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            if kind == "csv":
                numbers.to_csv(path, index=False, lineterminator="\n")
            else:
                figure.savefig(path, format=kind, metadata=_METADATA[kind])
        for kind, path in outputs.items():
            os.replace(temporary[kind], path)
    finally:
        for path in temporary.values():
            path.unlink(missing_ok=True)
