"""Which modules each kind of step starts from: the roots of its code digest."""

from collections.abc import Mapping


def roots(kind: str, plan: Mapping) -> list[str]:
    """Return the modules that a step of `kind` with this plan uses directly."""
    match kind:
        case "dataset":
            return ["nonconvex.study.datasets", plan["data"]]
        case "outcomes":
            return ["nonconvex.study.outcomes", plan["outcome"], plan["solver"]]
        case "table":
            made_by = [plan[key] for key in ("table", "outcome", "data") if plan[key]]
            return ["nonconvex.study.tables", *made_by]
        case "figure":
            return ["nonconvex.figures.render", f"nonconvex.figures.{plan['kind']}"]
        case "claims" | "ledger":
            return ["nonconvex.claims.step"]
        case "page":
            return ["nonconvex.page.step"]
    raise ValueError(f"there is no step '{kind}'")
