"""When claims are decided: at the first look that does, or at the last there is."""

import numpy as np
import pytest

from claims.small import SHARE, claim, each, experiment, first, ledger, overall, parts, table
from nonconvex.statistics.means import share
from nonconvex.statistics.spending import look_levels

ALWAYS, HALF = np.ones(100, dtype=bool), each(1, 0)


def judged(success, made=None, trials=100, **more):
    return ledger(made or claim(), tables={"made": table({"a": success[:trials]}, trials)}, **more)


def test_the_first_look_that_decides_is_final_though_later_trials_say_otherwise():
    for success, verdict in ((first(10), "reproduced"), (~first(10), "not reproduced")):
        for trials in (10, 25, 100):
            row = overall(judged(success, trials=trials)).iloc[0]
            assert (row["verdict"], row["look"], row["trials"], row["declared"]) == (
                verdict,
                "1 of 4",
                10,
                100,
            )
    one = parts(judged(first(10))).iloc[0]
    level = look_levels((10, 25, 50, 100))[0]
    assert one["confidence"] == 1 - level
    assert (one["estimate"], one["low"], one["high"]) == pytest.approx(share(np.ones(10), level))


@pytest.mark.parametrize(
    "trials, verdict, look, looked",
    [
        (10, "open", "1 of 4", 10),
        (24, "open", "1 of 4", 10),
        (25, "open", "2 of 4", 25),
        (60, "open", "3 of 4", 50),
        (99, "open", "3 of 4", 50),
        (100, "inconclusive", "4 of 4", 100),
    ],
)
def test_what_no_look_decides_is_open_until_the_last(trials, verdict, look, looked):
    found = judged(HALF, trials=trials)
    for row in (overall(found).iloc[0], parts(found).iloc[0]):
        assert (row["verdict"], row["look"], row["trials"]) == (verdict, look, looked)
        assert row["tendency"] == "unclear"
    assert parts(found).iloc[0]["why"] == "the interval lies in neither region"


def test_later_looks_decide_what_the_first_did_not():
    # 8 of 10 are open, 20 of 25 and a share of .8 are not.
    row = overall(judged(each(1, 1, 1, 1, 0))).iloc[0]
    assert (row["verdict"], row["look"], row["trials"]) == ("reproduced", "2 of 4", 25)
    # Near the border all trials are needed.
    late = each(1, 0).copy()
    late[50:] = True
    row = overall(judged(late)).iloc[0]
    assert (row["verdict"], row["look"], row["trials"]) == ("reproduced", "4 of 4", 100)
    assert overall(judged(late, trials=50)).iloc[0]["verdict"] == "open"


@pytest.mark.parametrize("trials", [1, 2, 5, 9])
def test_fewer_trials_than_the_first_look_needs_give_a_tendency_only(trials):
    found = judged(ALWAYS, trials=trials)
    row = overall(found).iloc[0]
    assert row["verdict"] == "not judged at this scale"
    assert row["tendency"] == ("for" if trials > 5 else "unclear")
    assert row["why"] == f"{trials} trials, and the first look needs 10 (made)"
    assert (row["look"], row["trials"], row["declared"]) == ("", trials, 100)


@pytest.mark.parametrize("trials, verdict, look", [(99, "not judged at this scale", ""), (100, "open", "1 of 4"),
                                                   (300, "open", "2 of 4"), (1000, "inconclusive", "4 of 4")])  # fmt: skip
def test_a_claim_of_a_thousand_trials_is_looked_at_four_times(trials, verdict, look):
    made = claim(trials=1000)
    found = ledger(
        made,
        tables={"made": table({"a": np.resize(HALF, trials)}, trials)},
        experiments={"made": experiment(1000)},
    )
    row = overall(found).iloc[0]
    assert (row["verdict"], row["look"]) == (verdict, look)
    won = ledger(made, tables={"made": table({"a": np.ones(100, dtype=bool)}, 100)})
    row = overall(won).iloc[0]
    assert (row["verdict"], row["look"], row["declared"]) == ("reproduced", "1 of 4", 1000)


@pytest.mark.parametrize("declared, looks", [(100, 4), (30, 2), (20, 2), (10, 1), (3, 1), (12, 1)])
def test_claims_of_other_numbers_of_trials_have_looks_of_their_own(declared, looks):
    made = claim(trials=declared, judge={**SHARE, "holds": "> 0.99", "fails": "< 0.01"})
    row = overall(judged(ALWAYS, made)).iloc[0]
    assert (row["verdict"], row["look"], row["trials"]) == ("inconclusive", f"{looks} of {looks}", declared)
    short = overall(judged(ALWAYS, made, declared - 1)).iloc[0]
    assert short["verdict"] == ("open" if looks > 1 else "not judged at this scale")


