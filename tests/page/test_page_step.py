import json

import pandas as pd
import pytest
from page.reader import Reader
from page.samples import experiment

from nonconvex.page.step import write_page


@pytest.fixture
def results(tmp_path, monkeypatch):
    """A results folder with one figure, one table, and a ledger."""
    monkeypatch.chdir(tmp_path)
    base = "results/preview"
    figure = {
        "figure": "2.10",
        "chapter": "2",
        "title": "A title",
        "caption": "A caption",
        "experiments": {"phase_mode1": experiment("phase_mode1")},
    }
    stamps = {
        f"{base}/stamps/figures/fig2.10.json": {
            "plan": figure,
            "digest": "c" * 16,
            "inputs": {f"{base}/tables/phase_mode1.csv": "a" * 64},
            "outputs": {f"{base}/figures/fig2.10.png": "b" * 64},
        },
        f"{base}/stamps/tables/phase_mode1.json": {
            "plan": {"blocks": []},
            "digest": "d" * 16,
            "inputs": {f"{base}/outcomes/phase_mode1/am_fiht/0000-0004.h5": "e" * 64},
            "outputs": {f"{base}/tables/phase_mode1.csv": "a" * 64},
        },
    }
    sidecar = f"{base}/provenance/outcomes/phase_mode1/am_fiht/0000-0004.json"
    for name, content in {**stamps, sidecar: {"digest": "0123abcd", "machine": "an abacus"}}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))
    claim = {"claim": "C001", "figure": "2.10", "table_digests": f"phase_mode1={'a' * 16}"}
    pd.DataFrame([claim]).to_csv(tmp_path / base / "claims.csv", index=False)
    return [f"{base}/claims.csv", *stamps]


def test_the_page_is_made_from_stamps_ledger_and_sidecars(results):
    plan = {
        "scale": "preview",
        "thesis": "T",
        "chapters": {"2": "C"},
        "formats": ["png"],
        "figures": ["2.10"],
    }
    write_page(plan, results, "results/preview/index.html")
    with open("results/preview/index.html", encoding="utf-8") as file:
        page = Reader(file.read())
    assert {"fig2.10", "C001"} <= set(page.ids)
    # The picture and the claim name the same table: what they stand on can be compared on the page.
    assert page.words.count(f"phase_mode1={'a' * 16}") == 2
    assert "b" * 16 in page.words
    assert "an abacus" in page.words
