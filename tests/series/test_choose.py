"""`--rank auto` takes what recovers samples that were hidden from it."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
from series.conftest import write_rows

from nonconvex.series import choose
from nonconvex.series.choose import candidates, ranks
from nonconvex.series.methods import solve
from nonconvex.series.recover import MOST_TRIES, recover
from nonconvex.series.series import Series


def oscillations(n_samples, rates, seed=1, n_channels=4):
    """Real channels that share oscillations, with 1 % noise."""
    rng = np.random.default_rng(seed)
    turns = 2 * np.pi * np.outer(rates, np.arange(n_samples))
    x = rng.uniform(-1, 1, (n_channels, 2 * len(rates))) @ np.vstack([np.cos(turns), np.sin(turns)])
    return x + 0.01 * rng.standard_normal(x.shape)


def lose(shape, share=0.3, seed=2):
    return np.random.default_rng(seed).random(shape) >= share


def series(x, mask):
    time = np.arange(x.shape[1]) / 10.0
    return Series(np.where(mask, x, np.nan), mask, time, 10.0, tuple("abcdefgh"[: len(x)]), "real")


def error(values, x, mask):
    return np.linalg.norm((values - x)[~mask]) / np.linalg.norm(x[~mask])


def test_a_weak_oscillation_is_not_overlooked():
    """Beside a strong one the singular values of zero-filled data do not show it."""
    x = oscillations(160, [0.031, 0.083])
    x += 12 * np.outer([1, 0.8, 1.1, 0.9], np.cos(2 * np.pi * 0.171 * np.arange(160)))
    mask = lose(x.shape, 0.4)
    answer = recover(series(x, mask), rank=None)
    assert answer.recovery.rank >= 6 and answer.singular_values is None
    assert error(answer.values, x, mask) < 0.01
    assert error(recover(series(x, mask), rank=2).values, x, mask) > 0.05


def test_n1_is_chosen_with_the_rank_unless_it_is_given():
    """Events without oscillation: other channels at the same instant tell, not other times."""
    rng = np.random.default_rng(3)
    x = np.outer(rng.uniform(0.5, 1, 5), np.cumsum(rng.standard_normal(120)))
    x += 1e-3 * rng.standard_normal(x.shape)
    mask = np.ones(x.shape, bool)
    for channel, start in enumerate((10, 30, 50, 70, 90)):
        mask[channel, start : start + 18] = False
    chosen = recover(series(x, mask), rank=None)
    given = recover(series(x, mask), rank=None, n1=60)
    assert {one.n1 for one in chosen.candidates} == {60, 20} and {one.n1 for one in given.candidates} == {60}
    assert (chosen.options["n1"], given.options["n1"]) == (20, 60)
    assert error(chosen.values, x, mask) < error(given.values, x, mask)


def test_the_smallest_rank_that_is_as_good_comes_first():
    x = oscillations(120, [0.05, 0.12])
    found = candidates(x, lose(x.shape), "am_fiht", {}, 60, seed=1)
    errors = {one.rank: one.error for one in found}
    least = min(errors.values())
    assert found[0].rank == min(rank for rank in errors if errors[rank] <= 1.05 * least) == 4
    assert [one.error for one in found[1:]] == sorted(one.error for one in found[1:])


def test_the_search_ends_where_three_ranks_in_a_row_are_hopeless(monkeypatch):
    errors = dict(
        zip(choose.RANKS, (0.5, 1.01, 1.2, 0.3, 0.61, 0.61, 0.4, 0.7, 0.7, 0.7, 0.1, 0.1), strict=True)
    )
    monkeypatch.setattr(choose, "_error", lambda *known: errors[known[-1]["rank"]])
    x = oscillations(120, [0.05, 0.12])
    found = candidates(x, lose(x.shape), "am_fiht", {}, 60, seed=1)
    assert found[0].rank == 4 and sorted(one.rank for one in found) == list(range(1, 11))


def test_no_rank_is_tried_that_keeps_zeros():
    mask = np.ones((3, 30), bool)
    mask[0, 4] = False
    assert max(ranks(mask * 1.0, mask, 5, "am_fiht")) == 15
    assert max(ranks(mask * 1.0, mask, 5, "fiht")) == 4
    mask[:, 9] = False
    assert max(ranks(mask * 1.0, mask, 5, "am_fiht")) == 4
    assert max(ranks(mask * 1.0, mask, 27, "am_fiht")) == 3


def test_the_next_best_is_taken_when_the_best_does_not_converge(monkeypatch):
    x = oscillations(100, [0.07, 0.12])
    data = series(x, lose(x.shape))
    best, *others = (one.rank for one in recover(data, rank=None, n1=50).candidates)

    def stubborn(method, values, mask, settings, callback=None):
        answer, used = solve(method, values, mask, settings, callback)
        return (replace(answer, status="iteration limit") if settings["rank"] == best else answer), used

    monkeypatch.setattr("nonconvex.series.recover.solve", stubborn)
    answer = recover(data, rank=None, n1=50)
    assert answer.recovery.status == "converged" and answer.recovery.rank in others[: MOST_TRIES - 1]
    assert answer.options["rank"] == answer.recovery.rank


def test_a_long_series_is_judged_by_a_stretch(monkeypatch):
    monkeypatch.setattr(choose, "MOST_VALUES", 400)
    monkeypatch.setattr(choose, "SHORTEST", 100)
    sizes = set()

    def watched(method, values, *rest):
        sizes.add(values.shape)
        return solve(method, values, *rest)

    monkeypatch.setattr(choose, "solve", watched)
    x = oscillations(1000, [0.05, 0.12])
    mask = lose(x.shape)
    mask[2, :150] = False  # The first stretch has nothing of this channel.
    answer = recover(series(x, mask), rank=None)
    assert sizes == {(4, 100)} and answer.recovery.rank >= 4
    assert error(answer.values, x, mask) < 0.05


def test_without_such_a_stretch_the_rank_is_suggested(monkeypatch):
    monkeypatch.setattr(choose, "MOST_VALUES", 400)
    monkeypatch.setattr(choose, "SHORTEST", 100)
    x = oscillations(300, [0.05, 0.12])
    mask = lose(x.shape, 0.1)
    mask[0, :100] = mask[1, 100:200] = mask[2, 200:] = False
    answer = recover(series(x, mask), rank=None)
    assert answer.candidates == [] and answer.singular_values is not None


def test_what_was_tried_is_said(folder, command):
    x = oscillations(120, [0.05, 0.12])
    write_rows("data.csv", ["time", *"abcd"], [np.arange(120) / 10, *np.where(lose(x.shape), x, np.nan)])
    status, printed, _ = command("recover", "data.csv", "--rank", "auto")
    report = json.loads(Path("data_recovered_report.json").read_text())
    assert status == 0 and (report["rank"], report["rank_was"]) == (4, "chosen")
    assert report["candidates"][0]["rank"] == 4
    assert (
        f"chosen: rank 4, n1 = {report['n1']}, by hiding other samples; relative error by rank: 1: "
        in printed
    )


def test_outliers_among_the_hidden_samples_do_not_mislead_sap():
    x = oscillations(200, [0.05, 0.12])
    mask = lose(x.shape, 0.1)
    rng = np.random.default_rng(6)
    wrong = mask & (rng.random(x.shape) < 0.06)
    bad = x + 4 * wrong * rng.choice([-1, 1], x.shape)
    answer = recover(series(bad, mask), rank=None, n1=100, method="sap", threshold_scale=3.0)
    assert answer.refusal is None and answer.recovery.rank in (4, 5)
    assert error(answer.values, x, mask) < 0.05
    assert np.count_nonzero(answer.outliers & wrong) > 0.95 * wrong.sum()


def test_a_suggested_rank_is_said_to_be_one(folder, command, monkeypatch):
    monkeypatch.setattr("nonconvex.series.recover.candidates", lambda *_: [])
    x = oscillations(120, [0.05, 0.12])
    write_rows("data.csv", ["time", *"abcd"], [np.arange(120) / 10, *np.where(lose(x.shape, 0.1), x, np.nan)])
    status, printed, _ = command("recover", "data.csv", "--rank", "auto")
    assert status == 0 and "suggested rank: 4" in printed and "a suggestion only" in printed
    report = json.loads(Path("data_recovered_report.json").read_text())
    assert (report["rank_was"], report["candidates"]) == ("suggested", [])
