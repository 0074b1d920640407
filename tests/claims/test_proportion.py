import pytest

from nonconvex.claims.quantities.proportion import all_of, most_of, none_of, proportion, some_of


@pytest.mark.parametrize(
    "k, n, outcome",
    [(13, 100, "R"), (60, 100, "N"), (30, 100, "I"), (4, 30, "I"), (0, 0, "I"), (100, 100, "N")],
)
def test_interior_share(k, n, outcome):
    assert proportion(k, n, 4 / 30, 30).outcome == outcome


def test_p_value_agrees_with_the_99_percent_interval():
    for k in range(101):
        found = proportion(k, 100, 4 / 30, 30)
        assert (found.p_against < 0.01) == (found.outcome == "N")


@pytest.mark.parametrize(
    "k, n, smallest, outcome",
    [
        (100, 100, 0.95, "R"),
        (99, 100, 0.95, "R"),
        (98, 100, 0.95, "I"),
        (80, 100, 0.95, "N"),
        (30, 30, 0.95, "I"),
        (30, 30, 0.9, "R"),
        (29, 30, 0.9, "I"),
        (0, 0, 0.95, "I"),
        (0, 30, 0.95, "N"),
    ],
)
def test_all_and_none_mirror_each_other(k, n, smallest, outcome):
    assert all_of(k, n, 30, smallest=smallest).outcome == outcome
    assert none_of(n - k, n, 30, largest=1 - smallest).outcome == outcome


def test_some():
    assert some_of(1, 100).outcome == "R"
    assert some_of(0, 100).outcome == "N"
    assert some_of(0, 20).outcome == "I"
    assert some_of(0, 0).outcome == "I"


def test_thirty_trials_decide_where_a_claim_allows_it():
    assert proportion(4, 30, 4 / 30, 30).outcome == "I"
    assert proportion(4, 30, 4 / 30, 30, fewest=30).outcome == "R"
    assert proportion(10, 30, 4 / 30, 30, fewest=30).outcome == "I"
    assert proportion(20, 30, 4 / 30, 30, fewest=30).outcome == "N"


def test_most():
    assert [most_of(k, 100).outcome for k in (30, 50, 70)] == ["N", "I", "R"]
    assert [most_of(k, 2).outcome for k in (0, 2)] == ["I", "I"]
    assert most_of(0, 0).outcome == "I"
