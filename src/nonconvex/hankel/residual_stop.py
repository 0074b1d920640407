"""The stop rule of the methods that watch how far they are from the observed entries."""

from nonconvex.hankel.monitor import BLOW_UP
from nonconvex.hankel.recovery import Verdict


def residual_verdict(
    iteration: int, residual: float, tolerance: float, max_iterations: int, advice: str = ""
) -> Verdict | None:
    """Return (status, reason) when a run ends with this relative residual, or None while it goes on.

    It ends as converged with a residual of at most `tolerance`, and as diverged with one that is not finite
    or exceeds 1000; `advice` is added to the latter's reason.
    """
    at = f"relative residual {residual:.2e} on the observed entries"
    if not residual <= BLOW_UP:
        return "diverged", f"{at} is not finite or exceeds {BLOW_UP:g} at iteration {iteration}{advice}"
    if residual <= tolerance:
        return "converged", f"{at} is at most the tolerance {tolerance:g} at iteration {iteration}"
    if iteration >= max_iterations:
        return "iteration limit", f"{at} is above the tolerance {tolerance:g} after {iteration} iterations"
    return None
