"""Completion of multichannel signals whose Hankel matrix has low rank, and what is needed to test it.

`am_fiht`, `ram_fiht`, `fiht`, `svt`, `sap`, `r_rmc`, `admm` and `incoherence` are functions here; the modules
of the same names are reached with ``importlib.import_module("nonconvex.hankel.am_fiht")``.
"""

from nonconvex.hankel.admm import admm
from nonconvex.hankel.am_fiht import am_fiht
from nonconvex.hankel.corruption import corruption_places, draw_outliers, outliers_at
from nonconvex.hankel.fiht import fiht
from nonconvex.hankel.incoherence import incoherence
from nonconvex.hankel.lift import hankel_matrix
from nonconvex.hankel.masks import loss_mask
from nonconvex.hankel.r_rmc import r_rmc
from nonconvex.hankel.ram_fiht import ram_fiht
from nonconvex.hankel.recovery import Recovery
from nonconvex.hankel.sap import sap
from nonconvex.hankel.signals import draw_parameters, spectrally_sparse_signal, synthesise
from nonconvex.hankel.svt import svt

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
