"""What the page must know of the reference run: which one it is, and what has changed since it was made."""

from contextlib import suppress
from typing import Any

from nonconvex.canonical import sha256
from nonconvex.files import file_sha256
from nonconvex.pipeline.changes import changes
from nonconvex.reference.store import FOLDER, LIST, read_reference
from nonconvex.study.config import REFERENCE
from nonconvex.study.experiments import LeftOut
from nonconvex.study.study import Study
from nonconvex.validation import read_yaml


def reference_state(study: Study) -> dict[str, Any] | None:
    """Return the part of the page's plan that is about the reference run; None where there is none.

    ``list`` is the sha256 of its list of files. ``state`` has what changed about the ``stale`` experiments of
    the study's chapters, the chapters whose claims file ``changed``, and whether the study is its ``own``.
    """
    listed = study.root / FOLDER / LIST
    if not listed.is_file():
        return None
    reference = read_reference(listed.parent)
    stale: dict[str, list[str]] = {}
    for name, kept in reference.experiments.items():
        if kept["chapter"] in study.chapters:
            with suppress(LeftOut):
                found = changes(kept, study.experiment(name) if study.has(name) else None)
                stale |= {name: found} if found else {}
    files = {chapter: f"workflow/claims/chapter{chapter}.yaml" for chapter in study.chapters}
    known = reference.listed["claims"]
    changed = [
        c for c, path in files.items() if c in known and sha256(read_yaml(study.root / path)) != known[c]
    ]
    own = study.config.scale == "thesis" and study.config.name == REFERENCE
    return {"list": file_sha256(listed), "state": {"stale": stale, "changed": changed, "own": own}}
