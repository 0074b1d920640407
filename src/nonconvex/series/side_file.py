"""The side file of a bundled series: where it is from, and the checksum that its bytes must have."""

import json
from pathlib import Path
from typing import Any

from nonconvex.errors import UserError
from nonconvex.files import file_sha256


def check_side_file(path: str | Path) -> dict[str, Any]:
    """Return the facts that stand beside `path` (same name, ``.json``) after comparing the checksum.

    Raises
    ------
    UserError
        When either file is missing or unreadable, or the bytes of `path` are not those the side file names.
    """
    path = Path(path)
    side = path.with_suffix(".json")
    try:
        facts = json.loads(side.read_text(encoding="utf-8"))
        found = file_sha256(path)
    except OSError as error:
        raise UserError(f"{error.filename} cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise UserError(f"{side} is not valid JSON: {error}") from error
    expected = facts.get("sha256") if isinstance(facts, dict) else None
    if expected is None:
        raise UserError(f"{side} does not give the sha256 of {path.name}")
    if found != expected:
        raise UserError(
            f"{path} is not the file that {side.name} describes: its sha256 begins with {found[:12]}, "
            f"not {str(expected)[:12]}"
        )
    return facts
