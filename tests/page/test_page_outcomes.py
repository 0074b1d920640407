import pandas as pd
import pytest
from page.reader import Reader

from nonconvex.page.build import build
from nonconvex.page.outcome import badge, outcome, parted

NOT_JUDGED = "not judged at this scale"
ROWS = [
    ({"verdict": "reproduced", "tendency": "for"}, "✓", "reproduced", "verdict"),
    ({"verdict": "not reproduced", "tendency": "against"}, "✗", "not reproduced", "verdict"),
    ({"verdict": "inconclusive", "tendency": "unclear"}, "?", "inconclusive", "verdict"),
    (
        {"verdict": "depends on an unstated choice", "tendency": "unclear"},
        "◐",
        "depends on an unstated choice",
        "verdict",
    ),
    ({"verdict": "open", "tendency": "for"}, "…", "open", "verdict"),
    ({"verdict": "not tested", "tendency": "unclear"}, "–", "not tested", "verdict"),
    ({"verdict": NOT_JUDGED, "tendency": "for"}, "▲", "tendency: for", "tendency"),
    ({"verdict": NOT_JUDGED, "tendency": "against"}, "▼", "tendency: against", "tendency"),
    ({"verdict": NOT_JUDGED, "tendency": "unclear"}, "◆", "tendency: unclear", "tendency"),
    ({}, "–", NOT_JUDGED, "tendency"),
    ({"verdict": float("nan"), "tendency": float("nan")}, "–", NOT_JUDGED, "tendency"),
]
SUBSTITUTE = [
    ({"verdict": "surrogate: for", "tendency": "surrogate: for"}, "△", "surrogate: for"),
    ({"verdict": "surrogate: against", "tendency": "surrogate: against"}, "▽", "surrogate: against"),
    ({"verdict": "surrogate: unclear", "tendency": "surrogate: unclear"}, "◇", "surrogate: unclear"),
    ({"verdict": "open", "tendency": "surrogate: unclear"}, "…", "open"),
    ({"verdict": NOT_JUDGED, "tendency": "surrogate: for"}, "△", "surrogate, tendency: for"),
    ({"verdict": NOT_JUDGED, "tendency": "surrogate: against"}, "▽", "surrogate, tendency: against"),
    ({"verdict": "not tested", "tendency": "surrogate: unclear"}, "–", "not tested"),
]
FINDINGS = [
    ({"verdict": "shown", "tendency": "for"}, "●", "shown"),
    ({"verdict": "not shown", "tendency": "against"}, "○", "not shown: refuted"),
    ({"verdict": "not shown", "tendency": "unclear"}, "◌", "not shown: undecided"),
    ({"verdict": "open", "tendency": "for"}, "…", "open"),
    ({"verdict": NOT_JUDGED, "tendency": "for"}, "▲", "finding, tendency: for"),
    ({"verdict": "not tested", "tendency": "unclear"}, "–", "not tested"),
]
EVERY = [
    *[(row, sign, words, weight) for row, sign, words, weight in ROWS],
    *[({**row, "data": "substitute"}, sign, words, "surrogate") for row, sign, words in SUBSTITUTE],
    *[({**row, "kind": "finding"}, sign, words, "finding") for row, sign, words in FINDINGS],
    (
        {"verdict": "shown", "tendency": "for", "kind": "finding", "data": "substitute"},
        "●",
        "shown",
        "finding",
    ),
]


@pytest.mark.parametrize(("row", "sign", "words", "weight"), EVERY)
def test_an_outcome_is_a_sign_words_and_a_weight(row, sign, words, weight):
    found = outcome(row)
    assert (found.sign, found.words, found.weight) == (sign, words, weight)
    assert found.meaning
    assert f"{sign}</span> {words}" in badge(found)


def test_what_is_for_context_has_no_sign():
    for row in (
        {"kind": "context", "verdict": "for context"},
        {"verdict": "for context"},
        {"kind": "context"},
    ):
        found = outcome(row)
        assert (found.sign, found.weight, found.judged, found.way) == ("", "context", False, "")


@pytest.mark.parametrize(("row", "words"), [(row, words) for row, _, words, _ in EVERY])
def test_an_outcome_says_its_way_and_whether_it_is_a_verdict(row, words):
    found = outcome(row)
    assert found.judged is (NOT_JUDGED not in words and "tendency" not in words and words != "not tested")
    assert found.unclear is (words.endswith("tendency: unclear"))
    if found.judged and words != "open":
        tendency = row["tendency"].removeprefix("surrogate: ")
        assert found.way == ("apart" if words.startswith("depends") else tendency)


def test_a_claim_whose_readings_point_apart_says_so():
    found = parted(outcome({"verdict": NOT_JUDGED, "tendency": "unclear"}))
    assert (found.words, found.sign, found.way) == ("tendency: depends on the reading", "◐", "apart")
    assert not found.judged
    assert not found.unclear


