"""Completion of multichannel signals whose Hankel matrix has low rank, and what is needed to test it.

`am_fiht`, `ram_fiht`, `fiht`, `svt`, `sap`, `r_rmc` and `admm` are functions here; `nonconvex.hankel.solvers`
has a module of the same name for each. What they do with Hankel matrices is in `nonconvex.hankel.operators`.
`incoherence` is a function here too: the module of that name is reached with
``importlib.import_module("nonconvex.hankel.incoherence")``.
"""

from nonconvex.hankel.corruption import corruption_places, draw_outliers, outliers_at
from nonconvex.hankel.incoherence import incoherence
from nonconvex.hankel.masks import loss_mask
from nonconvex.hankel.operators.lift import hankel_matrix
from nonconvex.hankel.recovery import Recovery
from nonconvex.hankel.signals import draw_parameters, spectrally_sparse_signal, synthesise
from nonconvex.hankel.solvers.admm import admm
from nonconvex.hankel.solvers.am_fiht import am_fiht
from nonconvex.hankel.solvers.fiht import fiht
from nonconvex.hankel.solvers.r_rmc import r_rmc
from nonconvex.hankel.solvers.ram_fiht import ram_fiht
from nonconvex.hankel.solvers.sap import sap
from nonconvex.hankel.solvers.svt import svt

__all__ = [
    "Recovery",
    "admm",
    "am_fiht",
    "corruption_places",
    "draw_outliers",
    "draw_parameters",
    "fiht",
    "hankel_matrix",
    "incoherence",
    "loss_mask",
    "outliers_at",
    "r_rmc",
    "ram_fiht",
    "sap",
    "spectrally_sparse_signal",
    "svt",
    "synthesise",
]
