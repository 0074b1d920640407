"""The dataset step: draw every cell's trials of one block, store them, and read them back exactly."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import h5py
import numpy as np

from nonconvex.study.blocks import remove_shorter
from nonconvex.study.canonical import json_text, sha256
from nonconvex.study.cells import cells
from nonconvex.study.errors import StudyError
from nonconvex.study.hdf5 import (
    content_sha256,
    new_file,
    open_block,
    read_array,
    read_plan,
    write_array,
    write_facts,
)
from nonconvex.study.seeds import fingerprint, generator, stream_paths


def draw_block(plan: Mapping, digest: str, path: str | Path) -> None:
    """Draw the block that `plan` describes and write it to `path`."""
    data = import_module(plan["data"])
    depends = {
        stream: sorted({*needed, *plan["independent"].get(stream, ())})
        for stream, needed in data.STREAMS.items()
    }
    with new_file(path) as file:
        write_facts(file, "dataset", plan, digest)
        file.attrs["fingerprint"] = fingerprint(plan["seed"])
        for number, cell in enumerate(cells(plan)):
            drawn = []
            for trial in range(plan["first"], plan["last"] + 1):
                paths = stream_paths(plan["seed"], plan["dataset"], cell, depends, trial)
                drawn.append(data.draw(cell, {stream: generator(path) for stream, path in paths.items()}))
            group = file.create_group(f"cells/{number:05d}")
            group.attrs["cell"] = json_text(cell)
            for stream, named in stream_paths(plan["seed"], plan["dataset"], cell, depends, "*").items():
                group.attrs[f"seed path of {stream}"] = named
            for name in drawn[0]:
                write_array(group, name, np.stack([arrays[name] for arrays in drawn]))
    remove_shorter(path)


class Dataset:
    """A dataset block, checked and open for reading."""

    def __init__(self, file: h5py.File, path: str | Path):
        self.path = path
        self.plan = read_plan(file)
        self.cells = cells(self.plan)
        self.trials = range(self.plan["first"], self.plan["last"] + 1)
        self._file = file
        self._build = import_module(self.plan["data"]).build

    def stored(self, number: int) -> dict[str, np.ndarray]:
        """Return the stored arrays of cell `number`, the block's trials along the first axis."""
        group = self._file[f"cells/{number:05d}"]
        return {name: read_array(group, name) for name in group}

    def instance(self, number: int, trial: int, stored: Mapping[str, np.ndarray] | None = None) -> object:
        """Return the instance of one trial of cell `number`, rebuilt exactly."""
        if trial not in self.trials:
            raise StudyError(f"{self.path} holds trials {self.trials[0]} to {self.trials[-1]}, not {trial}")
        arrays = self.stored(number) if stored is None else stored
        index = trial - self.trials[0]
        return self._build(self.cells[number], {name: array[index] for name, array in arrays.items()})

    def instances(self, last: int) -> Iterator[tuple[int, dict, int, object]]:
        """Yield (cell number, cell, trial, instance) up to trial `last`, cells outermost."""
        for number, cell in enumerate(self.cells):
            stored = self.stored(number)
            for trial in range(self.trials[0], last + 1):
                yield number, cell, trial, self.instance(number, trial, stored)


@contextmanager
def open_dataset(path: str | Path) -> Iterator[Dataset]:
    """Open a dataset block; refuse a damaged one and one drawn from another random stream."""
    with open_block(path, "dataset") as file:
        dataset = Dataset(file, path)
        if file.attrs["fingerprint"] != fingerprint(dataset.plan["seed"]):
            raise StudyError(
                f"{path} was drawn by a numpy whose random stream differs from this one's (numpy "
                f"{np.__version__}; drawn with {file.attrs['versions']}); use the locked environment, or "
                "delete the datasets folder to draw all of it anew"
            )
        yield dataset


def dataset_identity(path: str | Path) -> dict[str, str]:
    """Return what identifies a dataset block: its content's sha256, its plan and its code digest."""
    content = content_sha256(path)
    with h5py.File(path, "r", locking=False) as file:
        return {"sha256": content, "plan": sha256(read_plan(file)), "digest": file.attrs["digest"]}
