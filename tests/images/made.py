"""Small files of images for the tests, whole or with one thing wrong."""

import gzip
import io
import struct
import tarfile
import tracemalloc
from contextlib import contextmanager

import numpy as np
import pytest

from nonconvex.errors import UserError

NAMES = (
    "train-images-idx3-ubyte",
    "train-labels-idx1-ubyte",
    "t10k-images-idx3-ubyte",
    "t10k-labels-idx1-ubyte",
)
CLASSES = 3


def pixels(count, *size, seed=1):
    return np.random.default_rng(seed).integers(0, 256, (count, *size), dtype=np.uint8)


def numbers(count):
    return (np.arange(count) % CLASSES).astype(np.uint8)


def idx(array, shape=None, kind=8):
    """The bytes of an IDX file; `shape` is what its header says, where that is not the truth."""
    lengths = array.shape if shape is None else shape
    return bytes([0, 0, kind, len(lengths)]) + struct.pack(f">{len(lengths)}I", *lengths) + array.tobytes()


def idx_arrays(train=12, test=6):
    return (pixels(train, 4, 5), numbers(train), pixels(test, 4, 5, seed=2), numbers(test))


def write_idx(folder, arrays=None, names=NAMES, pack=bytes):
    folder.mkdir(exist_ok=True)
    for name, array in zip(names, arrays or idx_arrays(), strict=True):
        (folder / name).write_bytes(pack(idx(array)))
    return folder


def records(count, seed=1, label=None):
    """The bytes of one of CIFAR-10's files, with `count` records."""
    found = pixels(count, 3073, seed=seed)
    found[:, 0] = np.arange(count) % 10 if label is None else label
    return found.tobytes()


def members(count=10):
    """The members of a small binary archive of CIFAR-10, in the order of the published one."""
    folder = "cifar-10-batches-bin"
    files = {f"{folder}/data_batch_{k}.bin": records(count, seed=k) for k in (1, 4, 3, 2, 5)}
    words = {f"{folder}/batches.meta.txt": b"airplane\n", f"{folder}/readme.html": b"<p>"}
    return {folder: None, **words, **files, f"{folder}/test_batch.bin": records(count, seed=6)}


def tar(content, change=lambda infos: infos):
    """A gzipped tar archive; `change` may alter the list of (TarInfo, bytes or None)."""
    infos = []
    for name, data in content.items():
        info = tarfile.TarInfo(name)
        info.type = tarfile.DIRTYPE if data is None else tarfile.REGTYPE
        info.size = len(data or b"")
        infos.append((info, data))
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for info, data in change(infos):
            archive.addfile(info, None if data is None else io.BytesIO(data))
    return gzip.compress(buffer.getvalue(), 1)


@contextmanager
def refused(*words, memory=None):
    """Expect one sentence that has all of `words`, before more than `memory` bytes are taken."""
    tracemalloc.start()
    try:
        with pytest.raises(UserError) as caught:
            yield caught
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    said = str(caught.value)
    assert "\n" not in said
    for word in words:
        assert word in said, said
    if memory is not None:
        assert peak < memory


def damaged(whole, cuts, places, seed):
    """Yield the bytes of a file cut at each of `cuts`, and with a bit flipped in each of `places`."""
    rng = np.random.default_rng(seed)
    yield from (whole[:cut] for cut in cuts)
    for place in places:
        data = bytearray(whole)
        data[place] ^= 1 << rng.integers(8)
        yield bytes(data)


def readable(path, contents, read):
    """Yield what `read` makes of each of the contents; where it refuses one, in one line."""
    for data in contents:
        path.write_bytes(data)
        try:
            yield read(path)
        except UserError as error:
            assert "\n" not in str(error)
