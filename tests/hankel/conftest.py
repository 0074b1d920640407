import numpy as np
import pytest

import nonconvex.hankel.operators.shrinkage as shrinkage


@pytest.fixture
def rng():
    return np.random.default_rng(20180401)


@pytest.fixture(params=["double precision", "single precision where it serves", "subspaces followed"])
def rounding(request, monkeypatch):
    """The relative error that thresholding methods may show beside plain versions of them."""
    if request.param == "subspaces followed":
        return 1e-4
    monkeypatch.setattr(shrinkage, "FEW", np.inf)
    if request.param == "double precision":
        monkeypatch.setattr(shrinkage, "HARMLESS", 0.0)
        return 1e-10
    return 3e-6
