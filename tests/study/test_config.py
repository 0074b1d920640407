from pathlib import Path

import pytest

from nonconvex.errors import UserError
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import Config, check_config, read_config

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"


def study(**knobs):
    made = Pipeline(check_config({"scale": "preview"} | knobs, SCHEMA), ROOT)
    made.check()
    return made


@pytest.mark.parametrize(
    ("knobs", "message"),
    [
        ({"trails": 5}, r"unknown key 'trails'; did you mean 'trials'\?"),
        ({"scale": "previw"}, r"scale is 'previw', which is unknown \(known: smoke, preview, thesis\); did you mean 'preview'"),
        ({"trials": -3}, "trials must be at least 1, not -3"),
        ({"trials": 0}, "trials must be at least 1, not 0"),
        ({"trials": "ten"}, r"trials must be a whole number or a mapping or null, not 'ten' \(text\)"),
        ({"trials": 2.5}, r"trials must be a whole number or a mapping or null, not 2\.5"),
        ({"trials": True}, "trials must be a whole number"),
        ({"trials": {}}, "trials is empty"),
        ({"trials": {"phase_mode1": 0}}, r"trials\.phase_mode1 must be at least 1, not 0"),
        ({"trials": {"phase_mode1": "9"}}, r"trials\.phase_mode1 must be a whole number, not '9' \(text\); YAML reads .* write 9"),
        ({"trials": {"phase_mode1": None}}, r"trials\.phase_mode1 must be a whole number"),
        ({"trials": {"phase_mod1": 9}}, r"trials names the unknown experiment 'phase_mod1'; did you mean 'phase_mode1'\?"),
        ({"trials": {"pmu_block": 9}}, r"trials\.pmu_block has no meaning"),
        ({"seed": -1}, "seed must be at least 0, not -1"),
        ({"formats": ["jpg"]}, r"formats\[0\] is 'jpg', which is unknown"),
        ({"formats": []}, "formats is empty"),
        ({"figures": ["9.9"]}, r"figures names '9\.9', which is unknown"),
        ({"figures": [2.21]}, r"figures names '2\.21', which is unknown \(chapter 2 has 2\.1, .*, 2\.11\)$"),
        ({"figures": ["fig2.2"]}, r"figures names 'fig2\.2', which is unknown .*did you mean '2\.2'\?"),
        ({"figures": 7.8}, r'figures must be a list or null, not 7\.8; write a list: figures: \["7\.8"\]'),
        ({"figures": "7.8, F.1"}, r'write a list: figures: \["7\.8", "F\.1"\]'),
        ({"figures": {"7.8": 1}}, "figures must be a list or null, not a mapping$"),
        ({"chapters": 7}, r"chapters must be a list or null, not 7; write a list: chapters: \[7\]"),
        ({"formats": "svg"}, r'formats must be a list, not .svg. \(text\); write a list: formats: \["svg"\]'),
        ({"chapters": [12]}, "chapters names '12', which is unknown"),
        ({"grid": {"rank": [2]}}, "'grid' needs a 'name'"),
        ({"grid": {}, "name": "x"}, "grid is empty"),
        ({"grid": {"rank": []}, "name": "x"}, r"grid\.rank is empty"),
        ({"grid": {"rnk": [2]}, "name": "x"}, r"grid has the unknown name 'rnk'; did you mean 'rank'\?"),
        ({"grid": {"phase_mode4": {"p": [0.1]}}, "name": "x"}, "unknown name 'phase_mode4'; did you mean 'phase_mode"),
        ({"grid": {"phase_mode1": {"q": [0.1]}}, "name": "x"}, r"grid\.phase_mode1 has no parameter 'q'"),
        ({"grid": {"p": True}, "name": "x"}, r"grid\.p must be a number, not true \(true/false\)"),
        ({"grid": {"p": None}, "name": "x"}, r"grid\.p must be a number, not null"),
        ({"grid": {"phase_mode1": {"p": [[0.1]]}}, "name": "x"}, r"grid\.phase_mode1\.p must be a number, not a list"),
        ({"grid": {"rank": {"a": 1}}, "name": "x"}, r"grid\.rank must be one value or a list, not a mapping: rank is a parameter; for one"),
        ({"grid": {"phase_mode1": {"p": {"a": 1}}}, "name": "x"}, r"grid\.phase_mode1\.p must be a number, not a mapping"),
        ({"grid": {"p": ["1e-1"]}, "name": "x"}, r"grid\.p must be a number, not '1e-1' \(text\); YAML reads this number as text: write 0\.1"),
        ({"grid": {"rank": [2.5]}, "name": "x"}, r"grid\.rank must be a whole number, not 2\.5"),
        ({"grid": {"rank": [2, 2]}, "name": "x"}, r"grid\.rank holds a value twice"),
        ({"grid": {"rank": [80]}, "name": "x"}, "rank = 80 is outside 1..51, all that a Hankel matrix of 500 x 51 allows"),
        ({"grid": {"rank": [0]}, "name": "x"}, r"rank = 0 is outside 1\.\.51"),
        ({"grid": {"n1": [101]}, "name": "x"}, "n1 = 101 is outside"),
        ({"grid": {"phase_mode1": {"n1": [40, 50]}}, "name": "x"}, r"grid\.phase_mode1\.n1 must be one value, not \[40, 50\]"),
        ({"grid": {"n_patches": [2, 5], "amplitude_exponent": [0.5, 1]}, "name": "x"}, r"grid\.amplitude_exponent must be one value, not \[0.5, 1\]"),
        ({"grid": {"loss": [0.1]}, "name": "x", "figures": ["2.2"]}, r"grid\.loss changes nothing: no figure that is asked for has this"),
        ({"grid": {"phase_mode2": {"p": [0.2]}}, "name": "x", "figures": ["2.2"]}, r"grid\.phase_mode2 changes nothing: .* shows this"),
        ({"grid": {"n_channels": [10, 20]}, "name": "x", "figures": ["2.2"]}, r"grid\.n_channels must be one value, not \[10, 20\]: no"),
        ({"grid": {"loss": [0.1]}, "name": "x", "chapters": [2]}, r"grid\.loss changes nothing"),
        ({"grid": {"noise_samples": {"noise": -0.1}}, "name": "x"}, r"noise = -0\.1 must not be negative"),
        ({"grid": {"p": [1.5]}, "name": "x"}, r"p = 1\.5 is no fraction"),
        ({"grid": {"phase_mode3": {"p": [0.4]}}, "name": "x"}, r"p = 0\.4 is too small for mode 3"),
        ({"name": "Bad Name", "grid": {"rank": [2]}}, "lower-case letters, digits and hyphens"),
    ],
)  # fmt: skip
def test_each_mistake_is_one_sentence_with_place_and_remedy(knobs, message):
    with pytest.raises(UserError, match=message) as caught:
        study(**knobs)
    assert "\n" not in str(caught.value)


