"""Small instances and experiments of a family, made by the steps themselves, without a study's files."""

from nonconvex.pipeline.plans import dataset_plan, outcomes_plan, table_plan
from nonconvex.pipeline.product import Product
from nonconvex.problems.contract import family
from nonconvex.steps.datasets import draw_block
from nonconvex.steps.outcomes import run_block
from nonconvex.steps.seeds import generator, stream_paths
from nonconvex.steps.tables import write_table

CELLS = {
    "convolutional": {
        "n_neurons": 2, "n_patches": 3, "patch_size": 4, "n_samples": 40, "sign": "ones", "noise": 0.0,
    },
    "graph": {
        "n_neurons": 2, "n_features": 4, "n_labelled": 40, "nodes_ratio": 1, "graph": "cycle", "degree": 4,
    },
    "selftraining": {
        "n_neurons": 3, "n_features": 4, "n_labelled": 80, "n_unlabelled": 60, "deviation": 1, "distance": 0.5,
    },
    "generalisation": {
        "n_neurons": 8, "n_features": 4, "n_layers": 1, "distance": 0.1, "largest": 1.0, "n_inputs": 2000,
    },
    "robust": {
        "n_channels": 4, "n_samples": 40, "n1": 20, "rank": 2, "amplitude_exponent": 0.5, "loss": 0.3,
        "missing_mode": 1, "bad": 0.1, "bad_mode": 1, "angle": "any", "first_factor": 1.0,
    },
}  # fmt: skip
"""A cell of each family that the tests change; a change to None takes a value away."""


def cell_of(name, **changes):
    return {key: value for key, value in (CELLS[name] | changes).items() if value is not None}


def instance(name, trial=0, dataset="small", **changes):
    """Return the instance that a block of this dataset has of the cell and the trial, with seed 1."""
    data, cell = family(name).load_data(), cell_of(name, **changes)
    paths = stream_paths(1, dataset, cell, data.streams, trial)
    stored = data.draw(cell, {stream: generator(path) for stream, path in paths.items()})
    redrawn = {stream: generator(paths[stream]) for stream in data.redrawn}
    return data.build(cell, stored, redrawn) if redrawn else data.build(cell, stored)


def experiment(name, parameters, algorithms=(), success=None, independent=()):
    """Return an experiment of a family as the steps' plans need it; `algorithms` are entries by name."""
    return {
        "family": name,
        "dataset": "small",
        "independent": dict(independent),
        "parameters": parameters,
        "axes": [key for key, value in parameters.items() if isinstance(value, list)],
        "seed": 1,
        "algorithms": {key: {"tell": [], "options": {}} | entry for key, entry in dict(algorithms).items()},
        "success": success,
    }


def draw(made, folder, first, last):
    """Draw a block of trials and return what it is."""
    plan = dataset_plan(made, first, last)
    block = Product("dataset", "", plan, "code", (), (f"{folder}/data/{first:04d}-{last:04d}.h5",))
    draw_block(plan, block.digest, *block.outputs)
    return block


def run(made, algorithm, dataset, folder):
    """Run an algorithm on a block of trials and return what its outcomes are."""
    plan = outcomes_plan(made, algorithm, dataset.plan["first"], dataset.plan["last"])
    drawn = {"plan": dataset.plan_sha256, "digest": dataset.digest}
    path = f"{folder}/{algorithm}/{plan['first']:04d}-{plan['last']:04d}.h5"
    block = Product("outcomes", "", plan, "code", dataset.outputs, (path,), dataset=drawn)
    run_block(plan, block.digest, *block.inputs, *block.outputs)
    return block


def table(made, folder, blocks=((0, 1),)):
    """Run an experiment to its table, in blocks of trials, and return the table's lines."""
    parts = []
    for first, last in blocks:
        dataset = draw(made, folder, first, last)
        parts += [run(made, algorithm, dataset, folder) for algorithm in made["algorithms"]] or [dataset]
    path = folder / "table.csv"
    write_table(table_plan(made, parts), [part.outputs[0] for part in parts], path)
    return path.read_text().splitlines()
