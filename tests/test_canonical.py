import math

import pytest

from nonconvex.canonical import decimal_text, json_text, sha256


@pytest.mark.parametrize(
    ("value", "text"),
    [(1, "1"), (1.0, "1"), (0.1, "0.1"), (1e-6, "0.000001"), (100, "100"), (1e3, "1000"), (-0.5, "-0.5"),
     (True, "true"), ("squared", "squared"), (0.1 + 0.2, "0.30000000000000004")],
)  # fmt: skip
def test_equal_values_have_one_text(value, text):
    assert decimal_text(value) == text


def test_json_does_not_depend_on_the_order_of_keys():
    assert sha256({"a": 1, "b": [2, 3]}) == sha256({"b": [2, 3], "a": 1})


def test_nan_is_refused():
    with pytest.raises(ValueError):
        json_text(math.nan)
