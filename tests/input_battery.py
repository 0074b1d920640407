"""One battery of odd inputs for every function that takes arrays: the same answer, or a ValueError.

A case calls a function with good arrays; the battery changes one of them at a time.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass

import numpy as np
import pytest
import scipy.sparse


def _with(value):
    def change(array):
        changed = np.array(array, dtype=np.result_type(array, type(value)))
        changed.flat[-1] = value
        return changed

    return change


def _read_only(array):
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def _strided(array):
    wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
    wide[..., ::2] = array
    return wide[..., ::2]


def _mask_inside(array):
    return [np.ma.masked_array(part) for part in array]


REFUSED = {
    "masked": lambda a: np.ma.masked_array(a, mask=np.arange(a.size).reshape(a.shape) == a.size - 1),
    "nothing masked": np.ma.masked_array,
    "masked inside a list": _mask_inside,
    "nan": _with(np.nan),
    "inf": _with(np.inf),
    "object": lambda a: a.astype(object),
    "str": lambda a: a.astype(str),
    "complex": lambda a: a + 1j,
    "0-d": lambda a: a.flat[0],
    "empty": lambda a: a[..., :0],
    "one axis more": lambda a: a[None],
    "one axis less": lambda a: a[0],
    "ragged": lambda a: [*a[:-1].tolist(), [*np.atleast_1d(a[-1]).tolist(), [1.0]]],
}
THE_SAME = {
    "read-only": _read_only,
    "strided": _strided,
    "Fortran": np.asfortranarray,
    "big-endian": lambda a: a.astype(a.dtype.newbyteorder(">")),
    "list": lambda a: a.tolist(),
}
SIZES = {"tiny": 1e-180, "huge": 1e180}


@dataclass(frozen=True)
class Case:
    """A function called with good arrays.

    `allowed` are changes that are no mistake, of any array or, as "array change", of one; `plain` the arrays
    that hold no real numbers (masks, indices); `degree` how often an array's factor is in the answer; and
    `overflows` the arrays for which the docstring allows infinity or NaN when they are huge.
    """

    name: str
    call: Callable
    arrays: dict
    allowed: tuple = ()
    plain: tuple = ()
    degree: dict = field(default_factory=dict)
    overflows: tuple = ()


def take_arrays(package):
    """Return the names of a package's functions that take arrays of numbers."""
    functions = [one for one in vars(package).values() if inspect.isfunction(one)]
    return {
        function.__name__
        for function in functions
        if any(
            "_array_like" in str(kind) for name, kind in function.__annotations__.items() if name != "return"
        )
    }


def refused(cases):
    """Give (case, array, change) for each change that must be refused."""
    for case in cases:
        for array in case.arrays:
            for change in REFUSED:
                numeric = change in ("nan", "inf", "complex", "masked inside a list")
                allowed = {change, f"{array} {change}"} & {*case.allowed}
                if not allowed and not (array in case.plain and numeric):
                    yield pytest.param(case, array, REFUSED[change], id=f"{case.name}-{array}-{change}")


def the_same(cases):
    """Give (case, array, change) for each change that changes nothing."""
    for case in cases:
        for array, good in case.arrays.items():
            for change in THE_SAME:
                if not (change == "big-endian" and good.dtype == bool):
                    yield pytest.param(case, array, THE_SAME[change], id=f"{case.name}-{array}-{change}")


def sizes(cases):
    """Give (case, arrays, factor): each array alone, and all at once."""
    for case in cases:
        real = [array for array in case.arrays if array not in case.plain]
        for arrays in dict.fromkeys([*((array,) for array in real), tuple(real)]):
            for size, factor in SIZES.items():
                if size == "huge" and {*arrays} & {*case.overflows}:
                    continue
                yield pytest.param(case, arrays, factor, id=f"{case.name}-{'+'.join(arrays)}-{size}")


def check_refused(case, array, change):
    """Fail unless the changed array gives a ValueError."""
    with pytest.raises(ValueError):
        case.call(**case.arrays | {array: change(case.arrays[array])})


def check_the_same(case, array, change):
    """Fail unless the changed array gives the same answer, and nothing was written into it."""
    good = case.call(**case.arrays)
    changed = change(case.arrays[array])
    kept = np.array(changed)
    for one, other in zip(flat(case.call(**case.arrays | {array: changed})), flat(good), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(kept, changed)


def check_size(case, arrays, factor):
    """Fail unless the scaled arrays give a right answer, as far as it is known, or a ValueError."""
    scaled = {array: factor * case.arrays[array] for array in arrays}
    try:
        answer = flat(case.call(**case.arrays | scaled))
    except ValueError:
        return
    assert all(np.isfinite(one).all() for one in answer)
    if set(arrays) <= set(case.degree):
        power = factor ** sum(case.degree[array] for array in arrays)
        for one, good in zip(answer, flat(case.call(**case.arrays)), strict=True):
            np.testing.assert_allclose(one / power, good, rtol=1e-4, atol=1e-6)


def flat(answer):
    """Return the arrays of numbers in an answer."""
    if scipy.sparse.issparse(answer):
        return [answer.toarray()]
    if is_dataclass(answer):
        return flat([getattr(answer, one.name) for one in fields(answer)])
    if isinstance(answer, (tuple, list)):
        return [array for one in answer for array in flat(one)]
    array = np.asarray(answer)
    return [array] if array.dtype.kind in "biufc" else []
