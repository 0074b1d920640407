"""Recover a series, measure the error on hidden samples, and say when the answer must not be used."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nonconvex.errors import UserError
from nonconvex.hankel.observations import check_rank
from nonconvex.hankel.recovery import Recovery
from nonconvex.series.check import HiddenCheck, check_on_hidden
from nonconvex.series.choose import Candidate, candidates
from nonconvex.series.gaps import lost_in_all
from nonconvex.series.memory import refuse_what_does_not_fit
from nonconvex.series.methods import CHANNEL_BY_CHANNEL, METHODS, Options, check_method, solve
from nonconvex.series.progress import Progress
from nonconvex.series.rank import HIGHEST, suggest_rank
from nonconvex.series.scale import channel_sizes, size
from nonconvex.series.series import Series

WORST = 0.5
"""A relative error on the hidden samples above this refuses the answer."""
MOST_OUTLIERS = 0.5
"""So does a larger share of outliers: a failed search takes all samples for outliers."""
MOST_TRIES = 4
"""Of chosen ranks, until one converges."""


@dataclass(frozen=True, eq=False)
class Answer:
    """A recovered series and what is known about it.

    Attributes
    ----------
    values : ndarray, shape (n_channels, n_samples)
        The solver's estimate, at observed places too.
    recovery : Recovery
        Of the run on all observed samples.
    check : HiddenCheck
        Of the run without the hidden ones.
    method : str
        Its name.
    options : dict
        The options the solver got.
    sizes : ndarray, shape (n_channels,)
        The root mean square of what each channel observed.
    scaled : bool
        Whether each channel was divided by its size for the solver and for the errors of the check.
    outliers : ndarray of bool, same shape
        The observed values that the solver takes for wrong; none for most methods.
    candidates : list of Candidate
        The ranks and n1 that were compared on hidden samples, the best first; none when the rank was given.
    singular_values : ndarray or None
        What the rank was suggested by, when it was neither given nor chosen.
    refusal : str or None
        Why the answer must not be used.
    """

    values: np.ndarray
    recovery: Recovery
    check: HiddenCheck
    method: str
    options: Options
    sizes: np.ndarray
    scaled: bool
    outliers: np.ndarray
    candidates: list[Candidate]
    singular_values: np.ndarray | None
    refusal: str | None


def recover(
    series: Series,
    *,
    rank: int | None,
    n1: int | None = None,
    method: str = "am_fiht",
    seed: int = 1,
    scale_channels: bool = False,
    **options: Any,
) -> Answer:
    """Recover the lost samples of a series.

    Parameters
    ----------
    series : nonconvex.series.series.Series
        With at least one observed sample in each channel.
    rank : int or None
        None takes the best of `nonconvex.series.choose.candidates` with which the method converges, or asks
        `nonconvex.series.rank.suggest_rank` where there are none; svt takes no rank.
    n1 : int, optional
        Time blocks of the Hankel matrix; when not given it is chosen with the rank, or half the samples.
    method : str
        A key of `nonconvex.series.methods.METHODS`.
    seed : int
        Of the draw of hidden samples.
    scale_channels : bool
        Whether each channel is divided by its size for the solver and for the errors of the check.
    **options
        Further options of the method; those that are None count as not given.

    Returns
    -------
    Answer

    Raises
    ------
    UserError
        For an unknown method or option, a rank or n1 out of range, a channel without any sample, and a rank
        of at least n1, or n2, when instants are lost in all the channels that are recovered together.
    """
    options = {name: value for name, value in options.items() if value is not None}
    check_method(method, options if rank is None else {"rank": rank, **options})
    _refuse_empty_channels(series)
    sizes = channel_sizes(series.values, series.mask)
    scale = sizes[:, None] if scale_channels else size(series.values[series.mask])
    scale = np.where(scale > 0, scale, 1.0)
    series = replace(series, values=series.values / scale)
    if options.get("stage_tolerance", 0) > 0 and not scale_channels:
        options["stage_tolerance"] /= scale
    tries, tried, singular_values = _tries(series, rank, n1, method, options, seed)
    recovery, used = _first_that_converges(series, method, options, tries)
    settings = {**options, "rank": used.get("rank"), "n1": used["n1"]}
    outliers = np.zeros(series.mask.shape, bool) if recovery.outliers is None else recovery.outliers != 0
    check = check_on_hidden(series, method, settings, seed, outliers)
    if "stage_tolerance" in used and not scale_channels:
        used["stage_tolerance"] *= scale
    return Answer(
        values=recovery.x * scale,
        recovery=recovery,
        check=check,
        method=method,
        options=used,
        sizes=sizes,
        scaled=scale_channels,
        outliers=outliers,
        candidates=tried,
        singular_values=singular_values,
        refusal=_refusal(check, recovery, outliers.sum() / series.mask.sum()),
    )


def _refuse_empty_channels(series: Series) -> None:
    empty = np.flatnonzero(~series.mask.any(axis=1))
    if empty.size:
        raise UserError(
            f"channel '{series.names[empty[0]]}' has no observed sample, so nothing determines it; "
            f"{empty.size} of {len(series.names)} channels are empty: leave them out"
        )


def _tries(
    series: Series, rank: int | None, n1: int | None, method: str, options: Options, seed: int
) -> tuple[list[tuple[int | None, int]], list[Candidate], np.ndarray | None]:
    """Return the ranks and n1 to take, in order, and what they were chosen by."""
    half, most = _check_rank_and_n1(series, rank, n1, method)
    if rank is not None or "rank" not in METHODS[method]:
        return [(rank, half)], [], None
    tried = candidates(series.values, series.mask, method, options, n1, seed)
    good: list[tuple[int | None, int]] = [(one.rank, one.n1) for one in tried if np.isfinite(one.error)]
    if good:
        return good[:MOST_TRIES], tried, None
    refuse_what_does_not_fit(series.values, half, most, method)
    rank, sigma = suggest_rank(series.values, series.mask, half, most)
    return [(rank, half)], [], sigma


def _check_rank_and_n1(series: Series, rank: int | None, n1: int | None, method: str) -> tuple[int, int]:
    """Return n1, half the samples when not given, and the largest rank to suggest; refuse what cannot be."""
    alone = method in CHANNEL_BY_CHANNEL
    together = series.values[:1] if alone else series.values
    try:
        _, n1 = check_rank(1, n1, together)
        if rank is not None:
            check_rank(rank, n1, together)
    except ValueError as error:
        raise UserError(f"--{error}") from error
    lost = int((~series.mask).sum() if alone else lost_in_all(series.mask).sum())
    n2 = series.time.size + 1 - n1
    name, least = ("n1", n1) if n1 <= n2 else ("n2 = samples + 1 - n1", n2)
    if lost and (rank or 1) >= least:
        losses = "samples are lost and channels are alone" if alone else "instants are lost in all channels"
        raise UserError(
            f"rank {rank or 1} is not below {name} = {least} while {lost} {losses}: "
            "the series with zeros at these instants can then have this rank, and would be the answer; take "
            f"a {'larger' if least == n1 else 'smaller'} --n1 or a smaller --rank"
        )
    return n1, least - 1 if lost else HIGHEST


def _first_that_converges(
    series: Series, method: str, options: Options, tries: list[tuple[int | None, int]]
) -> tuple[Recovery, Options]:
    """Return the first recovery that converges, or the first of all, and its options."""
    answers, refusals = [], []
    for rank, n1 in tries:
        settings = {**options, "rank": rank, "n1": n1}
        try:
            refuse_what_does_not_fit(series.values, n1, rank, method)
            answer = solve(method, series.values, series.mask, settings, Progress("recovery", series.mask))
        except UserError as refusal:
            refusals.append(refusal)
            continue
        if answer[0].status == "converged":
            return answer
        answers.append(answer)
    if not answers:
        raise refusals[0]
    return answers[0]


def _refusal(check: HiddenCheck, recovery: Recovery, outlying: float) -> str | None:
    if recovery.status == "diverged" or not np.isfinite(recovery.x).all():
        return f"the recovery diverged ({recovery.reason}); try a smaller --rank or --beta"
    if outlying > MOST_OUTLIERS:
        return (
            f"{outlying:.0%} of the observed samples would be outliers, so the search for them failed; try "
            "a larger --threshold-scale, or another --rank"
        )
    if not check.error <= WORST:
        return (
            f"the relative error on the hidden samples is {check.error:.0%}, above {WORST:.0%}: "
            "the answer cannot be trusted; try another --rank or --n1"
        )
    if recovery.status != "converged":
        return (
            f"the recovery did not converge: {recovery.reason}; try a smaller --rank, or a larger "
            "--max-iterations or --tolerance"
        )
    return None
