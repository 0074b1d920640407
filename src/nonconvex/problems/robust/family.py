"""The families of robust Hankel matrix completion (thesis, Section 3.6)."""

from nonconvex.problems.contract import Family

_SOLVERS = "nonconvex.hankel.solvers"

FAMILIES = {
    "robust_masks": Family(data=f"{__package__}.masks", table=f"{__package__}.masks"),
    "robust": Family(data=f"{__package__}.data", outcome=f"{__package__}.outcome", solvers=_SOLVERS),
    "timed_robust": Family(
        data=f"{__package__}.data", outcome=f"{__package__}.timed", solvers=_SOLVERS, timed=True
    ),
}
