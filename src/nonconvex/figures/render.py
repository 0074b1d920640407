"""Write a figure's files: the same bytes every time, and never half a file."""

import importlib
import os
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from nonconvex.figures.style import house_style
from nonconvex.files import temporary_name

_PLACES = 9  # of places in units of the figure's size

# What would otherwise hold a date or a version.
_METADATA = {
    "pdf": {"CreationDate": None, "ModDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
}


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
        _round_layout(figure)
        FigureCanvasAgg(figure)
        _write_all(figure, numbers, {kind: Path(path) for kind, path in outputs.items()})


class _RoundedLayout(ConstrainedLayoutEngine):
    """Constrained layout without the last bits, in which its solver does not find the same every time."""

    def execute(self, fig: Figure) -> None:
        super().execute(fig)
        for axes in fig.axes:
            places = np.round(axes.get_position(original=True).bounds, _PLACES).tolist()
            axes.set_position(places, which="original")
            axes.set_in_layout(True)  # placing them had taken them out


def _round_layout(figure: Figure) -> None:
    engine = figure.get_layout_engine()
    if isinstance(engine, ConstrainedLayoutEngine):
        figure.set_layout_engine(_RoundedLayout(**engine.get()))


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
