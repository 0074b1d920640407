import re

import pandas as pd
from page.reader import Reader
from page.samples import HOSTILE, experiment

from nonconvex.page.build import build


def section(text, name):
    """Return the figure's section of a page."""
    start = text.index(f'<section class="figure" id="fig{name}">')
    return text[start : text.index("Where the numbers came from", start)]


def test_every_figure_and_claim_is_on_the_page_and_links_lead_somewhere(plan, ledger, provenance):
    page = Reader(build(plan, ledger, provenance))
    assert {"fig2.2", "fig2.3", "fig3.4", "C001", "C011", "chapter2", "chapter3"} <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    inside = {link[1:] for link in page.followed if link.startswith("#")}
    assert inside <= set(page.ids)
    assert {"C001", "C011", "claims", "figures", "other-claims"} <= inside
    files = {link for link in page.followed if not link.startswith("#")}
    numbers = ("2.2", "2.3", "3.4")
    assert files == {f"figures/fig{number}.{kind}" for number in numbers for kind in ("pdf", "png", "csv")}


def test_the_page_asks_for_nothing_but_the_figures_beside_it(plan, ledger, provenance):
    text = build(plan, ledger, provenance)
    # Each picture twice: small among the contents, and where it belongs.
    pictures = {f"figures/fig{number}.png" for number in ("2.2", "2.3", "3.4")}
    assert sorted(Reader(text).fetched) == sorted(["data:,", *pictures, *pictures])
    for word in ("://", "@import", "<script", "javascript:", "base64"):
        assert word not in text
    # Patterns of the small pictures are on the page itself.
    assert set(re.findall(r"url\([^)]*\)", text)) == {"url(#holds)", "url(#fails)"}


def test_text_is_escaped_everywhere(plan, ledger, provenance):
    text = build(plan, ledger, provenance)
    assert "alert('x')" not in text
    assert text.count("&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt; &amp; &quot;more&quot;") > 15


def test_the_same_inputs_give_the_same_page(plan, ledger, provenance):
    assert build(plan, ledger, provenance) == build(plan, ledger, provenance)


def test_parameters_carry_their_source(plan, ledger, provenance):
    text = build(plan, ledger, provenance)
    row = re.search(r"<tr><th[^>]*>number of channels.*?</tr>", text).group()
    assert "<i>n</i><sub>c</sub>" in row
    assert "≠ 30, as stated" in row
    assert "● stated in the thesis" in row
    row = re.search(r"<tr><th[^>]*>fraction of entries observed.*?</tr>", text).group()
    assert "0.1, 0.15" in row
    assert "○ chosen, not reported" in row
    assert "≠" not in row
    assert "beta = squared" in text
    assert "Parameters: 2 stated, 1 chosen; 1 not as the thesis states here" in Reader(text).words


def test_a_chosen_size_is_not_set_against_the_thesis(plan, ledger, provenance):
    for one in plan["figures"][0]["experiments"].values():
        one["sources"]["n_channels"] = "chosen"
    text = build(plan, ledger, provenance)
    row = re.search(r"<tr><th[^>]*>number of channels.*?</tr>", text).group()
    assert "30, chosen" in row
    assert "≠" not in row
    assert "1 stated, 2 chosen; 1 chosen otherwise at thesis scale" in Reader(text).words


def test_a_second_experiment_shows_only_what_differs(plan, ledger):
    other = experiment("phase_mode2")
    other["parameters"] = {**other["parameters"], "mode": 2}
    plan["figures"][0]["experiments"] |= {"phase_mode2": other, "again": experiment("again")}
    text = section(build(plan, ledger, {}), "2.2")
    assert text.count("mode of missing data") == 2
    assert text.count("number of channels") == 1
    assert text.count("AM-FIHT, β &gt; 0") == 1
    assert "as <code>phase_mode1</code>, but for these" in text


def test_a_claim_stands_in_full_once_and_with_its_own_numbers_elsewhere(plan, ledger, provenance):
    text = build(plan, ledger, provenance)
    first, second = section(text, "2.2"), section(text, "2.3")
    for words in (
        "mode 1",
        "mode 2",
        "0.01235",
        "99.21 % interval -0.01 to 0.03",
        "5 of 100 trials",
        "Section 2.6 (L973)",
    ):
        assert words in first
    for words in (
        "experiments phase_mode1; phase_mode2",
        "Mind this",
        "“as printed”",
        "as it stands",
        "tables phase_mode1=aaaaaaaaaaaaaaaa",
    ):
        assert words.strip("“”") in first
    assert ">mode 1<" not in second
    assert ">mode 2<" in second
    assert "Mind this" not in second
    assert "▲</span> tendency: for" in second


def test_a_reason_of_the_whole_claim_is_said_once(plan, ledger, provenance):
    text = build(plan, ledger, provenance)
    assert text.count("seed 1, not the declared 2021") == 1
    assert "of the first kind" in text


def test_provenance_is_shown_and_its_absence_said(plan, ledger, provenance):
    text = build(plan, ledger, provenance)
    assert "0123abcd" in text
    assert "openblas &lt;x&gt;" in text
    assert "not recorded" in text


def test_facts_in_which_experiments_differ_name_them(plan, ledger):
    plan["figures"][0]["experiments"]["phase_mode2"] = experiment("phase_mode2")
    facts = {name: {"numpy": "2.4.6", "machine": f"of {name}"} for name in ("phase_mode1", "phase_mode2")}
    words = Reader(build(plan, ledger, facts)).words
    assert "of phase_mode1 phase_mode1of phase_mode2 phase_mode2" in words
    assert "2.4.6 phase_mode1" not in words


def test_a_picture_names_the_tables_and_files_it_was_made_from(plan, ledger):
    plan["figures"][0]["made"] = {
        "tables": {"phase_mode1": "a" * 64},
        "files": {"fig2.2.png": "b" * 64},
        "code": "c" * 16,
    }
    words = Reader(build(plan, ledger, {})).words
    assert f"drawn from tables phase_mode1={'a' * 16}" in words
    assert "a" * 17 not in words
    assert f"sha256 of fig2.2.png{'b' * 16}" in words
    assert f"code of the picture{'c' * 16}" in words
    assert "Is this page up to date?" in words


def test_substitutes_and_timed_figures_say_so(plan, ledger):
    plan["figures"][0]["options"] = {"substitute": f"Simulated phasors {HOSTILE}"}
    plan["figures"][1]["experiments"]["phase_mode2"]["timed"] = True
    text = build(plan, ledger, {"phase_mode2": {"machine": "an abacus"}})
    assert text.count("Substitute data.") == 1
    assert "Simulated phasors" in section(text, "2.2")
    assert text.count("Timed.") == 1
    assert "seconds do. These were taken on: an abacus." in section(text, "2.3")


def test_an_empty_ledger_and_no_provenance_give_a_page(plan):
    page = build(plan, pd.DataFrame(columns=["claim"]), {})
    assert "No claims in the ledger." in page
    Reader(page)


def test_without_png_the_svg_is_shown(plan, ledger):
    plan["formats"] = ["pdf", "svg"]
    assert "figures/fig2.2.svg" in Reader(build(plan, ledger, {})).fetched


def test_without_a_picture_that_a_browser_shows_there_is_none(plan, ledger):
    plan["formats"] = ["pdf"]
    assert Reader(build(plan, ledger, {})).fetched == ["data:,"]
