"""The new folder of the reference run, while it is put together beside the old one."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pandas as pd

from nonconvex.commands.reference_run.blocks import block_facts, outcomes_of
from nonconvex.errors import UserError
from nonconvex.pipeline.changes import code_of, protocol_of
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.reference import store
from nonconvex.reference.store import Reference

MOST_MB = 25


class Writer:
    """Writes files into ``folder/new``, and notes what it has written.

    Attributes
    ----------
    files : dict
        sha256 of each file by its name.
    experiments : dict
        What is known of each experiment by its name.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "new"
        self.tables = folder / "tables"  # not compressed, as the claims step reads them
        self.files: dict[str, str] = {}
        self.experiments: dict[str, dict[str, Any]] = {}

    def write(self, name: str, content: bytes) -> None:
        """Write one file and note its sha256."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        self.files[name] = hashlib.sha256(content).hexdigest()

    def copy(self, older: Reference, name: str) -> None:
        """Take an experiment from an older reference as it is."""
        for file in (store.table_name(name), store.outcomes_name(name), store.made_name(name)):
            if file in older.listed["files"]:
                self.write(file, older.content(file))
        self._plain(name, older.table_bytes(name))
        self.experiments[name] = dict(older.experiments[name])

    def add(self, pipeline: Pipeline, name: str) -> None:
        """Take an experiment from the results of a pipeline."""
        product, experiment = pipeline.table(name), pipeline.experiment(name)
        blocks = pipeline.block_products(name)
        table = Path(product.outputs[0]).read_bytes()
        stamp = json.loads(Path(str(product.stamp)).read_text(encoding="utf-8"))
        facts = block_facts(blocks)
        made = {
            "plan": product.plan,
            "digest": product.digest,
            "inputs": {
                path.removeprefix(f"{pipeline.folder}/"): sha for path, sha in stamp["inputs"].items()
            },
            **facts,
        }
        self.write(store.table_name(name), store.packed(table))
        self.write(store.made_name(name), (json.dumps(made, indent=1, sort_keys=True) + "\n").encode())
        outcomes = outcomes_of(blocks)
        if outcomes is not None:
            self.write(store.outcomes_name(name), store.packed(outcomes.to_csv(index=False).encode()))
        self._plain(name, table)
        self.experiments[name] = {
            "chapter": experiment["chapter"],
            "trials": experiment["trials"],
            "rows": table.count(b"\n") - 1,
            "core_seconds": round(sum(one.get("cpu_seconds", 0) for one in facts["made"].values()), 1),
            "code": code_of(experiment),
            "protocol": protocol_of(experiment),
        }

    def _plain(self, name: str, table: bytes) -> None:
        self.tables.mkdir(parents=True, exist_ok=True)
        (self.tables / f"{name}.csv").write_bytes(table)

    def read(self, names: list[str]) -> dict[str, pd.DataFrame]:
        """Return the tables of some experiments, as the claims step reads them."""
        return {name: pd.read_csv(self.tables / f"{name}.csv") for name in names}

    def made(self) -> dict[str, dict[str, Any]]:
        """Return what the table of each experiment was made from."""
        names = ((name, self.folder / store.made_name(name)) for name in self.experiments)
        return {name: json.loads(path.read_text(encoding="utf-8")) for name, path in names}

    def size(self) -> int:
        """Return the bytes of all files so far."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    def move_to(self, folder: Path) -> None:
        """Put the new folder in the place of the old one; refuse one that is too large."""
        if self.size() > MOST_MB * 1e6:
            raise UserError(f"the reference would have {self.size() / 1e6:.1f} MB, more than {MOST_MB} MB")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.folder, folder)
