"""The small pictures: where their bands, bars and numbers are, and what they say in words."""

import math
import re
import xml.etree.ElementTree as ET

import pytest
from page.rows import BELOW, FAR, GONE, NEAR, NESTED, RATIO, claim, ledger, part

from nonconvex.page.ledger import read_claims
from nonconvex.page.measured import deciding, measured
from nonconvex.page.picture import patterns, picture, window


def drawn(*parts):
    """Return the pictures of parts that share a window, as trees."""
    ones = [measured(one) for one in parts]
    view = window(ones)
    return [ET.fromstring(str(picture(one, view))) for one in ones]


def texts(tree, class_=None):
    return [one.text for one in tree.iter("text") if one.get("class") == class_]


def bar(tree):
    (path,) = [one.get("d") for one in tree.iter("path") if one.get("class") == "reach"]
    return [float(end) for end in re.fullmatch(r"M([\d.]+) 28.0H([\d.]+)", path).groups()]


def bands(tree):
    return [
        (one.get("fill")[5:-1], float(one.get("x")), float(one.get("x")) + float(one.get("width")))
        for one in tree.iter("rect")
    ]


def test_a_picture_has_bands_borders_a_bar_a_dot_and_its_words():
    (tree,) = drawn(part())
    assert tree.get("role") == "img"
    assert tree[0].text == (
        "difference of thresholds (steps): 0.41, 99.21 % interval -0.2 to 0.93. "
        "All of it lies where the statement holds; the statement holds -1 to 1, fails outside -2 to 2."
    )
    assert sorted(texts(tree)) == sorted(["holds", "fails", "fails", "-2", "-1", "1", "2"])
    assert texts(tree, "axis") == ["difference of thresholds (steps)"]
    (_, left, right), (_, below, border), (_, other, _) = bands(tree)
    assert below < border < left < right < other
    start, end = bar(tree)
    (dot,) = tree.iter("circle")
    assert left < start < float(dot.get("cx")) < end < right


def test_an_interval_that_crosses_a_border_crosses_it_in_the_picture():
    (tree,) = drawn(part(**NEAR))
    (_, left, right), *_ = bands(tree)
    start, end = bar(tree)
    assert left < start < right < end
    assert "It lies in no region as a whole" in tree[0].text


@pytest.mark.parametrize(
    ("low", "high", "words", "arrows"),
    [
        (-math.inf, 1.7, "99.21 % interval infinite below, up to 1.7", 1),
        (-3.0, math.inf, "99.21 % interval infinite above, from -3", 1),
        (-math.inf, math.inf, "99.21 % interval infinite on both sides", 2),
        (5000.0, 6000.0, "99.21 % interval 5000 to 6000", 1),
    ],
)
def test_what_leaves_the_window_is_an_arrow_and_said_in_words(low, high, words, arrows):
    (tree,) = drawn(part(estimate=0.5 if low < 0 else 5500.0, low=low, high=high))
    (ends,) = [one.get("d") for one in tree.iter("path") if one.get("class") == "ends"]
    assert ends.count("L") == 2 * arrows
    assert words in tree[0].text
    assert len(list(tree.iter("circle"))) == (low < 0)
    assert all(0 <= end <= 320 for end in bar(tree))


def test_a_missing_interval_or_region_is_not_drawn():
    for one in (
        part(low=math.nan),
        part(high=""),
        part(holds="", fails=""),
        part(holds="what?", fails=""),
        {},
    ):
        assert window([measured(one)]) is None
        assert picture(measured(one), None) is None
    assert measured(part(low=math.nan)).numbers == "0.41, no interval"
    assert measured({}).numbers == "no estimate, no interval"


def test_ratios_have_a_log_axis_and_borders_keep_their_fractions():
    (tree,) = drawn(part(**NESTED))
    assert texts(tree, "axis") == ["ratio of steps to the theorem's, log axis"]
    assert {"1/3", "0.9", "1.1", "3"} <= set(texts(tree))
    (_, left, right), (_, _, third), (_, three, _) = bands(tree)
    assert (left + right) / 2 - third == pytest.approx(three - (left + right) / 2, abs=2.0)
    (tree,) = drawn(part(**{**NESTED, "low": -0.5}))
    assert "log axis" not in texts(tree, "axis")[0]
    (tree,) = drawn(part(**RATIO))
    assert "10/9" in texts(tree)
    assert len(list(tree.iter("circle"))) == 1


def test_parts_below_each_other_share_an_axis():
    near, gone, below = drawn(part(), part(**GONE), part(**BELOW))
    assert bands(near) == bands(gone) == bands(below)
    (alone,) = drawn(part())
    assert bands(alone) != bands(near)


@pytest.mark.parametrize(
    ("holds", "fails", "low", "high"),
    [
        ("> 0", "<= 0", 0.001, 0.002),
        ("> 0", "<= 0", 0.0, 0.0),
        (">= 0.95", "< 0.95", 0.9, 1.0),
        ("0 to 0", "outside 0 to 0", 0.0, 0.0),
        ("< 1e-3", "> 0.1", 1e-5, 2e-4),
        ("-1 to 1", "outside -1 to 1", -1e9, 1e9),
    ],
)
def test_odd_regions_are_drawn_within_the_picture(holds, fails, low, high):
    for quantity in ("difference", "ratio"):
        one = part(holds=holds, fails=fails, low=low, high=high, estimate=(low + high) / 2, quantity=quantity)
        (tree,) = drawn(one)
        places = [end for _, *ends in bands(tree) for end in ends] + bar(tree)
        places += [float(text.get("x")) for text in tree.iter("text")]
        assert all(0 <= place <= 320 for place in places)
        assert {name for name, *_ in bands(tree)} == {"holds", "fails"}
        assert "nan" not in ET.tostring(tree, encoding="unicode")


def test_words_do_not_overlap():
    for one in (part(), part(**NESTED), part(**GONE), part(estimate=40, low=30, high=50), part(**RATIO)):
        (tree,) = drawn(one)
        boxes = [
            (
                text.get("y"),
                float(text.get("x")) - 3 * len(text.text),
                float(text.get("x")) + 3 * len(text.text),
            )
            for text in tree.iter("text")
        ]
        for index, (y, left, right) in enumerate(boxes):
            assert all(
                y != other or right <= start or end <= left for other, start, end in boxes[index + 1 :]
            )


def test_regions_differ_in_more_than_colour():
    holds, fails = ET.fromstring(str(patterns())).iter("pattern")
    assert [one.tag for one in holds] != [one.tag for one in fails]


def chosen(*parts, **changes):
    (one,) = read_claims(ledger(claim("C001", "2.2", list(parts), **changes)))
    return deciding(one)["part"]


def test_the_deciding_part_is_the_one_nearest_a_border_among_those_that_agree_with_the_claim():
    tight = {"estimate": 0.0, "low": -0.1, "high": 0.1}
    assert chosen(part("one", "reproduced", **tight), part("two", "reproduced", **FAR)) == "two"
    mixed = part("one", "reproduced", **FAR), part("two", "not reproduced", "against", **GONE)
    assert chosen(*mixed, verdict="not reproduced", tendency="against") == "two"
    assert chosen(*mixed, verdict="depends on an unstated choice") == "one"
    assert chosen(part("one", "open", **NEAR), part("two", "open", **BELOW)) == "two"
    nothing = {"estimate": math.nan, "low": math.nan, "high": math.nan}
    assert chosen(part("one", "open", **nothing), part("two", "open", **NEAR)) == "two"
    assert chosen(part("one", "not tested", **nothing)) == "one"
