"""The house style: sizes, fonts, and one fixed look per algorithm."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from matplotlib import style
from matplotlib.typing import LineStyleType

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

_SLIM = "PX*d"
_TOLD = re.compile(r"(_[rn]\d+)+$")
_MATRIX = re.compile(r"_[xh](?=_|$)")


@dataclass(frozen=True)
class Look:
    """How one algorithm is drawn in every figure: never by colour alone."""

    color: str
    marker: str
    line: LineStyleType = "-"

    def markers(self, hollow: bool = False) -> dict[str, Any]:
        """Give the arguments that draw its markers, filled with a thin white rim, or hollow."""
        return {
            "marker": self.marker,
            "markersize": 5.8 if self.marker in _SLIM else 4.4,
            "markerfacecolor": "white" if hollow else self.color,
            "markeredgecolor": self.color if hollow else "white",
            "markeredgewidth": 0.7 if hollow else 0.5,
        }


# Red, blue and magenta are the thesis's (Section 2.6); the tones, and all further colours, follow
# Okabe and Ito's palette so that neighbours also differ in lightness.
LOOKS = {
    "am_fiht_beta0": Look("#D7301F", "o"),
    "am_fiht": Look("#0072B2", "s", (0, (5, 1.5))),
    "ram_fiht": Look("#B5179E", "^", (0, (5, 1.5, 1, 1.5))),
    "fiht": Look("#E69F00", "D", (0, (3, 1.5))),
    "svt_x": Look("#56B4E9", "v", (0, (1, 1))),
    "svt_h": Look("#00735C", "P", (0, (4, 1, 1, 1, 1, 1))),
    "fiht_r2_n150": Look("#8C510A", "d", (0, (6, 2))),
    # Their lightness runs from black to the orange of R-RMC, so that they also differ in grey.
    "sap": Look("#009E73", "^"),
    "r_rmc": Look("#F0B000", "D", (0, (3, 1.5))),
    "r_rmc_mu3": Look("#7A4A00", "d", (0, (6, 2))),
    "admm_released": Look("#CC79A7", "P", (0, (5, 1.5, 1, 1.5))),
    "admm_free": Look("#000000", "X", (0, (1, 1))),
    "agd": Look("#0072B2", "s"),
    "gd": Look("#D55E00", "o", (0, (5, 1.5))),
}

VALUES = (
    Look("#000000", "o"),
    Look("#0072B2", "s", (0, (5, 1.5))),
    Look("#D55E00", "^", (0, (5, 1.5, 1, 1.5))),
    Look("#009E73", "D", (0, (3, 1.5))),
    Look("#B5179E", "v", (0, (1, 1))),
    Look("#56B4E9", "P", (0, (4, 1, 1, 1, 1, 1))),
    Look("#E69F00", "X", (0, (6, 2))),
    Look("#7A4A00", "d", (0, (2, 1))),
)
"""For curves of one algorithm at several values of a parameter, in their order."""

# For an algorithm that somebody adds: taken in order of its place among the unknown ones.
_SPARE = (
    Look("#009E73", "<", (0, (6, 2))),
    Look("#8C510A", ">", (0, (2, 1))),
    Look("#4D4D4D", "h", (0, (4, 1, 1, 1))),
    Look("#CC79A7", "*", (0, (1, 1.5))),
)


def family(algorithm: str) -> str:
    """Name the algorithm whose look another shares.

    It is told another rank or n1, such as ``am_fiht_r8``, or runs on another matrix: ``_x`` on the data,
    ``_h`` on the Hankel matrix.
    """
    if algorithm in LOOKS:
        return algorithm
    told = _TOLD.sub("", algorithm)
    return told if told in LOOKS else _MATRIX.sub("", told)


def look(algorithm: str, algorithms: Iterable[str] = ()) -> Look:
    """Give the fixed look of an algorithm: its own, or that of its family.

    Parameters
    ----------
    algorithm : str
        Its name in the experiment.
    algorithms : iterable of str
        All names in the figure; decides which spare look an unknown one gets.

    Returns
    -------
    Look
    """
    if family(algorithm) in LOOKS:
        return LOOKS[family(algorithm)]
    unknown = sorted({name for name in algorithms if family(name) not in LOOKS} | {algorithm})
    return _SPARE[unknown.index(algorithm) % len(_SPARE)]


@contextmanager
def house_style() -> Iterator[None]:
    """Draw in the house style, whatever the reader's own matplotlib settings; also a decorator."""
    with style.context(_PARAMETERS, after_reset=True):
        yield
