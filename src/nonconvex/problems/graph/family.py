"""The families of graph networks (thesis, Section 5.5)."""

from nonconvex.problems.contract import Family

_SOLVERS = "nonconvex.networks.solvers"
_WORDS = {"n_samples": ("number of samples", "N"), "noise": ("noise level", r"\sigma/E_z")}


def _trained(outcome: str) -> Family:
    return Family(
        data=f"{__package__}.data", outcome=f"{__package__}.{outcome}", solvers=_SOLVERS, words=_WORDS
    )


FAMILIES = {
    "graph": _trained("outcome"),
    "graph_curves": _trained("curves"),
    "graph_starts": _trained("starts"),
    "graph_critical": _trained("critical"),
    "graph_critical_curves": _trained("critical_curves"),
    "graph_structures": Family(
        data=f"{__package__}.structures", table=f"{__package__}.structures", words=_WORDS
    ),
    "graph_spectra": Family(data=f"{__package__}.structures", table=f"{__package__}.spectra", words=_WORDS),
}
