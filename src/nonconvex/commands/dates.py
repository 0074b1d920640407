"""Files dated in the future, by a clock that was ahead: they would stay newer than what is made from them."""

import os
import time
from collections.abc import Iterable
from pathlib import Path

from nonconvex.pipeline.product import Product

CLOCKS = 60
"""Seconds that the clock of a file server may differ from ours."""


def date_back(products: Iterable[Product]) -> int:
    """Give whole files with a date in the future one that is not; return how many there were.

    `products` come inputs first. A file gets no newer than what is made from it: nothing is made again.
    """
    now = time.time_ns()
    limits: dict[str, int] = {}  # the date of the oldest file made from a file
    count = 0
    for product in reversed(list(products)):
        dates = [
            _date_back(path, limits.get(path, now), now) for path in product.files if Path(path).is_file()
        ]
        count += sum(before for before, _ in dates)
        oldest = min((date for _, date in dates), default=now)
        limits.update({path: min(limits.get(path, now), oldest) for path in product.inputs})
    return count + sum(
        _date_back(path, limit, now)[0] for path, limit in limits.items() if Path(path).is_file()
    )


def _date_back(path: str, limit: int, now: int) -> tuple[bool, int]:
    """Return whether a file was dated in the future, and its date now."""
    date = Path(path).stat().st_mtime_ns
    if date <= now + CLOCKS * 10**9:
        return False, date
    os.utime(path, ns=(limit, limit))
    return True, limit
