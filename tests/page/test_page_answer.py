import pandas as pd
import pytest
from page.reader import Reader
from page.rows import NOT_JUDGED, claim, ledger, of_a_preview, of_every_kind, part

from nonconvex.page.answer import answer
from nonconvex.page.build import build
from nonconvex.page.ledger import read_claims
from nonconvex.page.text import shortened, trials_said


def said(rows, scale="thesis"):
    claims = [one for one in read_claims(ledger(rows)) if one.kind != "context"]
    return Reader(str(answer(claims, scale)))


def test_the_answer_counts_and_names_what_came_out():
    page = said(of_every_kind())
    assert page.words.startswith(
        "Of the 7 statements under test, 2 held, 1 did not, 1 hangs on a choice that the text leaves open, "
        "1 stayed undecided after the last trial and 2 are open until more trials have run."
    )
    assert page.followed == ["#C001", "#C006", "#C002", "#C003", "#C005", "#E01", "#C011"]
    assert "Point against it, not judged at this scale (1): C011" in page.words
    assert "Did not hold (1): C002 With the heavy-ball step, AM-FIHT and" in page.words
    assert "(with the text corrected, E01)" in page.words
    assert "Fail as printed, and a run shows it (1): E01" in page.words
    assert page.words.endswith(
        "1 of these verdicts is about the text with a mistake put right; 2 more are not judged at this scale "
        "(tendencies: 1 against, 1 unclear); 1 could not be tested; 1 was tried on substitute data, which tell "
        "nothing of the thesis's own."
    )


def test_where_nothing_is_judged_the_tendencies_answer_and_say_so():
    page = said(of_a_preview(), "preview")
    assert page.words.startswith(
        "Nothing is judged at the preview scale: its runs are smaller than the thesis's."
    )
    assert (
        "Of the 80 statements that they could test, they point for 35, against 9 and neither way for 36."
        in page.words
    )
    assert "Point to a failure as printed (1): E01" in page.words
    for word in ("Held", "held", "reproduced", "Unclear"):
        assert word not in page.words
    # What is unclear is counted, not listed.
    assert len(page.followed) == 35 + 9 + 1


def test_many_claims_are_named_in_short_by_their_figures():
    rows = [claim(f"C{n:03}", f"2.{n}", [part("mode 1", "not reproduced", "against")]) for n in range(2, 12)]
    words = said([row for one in rows for row in one]).words
    assert "Did not hold (10): Fig. 2.2 C002; Fig. 2.3 C003" in words
    assert "Fig. 2.9 C009; Fig. 2.10 C010; Fig. 2.11 C011" in words
    assert "heavy-ball" not in words


def test_readings_that_point_apart_hang_on_the_choice():
    parts = [part("mode 1", NOT_JUDGED, "for"), part("mode 1", NOT_JUDGED, "against", reading="ten per cent")]
    rows = claim("C001", "2.2", parts, NOT_JUDGED, "unclear")
    assert "for or against 1 by the choice of reading" in said(rows, "preview").words
    assert "Hang on the choice of reading (1): C001" in said(rows, "preview").words


def test_no_claims_and_nothing_tested_are_said():
    assert said([{"claim": "C001", "verdict": "not tested"}]).words.endswith("1 could not be tested.")
    assert "The ledger has no claims." in str(answer([], "preview"))


def test_what_is_unclear_is_one_line_of_a_figure_and_one_sign_of_its_card(plan):
    text = build(plan, ledger(of_a_preview(size=9, figures=["2.2"])), {})
    assert text.count('<details class="unclear">') == 1
    words = Reader(text).words
    assert "◆ 5 statements: unclear at this scale" in words  # with the finding
    assert text.count("◆ 5 unclear</a>") == 1
    assert words.count("◆") == 2 + 2 + 5  # counts of claims and findings, and the folded heads


def test_context_has_its_own_section_and_no_badge(plan):
    text = build(plan, ledger(of_every_kind()), {})
    section = text[text.index('<section id="context">') : text.index("<footer>")]
    assert 'id="X01"' in section
    assert "99.21 % interval -0.2 to 0.93" in section
    assert "badge" not in section
    assert "for context" not in section
    assert text.count('href="#X01"') == 2
    top = text[: text.index('<section id="chapter2">')]
    assert "X01" not in top


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"trials": 10, "declared": 100, "look": "1 of 4"}, "after 10 of 100 trials, look 1 of 4"),
        ({"trials": 100.0, "declared": 100, "look": "4 of 4"}, "after all 100 trials, look 4 of 4"),
        ({"trials": 20, "declared": 20, "look": "1 of 1"}, "after all 20 trials"),
        ({"trials": 5, "declared": float("nan"), "look": float("nan")}, "after 5 trials"),
        ({"trials": 1, "declared": 1}, "after 1 trial"),
        ({"trials": 1, "declared": 20}, "after 1 of 20 trials"),
        ({"trials": 0, "declared": 20}, ""),
        ({}, ""),
    ],
)
def test_a_verdict_says_after_how_many_trials_it_was_given(row, words):
    assert trials_said(row) == words


def test_the_head_of_a_claim_says_its_look(plan):
    words = Reader(build(plan, ledger(of_every_kind()), {})).words
    assert "✓ reproduced after 10 of 100 trials, look 1 of 4 · C001" in words


def test_long_statements_are_cut_between_words():
    assert shortened("a short one") == "a short one"
    assert shortened("one, two three", 9) == "one, two …"
    assert shortened("one, two three", 6) == "one …"
    assert shortened("x" * 20, 9) == "x" * 8 + " …"


def test_columns_may_be_missing(plan):
    rows = pd.DataFrame([{"claim": "C001", "figure": "2.2", "row": "part", "verdict": "open", "part": "a"}])
    assert "a–no intervalnot drawn–… open" in Reader(build(plan, rows, {})).words
