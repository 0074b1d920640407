"""What ``CITATION.cff`` says of this project and of the thesis: for files that others read."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nonconvex.errors import UserError
from nonconvex.validation import read_yaml

FILE = "CITATION.cff"


def read_citation(root: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what is said of the project and, of the same form, of the thesis.

    Raises
    ------
    UserError
        When the file is missing, or names no thesis.
    """
    path = root / FILE
    if not path.is_file():
        raise UserError(f"{path} is missing; take it anew from the repository: git checkout -- {FILE}")
    said = read_yaml(path)
    for work in said.get("references", []):
        if work["type"] == "thesis":
            return said, work
    raise UserError(f"{path} names no thesis among its references")


def authors(work: Mapping[str, Any]) -> list[str]:
    """Return the names of a work's authors."""
    return [one.get("name") or f"{one['given-names']} {one['family-names']}" for one in work["authors"]]
