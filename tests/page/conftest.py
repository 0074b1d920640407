import pandas as pd
import pytest
from page.samples import HOSTILE, experiment

NUMBERS = {
    "trials": 5,
    "declared": 100,
    "quantity": f"difference of rates {HOSTILE}",
    "estimate": 0.01234567,
    "low": -0.01,
    "high": 0.03,
    "confidence": 0.9921,
    "holds": "-0.05 to 0.05",
    "fails": "outside -0.1 to 0.1",
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
    """One claim with two parts, and one about no figure of the page."""
    common = {
        "claim": "C001",
        "kind": "claim",
        "place": "Section 2.6 (L973)",
        "statement": f"Lines coincide {HOSTILE}",
        "figure": "2.2, 2.3",
        "note": f"Mind this {HOSTILE}",
        "experiments": "phase_mode1; phase_mode2",
        "table_digests": "phase_mode1=aaaaaaaaaaaaaaaa",
    }
    part = {"row": "part", "verdict": "not judged at this scale", "tendency": "for", "seed": 1, **NUMBERS}
    reading = {"reading": "as_printed", "means": f"as it stands {HOSTILE}"}
    rows = [
        {
            **common,
            "row": "claim",
            "reading": "overall",
            "verdict": "not judged at this scale",
            "tendency": "for",
            "why": f"seed 1, not the declared 2021 (phase_mode1, phase_mode2); {HOSTILE}",
        },
        {
            **common,
            **part,
            **reading,
            "part": "mode 1",
            "figure": "2.2",
            "why": "seed 1, not the declared 2021 (phase_mode1)",
            "detail": "of the first kind",
        },
        {**common, **part, **reading, "part": "mode 2", "figure": "2.3"},
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
