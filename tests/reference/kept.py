"""A reference run of a tiny protocol, made in this process by the steps and by `keep`."""

import hashlib
import json
from pathlib import Path

from small_protocol import SmallProject

from nonconvex.commands.reference_run.keep import keep
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.stamps import write_stamp
from nonconvex.reference import store
from nonconvex.steps.datasets import draw_block
from nonconvex.steps.outcomes import run_block
from nonconvex.steps.tables import write_table
from nonconvex.study.config import Config

CURVES = """
  curves:
    title: Curves
    family: convolutional_curves
    parameters:
      n_neurons: {thesis: [2, 3], source: chosen}
      n_patches: {thesis: 3, source: chosen}
      patch_size: {thesis: 4, source: chosen}
      n_samples: {thesis: 40, source: chosen}
      sign: {thesis: ones, source: chosen}
      noise: {thesis: 0.0, source: chosen}
    trials: {thesis: 2, source: chosen}
    block: {thesis: 2}
    algorithms:
      agd: {method: descend, label: AGD, options: {max_iterations: 60, target: 0.2}}
figures:
  "2.4":
    kind: progress_curves
    title: Curves
    caption: Curves.
    experiments: [curves]
    options: {by: n_neurons, panels: [{experiment: curves, title: ""}]}
"""


def reference(project, *words, check=True):
    """Call the reference command in a project; return what it prints."""
    call = ("reference", *words, "--config", "scale=thesis")
    return project.nonconvex(*call, check=check, configfile=None).stdout


def small_reference(folder, edit=None):
    """Copy the project with the tiny protocol to `folder`, run it there and keep the reference.

    The working folder must be `folder`. `edit` changes the chapter's file first.
    """
    project = SmallProject(folder)
    path = folder / "workflow/experiments/chapter2.yaml"
    path.write_text(path.read_text().replace("figures:\n", CURVES, 1))
    if edit:
        project.edit("workflow/experiments/chapter2.yaml", *edit)
    pipeline = Pipeline(Config("thesis"))
    for product in pipeline.products():
        if product.kind == "dataset":
            draw_block(product.plan, product.digest, *product.outputs)
        elif product.kind == "outcomes":
            run_block(product.plan, product.digest, *product.inputs, *product.outputs)
        elif product.kind == "table":
            write_table(product.plan, product.inputs, *product.outputs)
            write_stamp(product.stamp, product.plan, product.digest, product.inputs, product.outputs)
    keep(pipeline)
    return pipeline


def rewrite(name, change):
    """Change the content of a file of the reference (a function of its text), and its sha256 in the list."""
    path = Path(store.FOLDER, name)
    packed = name.endswith(".xz")
    content = store.unpacked(path.read_bytes(), path) if packed else path.read_bytes()
    new = change(content.decode()).encode()
    assert new != content
    path.write_bytes(store.packed(new) if packed else new)
    relist(lambda listed: listed["files"].update({name: hashlib.sha256(path.read_bytes()).hexdigest()}))


def relist(change):
    """Change the list of the reference."""
    path = Path(store.FOLDER, store.LIST)
    listed = json.loads(path.read_text())
    change(listed)
    path.write_text(json.dumps(listed))
