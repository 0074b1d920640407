"""Where a block's trials keep how far they are, so that a killed job goes on instead of beginning again."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from nonconvex.canonical import sha256

UNFINISHED = ".unfinished"


@contextmanager
def unfinished(path: str | Path, plan: Mapping, digest: str, dataset: Mapping) -> Iterator[Path]:
    """Hand over a folder beside the block `path`, which goes when the block is whole, and else stays.

    What another plan, other code or another dataset left there goes at once.
    """
    whole = Path(path).with_suffix(UNFINISHED)
    own = whole / sha256({"plan": plan, "digest": digest, "dataset": dataset})[:16]
    for other in whole.glob("*"):
        if other != own:
            shutil.rmtree(other, ignore_errors=True)
    own.mkdir(parents=True, exist_ok=True)
    yield own
    shutil.rmtree(whole, ignore_errors=True)
