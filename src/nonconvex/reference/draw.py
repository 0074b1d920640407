"""Tables of the reference run, laid out as results: to be drawn and judged, or to go on from."""

import json
from collections.abc import Iterable
from pathlib import Path

from nonconvex.canonical import json_text
from nonconvex.commands.disk import refuse_read_only
from nonconvex.commands.running import refuse_while_running
from nonconvex.errors import UserError
from nonconvex.files import file_sha256, replace_file, write_text
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.product import Product
from nonconvex.reference.stale import changes
from nonconvex.reference.store import KNOBS, Reference, read_reference
from nonconvex.steps.provenance import sidecar
from nonconvex.study.config import check_config, read_config


def lay_out() -> int:
    """Write the reference's tables into ``results/thesis-reference``, after checking every file; return 0.

    Raises
    ------
    UserError
        When the reference is missing, altered or of another version, or a figure could not be drawn from it.
    """
    refuse_while_running(Path.cwd())
    reference = read_reference()
    reference.check()
    pipeline = pipeline_of(reference)
    refuse_read_only(pipeline.folder)
    for name in pipeline.experiment_names():
        if name not in reference.experiments:
            raise UserError(f"the reference has no table of {name}, which its figures need; make it anew")
        write_table(reference, name, pipeline.table(name), reference.made(name)["inputs"])
    for line in told_changes(reference, pipeline):
        print(line)
    print(f"{pipeline.folder}: {len(pipeline.experiment_names())} tables of the reference run, whole")
    return 0


def pipeline_of(reference: Reference) -> Pipeline:
    """Return the pipeline that draws the reference."""
    reference.content(KNOBS)
    raw = read_config("config.yaml", [reference.folder / KNOBS])
    return Pipeline(check_config(raw, "workflow/schemas/config.schema.yaml"))


def told_changes(reference: Reference, pipeline: Pipeline) -> list[str]:
    """Return a line on each experiment of the reference whose code or protocol has changed since."""
    known = set(pipeline.experiment_names())
    told = []
    for name, kept in reference.experiments.items():
        found = changes(kept, pipeline.experiment(name) if name in known else None)
        if found:
            told.append(f"{name} is as it was: since the reference run, {', '.join(found)}")
    return told


def write_table(
    reference: Reference, name: str, product: Product, inputs: Iterable[str] | dict[str, str]
) -> None:
    """Write a table with its stamp and what the sidecars of its blocks said; leave alone what is there."""
    content, made = reference.table_bytes(name), reference.made(name)
    path, base = Path(product.outputs[0]), Path(product.outputs[0]).parents[1]
    if not path.is_file() or path.read_bytes() != content:
        replace_file(path, lambda temporary: temporary.write_bytes(content))
    stamp = {
        "plan": made["plan"],
        "digest": made["digest"],
        "inputs": {f"{base}/{short}": sha for short, sha in dict(inputs).items()},
        "outputs": {str(path): file_sha256(path)},
    }
    text = json_text(stamp) + "\n"
    stamped = Path(str(product.stamp))
    if not stamped.is_file() or stamped.read_text(encoding="utf-8") != text:
        write_text(stamped, text)
    for short, facts in made["made"].items():
        kind = "" if short.startswith("dataset/") else "outcomes/"
        block = f"{base}/outcomes/{name}/{short}.h5" if kind else f"{base}/datasets/{name}/{Path(short).name}.h5"
        said = {**made["machines"][facts["machine"]], **facts}
        beside = sidecar(block)
        if not beside.is_file():
            write_text(beside, json.dumps(said, indent=1, sort_keys=True) + "\n")
