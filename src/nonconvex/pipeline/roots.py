"""Which modules each kind of step starts from: the roots of its code digest."""

from collections.abc import Mapping
from typing import Any

from nonconvex.problems.contract import family


def roots(kind: str, plan: Mapping[str, Any]) -> list[str]:
    """Return the modules that a step of `kind` with this plan uses directly."""
    match kind:
        case "dataset":
            return ["nonconvex.steps.datasets", family(plan["family"]).data]
        case "outcomes":
            of = family(plan["family"])
            return ["nonconvex.steps.outcomes", str(of.outcome), of.solver_module(plan["method"])]
        case "table":
            of = family(plan["family"])
            return ["nonconvex.steps.tables", *filter(None, (of.table, of.outcome, of.data))]
        case "figure":
            return ["nonconvex.figures.render", f"nonconvex.figures.kinds.{plan['kind']}"]
        case "claims" | "ledger":
            return ["nonconvex.claims.step"]
        case "page":
            return ["nonconvex.page.step"]
    raise ValueError(f"there is no step '{kind}'")
