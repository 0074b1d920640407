"""The reference run beside the run at hand: its verdicts first, and what of them is stale by name."""

import pytest
from page.reader import Reader

from nonconvex.page.build import build
from nonconvex.page.ledger import read_claims
from nonconvex.page.reference import ReferenceRun


@pytest.fixture
def reference(ledger):
    """The ledger's claims, judged at the thesis's sizes."""
    judged = ledger.copy()
    mine = judged["claim"] == "C001"
    judged.loc[mine, "verdict"] = "reproduced"
    judged.loc[mine, "trials"] = 25
    return {claim.name: claim for claim in read_claims(judged)}


def words(plan, ledger, run):
    return Reader(build({**plan, "reference": run}, ledger, {})).words


def test_the_reference_verdict_stands_first_and_beside_the_tendency(plan, ledger, reference):
    page = words(plan, ledger, ReferenceRun(reference))
    begins = page.index("At the thesis's sizes")
    assert (
        begins < page.index("1 held and 1 did not") < page.index("Of the 1 statement under test, 1 did not")
    )
    assert "At the thesis's sizes: ✓ reproduced" in page
    assert "Stale" not in page


def test_what_changed_since_is_named(plan, ledger, reference):
    stale = {"phase_mode1": ["the code of sap has changed"], "other_one": ["it is gone"]}
    page = words(plan, ledger, ReferenceRun(reference, stale))
    assert "Stale: since then, changes to phase_mode1 (the code of sap has changed)." in page
    assert "code, protocol or claims have changed since 1 verdict was reached: C001." in page
    assert "other_one" not in page
    changed = words(plan, ledger, ReferenceRun(reference, {}, ["2"]))
    assert "Stale: since then, changes to the claims of chapter 2." in changed


def test_the_page_of_the_reference_itself_names_only_what_is_stale(plan, ledger, reference):
    assert "At the thesis's sizes" not in words(plan, ledger, ReferenceRun(reference, own=True))
    page = words(plan, ledger, ReferenceRun(reference, {"phase_mode2": ["sap is new"]}, own=True))
    assert "Stale: since then, changes to phase_mode2 (sap is new)." in page


def test_without_a_reference_the_page_is_as_it_was(plan, ledger):
    assert build({**plan, "reference": None}, ledger, {}) == build(plan, ledger, {})


def test_claims_that_only_the_reference_has_are_left_out(plan, ledger, reference):
    rest = ledger.loc[ledger["claim"] != "C001"]
    assert "C001" not in words(plan, rest, ReferenceRun(reference))
