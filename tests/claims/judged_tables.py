"""Judging made-up tables, and the verdicts that come of it."""

from nonconvex.claims.ledger import judge


def judged(claims, made, *names, tables=None):
    """Judge the claims `names` on the experiments and tables of `made`, some of the tables replaced."""
    chosen = [claim for claim in claims if claim["id"] in names]
    plan = {"scale": "thesis", "claims": chosen, "experiments": made[0]}
    return judge(plan, {**made[1], **(tables or {})})


def overall(ledger):
    """Return the rows of claims, all their readings together, by claim."""
    return ledger[ledger["row"] == "claim"].set_index("claim")


def verdicts(ledger):
    """Return the verdict of each claim."""
    return overall(ledger)["verdict"].to_dict()


def first_levels(world):
    """Return the experiments and tables of a run that draws the first level of every axis only."""
    experiments, tables = {}, {}
    for name, experiment in world[0].items():
        parameters = {axis: experiment["parameters"][axis][:1] for axis in experiment["axes"]}
        kept = world[1][name]
        for axis, levels in parameters.items():
            kept = kept[kept[axis].isin(levels)]
        tables[name] = kept
        experiments[name] = {**experiment, "parameters": {**experiment["parameters"], **parameters}}
    return experiments, tables
