"""The words that claims files may use for outcomes, laws, work and levels of error.

What they mean is in `nonconvex.claims.cells`, `nonconvex.claims.linearity` and `nonconvex.claims.operations`.
The Snakemake main process reads claims files with these words, so nothing heavy is imported here.
"""

CONDITION_NAMES = (
    "recovered",
    "not recovered",
    "diverged",
    "converged",
    "not converged",
    "stopped",
    "not stopped",
    "no blow-up",
    "blown up or failed",
    "ended below 1",
    "stopped at zeros",
    "error below 1e-3",
    "stopped wrong",
)

FUNCTION_NAMES = ("x", "sqrt", "square", "log", "inverse", "inverse sqrt", "inverse square")

OPERATION_NAMES = ("fast Hankel products", "products with observed entries", "full decomposition")

LEVELS = {f"1e-{k}": float(f"1e-{k}") for k in range(1, 7)}
"""The relative errors whose first iteration tables keep (`iterations_1e-1`, ...), by their names."""
