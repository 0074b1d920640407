import numpy as np
import pandas as pd
import pytest

from nonconvex.figures.kinds.graph_structures import draw as draw_structures
from nonconvex.figures.kinds.rate_curves import draw as draw_rates
from nonconvex.networks.graphs import bounded_degree, connected_cycle, two_dimensional_grid
from nonconvex.problems.graph.structures import columns, rows


def experiment(name, parameters, algorithms=()):
    return {
        "experiment": name,
        "chapter": "5",
        "scale": "preview",
        "title": name,
        "parameters": parameters,
        "axes": [key for key, value in parameters.items() if isinstance(value, list)],
        "sources": dict.fromkeys(parameters, "chosen"),
        "differs": [],
        "thesis": {},
        "algorithms": {one: {"method": "descend", "label": one, "trials": 3} for one in algorithms},
        "trials": 3,
        "success": {"column": "error", "below": 1e-3},
    }


def plan(kind, one, **options):
    return {
        "figure": "5.9", "kind": kind, "title": "A figure", "caption": "Of graphs.", "scale": "preview",
        "chapter": "5", "options": options, "experiments": {one["experiment"]: one},
    }  # fmt: skip


@pytest.fixture
def graphs():
    kinds = {
        "cycle": connected_cycle(30, 4),
        "grid": two_dimensional_grid(5, 6),
        "bounded": bounded_degree(30, 4, 0.5, rng=np.random.default_rng(3)),
    }
    table = [row for kind, graph in kinds.items() for row in rows(["graph"], {"graph": kind}, 0, graph)]
    made = experiment("graphs", {"graph": list(kinds), "n_nodes": 30, "degree": 4})
    return kinds, plan("graph_structures", made), {"graphs": pd.DataFrame(table, columns=columns(["graph"]))}


def test_all_nodes_and_edges_are_drawn_isolated_ones_too(graphs):
    kinds, asked, tables = graphs
    figure, numbers = draw_structures(asked, tables)
    for kind, graph in kinds.items():
        own = numbers[numbers["graph"] == kind]
        nodes, edges = (own[own["what"] == what] for what in ("node", "edge"))
        assert nodes["degree"].tolist() == np.diff(graph.indptr).tolist()
        assert len(edges) == graph.nnz / 2
        assert len(nodes[["x", "y"]].round(6).drop_duplicates()) == 30
    titles = [axes.get_title() for axes in figure.axes[:3]]
    assert "degrees 2, 3 or 4" in titles[1]
    assert "degrees 0 or 4" in titles[2]


def curves(rates, trials=3):
    """Iterates whose error falls by exactly the rate from the 40th on, and faster before."""
    table = []
    for neurons, rate in rates.items():
        for trial in range(trials):
            at = np.arange(0, 400, 4)
            own = rate + 1e-3 * (trial - 1)
            error = np.where(at < 40, 0.5 * 0.6 ** (at / 4), 0.5 * 0.6**10 * own ** (at - 40.0))
            kept = error > 1e-7
            table += [
                ("agd", neurons, trial, "converged", i, e) for i, e in zip(at[kept], error[kept], strict=True)
            ]
    return pd.DataFrame(table, columns=["algorithm", "n_neurons", "trial", "status", "iteration", "error"])


def test_rates_are_drawn_with_the_lines_that_are_printed():
    rates = {k: 1 - 0.25 / np.sqrt(k) for k in (1, 2, 4, 8)}
    one = experiment("graph_neurons", {"n_neurons": list(rates), "n_features": 10}, ["agd"])
    figure, numbers = draw_rates(plan("rate_curves", one), {"graph_neurons": curves(rates)})
    medians = numbers[numbers["what"] == "median"]
    assert medians["rate"].tolist() == pytest.approx(list(rates.values()), abs=1e-6)
    assert (numbers["what"] == "rate").sum() == 12
    laws = numbers[numbers["what"] == "law"].set_index("law")
    assert laws.loc["1/√K", "r_squared"] == pytest.approx(1, abs=1e-6)
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    for law, row in laws.iterrows():
        assert f"line in {law}: R² = {row['r_squared']:.3f}" in texts


def test_the_step_is_named_and_the_heavy_balls_own_rate_is_marked():
    rates = {k: 1 - 0.2 / np.sqrt(k) for k in (1, 2, 4)}
    one = experiment("graph_neurons", {"n_neurons": list(rates), "n_features": 10}, ["agd", "agd_theorem"])
    one["algorithms"]["agd"] |= {"label": "AGD, β = 0.36", "options": {"beta": 0.36}}
    both = [curves(rates), curves({k: 0.93 for k in rates}).assign(algorithm="agd_theorem")]
    asked = plan("rate_curves", one, algorithm="agd", others=["agd_theorem"])
    figure, numbers = draw_rates(asked, {"graph_neurons": pd.concat(both)})
    left, right = figure.axes
    assert left.get_title() == "(a) AGD, β = 0.36"
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert any("= 0.600, the heavy ball's own rate" in text for text in texts)
    assert 0.6 in [line.get_ydata()[0] for line in right.get_lines()]
    # Another algorithm's medians stand beside, and bear no law.
    medians = numbers[numbers["what"] == "median"].groupby("algorithm")["rate"].apply(list)
    assert medians["agd_theorem"] == pytest.approx([0.93] * 3, abs=1e-6)
    assert set(numbers.loc[numbers["what"] == "law", "algorithm"]) == {"agd"}
    assert "agd_theorem" in texts