def test_an_unknown_word_is_shown_as_it_is():
    assert outcome({"verdict": "something new"}).words == "something new"


@pytest.mark.parametrize("verdict", ["reproduced", "not reproduced"])
def test_a_verdict_on_a_corrected_text_is_told_from_one_on_the_text(verdict):
    plain, corrected = outcome({"verdict": verdict}), outcome({"verdict": verdict, "correction": "E01"})
    assert corrected.words == f"{verdict} under correction E01"
    assert (corrected.sign, corrected.tone, corrected.weight) == (plain.sign, plain.tone, plain.weight)
    assert corrected.meaning.startswith(plain.meaning)
    assert outcome({"verdict": "inconclusive", "correction": "E01"}).words == "inconclusive"


def test_outcomes_of_one_tone_differ_in_sign_or_frame():
    found = {outcome(row) for row, *_ in EVERY}
    looks = {(one.sign, one.weight, one.words) for one in found}
    assert len(looks) == len(found)
    for weight in ("verdict", "surrogate", "finding", "tendency"):
        signs = {(one.sign, one.words.split(": ")[-1]) for one in found if one.weight == weight}
        assert len({sign for sign, _ in signs}) == len(signs)


@pytest.fixture
def everything():
    """A ledger with a claim of every outcome, in two chapters."""
    rows = [
        {"claim": f"C{index:03}", "figure": "2.2" if index % 2 else "3.4", "row": "claim", **row}
        for index, (row, *_) in enumerate(EVERY)
        if row
    ]
    return pd.DataFrame(rows)


def test_verdicts_substitutes_and_findings_are_counted_apart(plan, everything):
    text = build(plan, everything, {})
    words = Reader(text).words
    weights = [outcome(row).weight for row in everything.to_dict("records")]
    claims = weights.count("verdict") + weights.count("tendency")
    assert f"{claims} claims" in words
    assert f"{weights.count('surrogate')} claims on substitute data" in words
    assert f"{weights.count('finding')} findings" in words
    top = text[text.index('<section id="claims">') : text.index('<nav id="figures"')]
    for _, sign, label, weight in EVERY:
        assert f'class="badge {weight} ' in top
        assert f"{sign}</span> {label}</span><b>" in top


def test_each_chapter_is_counted(plan, everything):
    words = Reader(build(plan, everything, {})).words
    kinds = everything.fillna("")
    own = kinds[~kinds["verdict"].str.startswith("surrogate") & (kinds["kind"] != "finding")]
    own = own[own["data"] != "substitute"]
    by_chapter = own["figure"].str[0].value_counts()
    assert f"{len(own)} claimsCh. 2: {by_chapter['2']} · Ch. 3: {by_chapter['3']}" in words


def test_an_outcome_opens_to_its_claims_and_verdicts_that_nobody_got_are_listed(plan, ledger):
    text = build(plan, ledger, {})
    top = text[text.index('<section id="claims">') : text.index('<nav id="figures"')]
    assert '<details class="count"><summary><span class="badge verdict bad">' in top
    assert '<a href="#C011">C011</a> Thirteen' in top
    assert "reproduced</span><b>0</b>" in top
    assert "the declared trials do not decide it" in top
    assert "substitute data" not in top


@pytest.mark.parametrize(("second", "differ"), [("for", False), ("against", True)])
def test_readings_stand_beside_each_other_and_say_if_they_part(plan, second, differ):
    common = {"claim": "C001", "figure": "2.2", "part": "mode 1", "verdict": NOT_JUDGED}
    why = "the choice of reading: narrow for, wide against; seed 1, not the declared 2021"
    ledger = pd.DataFrame(
        [
            {**common, "row": "claim", "tendency": "unclear", "why": why if differ else why.split("; ")[1]},
            {**common, "row": "part", "reading": "narrow", "means": "one step", "tendency": "for"},
            {**common, "row": "part", "reading": "wide", "means": "two steps", "tendency": second},
        ]
    )
    text = build(plan, ledger, {})
    cards = text[text.index('<ul class="readings">') :].split("</ul>")[0]
    assert cards.count("<li>") == 2
    assert "<b> wide</b>: two steps" in cards
    assert ("The readings do not agree" in text) is differ
    # What parts the readings is open to see; why nothing is judged is folded away.
    assert ('<p class="why">the choice of reading' in text) is differ
    assert "<li>seed 1, not the declared 2021</li>" in text


def test_a_part_on_substitute_data_says_so(plan):
    common = {"claim": "C030", "figure": "2.2", "row": "part", "reading": "r", "verdict": "reproduced"}
    parts = [{**common, "part": "synthetic"}, {**common, "part": "phasors", "data": "substitute"}]
    text = build(plan, pd.DataFrame(parts), {})
    assert ">synthetic<" in text
    assert ">phasors (substitute data)<" in text
