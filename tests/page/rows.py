"""Ledgers as judging writes them: claims of every outcome, and one of the size of the whole thesis."""

import math

import pandas as pd

NOT_JUDGED = "not judged at this scale"
STATEMENT = (
    "With the heavy-ball step, AM-FIHT and RAM-FIHT have coinciding phase-transition lines in all three modes "
    "of missing data, whatever the rank."
)
FAR = {"estimate": 0.41, "low": -0.2, "high": 0.93}
NEAR = {"estimate": 0.7, "low": -0.1, "high": 1.4}
GONE = {"estimate": 9.5, "low": 8.0, "high": 11.0}
BELOW = {"estimate": 0.6, "low": -math.inf, "high": 1.7}


def part(name="mode 1", verdict=NOT_JUDGED, tendency="for", **changes):
    """Return the fields of a part, on the difference of two thresholds."""
    return {
        "part": name,
        "reading": "one step",
        "means": "lines coincide when they differ by less than a step",
        "quantity": "difference of thresholds",
        "unit": "steps",
        "confidence": 0.9921,
        "holds": "-1 to 1",
        "fails": "outside -2 to 2",
        "trials": 10,
        "declared": 100,
        "look": "1 of 4",
        "seed": 2021,
        "verdict": verdict,
        "tendency": tendency,
        **FAR,
        **changes,
    }


def claim(name, figure, parts, verdict=None, tendency=None, **changes):
    """Return the rows of a claim; its own outcome is that of its first part if none is given."""
    common = {
        "claim": name,
        "kind": "claim",
        "place": "Section 2.6.1, the paragraph after Figure 2.4 (L973)",
        "statement": STATEMENT,
        "figure": figure,
        "experiments": "phase_mode1; phase_mode2",
        "plan_digest": "0" * 16,
        "code_digest": "1" * 16,
        "table_digests": f"phase_mode1={'a' * 16}; phase_mode2={'b' * 16}",
    }
    first = parts[0]
    whole = {
        "row": "claim",
        "reading": "overall",
        "verdict": verdict or first["verdict"],
        "tendency": tendency or first["tendency"],
        **{key: first[key] for key in ("trials", "declared", "look", "seed")},
    }
    rows = [{**common, **whole, **changes}]
    rows += [
        {**common, "row": "part", **one, **{k: v for k, v in changes.items() if k in ("kind", "data")}}
        for one in parts
    ]
    return rows


RATIO = {
    "quantity": "ratio of errors, with over without", "unit": "", "holds": "< 0.9", "fails": "> 10/9",
    "estimate": 0.31, "low": 0.11, "high": 0.72,
}  # fmt: skip
NESTED = {
    "quantity": "ratio of steps to the theorem's", "unit": "", "holds": "0.9 to 1.1",
    "fails": "outside 1/3 to 3", "estimate": 1.02, "low": 0.93, "high": 4.2,
}  # fmt: skip
WIDE = "the interval is infinite (phase_mode1)"


def of_every_kind():
    """Return the rows of a dozen claims that between them show all that a claim can look like."""
    return [
        *claim("C001", "2.2, 2.3", [
            part("mode 1", "reproduced"), part("mode 2", "reproduced", estimate=-0.3, low=-0.95, high=0.2),
            part("mode 3", "reproduced", estimate=0.1, low=-0.2, high=0.3),
        ], note="The thesis draws no interval."),
        *claim("C002", "2.2", [part("", "not reproduced", "against", **GONE)]),
        *claim("C003", "2.2", [
            part("mode 1", "reproduced", "for"),
            part("mode 1", "not reproduced", "against", reading="ten per cent", means="by a tenth", **GONE),
        ], "depends on an unstated choice", "unclear", why="the choice of reading: one step for, ten per cent against"),
        *claim("C004", "2.3", [part("mode 1", "open", "unclear", **NEAR, why="row rank = 5 lies in neither region")]),
        *claim("C005", "2.3", [part("mode 1", "inconclusive", "unclear", trials=100, look="4 of 4", **NEAR)]),
        *claim("C006", "3.4", [part("every graph", "reproduced", "for", **RATIO, trials=20, declared=20, look="1 of 1")],
               correction="E01"),
        *claim("C007", "3.4", [part("every size", "open", "unclear", **NESTED), part("one size", "open", "unclear", **BELOW, why=WIDE)]),
        *claim("C008", "3.4", [part("none", "not tested", "unclear", estimate=math.nan, low=math.nan, high=math.nan, why="the table is missing")]),
        *claim("C009", "2.3", [part("phasors", "surrogate: for", "surrogate: for")], data="substitute"),
        *claim("C010", "2.2", [part("mode 1", NOT_JUDGED, "unclear", **NEAR)], why="5 trials, not the declared 100 (phase_mode1)"),
        *claim("C011", "2.5", [part("mode 1", NOT_JUDGED, "against", **GONE)]),
        *claim("E01", "3.4", [part("as printed", "shown", "for")], kind="finding"),
        *claim("E02", "3.4", [part("as printed", "not shown", "unclear", **BELOW)], kind="finding"),
        *claim("X01", "2.2, 3.4", [part("mode 1", "for context", "", holds="", fails="")], kind="context"),
    ]  # fmt: skip


def of_a_preview(size=80, figures=("2.2", "2.3", "3.4")):
    """Return the rows of a preview of the whole thesis: nothing judged, much of it unclear."""
    rows = []
    for index in range(size):
        way, numbers = [("for", FAR), ("unclear", NEAR), ("unclear", BELOW), ("against", GONE)][
            (index * 7) % 20 % 4 if index % 9 else 3
        ]
        way, numbers = ("for", FAR) if way == "against" and index % 9 else (way, numbers)
        parts = [part(f"mode {mode}", NOT_JUDGED, way, **numbers, trials=5, look="") for mode in (1, 2, 3)]
        others = [
            {**one, "reading": "ten per cent", "means": "by less than a tenth of what they are"}
            for one in (parts if index % 3 else [])
        ]
        why = "5 trials, not the declared 100 (phase_mode1, phase_mode2); n_samples = 200, not 300 (phase_mode1)"
        rows += claim(f"C{index + 1:03}", figures[index * len(figures) // size], parts + others, why=why)
    rows += claim(
        "E01", figures[0], [part("as printed", NOT_JUDGED, "for", trials=5, look="")], kind="finding"
    )
    rows += claim(
        "E03",
        figures[-1],
        [part("as printed", NOT_JUDGED, "unclear", trials=5, look="", **NEAR)],
        kind="finding",
    )
    rows += claim(
        "X01",
        figures[0],
        [part("mode 1", "for context", "", trials=5, look="", holds="", fails="")],
        kind="context",
    )
    return rows


def ledger(rows):
    return pd.DataFrame(rows)
