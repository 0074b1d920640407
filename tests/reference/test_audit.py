"""The audit as a whole, on a reference of three tiny experiments."""

import re
import shutil

import pytest
from reference.kept import relist, rewrite

from nonconvex.commands.audit.audit import audit
from nonconvex.commands.parser import run

ROWS = 13  # easy: 4 trials; hard: 4 and 1; curves: 2 cells of 2


def told(capsys, *words, status):
    """Call the command; return what it prints."""
    assert run(["audit", *words]) == status
    output = capsys.readouterr()
    return output.err if status and output.err else output.out


def alter_first(experiment, column, change):
    """Alter a value in the first row of a table, so that its sha256 is right."""

    def altered(text):
        header, first, *rest = text.split("\n")
        values = first.split(",")
        at = header.split(",").index(column)
        values[at] = change(values[at])
        return "\n".join([header, ",".join(values), *rest])

    rewrite(f"tables/{experiment}.csv.xz", altered)


def test_a_clean_audit_finds_nothing(here, capsys):
    output = told(capsys, "--seed", "7", status=0)
    assert f"{ROWS} of {ROWS} rows of the reference run, drawn with SEED=7" in output
    assert "  5 of 13  easy, am_fiht, p=0.9, rank=1, trial 0: same\n" in output
    assert output.count(": same") == ROWS
    assert output.endswith("0 of 13 rows differ\nthese are all rows that could be audited\n")
    output = told(capsys, "--sample", "5", "--seed", "7", status=0)
    assert (
        "0 of 5 rows differ\nwith 95% confidence at most 45.1% of the 13 rows that could be audited" in output
    )
    assert told(capsys, "--sample", "5", "--seed", "7", status=0) == output


def test_without_a_seed_another_one_is_taken_each_time(here, capsys):
    seeds = {re.search(r"SEED=(\d+)", told(capsys, "--sample", "1", status=0)).group(1) for _ in range(3)}
    assert len(seeds) > 1


def test_an_altered_row_is_found_when_it_is_drawn(here, capsys):
    alter_first("easy", "error", lambda value: repr(1.01 * float(value)))
    statuses = set()
    for seed in range(6):
        status = audit(sample=6, seed=seed)
        output = capsys.readouterr().out
        assert ("easy, am_fiht, p=0.9, rank=1, trial 0:" in output) == (status == 1)
        assert ("1 of 6 rows differ" in output) == (status == 1)
        statuses.add(status)
    assert statuses == {0, 1}
    assert re.search(
        r"what differs:\n  easy, am_fiht, p=0.9, rank=1, trial 0: error: kept \S+, now \S+\n1 of 13 rows differ",
        told(capsys, status=1),
    )


@pytest.mark.parametrize(
    ("experiment", "column", "change", "sentence"),
    [
        ("easy", "status", lambda _: "diverged", "status: kept diverged, now converged"),
        ("easy", "success", lambda _: "False", "success: kept False, now True"),
        (
            "curves",
            "error",
            lambda value: repr(2 * float(value)),
            "curves, agd, n_neurons=2, trial 0: error: kept",
        ),
        ("curves", "status", lambda _: "diverged", "status: kept diverged, now converged"),
    ],
)
def test_what_is_altered_is_named(here, capsys, experiment, column, change, sentence):
    alter_first(experiment, column, change)
    output = told(capsys, status=1)
    assert sentence in output
    assert "1 of 13 rows differ" in output


def test_other_numbers_of_iterations_are_told_and_do_not_count(here, capsys):
    alter_first("easy", "iterations", lambda value: str(int(value) + 1))
    output = told(capsys, status=0)
    assert "0 of 13 rows differ\n1 more took another number of iterations to the same end" in output
    assert "easy, am_fiht, p=0.9, rank=1, trial 0: iterations: kept" in output


def test_what_has_changed_is_told_and_left_out(here, capsys):
    path = here / "workflow/experiments/chapter2.yaml"
    path.write_text(path.read_text().replace("max_iterations: 60", "max_iterations: 70"))
    output = told(capsys, status=0)
    assert "curves cannot be audited: since the reference run, the protocol of agd has changed\n" in output
    assert "0 of 9 rows differ" in output


