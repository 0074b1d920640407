"""The tests by the names that claims files use: what settings each one takes.

The Snakemake main process imports this module: neither it nor what it imports may load numpy or pandas.
"""

from nonconvex.claims.kinds.kind import (
    ALGORITHM,
    BETTER,
    CELLS,
    CONDITION,
    FLAG,
    LAW,
    LINES,
    MARGIN,
    NUMBER,
    PAIR,
    Kind,
)
from nonconvex.claims.kinds.networks import NETWORK_KINDS
from nonconvex.claims.kinds.sides import SIDE_KINDS
from nonconvex.claims.kinds.values import VALUE_KINDS

KINDS: dict[str, Kind] = {
    "T-BND": Kind({**BETTER, **LINES}, {"smallest": NUMBER, **CELLS}),
    "T-EQ": Kind({**PAIR, "margin": MARGIN, **LINES}, CELLS),
    "T-ORD": Kind({**BETTER, "good": CONDITION, "bad": CONDITION}, {"smallest": NUMBER, **CELLS}),
    "T-LIN": Kind({"algorithm": ALGORITHM, **LAW, **LINES}, {"shared_streams": FLAG, "ratio": FLAG, **CELLS}),
    **VALUE_KINDS,
    **SIDE_KINDS,
    **NETWORK_KINDS,
}
