import copy

from nonconvex.figures.looks import LOOKS, look
from nonconvex.figures.parts import footer


def footer_text(plan):
    return footer.footer_text(plan).replace("\u00a0", " ")


def test_the_footer_names_reduced_sizes_trials_and_chosen_axes(plan):
    text = footer_text(plan)
    assert text.startswith("preview scale · 5 trials per cell · ")
    assert "$n_c$ = 10 (thesis 30), $n$ = 100 (thesis 300), $n_1$ = 50 (thesis 150)" in text
    assert "values chosen, not reported: $p$, $r$" in text


def test_the_footer_tells_an_overlay_by_its_name(plan):
    assert footer_text(plan | {"scale": "preview-mine"}).startswith("preview scale, run “mine” · ")


def test_the_footer_at_thesis_scale_claims_no_reduction(plan, experiment):
    plan["scale"] = "thesis"
    experiment["differs"] = []
    assert footer_text(plan) == "thesis scale · 5 trials per cell · values chosen, not reported: $p$, $r$"


def test_the_footer_says_thesis_only_of_what_it_states(plan, experiment):
    experiment["sources"]["n1"] = "chosen"
    text = footer_text(plan)
    assert "$n$ = 100 (thesis 300) · values" in text
    assert "also chosen: $n_1$ = 50 (thesis scale 150)" in text


def test_the_footer_tells_values_and_trials_panel_by_panel(plan, experiment):
    others = {}
    for name, channels, trials in (("second", 10, 5), ("third", 4, 2)):
        others[name] = copy.deepcopy(experiment) | {"trials": trials}
        others[name]["parameters"]["n_channels"] = channels
        for one in others[name]["algorithms"].values():
            one["trials"] = trials
    plan["experiments"] |= others
    text = footer_text(footer.numbered(plan, [["phase_mode1"], ["second"], ["third"], ["phase_mode1"]]))
    assert "5 trials per cell (panels 1, 2, 4), 2 trials per cell (panel 3) · " in text
    assert "$n_c$ = 10 (thesis 30; panels 1, 2, 4) / 4 (thesis 30; panel 3), $n$ = 100 (thesis 300)," in text


def test_the_footer_tells_no_panel_where_one_shows_both_values(plan, experiment):
    other = copy.deepcopy(experiment)
    other["parameters"]["n_channels"] = 4
    plan["experiments"]["other"] = other
    text = footer_text(footer.numbered(plan, [["phase_mode1", "other"]]))
    assert "$n_c$ = 10 (thesis 30) / 4 (thesis 30)," in text


def test_the_footer_tells_unequal_trials_and_other_choices(plan, experiment):
    experiment["algorithms"]["ram_fiht"]["trials"] = 2
    experiment["sources"] |= {"amplitude_exponent": "chosen", "p": "stated"}
    text = footer_text(plan)
    assert "2 to 5 trials per cell, by algorithm" in text
    assert "values other than the thesis's: $p$" in text
    assert "also chosen: spread of the amplitudes, in decades = 1" in text


def test_the_footer_keeps_an_experiment_of_chosen_sizes_apart_from_reduced_ones(plan, experiment):
    extra = copy.deepcopy(experiment)
    extra["parameters"]["n_channels"] = 7
    extra["differs"] = []
    extra["sources"]["n_channels"] = "chosen"
    plan["experiments"]["extra"] = extra
    text = footer_text(plan)
    assert "$n_c$ = 10 (thesis 30)" in text
    assert "also chosen: $n_c$ = 7" in text


def test_a_figure_without_algorithms_speaks_of_no_trials(masks):
    plan, _ = masks
    assert footer_text(plan) == "preview scale · chosen: $n_c$ = 12, $n$ = 40, $p$ = 0.75"


def test_unknown_algorithms_get_distinct_spare_looks():
    names = ["am_fiht", "mine", "other"]
    looks = {name: look(name, names) for name in names}
    assert looks["am_fiht"] == LOOKS["am_fiht"]
    assert len({one.marker for one in looks.values()}) == 3
    assert look("mine", reversed(names)) == looks["mine"]