def test_minutes_take_as_many_rows_as_fit(here, capsys):
    unit = "{seconds: 2.0, standard_error: 0.1, memory_mb: 100, bytes: 100, cells_sampled: 1}"
    (here / "workflow/costs.yaml").write_text(
        "".join(
            f"{name}:\n  thesis:\n    dataset: {unit}\n" + "".join(f"    {a}: {unit}\n" for a in algorithms)
            for name, algorithms in {
                "easy": ["am_fiht"],
                "hard": ["am_fiht", "plain"],
                "curves": ["agd"],
            }.items()
        )
    )
    assert "3 of 13 rows of the reference run" in told(capsys, "--minutes", "0.21", "--seed", "1", status=0)
    few = told(capsys, "--minutes", "0.21", "--sample", "2", "--seed", "1", status=0)
    assert "2 of 13 rows of the reference run" in few
    assert "MINUTES=0.01 is too short for a row: they take 0.067 on average" in told(
        capsys, "--minutes", "0.01", status=1
    )


def test_rows_that_take_more_than_a_quarter_of_the_time_are_left_out_of_the_draw(here, capsys):
    unit = "{seconds: 2.0, standard_error: 0.1, memory_mb: 100, bytes: 100, cells_sampled: 1}"
    long = unit.replace("2.0", "200.0")
    (here / "workflow/costs.yaml").write_text(
        f"easy:\n  thesis: {{dataset: {unit}, am_fiht: {unit}}}\n"
        f"hard:\n  thesis: {{dataset: {unit}, am_fiht: {unit}, plain: {long}}}\n"
        f"curves:\n  thesis: {{dataset: {unit}, agd: {unit}}}\n"
    )
    output = told(capsys, "--minutes", "2", "--seed", "1", status=0)
    assert "hard: left out of the draw: 1 of its rows, each more than a quarter" in output
    assert "12 of 12 rows of the reference run" in output


def _no_reference(here):
    shutil.rmtree(here / "reference")


def _other_version(here):
    relist(lambda listed: listed.update(format="nonconvex reference 0"))


def _altered(here):
    path = here / "reference/tables/easy.csv.xz"
    path.write_bytes(path.read_bytes()[:-1])


def _missing(here):
    (here / "reference/tables/easy.csv.xz").unlink()


def _no_outcomes(here):
    (here / "reference/outcomes/curves.csv.xz").unlink()
    relist(lambda listed: listed["files"].pop("outcomes/curves.csv.xz"))


def _nothing_left(here):
    relist(lambda listed: listed.update(seed=1))


@pytest.mark.parametrize(
    ("damage", "words", "sentence"),
    [
        (_no_reference, (), "there is no reference run here: reference/reference.json is missing"),
        (_other_version, (), "is of another version ('nonconvex reference 0'"),
        (_altered, (), "reference/tables/easy.csv.xz was altered: its sha256"),
        (_missing, (), "reference/tables/easy.csv.xz is missing"),
        (_no_outcomes, (), "reference/reference.json lists no outcomes of curves"),
        (_nothing_left, (), "nothing is left to audit: all experiments"),
        (lambda _: alter_first("easy", "algorithm", lambda _: "sap"), (), "easy.csv.xz has a row of the algorithm 'sap'"),
        (lambda _: alter_first("easy", "p", lambda _: "0.91"), (), "has a row of the cell p=0.91, rank=1, which"),
        (lambda _: alter_first("easy", "trial", lambda _: "4"), (), "has a row of the trial '4', which"),
        (None, ("--sample", "0"), "SAMPLE must be a number of rows, at least 1, not 0"),
        (None, ("--minutes", "0"), "MINUTES must be a number above 0, not 0"),
        (None, ("--minutes", "nan"), "MINUTES must be a number above 0, not nan"),
        (lambda here: (here / "workflow/costs.yaml").unlink(), ("--minutes", "1"), "nobody measured what 'dataset' of curves costs"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(here, capsys, damage, words, sentence):
    if damage:
        damage(here)
    output = told(capsys, *words, status=1)
    assert output.count("\n") == 1
    assert output.startswith("error: ")
    assert sentence in output


def test_an_experiment_that_is_gone_is_told(here, capsys):
    relist(lambda listed: listed["experiments"].update(older=listed["experiments"]["easy"]))
    output = told(capsys, "--sample", "1", status=0)
    assert "older cannot be audited: since the reference run, the study no longer has it\n" in output
