import pandas as pd
import pytest

from nonconvex.page.ledger import figures_named, read_claims
from nonconvex.page.text import parameter_name, plain, symbol


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


def test_rows_are_grouped_by_claim_and_reading():
    ledger = pd.DataFrame(
        [
            {"claim": "C001", "row": "claim", "reading": "overall", "verdict": "inconclusive"},
            {"claim": "C001", "row": "reading", "reading": "as_printed", "means": "x", "figure": "2.2, 2.3"},
            {"claim": "C001", "row": "part", "reading": "as_printed", "means": "x", "figure": "2.2"},
            {"claim": "C001", "row": "part", "reading": "as_printed", "means": "x", "figure": "2.3"},
            {"claim": "C002", "reading": "chosen", "verdict": "reproduced"},
            {"claim": "C003", "reading": "a", "verdict": "reproduced"},
            {"claim": "C003", "reading": "b", "verdict": "not reproduced"},
        ]
    )
    first, second, third = read_claims(ledger)
    assert first.summary.words == "inconclusive"
    assert first.figures == ["2.2", "2.3"]
    (reading,) = first.readings()
    assert (reading.name, reading.means) == ("as printed", "x")
    assert [row["figure"] for row in reading.parts] == ["2.2", "2.3"]
    assert reading.whole["row"] == "reading"
    (reading,) = first.readings("2.3")
    assert [row["figure"] for row in reading.parts] == ["2.3"]
    assert reading.whole is None
    assert first.readings("2.4") == []
    assert second.summary.words == "reproduced"
    assert third.summary.words == "not judged at this scale"
    assert len(third.readings()) == 2


def test_values_are_written_for_readers():
    assert plain(20210.0) == "20210"
    assert plain(0.0123456) == "0.01235"
    assert plain([0.1, 1.0, "a"]) == "0.1, 1, a"
    assert plain(float("nan")) == plain(None) == plain("") == "–"
    assert plain(True) == "True"
    assert plain(float("inf")) == "inf"
    assert parameter_name("n1") == "rows of each Hankel matrix, <i>n</i><sub>1</sub>"
    assert parameter_name("incoherence") == "incoherence, <i>μ</i>"
    assert parameter_name("a<b") == "a&lt;b"
    assert symbol(r"\sigma/E_x") == "<i>σ</i>/<i>E</i><sub>x</sub>"
    assert symbol(r"\kappa_{max}") == "<i>κ</i><sub>max</sub>"
    assert symbol(r"\lambda=\hat{\lambda}") == "<i>λ</i>=<i>λ\u0302</i>"
    assert symbol(r"\widetilde{r}") == "<i>r\u0303</i>"
    assert symbol(r"\|W^{(0)}-W^*\|_F") == "‖<i>W</i><sup>(0)</sup>-<i>W</i><sup>*</sup>‖<sub>F</sub>"


@pytest.mark.parametrize(
    ("row", "chapter"),
    [
        ({"figure": "3.4, 2.2"}, "3"),
        ({"figure": "F.1"}, "7"),
        ({"place": "Section 3.6 (L1)"}, "3"),
        ({"place": "the preface"}, ""),
        ({}, ""),
    ],
)
def test_a_claim_belongs_to_the_chapter_of_its_figures_or_place(row, chapter):
    (claim,) = read_claims(pd.DataFrame([{"claim": "C001", **row}]))
    assert claim.chapter == chapter
