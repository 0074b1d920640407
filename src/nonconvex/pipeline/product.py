"""A product: one step's files, what they are made from, and how to tell whether they are as asked for."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import h5py

from nonconvex.canonical import json_text, sha256
from nonconvex.errors import UserError
from nonconvex.pipeline.stamps import other_plan, stamp_problem
from nonconvex.steps.block_file import content_sha256, read_plan


@dataclass(frozen=True)
class Product:
    """What one step makes.

    Attributes
    ----------
    kind : str
        The step: dataset, outcomes, table, figure, claims, ledger or page.
    name : str
        What the person calls it: "outcomes of sap on phase_mode1, trials 0000-0004".
    plan : dict
        Everything the result depends on besides code and inputs; plain JSON.
    digest : str
        Digest of the modules the step uses.
    inputs, outputs : tuple of str
        Files read and written, relative to the project.
    stamp : str or None
        The file that says what the outputs were made from; None for blocks, which say it themselves.
    dataset : dict or None
        For outcomes: plan and digest of the dataset block they must stand on.
    memory_mb, minutes : int
        What a scheduler should reserve.
    short : bool
        Whether it takes so little time that it should share a job of a cluster with others.
    gpu : bool
        Whether it should ask a cluster for a GPU.
    """

    kind: str
    name: str
    plan: Mapping
    digest: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    stamp: str | None = None
    dataset: Mapping | None = None
    memory_mb: int = 600
    minutes: int = 5
    short: bool = False
    gpu: bool = False

    @property
    def files(self) -> tuple[str, ...]:
        """The outputs, and the stamp where there is one."""
        return self.outputs if self.stamp is None else (*self.outputs, self.stamp)

    @cached_property
    def plan_text(self) -> str:
        """The plan as canonical JSON: what the rule hands to the command, and what makes it run again."""
        return json_text(self.plan)

    @cached_property
    def plan_sha256(self) -> str:
        """The sha256 (hex) of the plan's canonical JSON."""
        return hashlib.sha256(self.plan_text.encode()).hexdigest()

    def problem(self) -> str | None:
        """Return why the files on disk are not this product, or None when they are.

        "missing" when an output does not exist; otherwise a clause that tells what is wrong. A table is whole
        without its blocks when none of them is here: its stamp names their plans and code.
        """
        if not all(Path(path).is_file() for path in self.outputs):
            return "missing"
        if self.stamp is not None:
            gone = self.inputs if self.blocks_gone() else ()
            return stamp_problem(self.stamp, self.plan, self.digest, self.inputs, self.outputs, gone)
        return self._block_problem()

    def blocks_gone(self) -> bool:
        """Tell whether this is a table of which no block is on disk: unpacked, or cleared to save space."""
        return self.kind == "table" and not any(Path(path).exists() for path in self.inputs)

    def _block_problem(self) -> str | None:
        (path,) = self.outputs
        try:
            content_sha256(path)
        except UserError:
            return "it is damaged, truncated or no block file"
        with h5py.File(path, "r", locking=False) as file:
            if not file.attrs.get("complete", False) or file.attrs.get("kind") != self.kind:
                return "it is incomplete or of another kind"
            if sha256(read_plan(file)) != self.plan_sha256:
                return other_plan(read_plan(file), self.plan)
            if file.attrs["digest"] != self.digest:
                return "it was made by other code"
            if self.dataset is not None:
                return self._dataset_problem(file, self.dataset)
        return None

    def _dataset_problem(self, file: h5py.File, expected: Mapping) -> str | None:
        drawn = json.loads(file.attrs["dataset"])
        if {key: drawn[key] for key in ("plan", "digest")} != dict(expected):
            return "it stands on another dataset"
        (path,) = self.inputs
        if Path(path).is_file() and content_sha256(path) != drawn["sha256"]:
            return f"it stands on other instances than those in {path}"
        return None
