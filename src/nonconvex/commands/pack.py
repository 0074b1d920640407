"""Packing: one archive with everything of a results folder but its blocks, and unpacking it elsewhere.

An archive holds tables, figures, ledgers and the page with their stamps and provenance, the knobs that made
them (``config.yaml``), what others read (``codecheck.yml``, ``ro-crate-metadata.json``) and a list of all
files with their sha256 (``packed.json``). The blocks, which are
large, stay behind: each table's stamp names their plans and code, so a table can be checked without them.
"""

import gzip
import hashlib
import io
import json
import os
import shutil
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path

from nonconvex.canonical import json_text
from nonconvex.commands.deposit import codecheck, crate
from nonconvex.errors import UserError
from nonconvex.files import replace_file
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.trials import LOOKS, fewer_trials, knobs
from nonconvex.steps.provenance import commit, sidecar

LIST = "packed.json"
KNOBS = "config.yaml"
FORMAT = "nonconvex results 1"


def pack(pipeline: Pipeline, path: str | Path | None = None) -> int:
    """Write the archive of the pipeline's results folder and return 0; the same results give the same bytes.

    Raises
    ------
    UserError
        When a table, figure, ledger or the page is missing, stale or damaged, with its name.
    """
    path = Path(path or f"results-{pipeline.config.folder}.tar.gz")
    contents = {name: Path(pipeline.folder, name).read_bytes() for name in _names(pipeline)}
    contents[KNOBS] = knobs(pipeline, pipeline.chapters).encode()
    contents[codecheck.FILE] = codecheck.codecheck_text(pipeline, pipeline.figures()).encode()
    files = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    contents[crate.FILE] = crate.crate_text(
        pipeline.root,
        f"results of scale {pipeline.config.folder}",
        f"Tables, figures, ledgers and the evidence page, made at commit {commit()}.",
        {**files, LIST: None},
    ).encode()
    files[crate.FILE] = hashlib.sha256(contents[crate.FILE]).hexdigest()
    listed = {
        "format": FORMAT,
        "folder": pipeline.config.folder,
        "commit": commit(),
        "files": files,
    }
    contents[LIST] = (json_text(listed) + "\n").encode()
    replace_file(path, lambda temporary: _write(temporary, pipeline.config.folder, contents))
    size = path.stat().st_size / 1e6
    print(f"{path}: {len(contents)} files of {pipeline.folder}, {size:.1f} MB; its blocks are not in it")
    return 0


def _names(pipeline: Pipeline) -> list[str]:
    """Return the files to pack, relative to the results folder, after asking each product what it is."""
    names: set[str] = set()
    for experiment, fewer in fewer_trials(pipeline).items():
        raise UserError(
            f"the table of {experiment} cannot be packed: {fewer}; run 'make' first, or give "
            f"CONFIGFILE={pipeline.folder}/{LOOKS} to this and to 'make' for the trials that are there"
        )
    for product in pipeline.products():
        beside = sidecar(product.outputs[0])
        if product.stamp:
            if problem := product.problem():
                raise UserError(f"the {product.name} cannot be packed: {problem}; run 'make' first")
            names.update(product.files)
        if beside.is_file():
            names.add(str(beside))
    return sorted(str(Path(name).relative_to(pipeline.folder)) for name in names)


def _write(path: Path, folder: str, contents: dict[str, bytes]) -> None:
    with (
        open(path, "wb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name in sorted(contents):
            member = tarfile.TarInfo(f"{folder}/{name}")
            member.size, member.mode = len(contents[name]), 0o644
            archive.addfile(member, io.BytesIO(contents[name]))


def unpack(path: str | Path, results: str | Path = "results") -> int:
    """Unpack an archive into ``results/{folder}``, which must not exist yet; return 0.

    Raises
    ------
    UserError
        When the folder exists, or the archive is truncated, damaged or not one of this project's.
    """
    if not Path(path).is_file():
        raise UserError(f"{path or 'the archive'} does not exist; name it: make unpack FILE=results.tar.gz")
    contents = dict(_read(path))
    listed = _check(path, contents)
    target = Path(results, listed["folder"])
    if target.exists():
        raise UserError(f"{target} exists already; move it away first, then unpack {path} again")
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    now = time.time()
    try:
        for name, content in contents.items():
            file = temporary / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            os.utime(file, (now, now))  # all of one age: nothing looks older than what it was made from
        os.replace(temporary, target)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    print(f"{target}: {len(contents)} files, whole as packed at commit {listed['commit']}, without blocks")
    print(f"'make redraw CONFIGFILE={target / KNOBS}' draws figures, ledger and page again from its tables")
    return 0


def _read(path: str | Path) -> Iterator[tuple[str, bytes]]:
    """Yield name, without the folder, and content of each file in the archive."""
    try:
        with tarfile.open(path, "r:gz") as archive:
            for member in archive:
                content = archive.extractfile(member) if member.isreg() else None
                if content is None:
                    raise UserError(f"{path} holds '{member.name}', which is no plain file: not unpacked")
                yield member.name.partition("/")[2], content.read()
    except (OSError, EOFError, tarfile.TarError, ValueError) as error:
        raise UserError(f"{path} is truncated, damaged or no .tar.gz archive ({error})") from error


def _check(path: str | Path, contents: dict[str, bytes]) -> dict:
    """Return the list of the archive's files, after comparing it with what is there."""
    try:
        listed = json.loads(contents[LIST])
        folder, files = listed["folder"], listed["files"]
        known = listed["format"] == FORMAT and Path(folder).name == folder and folder not in ("", "..")
    except (KeyError, ValueError, TypeError):
        known = False
    if not known:
        raise UserError(f"{path} is no archive of this project's results: it has no proper {LIST}")
    if sorted(files) != sorted(contents.keys() - {LIST}):
        raise UserError(f"{path} does not hold the files that its {LIST} names: not unpacked")
    for name, expected in files.items():
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise UserError(f"{path} holds '{name}', which leads out of its folder: not unpacked")
        if hashlib.sha256(contents[name]).hexdigest() != expected:
            raise UserError(f"{path} is damaged: {name} is not as it was packed")
    return listed