def test_text_that_looks_like_a_number_is_explained():
    with pytest.raises(UserError, match=r"trials must be .* not '1e2' \(text\); YAML reads .* write 100"):
        study(trials="1e2")


def test_unknown_yaml_and_missing_files(tmp_path):
    (tmp_path / "bad.yaml").write_text("scale: [preview\n")
    (tmp_path / "twice.yaml").write_text("scale: smoke\nscale: preview\n")
    with pytest.raises(UserError, match=r"bad\.yaml, line \d+ is not valid YAML"):
        read_config(tmp_path / "bad.yaml")
    with pytest.raises(UserError, match="the key 'scale' is given twice"):
        read_config(tmp_path / "twice.yaml")
    with pytest.raises(UserError, match=r"none\.yaml cannot be read"):
        read_config(tmp_path / "none.yaml")


def test_overlays_merge(tmp_path):
    (tmp_path / "main.yaml").write_text("scale: preview\ngrid: {rank: [1, 2], p: [0.1]}\n")
    (tmp_path / "over.yaml").write_text("name: few\ngrid: {rank: [5]}\n")
    raw = read_config(tmp_path / "main.yaml", [tmp_path / "over.yaml"], ["scale=smoke", "trials=3"])
    assert raw == {"scale": "smoke", "name": "few", "grid": {"rank": [5], "p": [0.1]}, "trials": 3}


