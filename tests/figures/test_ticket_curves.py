"""Figures 6.11 and 6.12: what is drawn is what the tables hold."""

import numpy as np
import pandas as pd
import pytest

from nonconvex.figures.kinds.ticket_curves import draw, picked, rounds

RATIOS = 1 - 0.8 ** np.arange(4)


def table(trials=3, values=(500, 1000), status="finished"):
    """Make rows: N changes the level, a trial shifts all its accuracies."""
    rows = [
        {
            "algorithm": "tickets", "n_samples": n, "trial": trial, "status": status, "round": k,
            "pruning_ratio": ratio, "test_error": 100 / n - 0.01 * k + 0.01 * trial,
            "dense_error": 100 / n + 0.01 * trial, "ticket_error": 100 / n - 0.02 + 0.01 * trial,
            "ticket_ratio": RATIOS[2],
        }
        for n in values
        for trial in range(trials)
        for k, ratio in enumerate(RATIOS)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def plan(values=(500, 1000)):
    experiment = {
        "experiment": "mnist_tickets", "title": "Pruning", "parameters": {"n_samples": list(values)},
        "axes": ["n_samples"], "algorithms": {"tickets": {"label": "rewound"}}, "trials": 3, "seed": 1,
        "thesis": {}, "differs": [], "sources": {}, "notes": {}, "scale": "smoke", "family": "mnist_pruning",
    }  # fmt: skip
    options = {"by": "n_samples", "panels": [{"experiment": "mnist_tickets", "title": ""}]}
    return {
        "figure": "6.11", "chapter": "6", "scale": "smoke", "title": "Accuracy", "caption": "", "options": options,
        "experiments": {"mnist_tickets": experiment},
    }  # fmt: skip


def test_a_round_is_the_mean_over_trials_with_students_interval():
    own = table(values=(500,))
    points = rounds(own)
    assert points["accuracy"].tolist() == pytest.approx([1 - (0.2 - 0.01 * k + 0.01) for k in range(4)])
    half = 4.302652729911275 * 0.01 / np.sqrt(3)
    assert (points["high"] - points["accuracy"]).tolist() == pytest.approx([half] * 4)
    assert rounds(table(trials=2, values=(500,)))["low"].isna().all()


def test_a_ticket_stands_where_validation_picked_it():
    (ticket,) = picked(table(values=(500,))).to_dict("records")
    assert ticket["pruning_ratio"] == pytest.approx(RATIOS[2])
    assert ticket["accuracy"] == pytest.approx(1 - (0.2 - 0.02 + 0.01))


def test_rounds_after_a_divergence_have_no_point_and_are_told():
    own = table()
    lost = (own["trial"] == 2) & (own["round"] >= 2)
    own.loc[lost, "test_error"] = np.nan
    own.loc[own["trial"] == 2, "status"] = "diverged"
    figure, numbers = draw(plan(), {"mnist_tickets": own})
    assert numbers.loc[numbers["what"] == "round", "trials"].tolist() == [3, 3, 2, 2] * 2
    assert "diverged" in figure.legends[0].get_title().get_text()


@pytest.mark.parametrize("values", [(500,), (100, 500, 1000, 2000)])
def test_all_of_the_figure_is_on_the_page(values):
    figure, numbers = draw(plan(values), {"mnist_tickets": table(values=values)})
    figure.draw_without_rendering()
    assert len(numbers) == len(values) * 5
    for box in [axes.get_tightbbox() for axes in figure.axes] + [figure.legends[0].get_window_extent()]:
        assert figure.bbox.x0 - 1 <= box.x0 and box.x1 <= figure.bbox.x1 + 1
        assert figure.bbox.y0 - 1 <= box.y0 and box.y1 <= figure.bbox.y1 + 1


def test_where_all_trials_failed_there_is_no_curve_and_the_note_says_so():
    figure, numbers = draw(plan(), {"mnist_tickets": table().iloc[:0]})
    figure.draw_without_rendering()
    assert not numbers["trials"].any()
    assert "no trial has come to an end" in figure.legends[0].get_title().get_text()
