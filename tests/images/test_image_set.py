"""Sets of images are checked when they are made; what is held out for tests follows a rule."""

import numpy as np
import pytest
from images.made import numbers, pixels

from nonconvex.images import ImageSet, LabelledImages, held_out

IMAGES, LABELS = pixels(6, 4, 5, 1), numbers(6).astype(np.int64)
TEST = pixels(3, 4, 5, 1, seed=2), numbers(3).astype(np.int64)


def test_a_whole_set():
    whole = ImageSet(IMAGES, LABELS, *TEST, mined=pixels(7, 4, 5, 1))
    assert whole.n_classes == 3
    assert len(LabelledImages(IMAGES, LABELS)) == 6
    assert ImageSet(IMAGES, LABELS).test_images is None


@pytest.mark.parametrize("of", [LabelledImages, ImageSet])
@pytest.mark.parametrize(
    ("images", "labels", "message"),
    [
        (IMAGES.astype(float), LABELS, "images must be an array of uint8, .* got dtype float64"),
        (IMAGES.tolist(), LABELS, "images must be an array of uint8, .* got list"),
        (np.ma.masked_array(IMAGES), LABELS, "images is a numpy masked array"),
        (IMAGES[..., 0], LABELS, r"images must have the shape \(n, height, width, channels\).* got \(6, 4, 5\)"),
        (IMAGES[:0], LABELS[:0], "at least one image"),
        (IMAGES[:, :0], LABELS, "at least one image"),
        (IMAGES, LABELS[:5], r"labels must be one for each of the 6 images, got the shape \(5,\)"),
        (IMAGES, LABELS[:, None], r"got the shape \(6, 1\)"),
        (IMAGES, LABELS.astype(np.uint8), "labels must be an array of int64, got dtype uint8"),
        (IMAGES, list(LABELS), "labels must be an array of int64, got list"),
        (IMAGES, LABELS - 1, "labels must be whole numbers from 0, got -1 at index 0"),
    ],
)  # fmt: skip
def test_bad_images_and_labels(of, images, labels, message):
    with pytest.raises(ValueError, match=message):
        of(images, labels)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"labels": LABELS + 1}, "no image has the label 0, while some have 1"),
        ({"labels": LABELS * 2}, "no image has the label 1, while some have 2"),
        ({"test_images": TEST[0]}, "test_images and test_labels go together"),
        ({"test_labels": TEST[1]}, "test_images and test_labels go together"),
        ({"test_images": pixels(3, 5, 4, 1), "test_labels": TEST[1]}, "test_images are 5 x 4 x 1, and images are 4 x 5 x 1"),
        ({"test_images": TEST[0], "test_labels": TEST[1] + 1}, "test_labels has the class 3, and labels do not"),
        ({"test_images": TEST[0], "test_labels": TEST[1][:2]}, "test_labels must be one for each of the 3 test_images"),
        ({"mined": pixels(3, 4, 5, 3)}, "mined are 4 x 5 x 3, and images are 4 x 5 x 1"),
        ({"mined": pixels(3, 4, 5)}, "mined must have the shape"),
    ],
)  # fmt: skip
def test_bad_sets(given, message):
    with pytest.raises(ValueError, match=message):
        ImageSet(**{"images": IMAGES, "labels": LABELS} | given)


def test_subsets_may_leave_classes_out():
    assert len(LabelledImages(IMAGES, LABELS * 2)) == 6


def test_every_fifth_of_each_class_is_held_out_in_the_order_of_the_file():
    labels = np.array([0] * 11 + [1] * 4 + [2] * 5, dtype=np.int64)
    assert np.flatnonzero(held_out(labels)).tolist() == [4, 9, 19]
    order = np.random.default_rng(3).permutation(len(labels))
    for label, count in zip(*np.unique(labels, return_counts=True), strict=True):
        places = np.flatnonzero(labels[order] == label)
        assert np.flatnonzero(held_out(labels[order])[places]).tolist() == list(range(4, count, 5))
