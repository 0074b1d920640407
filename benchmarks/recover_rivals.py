"""What people would take instead of `recover` to fill gaps: public packages, in an environment of their own.

Each function takes real rows (n_rows, n_samples), NaN where lost, and returns them filled. The packages are
those of requirements-recover.txt. A rank that is needed is chosen on hidden values, as in `recover`.
"""

import importlib.util
import warnings

import numpy as np
import pandas as pd
from scipy.interpolate import CubicSpline

from nonconvex.hankel import hankel_matrix
from nonconvex.series.hidden import draw_hidden

PACKAGES = {
    "ssalib": "ssalib",
    "fancyimpute": "fancyimpute",
    "sklearn": "scikit-learn",
    "statsmodels": "statsmodels",
}
RANKS = (1, 2, 4, 6, 8, 12)
SSA_WINDOW = 50
SSA_ROUNDS = 30
SSA_CHANGE = 1e-3
DELAYS = 20


def missing_packages():
    """Return the names of the packages that are not there."""
    return [name for module, name in PACKAGES.items() if importlib.util.find_spec(module) is None]


def straight_lines(rows):
    """Straight lines in time (pandas)."""
    return pd.DataFrame(rows.T).interpolate("linear", limit_direction="both").to_numpy().T


def splines(rows):
    """Cubic splines through each row's values (scipy)."""
    time = np.arange(rows.shape[1])
    return np.array([CubicSpline(time[seen], row[seen])(time) for row, seen in _each(rows)])


def ssa(rows):
    """Iterated singular spectrum analysis, each row alone (ssalib); components by hidden values."""
    from ssalib import SingularSpectrumAnalysis

    def fill(row, seen, rank):
        filled = np.where(seen, row, np.mean(row[seen]))
        for _ in range(SSA_ROUNDS):
            analysis = SingularSpectrumAnalysis(
                filled, window=SSA_WINDOW, standardize=True, svd_solver="numpy_standard"
            )
            analysis.decompose()
            analysis.reconstruct(groups={"signal": list(range(rank))})
            new = np.where(seen, row, analysis["signal"] * analysis.std_ + analysis.mean_)
            change, filled = np.linalg.norm(new - filled), new
            if change <= SSA_CHANGE * np.linalg.norm(filled):
                break
        return filled

    answer = np.empty_like(rows)
    for place, (row, seen) in enumerate(_each(rows)):
        hidden = draw_hidden(seen[None], 1)[0]
        errors = [np.linalg.norm((fill(row, seen & ~hidden, rank) - row)[hidden]) for rank in RANKS]
        answer[place] = fill(row, seen, RANKS[int(np.argmin(errors))])
    return answer


def soft_impute(rows):
    """Soft thresholding of singular values of the rows beside their delays (fancyimpute)."""
    from fancyimpute.soft_impute import SoftImpute

    answer = SoftImpute(verbose=False, max_iters=300).fit_transform(_delayed(rows).T)
    return _averaged(answer.T, rows)


def iterative_svd(rows):
    """SVDs of low rank of the rows beside their delays (fancyimpute); rank by hidden values."""
    from fancyimpute.iterative_svd import IterativeSVD

    def fill(gappy, rank):
        return _averaged(IterativeSVD(rank=rank, verbose=False).fit_transform(_delayed(gappy).T).T, rows)

    hidden = draw_hidden(~np.isnan(rows), 1)
    errors = [np.linalg.norm((fill(np.where(hidden, np.nan, rows), rank) - rows)[hidden]) for rank in RANKS]
    return fill(rows, RANKS[int(np.argmin(errors))])


def neighbours(rows):
    """Bayesian regressions of each row on the others (scikit-learn's IterativeImputer)."""
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401
    from sklearn.impute import IterativeImputer

    return IterativeImputer(max_iter=20, random_state=0).fit_transform(rows.T).T


def gaussian_process(rows):
    """A Gaussian process for each row (scikit-learn), smooth and periodic parts and noise fitted."""
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern, WhiteKernel

    time = np.arange(rows.shape[1], dtype=float)[:, None]
    answer = np.empty_like(rows)
    for place, (row, seen) in enumerate(_each(rows)):
        kernel = ConstantKernel(1.0) * RBF(10.0, (1, 1e4)) + ConstantKernel(0.1) * Matern(
            3.0, (0.5, 1e3), nu=2.5
        )
        process = GaussianProcessRegressor(kernel + WhiteKernel(1e-4, (1e-9, 1)), normalize_y=True)
        answer[place] = process.fit(time[seen], row[seen]).predict(time)
    return answer


def kalman(rows):
    """A Kalman smoother of each row (statsmodels): a local linear trend and a damped cycle."""
    from statsmodels.tsa.statespace.structural import UnobservedComponents

    answer = np.empty_like(rows)
    for place, (row, seen) in enumerate(_each(rows)):
        middle, size = np.mean(row[seen]), np.std(row[seen]) or 1.0
        model = UnobservedComponents(
            (row - middle) / size,
            "lltrend",
            cycle=True,
            damped_cycle=True,
            stochastic_cycle=True,
            cycle_period_bounds=(4, 300),
        )
        smooth = model.fit(disp=False, maxiter=50)
        estimate = smooth.level.smoothed + smooth.cycle.smoothed
        answer[place] = middle + size * estimate
    return answer


RIVALS = {
    "lines": straight_lines,
    "splines": splines,
    "ssa": ssa,
    "softimp": soft_impute,
    "itersvd": iterative_svd,
    "iterimp": neighbours,
    "gp": gaussian_process,
    "kalman": kalman,
}


def fill(name, values, mask):
    """Fill a series, phasors as real and imaginary rows; no warnings of the packages."""
    parts = [values.real, values.imag] if np.iscomplexobj(values) else [values]
    rows = np.vstack([np.where(mask, part, np.nan) for part in parts])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answer = RIVALS[name](rows)
    if np.iscomplexobj(values):
        answer = answer[: len(values)] + 1j * answer[len(values) :]
    return answer


def _each(rows):
    return [(row, ~np.isnan(row)) for row in rows]


def _delayed(rows):
    """Return the rows beside their delays, (n_rows DELAYS, n_samples + 1 - DELAYS)."""
    return hankel_matrix(rows, DELAYS)


def _averaged(matrix, rows):
    """Return the series whose samples are the means over their places in such a matrix."""
    total, count = np.zeros(rows.shape), np.zeros(rows.shape[1])
    columns = matrix.shape[1]
    for delay, block in enumerate(matrix.reshape(DELAYS, len(rows), columns)):
        total[:, delay : delay + columns] += block
        count[delay : delay + columns] += 1
    return total / count
