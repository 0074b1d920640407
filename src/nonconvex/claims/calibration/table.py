"""The table of docs/judging-calibration.md: how often each quantity's interval misses, and decides."""

from collections.abc import Iterator

from nonconvex.claims.calibration import curves, groups, lines, shares, values
from nonconvex.claims.calibration.state import LOOKS, State, coverage
from nonconvex.statistics.spending import look_levels


def states() -> Iterator[State]:
    """Yield every quantity in every state."""
    yield from shares.share_states()
    yield from shares.difference_states()
    yield from lines.threshold_states()
    yield from lines.difference_states()
    yield from values.mean_states()
    yield from values.ratio_states()
    yield from values.law_states()
    yield from lines.law_states()
    yield from values.spread_states()
    yield from shares.decay_states()
    yield from groups.group_states()
    yield from groups.band_states()
    yield from groups.group_decay_states()
    yield from curves.median_states()
    yield from curves.range_states()
    yield from curves.reach_states()


def table(simulations: int) -> str:
    """Return the calibration of all quantities as a Markdown table."""
    looks = list(zip(LOOKS, look_levels(LOOKS), strict=True))
    heads = "".join(f" {trials} trials ({100 * (1 - alpha):.2f} %) |" for trials, alpha in looks)
    rows = [f"| quantity | state | truth |{heads}", f"|---|---|---|{'---|' * len(looks)}"]
    for state in states():
        cells = []
        for trials, alpha in looks:
            found = coverage(state, trials, alpha, simulations)
            cells.append(f"{100 * found.covered:.1f} / {100 * found.decided:.0f} / {100 * found.wrong:.1f}")
        rows.append(f"| {state.quantity} | {state.words} | {state.truth:.3g} | {' | '.join(cells)} |")
    return "\n".join(rows)
