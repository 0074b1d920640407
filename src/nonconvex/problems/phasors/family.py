"""The families about recorded phasors (thesis, Section 2.6.2)."""

from nonconvex.problems.contract import Family

_COMPLETION = "nonconvex.problems.completion"

FAMILIES = {
    "pmu_block": Family(data=f"{__package__}.block", table=f"{__package__}.block", once=True, source="pmu"),
    "pmu_rank_errors": Family(
        data=f"{__package__}.rank_errors", table=f"{__package__}.rank_errors", once=True, source="pmu"
    ),
    # Nobody knows the rank of a recording.
    "pmu": Family(
        data=f"{__package__}.data",
        outcome=f"{_COMPLETION}.outcome",
        solvers="nonconvex.hankel.solvers",
        source="pmu",
        tell=("incoherence",),
    ),
    "timed_pmu": Family(
        data=f"{__package__}.data",
        outcome=f"{_COMPLETION}.timed",
        solvers="nonconvex.hankel.solvers",
        source="pmu",
        tell=("incoherence",),
        timed=True,
    ),
}
