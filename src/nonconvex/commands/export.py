"""Export: one instance of a dataset as full arrays, for any other program."""

from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nonconvex.canonical import decimal_text, json_text
from nonconvex.errors import UserError
from nonconvex.files import replace_file
from nonconvex.steps.datasets import Dataset, open_dataset


def export(dataset_path: str | Path, cell: str, trial: int, output: str | Path) -> None:
    """Write trial `trial` of a cell to `output`, as ``.npz`` or ``.mat``.

    Parameters
    ----------
    dataset_path : path
        A dataset block.
    cell : str
        The values of all axes: ``p=0.3,rank=4``.
    trial : int
        Number of the trial; it must lie in the block.
    output : path
        The arrays of the instance and of what it was drawn from, and the cell as JSON text.
    """
    output = Path(output)
    if output.suffix not in (".npz", ".mat"):
        raise UserError(f"'{output}' must end in .npz or .mat")
    with open_dataset(dataset_path) as dataset:
        number = _cell_number(dataset, cell)
        instance = dataset.instance(number, trial)
        arrays = {name: array[trial - dataset.trials[0]] for name, array in dataset.stored(number).items()}
        fields = asdict(instance) if is_dataclass(instance) and not isinstance(instance, type) else {}
        arrays |= {name: value for name, value in fields.items() if value is not None}
        arrays["cell"] = json_text(dataset.cells[number])
    replace_file(output, lambda temporary: _write(temporary, arrays))


def _write(path: Path, arrays: Mapping[str, Any]) -> None:
    if path.suffix == ".npz":
        np.savez(path, **arrays)
    else:
        from scipy.io import savemat

        savemat(path, dict(arrays))


def _cell_number(dataset: Dataset, text: str) -> int:
    wanted = dict(part.strip().partition("=")[::2] for part in text.split(",") if part.strip())
    axes = dataset.plan["axes"]
    if sorted(wanted) != sorted(axes):
        raise UserError(f"the cell '{text}' must give every axis once: {', '.join(axes)}")
    for number, cell in enumerate(dataset.cells):
        if all(_same(cell[axis], wanted[axis]) for axis in axes):
            return number
    grid = "; ".join(f"{axis} in {dataset.plan['parameters'][axis]}" for axis in axes)
    raise UserError(f"{dataset.path} has no cell {text}; its grid is {grid}")


def _same(value: Any, text: str) -> bool:
    if isinstance(value, str):
        return value == text
    try:
        return decimal_text(value) == decimal_text(float(text))
    except ValueError:
        return False
