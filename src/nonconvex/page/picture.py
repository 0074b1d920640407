"""Small pictures: a part's interval against the regions where its statement holds and where it fails."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from nonconvex.page.html import Html, element
from nonconvex.page.measured import Measured
from nonconvex.page.text import shortened

_WIDTH, _EDGE = 320, 8
_TOP, _BOTTOM = 15, 41
_MIDDLE = (_TOP + _BOTTOM) / 2
_LETTER = 6.0
# How far a window goes beyond the borders: at least, and at most, in units of their distances.
_PADDING, _REACH, _CROWDED = 0.4, 4.0, 18.0
_SIDE = 0.14


@dataclass(frozen=True)
class Window:
    """The stretch of an axis that pictures show; on a log axis its ends are logarithms."""

    left: float
    right: float
    log: bool

    def at(self, value: float) -> float:
        """Return where on the picture a value is; outside of the window it is infinitely far."""
        if self.log:
            value = math.log(value) if value > 0 else -math.inf
        share = (value - self.left) / (self.right - self.left)
        if not -1e-9 <= share <= 1 + 1e-9:
            return math.copysign(math.inf, share)
        return _EDGE + share * (_WIDTH - 2 * _EDGE)


def window(parts: Sequence[Measured]) -> Window | None:
    """Choose the window for parts that are drawn below each other, so that they can be compared.

    All borders are in it, with room beside them; intervals are as far as they do not make the borders
    crowd together.

    Parameters
    ----------
    parts : list of Measured

    Returns
    -------
    Window or None
        None where no part can be drawn.
    """
    drawn = [one for one in parts if one.drawable]
    if not drawn:
        return None
    log = all(one.ratio for one in drawn)
    borders = [math.log(b) if log else b for one in drawn for b in one.borders]
    values = [math.log(v) if log else v for one in drawn for v in one.values]
    low, high = min(borders), max(borders)
    far = [abs(value - low) for value in values if value != low]
    size = high - low or (median(far) if far else abs(low) or 1.0)
    gaps = [two - one for one, two in pairwise(sorted(set(borders)))]
    room, reach = _PADDING * size, _CROWDED * min(gaps) if gaps else _REACH * size
    left = min(low - room, max(min(values) - room / 3, low - reach))
    right = max(high + room, min(max(values) + room / 3, high + reach))
    # Both outer regions stay wide enough to be seen.
    side = _SIDE * (right - left)
    left, right = min(left, low - side), max(right, high + side)
    if not log and low > 0 and min(values) >= 0:
        left = max(left, 0.0)
    return Window(left, right, log)


def picture(one: Measured, view: Window | None, *, named: bool = True) -> Html | None:
    """Draw one part; None where there is nothing to draw.

    Parameters
    ----------
    one : Measured
    view : Window or None
        From `window`.
    named : bool
        Whether the axis is named; what stands below a heading that names it need not be.

    Returns
    -------
    Html or None
    """
    if view is None or not one.drawable:
        return None
    words = [shortened(one.quantity, 52 - 11 * view.log)] if named else []
    axis = ", ".join([*words, *(["log axis"] if view.log else [])])
    places = _rows([(view.at(border), one.name_of(border)) for border in one.borders])
    numbers_end = _BOTTOM + 18 + 10 * max(row for *_, row in places)
    height = numbers_end + (13 if axis else 0)
    return element(
        "svg",
        element("title", one.said),
        _regions(one, view),
        _borders(one, view, places),
        _interval(one, view),
        _text(_WIDTH / 2, height - 3, axis, "axis") if axis else None,
        role="img",
        class_="interval",
        viewBox=f"0 0 {_WIDTH} {height}",
        width=_WIDTH,
        height=height,
    )


def _regions(one: Measured, view: Window) -> list[Html]:
    """Draw the bands: dots where the statement holds, hatching where it fails; each is named above."""
    bands: list[Html] = []
    named: list[tuple[float, str]] = []
    for name, region in (("holds", one.holds), ("fails", one.fails)):
        for span in region.spans if region else ():
            left = max(_EDGE, _inside(view.at(span.low)))
            right = min(_WIDTH - _EDGE, _inside(view.at(span.high)))
            if right < left:
                continue
            right = max(right, left + 2)
            size = {"width": right - left, "height": _BOTTOM - _TOP}
            bands.append(_line("rect", x=left, y=_TOP, fill=f"url(#{name})", **size))
            named.append(((left + right) / 2, name))
    return [*bands, *(_text(x, _TOP - 4, name) for x, name, row in _rows(named) if row == 0)]


def patterns() -> Html:
    """Make the dots and the hatching that all pictures of a page share; they stand on it once."""
    dots = _line("circle", cx=3.0, cy=3.0, r=1.1, class_="dots")
    diagonal = _line("path", d="M-1 1L1 -1M-1 7L7 -1M5 7L7 5", class_="hatching")
    size = {"width": 6, "height": 6, "patternUnits": "userSpaceOnUse"}
    return element(
        "svg",
        element("pattern", _line("rect", width=6, height=6), dots, id="holds", class_="holds", **size),
        element("pattern", _line("rect", width=6, height=6), diagonal, id="fails", class_="fails", **size),
        class_="patterns",
        width=0,
        height=0,
        aria_hidden="true",
    )


def _borders(one: Measured, view: Window, numbers: Sequence[tuple[float, str, int]]) -> list[Html]:
    ticks = "".join(f"M{view.at(border):.1f} {_TOP}V{_BOTTOM + 4}" for border in one.borders)
    said = [_text(x, _BOTTOM + 14 + 10 * row, name) for x, name, row in numbers]
    return [_line("path", d=ticks, class_="border"), *said]


def _interval(one: Measured, view: Window) -> list[Html]:
    """Draw the interval as a bar with the estimate as a dot; an end beyond the window is an arrow."""
    low = -math.inf if one.low is None else one.low
    high = math.inf if one.high is None else one.high
    start, end = view.at(low), view.at(high)
    bar = f"M{_inside(start):.1f} {_MIDDLE}H{_inside(end):.1f}"
    ends = "".join(_end(place) for place in dict.fromkeys((start, end)))
    drawn = [
        _line("path", d=bar + ends, class_="halo"),
        _line("path", d=bar, class_="reach"),
        _line("path", d=ends, class_="ends"),
    ]
    if one.estimate is not None and math.isfinite(view.at(one.estimate)):
        drawn.append(_line("circle", cx=view.at(one.estimate), cy=_MIDDLE, r=4.5, class_="dot"))
    return drawn


def _end(place: float) -> str:
    """Cap an end of the bar, or let it point to where the interval goes on."""
    if math.isfinite(place):
        return f"M{place:.1f} {_MIDDLE - 5}v10"
    edge = _WIDTH if place > 0 else 0
    back = edge - math.copysign(7, place)
    return f"M{back} {_MIDDLE - 6}L{edge + math.copysign(-1, place):.0f} {_MIDDLE}L{back} {_MIDDLE + 6}"


def _inside(place: float) -> float:
    return min(max(place, _EDGE), _WIDTH - _EDGE)


def _rows(texts: Sequence[tuple[float, str]]) -> list[tuple[float, str, int]]:
    """Put texts that would overlap into a second row, and leave out those that fit in neither."""
    ends = [-math.inf, -math.inf]
    placed = []
    for place, text in sorted(texts):
        half = _LETTER * len(text) / 2
        place = min(max(place, half), _WIDTH - half)
        row = next((row for row, end in enumerate(ends) if place - half >= end), None)
        if row is not None:
            ends[row] = place + half + 4
            placed.append((place, text, row))
    return placed


def _text(x: float, y: float, words: str, class_: str | None = None) -> Html:
    return element("text", words, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor="middle", class_=class_)


def _line(name: str, **attributes: object) -> Html:
    given = {key: f"{v:.1f}" if isinstance(v, float) else v for key, v in attributes.items()}
    return element(name, **given)
