"""The house style: sizes, colours and fonts."""

from collections.abc import Iterator
from contextlib import contextmanager

from matplotlib import style

ONE_COLUMN = 3.5
"""Width in inches of a figure that fits one column of a two-column page."""

TWO_COLUMNS = 7.16
"""Width in inches of a figure that fits the whole text width."""

INK = "#222222"
MUTED = "#595959"
AGAIN = "#D55E00"
"""For a line that belongs to the same algorithm as the one it is compared with."""
WARNING = "#8F3B00"

_PARAMETERS = {
    "font.family": "DejaVu Sans",
    "mathtext.fontset": "dejavusans",
    "font.size": 8.0,
    "axes.titlesize": 8.0,
    "axes.labelsize": 8.0,
    "xtick.labelsize": 7.0,
    "ytick.labelsize": 7.0,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "legend.handlelength": 3.2,
    "figure.titlesize": 9.0,
    "figure.titleweight": "bold",
    "figure.constrained_layout.h_pad": 0.05,
    "figure.constrained_layout.w_pad": 0.05,
    "axes.linewidth": 0.6,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.0,
    "hatch.linewidth": 0.5,
    "figure.dpi": 100.0,
    "savefig.dpi": 220.0,
    # Text stays text in a PDF, and the identifiers inside an SVG do not depend on the run.
    "pdf.fonttype": 42,
    "svg.hashsalt": "nonconvex",
}


@contextmanager
def house_style() -> Iterator[None]:
    """Draw in the house style, whatever the reader's own matplotlib settings; also a decorator."""
    with style.context(_PARAMETERS, after_reset=True):
        yield
