"""The families of convolutional networks (thesis, Section 4.4)."""

from nonconvex.problems.contract import Family

_SOLVERS = "nonconvex.networks.solvers"
_WORDS = {"n_samples": ("number of samples", "N"), "noise": ("noise level", r"\sigma/E_y")}


def _trained(outcome: str) -> Family:
    return Family(
        data=f"{__package__}.data", outcome=f"{__package__}.{outcome}", solvers=_SOLVERS, words=_WORDS
    )


FAMILIES = {
    "convolutional": _trained("outcome"),
    "convolutional_curves": _trained("curves"),
    "convolutional_starts": _trained("starts"),
    "tensor_signal": Family(data=f"{__package__}.data", table=f"{__package__}.signal", words=_WORDS),
}
