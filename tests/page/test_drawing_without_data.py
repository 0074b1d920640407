"""A figure that is a drawing, with no experiment behind it."""

from page.samples import experiment

from nonconvex.page.figure import figure_section
from nonconvex.page.parameters import parameter_tables
from nonconvex.page.text import parameter_name


def test_a_drawing_has_no_parameters_and_no_seed():
    plan = {
        "figure": "4.1", "title": "A network", "caption": "Drawn.", "experiments": {},
        "made": {"files": {"fig4.1.png": "ab" * 32}, "code": "cd" * 8},
    }  # fmt: skip
    assert parameter_tables({}) is None
    section = str(figure_section(plan, ["png"], [], set(), {}))
    assert "fig4.1.png" in section
    assert "Parameters:" not in section
    assert "seed" not in section


def test_symbols_on_the_page_are_those_of_the_family():
    words = {"n_samples": ["number of samples", "N"]}
    assert "<i>N</i>" in str(parameter_name("n_samples", words))
    assert "<i>n</i>" in str(parameter_name("n_samples"))
    one = experiment("one", parameters={"n_samples": 5})
    assert "<i>N</i>" in str(parameter_tables({"one": {**one, "words": words}}))
    assert "<i>n</i>" in str(parameter_tables({"one": one}))
