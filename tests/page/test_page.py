import re
from html.parser import HTMLParser

import pandas as pd
import pytest

from nonconvex.page.build import build

HOSTILE = "<script>alert('x')</script> & \"more\""


class Reader(HTMLParser):
    """Collects what a browser would fetch or follow, and checks that elements nest."""

    def __init__(self, text):
        super().__init__()
        self.fetched, self.followed, self.ids, self.open = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if tag not in ("img", "meta", "link"):
            self.open.append(tag)
        if "src" in found:
            self.fetched.append(found["src"])
        if tag == "link":
            self.fetched.append(found["href"])
        if tag == "a":
            self.followed.append(found["href"])
        if "id" in found:
            self.ids.append(found["id"])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def experiment(name):
    return {
        "experiment": name,
        "chapter": "2",
        "scale": "preview",
        "title": f"Title of {name}",
        "parameters": {"n_channels": 10, "mode": 1, "p": [0.1, 0.15], "strange_knob": HOSTILE},
        "axes": ["p"],
        "sources": {"n_channels": "stated", "mode": "stated", "p": "chosen"},
        "differs": ["n_channels"],
        "thesis": {"n_channels": 30},
        "algorithms": {
            "am_fiht": {
                "method": "am_fiht",
                "tell": ["rank", "n1"],
                "options": {"beta": "squared"},
                "label": "AM-FIHT, β > 0",
                "trials": 3,
            }
        },
        "trials": 5,
        "seed": 1,
        "success": {"column": "error", "below": 0.001},
    }


@pytest.fixture
def plan():
    figures = [
        {
            "figure": number,
            "chapter": number.split(".")[0],
            "title": f"Phase transition {number} {HOSTILE}",
            "caption": f"Caption of {number} {HOSTILE}",
            "experiments": {name: experiment(name)},
        }
        for number, name in [("2.2", "phase_mode1"), ("2.3", "phase_mode2"), ("3.4", "sap_phase")]
    ]
    return {
        "scale": "preview",
        "title": "Evidence",
        "thesis": f"A thesis {HOSTILE}",
        "formats": ["pdf", "png"],
        "figures": figures,
        "chapters": {"2": "Completion"},
    }


@pytest.fixture
def ledger():
    common = {
        "claim": "C001",
        "place": "L973",
        "statement": f"Lines coincide {HOSTILE}",
        "figure": "2.2, 2.3",
    }
    numbers = {"trials": 5, "statistic": 0.01234567, "ci_low": -0.01, "ci_high": 0.03, "margin": 0.05}
    part = {
        "row": "part",
        "verdict": "not judged at this scale",
        "tendency": "for",
        "seed": 1,
        "reading": "as_printed",
        **numbers,
    }
    rows = [
        {
            **common,
            "row": "claim",
            "reading": "all readings",
            "tendency": "for",
            "why": HOSTILE,
            "test": "T-EQ",
        },
        {**common, **part, "part": "mode 1", "setting": "mode 1, preview", "figure": "2.2"},
        {**common, **part, "part": "mode 2", "setting": "mode 2, preview", "figure": "2.3"},
        {
            "claim": "C011",
            "figure": "2.5",
            "reading": "overall",
            "verdict": "not reproduced",
            "statement": "Thirteen",
        },
    ]
    return pd.DataFrame(rows)


@pytest.fixture
def provenance():
    return {"phase_mode1": {"digest": "0123abcd", "seed": 1, "numpy": "2.4.6", "blas": "openblas <x>"}}


def test_every_figure_and_claim_is_on_the_page_and_links_lead_somewhere(plan, ledger, provenance):
    page = Reader(build(plan, ledger, provenance))
    assert {"fig2.2", "fig2.3", "fig3.4", "C001", "C011", "chapter2", "chapter3"} <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    inside = {link[1:] for link in page.followed if link.startswith("#")}
    assert inside <= set(page.ids)
    files = {link for link in page.followed if not link.startswith("#")}
    numbers = ("2.2", "2.3", "3.4")
    assert files == {f"figures/fig{number}.{kind}" for number in numbers for kind in ("pdf", "png", "csv")}


def test_the_page_asks_for_nothing_but_the_figures_beside_it(plan, ledger, provenance):
    text = build(plan, ledger, provenance)
    page = Reader(text)
    assert sorted(page.fetched) == [
        "data:,",
        *(f"figures/fig{number}.png" for number in ("2.2", "2.3", "3.4")),
    ]
    assert "://" not in text
    assert "url(" not in text
    assert "@import" not in text
    assert "<script" not in text


def test_text_is_escaped_everywhere(plan, ledger, provenance):
    text = build(plan, ledger, provenance)
    assert "alert('x')" not in text
    assert text.count("&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt; &amp; &quot;more&quot;") > 10


def test_the_same_inputs_give_the_same_page(plan, ledger, provenance):
    assert build(plan, ledger, provenance) == build(plan, ledger, provenance)


def test_parameters_carry_their_source(plan, ledger, provenance):
    text = build(plan, ledger, provenance)
    row = re.search(r"<tr><th[^>]*>number of channels.*?</tr>", text).group()
    assert "<i>n</i><sub>c</sub>" in row
    assert "▽ 30" in row
    assert "● stated in the thesis" in row
    row = re.search(r"<tr><th[^>]*>fraction of entries observed.*?</tr>", text).group()
    assert "0.1, 0.15" in row
    assert "○ chosen, not reported" in row
    assert "▽" not in row
    assert "beta = squared" in text


def test_a_claim_stands_in_full_once_and_with_its_own_numbers_elsewhere(plan, ledger, provenance):
    text = build(plan, ledger, provenance)
    first, second = (
        text[text.index(f'id="{begin}"') : text.index(f'id="{end}"')]
        for begin, end in (("fig2.2", "fig2.3"), ("fig2.3", "chapter3"))
    )
    assert "mode 1, preview" in first
    assert "mode 2, preview" in first
    assert "0.01235" in first
    assert "-0.01 to 0.03" in first
    assert "Test T-EQ" in first
    assert "mode 1, preview" not in second
    assert "mode 2, preview" in second
    assert "▲</span> tendency: for" in second


def test_claims_are_counted_by_outcome(plan, ledger, provenance):
    text = build(plan, ledger, provenance)
    top = text[: text.index('id="chapter2"')]
    assert "2 claims at the preview scale" in top
    assert "✗</span> not reproduced" in top
    assert "▲</span> tendency: for" in top
    assert "▲ C001" in top


def test_provenance_is_shown_and_its_absence_said(plan, ledger, provenance):
    text = build(plan, ledger, provenance)
    assert "0123abcd" in text
    assert "openblas &lt;x&gt;" in text
    assert "not recorded" in text


def test_an_empty_ledger_and_no_provenance_give_a_page(plan):
    page = build(plan, pd.DataFrame(columns=["claim"]), {})
    assert "No claims in the ledger." in page
    Reader(page)


def test_without_png_the_svg_is_shown(plan, ledger):
    plan["formats"] = ["pdf", "svg"]
    assert "figures/fig2.2.svg" in Reader(build(plan, ledger, {})).fetched