def test_more_trials_than_declared_are_not_read():
    """Otherwise a claim could be looked at until it says what it should."""
    late = np.concatenate([np.zeros(10, dtype=bool), np.ones(90, dtype=bool)])
    row = overall(judged(late, claim(trials=10))).iloc[0]
    assert (row["verdict"], row["trials"]) == ("not reproduced", 10)
    row = overall(judged(late, claim(trials=10), experiments={"made": experiment(seed=1)})).iloc[0]
    assert (row["tendency"], row["trials"]) == ("against", 10)


MANY_FEW = {"many": {}, "few": {"experiment": "few", "trials": 10}}


def two(success, fewer, trials=100, combine="every"):
    return ledger(
        claim(parts=MANY_FEW, combine=combine),
        tables={"made": table({"a": success[:trials]}, trials), "few": table({"a": fewer[:10]}, 10)},
        experiments={"made": experiment(), "few": experiment(10)},
    )


def test_a_part_of_fewer_trials_waits_at_its_last_look():
    found = two(each(1, 1, 1, 1, 0), ALWAYS)
    assert overall(found).iloc[0]["verdict"] == "reproduced"
    rows = parts(found)
    assert rows["trials"].to_dict() == {"many": 25, "few": 10}
    assert rows["look"].to_dict() == {"many": "2 of 4", "few": "1 of 1"}
    assert rows["confidence"].to_dict() == pytest.approx(
        {"many": 1 - look_levels((10, 25, 50, 100))[1], "few": 0.95}
    )


def test_a_part_that_has_all_its_trials_is_inconclusive_where_another_is_still_open():
    found = two(HALF, HALF, trials=25)
    assert overall(found).iloc[0]["verdict"] == "open"
    assert parts(found)["verdict"].to_dict() == {"many": "open", "few": "inconclusive"}
    found = two(HALF, HALF)
    assert set(found["verdict"]) == {"inconclusive"}


def test_a_part_that_has_not_come_so_far_holds_the_others_back():
    """Both parts are looked at after the same share of their trials."""
    experiments = {"made": experiment(), "few": experiment()}
    made = claim(parts={"many": {}, "few": {"experiment": "few"}})
    late = each(1, 1, 1, 1, 0)
    tables = {"made": table({"a": late}), "few": table({"a": late[:10]}, 10)}
    found = ledger(made, tables=tables, experiments=experiments)
    assert overall(found).iloc[0]["verdict"] == "open"
    assert set(parts(found)["trials"]) == {10}
    tables["few"] = table({"a": late[:25]}, 25)
    assert overall(ledger(made, tables=tables, experiments=experiments)).iloc[0]["verdict"] == "reproduced"


def test_a_part_without_trials_enough_holds_back_the_verdict():
    experiments = {"made": experiment(), "few": experiment()}
    made = claim(parts={"many": {}, "few": {"experiment": "few"}})
    tables = {"made": table({"a": ALWAYS}), "few": table({"a": ALWAYS[:5]}, 5)}
    found = ledger(made, tables=tables, experiments=experiments)
    row = overall(found).iloc[0]
    assert (row["verdict"], row["trials"]) == ("not judged at this scale", 5)
    assert row["why"] == "5 trials, and the first look needs 10 (few)"
    assert parts(found)["verdict"].to_dict() == {"many": "reproduced", "few": "not judged at this scale"}


THREE = {key: {"experiment": key, "trials": 10} for key in ("one", "two", "three")}


def three(*shares, combine):
    """Parts of ten trials each, and of successes so many."""
    tables = {key: table({"a": first(k, 10)}, 10) for key, k in zip(THREE, shares, strict=True)}
    made = claim(parts=THREE, combine=combine, judge={**SHARE, "holds": "> 0.45", "fails": "< 0.45"})
    return overall(ledger(made, tables=tables, experiments=dict.fromkeys(THREE, experiment(10)))).iloc[0][
        "verdict"
    ]


@pytest.mark.parametrize(
    "shares, every, any_part",
    [
        ((10, 10, 10), "reproduced", "reproduced"),
        ((0, 0, 0), "not reproduced", "not reproduced"),
        ((5, 5, 5), "inconclusive", "inconclusive"),
        # One of three decides at a level three times as strict: none of ten does, one of ten does not.
        ((10, 10, 0), "not reproduced", "reproduced"),
        ((10, 10, 1), "inconclusive", "reproduced"),
        ((0, 0, 8), "not reproduced", "inconclusive"),
        ((0, 0, 9), "not reproduced", "reproduced"),
        ((0, 0, 10), "not reproduced", "reproduced"),
    ],
)
def test_the_level_is_divided_where_one_part_decides_alone(shares, every, any_part):
    assert three(*shares, combine="every") == every
    assert three(*shares, combine="any") == any_part
