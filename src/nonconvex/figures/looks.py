"""One fixed look per algorithm.

Light, so that the names in a figure's options can be checked without loading matplotlib.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.typing import LineStyleType

_SLIM = "PX*d"
_TOLD = re.compile(r"(_[rn]\d+)+(?=_guard$|$)")
_MATRIX = re.compile(r"_[xh](?=_|$)")


@dataclass(frozen=True)
class Look:
    """How one algorithm is drawn in every figure: never by colour alone."""

    color: str
    marker: str
    line: "LineStyleType" = "-"

    def markers(self, hollow: bool = False, half: bool = False) -> dict[str, Any]:
        """Give the arguments that draw its markers: filled with a thin white rim, hollow, or half filled."""
        return {
            "marker": self.marker,
            "markersize": 5.8 if self.marker in _SLIM else 4.4,
            "markerfacecolor": "white" if hollow else self.color,
            "markeredgecolor": self.color if hollow or half else "white",
            "markeredgewidth": 0.7 if hollow or half else 0.5,
            **({"fillstyle": "left", "markerfacecoloralt": "white"} if half else {}),
        }


# Red, blue and magenta are the thesis's (Section 2.6); the tones, and all further colours, follow
# Okabe and Ito's palette so that neighbours also differ in lightness.
LOOKS = {
    "am_fiht_beta0": Look("#D7301F", "o"),
    "am_fiht": Look("#0072B2", "s", (0, (5, 1.5))),
    "ram_fiht": Look("#B5179E", "^", (0, (5, 1.5, 1, 1.5))),
    "fiht": Look("#E69F00", "D", (0, (3, 1.5))),
    "fiht_guard": Look("#4D4D4D", "p", (0, (2, 1.5))),
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
    # Self-training: mini-batches, the full batch, and pseudo-labels that are never renewed.
    "mini": Look("#0072B2", "o"),
    "full": Look("#D55E00", "s", (0, (5, 1.5))),
    "single": Look("#444444", "^", (0, (3, 1.5))),
    # Real images: students of a pool of labelled and pseudo-labelled ones.
    "students": Look("#0072B2", "o"),
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
