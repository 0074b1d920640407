import pytest

from nonconvex.claims.check import read_claims
from nonconvex.errors import UserError


@pytest.fixture
def text(pytestconfig):
    path = pytestconfig.rootpath / "workflow" / "claims" / "chapter2.yaml"
    return path.read_text(encoding="utf-8")


def test_the_claims_of_chapter_2(chapter2, claims):
    ids = [f"C{number:03}" for number in range(1, 35)] + ["E08", "E09", "E13"]
    assert [claim["id"] for claim in chapter2] == ids
    assert {claim["seed"] for claim in chapter2} == {2021}
    assert {claim["trials"] for claim in claims} == {100}
    assert [claim["id"] for claim in chapter2 if claim.get("finding")] == ["E08", "E09", "E13"]
    # The recording is not public: every claim about it, and what it shows, is marked; C030 in its parts.
    on_pmu = [c["id"] for c in chapter2 if any("pmu" in part["experiment"] for part in c["parts"].values())]
    marked = [
        c["id"]
        for c in chapter2
        if c.get("surrogate") or any(part.get("surrogate") for part in c["parts"].values())
    ]
    assert on_pmu == marked == [*(f"C{number:03}" for number in range(24, 35)), "E08", "E09"]


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("    test: T-BND", "    test: T-BDN", "C002.test is 'T-BDN'.*did you mean 'T-BND'"),
        ("    statement:", "    statment:", "unknown key 'claims.C001.statment'; did you mean 'statement'"),
        ("      one: am_fiht", "      won: am_fiht", "unknown key 'won'; did you mean 'one'"),
        ("    seed: 2021\n", "", "C001: the key 'seed' is missing"),
        ("rivals: [sqrt, square, log]", "rivals: [sqrt, squares]", "'squares'.*did you mean 'square'"),
        ("margin: {steps: 1}", "margin: {step: 1}", "unknown key 'margin.step'; did you mean 'steps'"),
        (
            "settings: {bad: diverged}",
            "settings: {bad: diverges}",
            "blown up.*'diverges'.*did you mean 'diverged'",
        ),
        ("p: {max: 0.3}", "p: {maximum: 0.3}", "unknown key 'cells.p.maximum'; did you mean 'max'"),
        (
            "    combine: every\n    parts: &modes",
            "    parts: &modes",
            "C001 has 3 parts; say 'combine: every'",
        ),
    ],
)
def test_slips_are_told_in_one_sentence(text, tmp_path, old, new, message):
    assert old in text
    path = tmp_path / "chapter2.yaml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(UserError, match=message) as error:
        read_claims([path])
    assert "\n" not in str(error.value)
    assert str(path) in str(error.value)


def test_a_claim_may_be_defined_once(text, tmp_path):
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"b\.yaml: the claim C001 is already defined"):
        read_claims([tmp_path / "a.yaml", tmp_path / "b.yaml"])
