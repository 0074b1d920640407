"""The folder of the reference run: tables, ledger and figures' numbers, each with its sha256.

Tables are CSV, compressed by xz. Whatever is read is compared with its sha256 first.
"""

import hashlib
import json
import lzma
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pandas as pd

from nonconvex.errors import UserError, nearest

FOLDER = "reference"
FORMAT = "nonconvex reference 1"
LIST = "reference.json"
KNOBS = "config.yaml"
LEDGER = "claims.csv"
REMEDY = "take the folder anew from the repository: git checkout -- reference"


@dataclass(frozen=True)
class Reference:
    """The reference run in `folder`.

    Attributes
    ----------
    folder : Path
    listed : dict
        What ``reference.json`` says: ``format``, ``seed``, ``files`` (sha256 by name), ``experiments`` (by
        name: ``chapter``, ``trials``, ``rows``, ``core_seconds``, ``code``), ``claims`` (sha256 of the claims
        file of each judged chapter).
    """

    folder: Path
    listed: Mapping[str, Any]

    @property
    def experiments(self) -> Mapping[str, Mapping[str, Any]]:
        """What is known of each experiment that the reference has, by name."""
        return self.listed["experiments"]

    def content(self, name: str) -> bytes:
        """Return the bytes of one of its files.

        Raises
        ------
        UserError
            When the file is missing, or not the one that was listed.
        """
        if name not in self.listed["files"]:
            raise UserError(f"{self.folder / LIST} lists no file {name}{nearest(name, self.listed['files'])}")
        path = self.folder / name
        if not path.is_file():
            raise UserError(f"{path} is missing; {REMEDY}")
        content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != self.listed["files"][name]:
            raise UserError(f"{path} was altered: its sha256 is not the one in {LIST}; {REMEDY}")
        return content

    def table_bytes(self, experiment: str) -> bytes:
        """Return the table of an experiment, as the table step wrote it."""
        self._known(experiment)
        return unpacked(self.content(table_name(experiment)), self.folder / table_name(experiment))

    def table(self, experiment: str) -> pd.DataFrame:
        """Return the table of an experiment; numbers are read exactly."""
        return read_csv(self.table_bytes(experiment))

    def outcomes(self, experiment: str) -> pd.DataFrame | None:
        """Return the outcomes of an experiment whose table holds iterates; None for others."""
        name = outcomes_name(experiment)
        if name not in self.listed["files"]:
            return None
        return read_csv(unpacked(self.content(name), self.folder / name))

    def made(self, experiment: str) -> dict[str, Any]:
        """Return what the table of an experiment was made from: plan, code, blocks and machines."""
        self._known(experiment)
        return json.loads(self.content(made_name(experiment)))

    def check(self) -> None:
        """Compare every file with its sha256; refuse files that are not listed."""
        for name in self.listed["files"]:
            self.content(name)
        found = {str(p.relative_to(self.folder)) for p in self.folder.rglob("*") if p.is_file()}
        for name in sorted(found - {*self.listed["files"], LIST}):
            raise UserError(f"{self.folder / name} is not listed in {LIST}; {REMEDY}")

    def _known(self, experiment: str) -> None:
        if experiment not in self.experiments:
            raise UserError(
                f"the reference has no experiment '{experiment}'{nearest(experiment, self.experiments)}"
            )


def read_reference(folder: str | Path = FOLDER) -> Reference:
    """Return the reference run in `folder`; its files are checked when they are read.

    Raises
    ------
    UserError
        When there is none, or it is of another version of this project.
    """
    path = Path(folder, LIST)
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))
        told = str(listed["format"])
    except FileNotFoundError:
        raise UserError(f"there is no reference run here: {path} is missing; {REMEDY}") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} cannot be read as the list of a reference run; {REMEDY}") from error
    if told != FORMAT:
        raise UserError(
            f"{path} is of another version ('{told}', not '{FORMAT}'); use the commit that made it"
        )
    return Reference(Path(folder), listed)


def table_name(experiment: str) -> str:
    """Return the name, in the folder, of an experiment's table."""
    return f"tables/{experiment}.csv.xz"


def outcomes_name(experiment: str) -> str:
    """Return the name of an experiment's outcomes, where its table holds iterates."""
    return f"outcomes/{experiment}.csv.xz"


def made_name(experiment: str) -> str:
    """Return the name of what an experiment's table was made from."""
    return f"made/{experiment}.json"


def packed(content: bytes) -> bytes:
    """Return bytes compressed by xz: the same for the same content."""
    return lzma.compress(content, preset=9 | lzma.PRESET_EXTREME)


def unpacked(content: bytes, path: Path) -> bytes:
    """Return what `packed` compressed."""
    try:
        return lzma.decompress(content)
    except lzma.LZMAError as error:
        raise UserError(f"{path} is no xz file ({error}); {REMEDY}") from error


def read_csv(content: bytes) -> pd.DataFrame:
    """Return the table in a CSV file's bytes, floats to the last bit."""
    return pd.read_csv(BytesIO(content))
