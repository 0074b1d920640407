"""Claims files are read strictly: every slip is one sentence with the nearest known name."""

import pytest

from nonconvex.claims.check import read_claims
from nonconvex.claims.entries import experiments_of, judged_settings, parts_of
from nonconvex.claims.words.catalogue import QUANTITIES
from nonconvex.errors import UserError


@pytest.fixture(scope="module")
def text(pytestconfig):
    path = pytestconfig.rootpath / "workflow" / "claims" / "chapter2.yaml"
    return path.read_text(encoding="utf-8")


def test_the_shipped_files_are_read(pytestconfig):
    paths = sorted((pytestconfig.rootpath / "workflow" / "claims").glob("*.yaml"))
    claims = read_claims(paths)
    assert {claim["chapter"] for claim in claims} == {path.stem.removeprefix("chapter") for path in paths}
    assert [claim["id"] for claim in claims] == sorted(claim["id"] for claim in claims)
    assert {claim["seed"] for claim in claims if "untested" not in claim} == {2021}
    assert {claim["combine"] for claim in claims} == {"every", "any"}


def test_the_recording_that_is_not_public_marks_every_claim_about_it(chapter2):
    def about(claim):
        return any("pmu" in part["experiment"] for part in claim["parts"].values())

    def marked(claim):
        return claim.get("surrogate") or any(part.get("surrogate") for part in claim["parts"].values())

    assert [c["id"] for c in chapter2 if about(c)] == [c["id"] for c in chapter2 if marked(c)]


SLIPS = [
    (
        "quantity: slope\n",
        "quantity: slop\n",
        "C004, mode 1, slope.*there is no quantity 'slop'; did you mean 'slope'",
    ),
    ("    statement:", "    statment:", "unknown key 'claims.C001.statment'; did you mean 'statement'"),
    ("      over: ram_fiht", "      ovre: ram_fiht", "unknown key 'ovre'; did you mean 'over'"),
    ("      along: p\n", "", "C001, mode 1, reading 'one step', judge: the key 'along' is missing"),
    ('      holds: "-1 to 1"\n', "", "judge: the key 'holds' is missing"),
    ("    seed: 2021\n", "", "C001: the key 'seed' is missing"),
    ("rivals: [sqrt, square, log]", "rivals: [sqrt, squares]", "'squares'.*did you mean 'square'"),
    ("unit: steps", "unit: step", "unit is 'step'.*did you mean 'steps'"),
    ("success: rises", "success: rise", "success is 'rise'.*did you mean 'rises'"),
    ("in: every row", "in: every rows", "'every rows'.*did you mean 'every row'|'every rows'.*every row"),
    ("{against: diverged}", "{against: diverges}", "blown up.*'diverges'.*did you mean 'diverged'"),
    (
        "until: {iterations: 20}",
        "until: {iteration: 20}",
        "unknown key 'until.iteration'; did you mean 'iterations'",
    ),
    ("until: {iterations: 20}", "until: {iterations: 20, error: 0.1}", "until"),
    (
        'holds: "> 0.03"',
        'holds: "> 3 %"',
        "C002, mode 1, reading 'as printed', judge, holds: '> 3 %' is no region",
    ),
    ('holds: "> 0.03"', 'holds: "2 to 1"', "'2 to 1' is empty"),
    ('fails: "< 0.03"', 'fails: "< 0.04"', "holds '> 0.03' and fails '< 0.04' overlap"),
    (
        'holds: "> 0.05"',
        'holds: "> 1"',
        "C003.*holds '> 1' has no value that the quantity can take.*from -1 to 1",
    ),
    (
        "    combine: every\n    parts: &modes",
        "    parts: &modes",
        "claim C001 has 3 parts; say 'combine: every'",
    ),
    ("    combine: every\n    parts: &modes", "    combine: all\n    parts: &modes", "combine is 'all'"),
    ("    trials: 100\n", "    trials: 0\n", "C001.trials must be at least 1, not 0"),
]


@pytest.mark.parametrize("old, new, message", SLIPS, ids=[slip[1].strip()[:30] for slip in SLIPS])
def test_slips_are_told_in_one_sentence(text, tmp_path, old, new, message):
    assert old in text
    path = tmp_path / "chapter2.yaml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(UserError, match=message) as error:
        read_claims([path])
    assert "\n" not in str(error.value)
    assert str(path) in str(error.value)


