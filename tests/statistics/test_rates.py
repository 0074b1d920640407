import numpy as np
import pandas as pd
import pytest

from nonconvex.statistics.rates import LAWS, fit_laws, fitted_rate, per_decade, trial_rates


def test_a_rate_is_that_of_the_last_decades():
    at = np.arange(0, 400, 4)
    error = np.where(at < 40, 0.7**at, 0.7**40 * 0.97 ** (at - 40.0))
    assert fitted_rate(at, error) == pytest.approx(0.97)
    assert np.isnan(fitted_rate(at, np.full(100, np.nan)))
    assert np.isnan(fitted_rate(at[:1], error[:1]))


def test_an_error_that_dips_and_comes_back_is_fitted_from_its_last_entry_on():
    at = np.arange(0, 400, 4)
    error = 0.97**at
    dip = np.where(at == 40, error[-1], error)
    assert fitted_rate(at, dip) == pytest.approx(fitted_rate(at, error)) == pytest.approx(0.97)
    gone = np.where(at == 40, np.nan, error)
    assert fitted_rate(at, gone) == pytest.approx(0.97)


def test_a_fast_trial_that_keeps_one_of_these_iterates_is_fitted_from_the_one_before():
    rate = fitted_rate(np.array([0, 12, 21]), np.array([1.0, 1e-3, 1e-3 * 0.4**9]))
    assert rate == pytest.approx(0.4)


def test_every_trial_has_a_row_with_its_rate():
    at = np.arange(0, 100, 4)
    table = pd.concat(
        pd.DataFrame({"n": n, "trial": trial, "status": "converged", "iteration": at, "error": rate**at})
        for n, trial, rate in [(4, 0, 0.95), (2, 1, 0.9), (2, 0, 0.8)]
    )
    found = trial_rates(table.sample(frac=1, random_state=0), ["n", "trial"])
    assert found.columns.tolist() == ["n", "trial", "status", "error", "rate"]
    assert found[["n", "trial"]].to_numpy().tolist() == [[2, 0], [2, 1], [4, 0]]
    assert found["rate"].tolist() == pytest.approx([0.8, 0.9, 0.95])
    assert found["error"].tolist() == pytest.approx([0.8**96, 0.9**96, 0.95**96])
    assert trial_rates(table[:0], ["n", "trial"]).empty


def test_what_does_not_converge_never_makes_a_decade():
    assert per_decade(pd.Series([0.1, 0.9, 1.0])) == pytest.approx([1, -1 / np.log10(0.9), np.inf])


@pytest.mark.parametrize("law", list(LAWS))
def test_the_law_that_holds_explains_everything_and_its_rivals_do_not(law):
    values = np.arange(1, 9)
    fits = fit_laws(values, 1 - 0.3 * LAWS[law](values)).set_index("law")
    assert fits.loc[law, "r_squared"] == pytest.approx(1)
    assert fits.loc[law, "slope"] == pytest.approx(-0.3)
    assert (fits["r_squared"].drop(law) < 0.999).all()
    assert fit_laws(values[:2], values[:2])["slope"].isna().all()
