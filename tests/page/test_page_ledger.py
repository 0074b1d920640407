import pandas as pd
import pytest

from nonconvex.page.ledger import figures_named, read_claims
from nonconvex.page.outcome import outcome


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("2.2", ["2.2"]),
        ("2.2-2.4, 2.7", ["2.2", "2.3", "2.4", "2.7"]),
        ("2.9 – 2.11", ["2.9", "2.10", "2.11"]),
        ("7.2; F.1", ["7.2", "F.1"]),
        ("", []),
        (float("nan"), []),
        ("all of them", []),
    ],
)
def test_figures_are_read_from_text(text, figures):
    assert figures_named(text) == figures


@pytest.mark.parametrize(
    ("verdict", "tendency", "words", "sign"),
    [
        ("reproduced", "for", "reproduced", "✓"),
        ("not reproduced", "against", "not reproduced", "✗"),
        ("depends on an unstated choice: the margin", "", "depends on an unstated choice: the margin", "◐"),
        ("not judged at this scale", "for", "tendency: for", "▲"),
        ("", "surrogate: against", "tendency: surrogate: against", "▼"),
        (float("nan"), float("nan"), "not judged at this scale", "–"),
        ("something new", "", "something new", "•"),
    ],
)
def test_an_outcome_is_words_and_a_sign(verdict, tendency, words, sign):
    found = outcome({"verdict": verdict, "tendency": tendency})
    assert (found.words, found.sign) == (words, sign)


def test_rows_are_grouped_by_claim_and_reading():
    ledger = pd.DataFrame(
        [
            {"claim": "C001", "row": "claim", "reading": "all readings", "verdict": "inconclusive"},
            {"claim": "C001", "row": "reading", "reading": "as_printed: x", "setting": "preview"},
            {"claim": "C001", "row": "part", "reading": "as_printed: x", "setting": "preview, phase_mode1"},
            {"claim": "C001", "row": "part", "reading": "as_printed: x", "setting": "preview, phase_mode10"},
            {"claim": "C002", "reading": "chosen", "verdict": "reproduced"},
            {"claim": "C003", "reading": "a", "verdict": "reproduced"},
            {"claim": "C003", "reading": "b", "verdict": "not reproduced"},
        ]
    )
    first, second, third = read_claims(ledger)
    assert first.summary.words == "inconclusive"
    (reading,) = first.readings()
    assert len(reading.parts) == 2
    assert reading.whole["setting"] == "preview"
    (reading,) = first.readings(["phase_mode1"])
    assert [row["setting"] for row in reading.parts] == ["preview, phase_mode1"]
    assert second.summary.words == "reproduced"
    assert third.summary.words == "not judged at this scale"
    assert len(third.readings()) == 2
