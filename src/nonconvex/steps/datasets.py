"""The dataset step: draw every cell's trials of one block, store them, and read them back exactly."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import h5py
import numpy as np

from nonconvex.canonical import json_text, sha256
from nonconvex.errors import UserError
from nonconvex.files import files_sha256
from nonconvex.problems.contract import Data, family
from nonconvex.steps.block_file import (
    content_sha256,
    new_file,
    open_block,
    read_array,
    read_plan,
    write_array,
    write_facts,
)
from nonconvex.steps.seeds import fingerprint, generator, stream_paths
from nonconvex.study.blocks import remove_shorter
from nonconvex.study.cells import cells


def draw_block(
    plan: Mapping, digest: str, path: str | Path, files: Mapping[str, Sequence[str]] | None = None
) -> None:
    """Draw the block that `plan` describes and write it to `path`.

    `files` maps the sha256 of a source's files to where they lie; only a family that reads some needs it.
    """
    data = family(plan["family"]).load_data()
    depends = _depends(plan, data)
    with new_file(path) as file:
        write_facts(file, "dataset", plan, digest)
        file.attrs["fingerprint"] = fingerprint(plan["seed"])
        if data.read is not None:
            read = data.read(_source_files(plan["source"], files or {}), plan["parameters"])
            shared = file.create_group("shared")
            for name, array in read.items():
                write_array(shared, name, array)
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


def _depends(plan: Mapping, data: Data) -> dict[str, list[str]]:
    """Return, by stream, the cell values it depends on: those it needs, and those that get fresh draws."""
    return {
        stream: sorted({*needed, *plan["independent"].get(stream, ())})
        for stream, needed in data.streams.items()
    }


def _source_files(content: str, files: Mapping[str, Sequence[str]]) -> tuple[Path, ...]:
    """Return where the files with this sha256 lie; refuse some whose bytes are no longer those."""
    if content not in files:
        raise UserError(
            f"no file is given for the source whose sha256 begins with {content[:12]}: it is not installed "
            "here, or of another version"
        )
    paths = tuple(Path(path) for path in files[content])
    names = " or ".join(map(str, paths))
    if not all(path.is_file() for path in paths):
        raise UserError(f"{names} was taken away while the run was going on; start the run again")
    if files_sha256(paths) != content:
        raise UserError(f"{names} was changed while the run was going on; start the run again")
    return paths


class Dataset:
    """A dataset block, checked and open for reading."""

    def __init__(self, file: h5py.File, path: str | Path) -> None:
        self.path = path
        self.plan = read_plan(file)
        self.cells = cells(self.plan)
        self.trials = range(self.plan["first"], self.plan["last"] + 1)
        self._file = file
        self._data = family(self.plan["family"]).load_data()
        self._depends = _depends(self.plan, self._data)
        shared = file.get("shared", {})
        self._shared = {name: read_array(shared, name) for name in shared}

    def stored(self, number: int) -> dict[str, np.ndarray]:
        """Return the stored arrays of cell `number`, the block's trials along the first axis."""
        group = self._file[f"cells/{number:05d}"]
        return {name: read_array(group, name) for name in group}

    def instance(self, number: int, trial: int, stored: Mapping[str, np.ndarray] | None = None) -> object:
        """Return the instance of one trial of cell `number`, rebuilt exactly."""
        if trial not in self.trials:
            raise UserError(f"{self.path} holds trials {self.trials[0]} to {self.trials[-1]}, not {trial}")
        arrays = self.stored(number) if stored is None else stored
        index = trial - self.trials[0]
        drawn = {name: array[index] for name, array in arrays.items()}
        if not self._data.redrawn:
            return self._data.build(self.cells[number], self._shared | drawn)
        seed, name = self.plan["seed"], self.plan["dataset"]
        paths = stream_paths(seed, name, self.cells[number], self._depends, trial)
        streams = {stream: generator(paths[stream]) for stream in self._data.redrawn}
        return self._data.build(self.cells[number], self._shared | drawn, streams)

    def instances(self, trials: range | None = None) -> Iterator[tuple[int, dict, int, object]]:
        """Yield (cell number, cell, trial, instance), cells outermost, of the given trials or all."""
        for number, cell in enumerate(self.cells):
            stored = self.stored(number)
            for trial in trials or self.trials:
                yield number, cell, trial, self.instance(number, trial, stored)


@contextmanager
def open_dataset(path: str | Path) -> Iterator[Dataset]:
    """Open a dataset block; refuse a damaged one and one drawn from another random stream."""
    with open_block(path, "dataset") as file:
        dataset = Dataset(file, path)
        if file.attrs["fingerprint"] != fingerprint(dataset.plan["seed"]):
            raise UserError(
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