def test_a_named_grid_goes_to_its_own_folder():
    made = study(name="few", grid={"rank": [2, 5], "phase_mode1": {"p": [0.2]}})
    assert made.folder == "results/preview-few"
    assert made.experiment("phase_mode1")["parameters"]["rank"] == [2, 5]
    assert made.experiment("phase_mode1")["parameters"]["p"] == [0.2]
    assert len(made.experiment("phase_mode2")["parameters"]["p"]) > 1


def test_a_grid_may_be_of_a_figure_that_cannot_be_made_here(monkeypatch):
    monkeypatch.setattr("nonconvex.problems.contract.find_spec", lambda name: None)
    made = study(name="few", chapters=[6], grid={"mnist_tickets": {"rounds": 2}, "epochs": 3})
    assert "6.11" in made.asked_figures()
    assert "6.11" not in made.figures()


def test_several_values_reach_the_experiments_with_such_an_axis():
    made = study(name="few", grid={"n_neurons": [2, 4], "noise": 0.02})
    assert made.experiment("samples_neurons")["parameters"]["n_neurons"] == [2, 4]
    assert made.experiment("samples_dimension")["parameters"]["n_neurons"] == 5
    assert made.experiment("noise_samples")["parameters"]["noise"] == [0.02]


def test_the_thesis_scale_has_the_judging_seed_unless_told_otherwise():
    assert study(scale="thesis").experiment("phase_mode1")["seed"] == 2021
    assert study(scale="thesis", seed=5).experiment("phase_mode1")["seed"] == 5
    assert study(scale="thesis", name="few", grid={"rank": [2]}).experiment("phase_mode1")["seed"] == 1
    assert study().experiment("phase_mode1")["seed"] == 1


def test_figures_can_be_chosen():
    made = study(figures=[2.3])
    assert made.figures() == ["2.3"]
    assert made.experiment_names() == ["phase_mode2"]


def test_another_scale_can_be_asked_for_by_its_folder():
    assert study().at("smoke").folder == "results/smoke"
    with pytest.raises(UserError, match="give the overlay's --configfile"):
        study().at("smoke-few")


def test_trials_may_be_given_for_some_experiments():
    made = Pipeline(Config("preview", trials={"phase_mode1": 4, "methods_m1b1": 30}), ROOT)
    usual = Pipeline(Config("preview"), ROOT)
    assert made.experiment("phase_mode1")["trials"] == 4
    assert made.experiment("phase_mode1")["algorithms"]["am_fiht"]["trials"] == 4
    assert made.experiment("phase_mode2") == usual.experiment("phase_mode2")
    wide = made.experiment("methods_m1b1")
    caps = {name: one["trials"] for name, one in usual.experiment("methods_m1b1")["algorithms"].items()}
    assert wide["trials"] == 30
    assert wide["algorithms"]["admm_free_h"]["trials"] == caps["admm_free_h"] == 1  # its own cap stays


def test_whole_numbers_may_have_a_decimal_point():
    config = check_config({"scale": "preview", "seed": 3.0, "trials": {"phase_mode1": 2.0}}, SCHEMA)
    assert (repr(config.seed), repr(config.trials)) == ("3", "{'phase_mode1': 2}")


def test_figures_of_other_chapters_only_are_refused():
    study = Pipeline(Config("preview", chapters=("6",), figures=("7.8",)), ROOT)
    with pytest.raises(UserError, match=r"none of 7.8 is of chapters 6; leave 'chapters' out"):
        study.check()