CLAIM = """chapter: "9"
claims:
  C900:
    place: here
    line: 1
    statement: so
    figures: ["9.1"]
    trials: 10
    seed: 1
    parts: {{one: {{experiment: made, figure: "9.1"{more}}}}}
    judge: {{{judge}}}
    readings: {{plain: {{means: as written}}}}
"""
REGIONS = 'holds: "> 0", fails: "< 0"'
LAW = f"quantity: log-log slope, of: a, {REGIONS}"
FALLS = "quantity: change, of: a, column: error, per: p, holds: '< 0.9', fails: '> 1'"
SHARES = "holds: '> 0.5', fails: '< 0.5'"
GAINS = f"quantity: difference of gains, of: a, over: b, {REGIONS}"


def read(tmp_path, judge, more=""):
    path = tmp_path / "chapter9.yaml"
    path.write_text(CLAIM.format(judge=judge, more=more), encoding="utf-8")
    return read_claims([path])


EITHER = "'log-log slope' needs either column, per or rows, along, success"


@pytest.mark.parametrize(
    "judge, more, message",
    [
        (LAW, "", EITHER),
        (f"{LAW}, column: error, per: p, rows: p, along: x, success: rises", "", EITHER),
        (f"{LAW}, column: error", "", EITHER),
        (f"{LAW}, column: error, per: p, rows: x", "", EITHER),
        (f"{LAW}, rows: p, along: x", "", EITHER),
        (GAINS, "", "the quantity 'difference of gains' needs 'beside: <experiment>'"),
        (f"quantity: share, of: a, condition: recovered, {REGIONS.replace('< 0', '<= 0')}", ", beside: other",
         "the quantity 'share' takes no 'beside: <experiment>'"),
        ("quantity: value for context, of: a, column: seconds, holds: '> 1'", "", "unknown key 'holds'"),
        (f"quantity: every value, of: a, column: x, {REGIONS}", "", "unknown key 'of'"),
        (f"of: a, {REGIONS}", "", "judge needs a quantity"),
        (f"quantity: difference of thresholds, of: a, over: b, rows: p, along: p, success: rises, {REGIONS}", "",
         "rows and along are both 'p'"),
        (f"quantity: difference of thresholds, of: a, rows: r, along: p, success: rises, {REGIONS}", "",
         "needs 'over', 'over_cells' or 'beside': another side"),
        ("quantity: ratio of values, of: a, column: error, holds: '> 2', fails: '< 2'", "",
         "needs 'over', 'over_cells' or 'beside': another side"),
        (f"quantity: mean, of: a, column: error, in: every row, {REGIONS}", "", "in is 'every row'|'every row'"),
        (f"quantity: log-log slope, of: a, column: error, per: p, in: every step, {REGIONS}", "", "unknown key 'in'"),
        (f"{FALLS}, dissents: '> 2'", "", "dissents needs 'in: every ...', which says of what"),
        (f"{FALLS}, in: every step, dissents: '> 0.5'", "", "holds '< 0.9' and dissents '> 0.5' overlap"),
        (f"{FALLS}, in: every step, dissents: up", "", "dissents: 'up' is no region"),
        (f"{FALLS}, bins: {{c: 0.1}}", "", "the bins of 'c' are neither 'per' nor 'strata'"),
        (f"{FALLS}, bins: {{c: 0}}, strata: c", "", "bins.c must be"),
        (f"{FALLS}, strata: p", "", "strata are of the levels of another axis, which 'per' names"),
        (f"{FALLS}, among: {{c: good}}", "", "the limit on 'c' is 'good', but trials are told by numbers"),
        (f"{LAW}, rows: p, along: x, success: rises, strata: c", "", "strata are of the levels of another axis"),
        (f"quantity: even decay, of: a, milestones: [c], {SHARES}", "", "milestones"),
        (f"quantity: spreads in a band, of: a, column: c, band: [1], {SHARES}", "", "band"),
    ],
)  # fmt: skip
def test_settings_that_do_not_go_together(tmp_path, judge, more, message):
    with pytest.raises(UserError, match=message) as error:
        read(tmp_path, judge, more)
    assert "\n" not in str(error.value)
    assert "claim C900, one, reading 'plain'" in str(error.value)


