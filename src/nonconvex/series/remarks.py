"""What a report's numbers should make a person look at."""

from typing import Any

from nonconvex.series.recover import WORST
from nonconvex.series.scale import UNLIKE

SMALL = 1e-4
"""A relative error up to this is small enough, whatever straight lines do."""


def remarks(report: dict[str, Any]) -> list[str]:
    """Return lines about the channels that fare worst, straight lines that do better, and unlike channels."""
    hidden = report["hidden"]
    errors, by_lines = hidden["channel_errors"], hidden["channel_interpolation_errors"]
    lines = []
    known = {name: error for name, error in errors.items() if error is not None}
    if len(errors) > 1 and known:
        worst = max(known, key=lambda name: known[name])
        lines.append(
            f"worst channel: '{worst}', relative error {percent(known[worst])} (straight lines: "
            f"{percent(by_lines[worst])})"
        )
    bad = [name for name, error in known.items() if error > WORST]
    if bad and len(bad) < len(errors):
        lines.append(
            f"note: the error is above {WORST:.0%} in {_some(bad)}; do not use what was filled there"
        )
    better = [name for name, error in known.items() if _better(by_lines[name], error)]
    if _better(hidden["interpolation_error"], hidden["error"]):
        lines.append(
            "note: straight lines in time do better; try another --rank or --n1, or fill the gaps by "
            "straight lines"
        )
    elif better and len(errors) > 1:
        lines.append(f"note: straight lines in time do better in {_some(better)}; try another --rank or --n1")
    sizes = {name: size for name, size in report["channel_sizes"].items() if size} or {"": 1.0}
    large, small = max(sizes, key=sizes.__getitem__), min(sizes, key=sizes.__getitem__)
    if sizes[large] / UNLIKE > sizes[small] and not report["scaled_by_channel_sizes"]:
        lines.append(
            f"note: channels differ in size, '{large}' about {sizes[large]:.2g} and '{small}' about "
            f"{sizes[small]:.2g}: the small ones hardly count in the relative error; compare --scale-channels"
        )
    return lines


def percent(error: float | None) -> str:
    """Return an error in per cent; JSON has None where it is not finite."""
    return "not finite" if error is None else f"{100 * error:.2g} %"


def _better(by_lines: float | None, error: float | None) -> bool:
    return by_lines is not None and (error is None or (by_lines < 0.9 * error and error > SMALL))


def _some(names: list[str]) -> str:
    named = ", ".join(f"'{name}'" for name in names[:3])
    return named if len(names) <= 3 else f"{named} and {len(names) - 3} more channels"
