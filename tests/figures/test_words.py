"""What parameters are called in a figure, and the number of samples however it is given."""

import re

import numpy as np
import pandas as pd
import pytest

from nonconvex.figures.kinds.network_schematic import draw as draw_network
from nonconvex.figures.kinds.success_curves import draw as draw_success
from nonconvex.figures.parts.frame import footer_text
from nonconvex.figures.parts.samples import places, samples_label, unknowns
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import Config
from nonconvex.vocabulary import axis_label, brief, symbol, value_text, words_of

WORDS = {"n_samples": ["number of samples", "N"], "noise": ["noise level", r"\sigma/E_y"]}


def test_symbols_are_those_of_the_family():
    assert axis_label("n_samples", WORDS) == samples_label("samples_ratio", WORDS) == "number of samples, $N$"
    assert axis_label("n_samples") == axis_label("n_samples", {}) == "number of samples, $n$"
    assert symbol("noise", WORDS) == r"$\sigma/E_y$" != symbol("noise")
    assert symbol("rank", WORDS) == symbol("rank") == "$r$"
    assert axis_label("knob", {"knob": ["a knob"]}) == "a knob"


def test_the_words_of_a_figure_are_those_of_its_experiments(figure_plan, resolved):
    plain, one, other = (resolved(name, {"noise": 0.1}, ["agd"]) for name in ("plain", "one", "other"))
    assert words_of(figure_plan("x", [plain])) == {}
    one["words"] = WORDS
    other["words"] = {"noise": ["other noise", "s"], "rank": ["rank", "R"]}
    assert words_of(figure_plan("x", [plain, one, other])) == {**WORDS, "rank": ["rank", "R"]}


@pytest.mark.parametrize(("words", "name"), [(WORDS, "N"), ({}, "n")])
def test_footer_and_labels_have_the_words_of_the_experiments(figure_plan, resolved, words, name):
    one = {**resolved("one", {"n_samples": [50, 100]}, ["agd"]), "words": words}
    table = pd.DataFrame(
        [("agd", n, trial, "converged", True, 1e-8, 9) for n in (50, 100) for trial in range(3)],
        columns=["algorithm", "n_samples", "trial", "status", "success", "error", "iterations"],
    )
    asked = figure_plan("success_curves", [one])
    figure, _ = draw_success(asked, {"one": table})
    assert figure.axes[0].get_xlabel() == f"number of samples, ${name}$"
    assert f"values chosen, not reported: ${name}$" in footer_text(asked)


def test_samples_are_counted_from_ratios():
    sizes = {"n_neurons": 5, "n_patches": 5, "patch_size": 10}
    assert places("samples_ratio", [0.5, 1.3], sizes) == [25, 65]
    assert places("n_samples", [7], {}) == [7]
    assert unknowns({"n_neurons": 5, "n_inputs": 50, "n_patches": 5}) == 50
    assert np.isnan(unknowns({"n_neurons": [1, 2], "patch_size": 3}))


@pytest.mark.parametrize("network", ["convolutional", "graph"])
def test_both_schematics_name_their_layers(figure_plan, network):
    figure, numbers = draw_network(figure_plan("network_schematic", [], network=network), {})
    figure.draw_without_rendering()
    assert {"weights", "neuron", "output", "caption"} <= set(numbers["layer"])
    assert numbers["text"].str.contains("w_|K", regex=True).any()


def test_values_are_called_as_the_family_calls_them():
    words = {"supports=shared_index": ["one index shared", ""]}
    assert value_text("supports", "shared_index", words) == "one index shared"
    assert value_text("supports", "partly_identical", words) == "partly identical"
    assert value_text("noise_kind", "circular") == "circular complex"
    assert value_text("n", [1000, 0.25]) == "1000, 0.25"


def test_a_symbol_that_could_mean_something_else_gets_words_in_the_footer(figure_plan, resolved):
    words = {"distance": ["distance of the start", "z"], "distance, briefly": ["start distance", "z"]}
    assert brief("distance", words) == "start distance $z$" and brief("distance", {}) == "distance"
    assert symbol("distance", words) == "$z$"
    one = {**resolved("one", {"distance": [0.1, 0.2]}, ["agd"]), "words": words}
    assert "not reported: start distance $z$" in footer_text(figure_plan("success_curves", [one]))


def test_no_footer_has_an_identifier(pytestconfig):
    for scale in ("smoke", "thesis"):
        pipeline = Pipeline(Config(scale), pytestconfig.rootpath)
        for figure in pipeline.figures():
            text = re.sub(r"\$[^$]*\$", "", footer_text(pipeline.figure(figure).plan))
            assert not re.search(r"[a-z]_[a-z]|[][]", text), f"{figure}: {text}"
