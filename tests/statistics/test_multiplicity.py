import numpy as np

from nonconvex.statistics.multiplicity import holm


def test_holm():
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03]), [0.03, 0.06, 0.06])
    assert len(holm([])) == 0
