"""Every shipped claim is judged without an error, whatever the outcomes of its experiments are."""

import numpy as np
import pytest
from whole_images import bring_images

from claims.random_tables import random_table
from nonconvex.claims.check import read_claims
from nonconvex.claims.entries import experiments_of, judged_settings, parts_of
from nonconvex.claims.ledger import COLUMNS, judge
from nonconvex.claims.samples.arrays import scaled
from nonconvex.claims.words.catalogue import QUANTITIES
from nonconvex.claims.words.limits import within
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import check_config

VERDICTS = {"reproduced", "not reproduced", "inconclusive", "open", "depends on an unstated choice", "shown",
            "not shown", "for context", "not judged at this scale", "not tested", "surrogate: for",
            "surrogate: against", "surrogate: unclear"}  # fmt: skip


@pytest.fixture(scope="module")
def every_claim(pytestconfig):
    return read_claims(sorted((pytestconfig.rootpath / "workflow" / "claims").glob("*.yaml")))


@pytest.fixture(scope="module")
def thesis(pytestconfig):
    schema = pytestconfig.rootpath / "workflow/schemas/config.schema.yaml"
    with pytest.MonkeyPatch.context() as patch:
        bring_images(patch)
        pipeline = Pipeline(check_config({"scale": "thesis"}, schema), pytestconfig.rootpath)
        experiments = {name: pipeline.experiment(name) for name in pipeline.experiment_names()}
    return experiments, {name: pipeline.columns(name) for name in experiments}


def used(claims):
    tested = [claim for claim in claims if "untested" not in claim]
    return [(c, r, p, entry) for c in tested for r in c["readings"] for p, entry in parts_of(c, r).items()]


def judged(claims, thesis, trials, share=None, seed=0):
    experiments, columns = thesis
    rng = np.random.default_rng(seed)
    wanted = sorted({name for *_, entry in used(claims) for name in experiments_of(entry)})
    tables = {name: random_table(experiments[name], columns[name], trials, rng, share) for name in wanted}
    return judge({"scale": "thesis", "claims": claims, "experiments": experiments}, tables)


def check(found, claims):
    assert list(found.columns) == COLUMNS
    assert set(found["verdict"]) <= VERDICTS
    assert set(found["claim"]) == {claim["id"] for claim in claims}
    own = found[found["row"] == "part"]
    assert len(own) == len(used(claims))
    assert (own["detail"].fillna("") + own["why"].fillna("")).str.len().min() > 0
    decided = own[
        own["verdict"].isin(["reproduced", "not reproduced", "surrogate: for", "surrogate: against"])
    ]
    assert np.isfinite(decided[["low", "high"]].to_numpy(dtype=float)).all()
    assert (decided["low"] <= decided["high"]).all()


@pytest.mark.parametrize("chapter", ["2", "3", "4", "5", "6", "7"])
def test_random_outcomes_at_the_thesiss_sizes(every_claim, thesis, chapter):
    claims = [claim for claim in every_claim if claim["chapter"] == chapter]
    found = judged(claims, thesis, 100)
    check(found, claims)
    assert "not judged at this scale" not in set(found["verdict"])
    assert set(found.loc[found["verdict"] == "not tested", "claim"]) <= {"C089"}


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_outcomes_that_are_all_alike(every_claim, thesis, share):
    check(judged(every_claim, thesis, 10, share), every_claim)


@pytest.mark.parametrize("trials", [1, 2])
def test_few_trials_decide_nothing(every_claim, thesis, trials):
    found = judged(every_claim, thesis, trials, seed=trials)
    check(found, every_claim)
    # Facts without chance may declare one trial, and numbers for context are not judged.
    facts = {claim["id"] for claim in every_claim if claim.get("trials", np.inf) < 3}
    decided = found[~found["verdict"].isin(["not judged at this scale", "not tested", "for context"])]
    assert set(decided["claim"]) == facts
    own = [(claim, reading, part) for claim, reading, part, _ in used(every_claim) if claim["id"] in facts]
    assert {judged_settings(c, p, r)["quantity"] for c, r, p in own} == {"every value"}


def test_what_claims_declare_is_what_their_experiments_run(every_claim, thesis):
    experiments, _ = thesis
    for claim, reading, part, entry in used(every_claim):
        where = f"{claim['id']}, {reading}, {part}"
        settings, named = judged_settings(claim, part, reading), experiments_of(entry)
        sides = QUANTITIES[settings["quantity"]].names_in(settings, len(named))
        run = [
            experiments[name]["algorithms"][algorithm]["trials"]
            for name, algorithms in zip(named, sides, strict=True)
            for algorithm in algorithms
        ] or [experiments[named[0]]["trials"]]
        assert entry.get("trials", claim["trials"]) <= min(run), where
        assert {experiments[name]["seed"] for name in named} == {claim["seed"]}, where
        assert not any(experiments[name]["differs"] for name in named), where
        assert entry["figure"] in claim["figures"], where


def test_every_limit_lets_in_a_cell_that_is_drawn(every_claim, thesis):
    experiments, columns = thesis
    rng = np.random.default_rng(0)
    for claim, reading, part, entry in used(every_claim):
        settings, named = judged_settings(claim, part, reading), experiments_of(entry)
        for name, key in zip([named[0], named[-1]], ["cells", "over_cells"], strict=True):
            made = random_table(experiments[name], columns[name], 1, rng)
            made = scaled(made, settings.get("in_units_of", {}), experiments[name]["parameters"])
            chosen = made[within(made, settings.get(key, {}))]
            assert len(chosen), f"{claim['id']}, {reading}, {part}"
