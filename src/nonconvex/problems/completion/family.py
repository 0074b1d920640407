"""The families of Hankel matrix completion (thesis, Section 2.6)."""

from nonconvex.problems.contract import Family

_SOLVERS = "nonconvex.hankel.solvers"

FAMILIES = {
    "masks": Family(data=f"{__package__}.masks", table=f"{__package__}.masks"),
    "data_rank": Family(data=f"{__package__}.ranks", table=f"{__package__}.ranks"),
    "completion": Family(data=f"{__package__}.data", outcome=f"{__package__}.outcome", solvers=_SOLVERS),
    "timed_completion": Family(
        data=f"{__package__}.data", outcome=f"{__package__}.timed", solvers=_SOLVERS, timed=True
    ),
}