@pytest.mark.parametrize(
    "judge, more",
    [
        (f"{LAW}, column: error, per: p", ""),
        (f"{LAW}, rows: p, along: x, success: rises", ""),
        (f"{LAW}, column: error, per: p", ", beside: other"),
        (GAINS, ", beside: other"),
        ("quantity: value for context, of: a, column: seconds", ""),
        (f"{FALLS}, in: every step, dissents: '> 1', bins: {{c: 0.1}}, strata: c", ""),
        (f"{FALLS.replace('per: p', 'per: c')}, bins: {{c: 0.1}}", ""),
        (f"{FALLS}, strata: q, among: {{c: 0.85 to 0.9, e: [1, '> 3']}}, as_axis: q, levels: c", ""),
        (f"quantity: even decay, of: a, milestones: [c, e], {SHARES}", ""),
        (f"quantity: spreads in a band, of: a, column: c, band: [1, 2], {SHARES}", ""),
    ],
)
def test_settings_that_do(tmp_path, judge, more):
    assert read(tmp_path, judge, more)[0]["id"] == "C900"


def test_a_claim_may_be_defined_once(text, tmp_path):
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"b\.yaml: the claim C001 is already defined"):
        read_claims([tmp_path / "a.yaml", tmp_path / "b.yaml"])


def test_an_untested_claim_takes_no_quantity(tmp_path):
    text = (
        "chapter: '5'\nclaims:\n  C089: {place: here, line: 1, statement: so, figures: ['5.5'], untested: why"
    )
    file = tmp_path / "chapter5.yaml"
    file.write_text(text + "}\n")
    assert read_claims([file])[0]["untested"] == "why"
    file.write_text(text + ", judge: {}}\n")
    with pytest.raises(UserError, match="judge"):
        read_claims([file])


def test_a_correction_names_a_finding(tmp_path):
    text = CLAIM.format(judge=f"{LAW}, column: error, per: p", more="")
    file = tmp_path / "chapter9.yaml"
    file.write_text(text.replace("means: as written", "means: as written, correction: E99"))
    with pytest.raises(UserError, match="claim C900: there is no finding 'E99'"):
        read_claims([file])


FIRST = {"quantity": "share", "of": "a", "condition": "recovered", "holds": "> 0.5", "fails": "< 0.5"}


def claim(part=None, reading=None, parts=None):
    own = {"one": {"experiment": "made", "judge": part or {}}}
    readings = {"plain": {"judge": reading or {}} | ({"parts": parts} if parts else {})}
    return {"judge": FIRST, "parts": own, "readings": readings}


def test_a_reading_comes_before_a_part_and_a_part_before_the_claim():
    found = judged_settings(claim({"of": "b", "cells": {"p": 1}}, {"of": "c"}), "one", "plain")
    assert found == {**FIRST, "of": "c", "cells": {"p": 1}}


def test_a_quantity_of_its_own_takes_nothing_of_another_one():
    slope = {"quantity": "slope", "of": "b", "column": "error", "per": "p", "holds": "> 0", "fails": "< 0"}
    found = judged_settings(claim(slope, {"of": "c", "condition": "stopped", "cells": {"p": 1}, "holds": "> 9"}),
                            "one", "plain")  # fmt: skip
    # Of the reading it takes what it knows, and not the regions, which are those of another quantity.
    assert found == {**slope, "of": "c", "condition": "stopped", "cells": {"p": 1}}
    mean = {"quantity": "mean", "of": "b", "column": "error", "holds": "> 0", "fails": "< 0"}
    found = judged_settings(
        claim({"of": "c", "condition": "stopped", "cells": {"p": 1}}, mean), "one", "plain"
    )
    assert found == {**mean, "of": "c", "cells": {"p": 1}}


def test_a_reading_may_have_parts_of_its_own():
    parts = {"two": {"experiment": "here", "beside": "there"}}
    made = claim(parts=parts)
    assert parts_of(made, "plain") == parts
    assert parts_of(claim(), "plain") == claim()["parts"]
    assert experiments_of(parts["two"]) == ["here", "there"]
    assert judged_settings(made, "two", "plain") == FIRST


@pytest.mark.parametrize("name", sorted(QUANTITIES))
def test_every_name_in_the_settings_is_of_a_known_sort(name):
    quantity = QUANTITIES[name]
    for setting, schema in quantity.settings.items():
        if "names" in schema:
            assert schema["names"] in ("algorithm", "axis", "column", "condition", "table column"), setting
        if setting in ("cells", "over_cells", "in_units_of"):
            assert schema["keys"] == "axis"
        if setting in ("among", "bins"):
            assert schema["keys"] == "table column"
    assert set(quantity.naming("axis")) <= {"rows", "along", "per", "relative_to", "strata"}
    assert set(quantity.naming("column")) <= {"column", "over_column"}
    assert set(quantity.needed) <= set(quantity.settings)
    assert ("over_cells" in quantity.settings) == quantity.sided
    assert ("in" in quantity.settings) == bool(quantity.guard)
