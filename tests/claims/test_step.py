"""The claims step: a chapter's ledger from its tables, and the ledgers of all chapters as one."""

import pandas as pd
import pytest

from claims.small import claim, experiment, first, ledger, table
from nonconvex.canonical import sha256
from nonconvex.claims.ledger import write_ledger
from nonconvex.claims.step import join_ledger, judge_chapter
from nonconvex.errors import UserError
from nonconvex.validation import read_yaml

TEXT = """chapter: "9"
claims:
  C901: &one
    place: here
    line: 1
    statement: so
    figures: ["9.1"]
    trials: 100
    seed: 2021
    parts: {one: {experiment: made, figure: "9.1"}}
    judge: {quantity: share, of: a, condition: recovered, holds: "> 0.5", fails: "< 0.5"}
    readings: {plain: {means: as written}}
  C902: {<<: *one, figures: ["9.2"]}
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "chapter9.yaml").write_text(TEXT)
    made = tmp_path / "made.csv"
    made.write_text("x\n")
    plan = {
        "file": str(tmp_path / "chapter9.yaml"),
        "claims": sha256(read_yaml(tmp_path / "chapter9.yaml")),
        "figures": ["9.1"],
        "scale": "thesis",
        "experiments": {"made": experiment()},
    }
    return plan, made, tmp_path


def test_the_claims_about_the_wanted_figures_are_judged(files):
    plan, made, folder = files
    tables = {"made": table({"a": first(100)})}
    judge_chapter(plan, "code", tables, [str(made)], folder / "ledger.csv")
    found = pd.read_csv(folder / "ledger.csv")
    assert set(found["claim"]) == {"C901"}
    assert set(found["verdict"]) == {"reproduced"}
    assert set(found["code_digest"]) == {"code"}
    assert found["table_digests"].str.match("made=[0-9a-f]{16}$").all()
    assert found["plan_digest"].str.len().tolist() == [16, 16]


def test_a_file_that_was_changed_meanwhile_is_told(files):
    plan, made, folder = files
    (folder / "chapter9.yaml").write_text(TEXT.replace("> 0.5", "> 0.1").replace("< 0.5", "< 0.1"))
    with pytest.raises(UserError, match="was changed while the run was going on; start the run again"):
        judge_chapter(plan, "code", {"made": table({"a": first(100)})}, [str(made)], folder / "ledger.csv")
    assert not (folder / "ledger.csv").exists()


def test_ledgers_are_joined_word_for_word(files):
    _, _, folder = files
    names = []
    for name in ("C800", "C900"):
        path = folder / f"{name}.csv"
        write_ledger(ledger(claim(name), tables={"made": table({"a": first(70)})}), path)
        names.append(str(path))
    join_ledger(names, folder / "all.csv")
    one, two = ((folder / f"{name}.csv").read_text().splitlines() for name in ("C800", "C900"))
    assert (folder / "all.csv").read_text().splitlines() == [*one, *two[1:]]
