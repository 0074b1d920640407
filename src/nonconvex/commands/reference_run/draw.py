"""Tables of the reference run, laid out as results: to be drawn and judged, or to go on from."""

import json
from collections.abc import Mapping
from pathlib import Path

from nonconvex.canonical import json_text
from nonconvex.errors import UserError
from nonconvex.files import file_sha256, replace_file
from nonconvex.pipeline.changes import changes
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.product import Product
from nonconvex.reference.store import KNOBS, Reference
from nonconvex.steps.provenance import sidecar
from nonconvex.study.config import check_config, read_config


def lay_out(reference: Reference, pipeline: Pipeline) -> None:
    """Write the reference's tables into the pipeline's folder, and say what has changed since.

    Raises
    ------
    UserError
        When a table is missing or altered, or a figure's table is not there.
    """
    for name in pipeline.experiment_names():
        if name not in reference.experiments:
            raise UserError(f"the reference has no table of {name}, which its figures need; make it anew")
        write_table(reference, name, pipeline.table(name), reference.made(name)["inputs"])
    for line in told_changes(reference, pipeline):
        print(line)
    print(f"{pipeline.folder}: {len(pipeline.experiment_names())} tables of the reference run, whole")


def pipeline_of(reference: Reference) -> Pipeline:
    """Return the pipeline that draws the reference."""
    reference.content(KNOBS)
    raw = read_config("config.yaml", [reference.folder / KNOBS])
    return Pipeline(check_config(raw, "workflow/schemas/config.schema.yaml"))


def told_changes(reference: Reference, pipeline: Pipeline) -> list[str]:
    """Return a line on each experiment of the reference whose code or protocol has changed since."""
    told = []
    for name, kept in reference.experiments.items():
        found = changes(kept, pipeline.experiment(name) if pipeline.has(name) else None)
        if found:
            told.append(f"{name} is as it was: since the reference run, {', '.join(found)}")
    return told


def write_table(reference: Reference, name: str, product: Product, inputs: Mapping[str, str]) -> None:
    """Write a table with its stamp, and what the sidecars of its blocks said; leave alone what is there.

    `inputs` has the sha256 of the blocks that it was made from, named from the results folder on.
    """
    content, made = reference.table_bytes(name), reference.made(name)
    path = Path(product.outputs[0])
    folder = path.parents[1]
    _write(path, content)
    stamp = {
        "plan": made["plan"],
        "digest": made["digest"],
        "inputs": {f"{folder}/{block}": sha256 for block, sha256 in inputs.items()},
        "outputs": {str(path): file_sha256(path)},
    }
    _write(Path(str(product.stamp)), (json_text(stamp) + "\n").encode())
    for block, facts in made["made"].items():
        said = {**made["machines"][facts["machine number"]], **facts}
        del said["machine number"]
        _write(sidecar(folder / block), (json.dumps(said, indent=1, sort_keys=True) + "\n").encode())


def _write(path: Path, content: bytes) -> None:
    """Write a file unless it is there already: what was made from it then stays newer."""
    if not path.is_file() or path.read_bytes() != content:
        replace_file(path, lambda temporary: temporary.write_bytes(content))
