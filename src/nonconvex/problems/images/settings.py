"""What ``data.mnist`` and ``data.cifar10`` of a config may say, and what goes together."""

from nonconvex.errors import UserError
from nonconvex.problems.source import Settings

DEFAULT = "mnist5k"
NEEDS = {"idx": "folder", "cifar10": "file", "npz": "file"}
"""By kind of source: the setting that says where it lies."""

_TAKES = {**NEEDS, "fashion": "folder"}
_WORDS = {"folder": "a folder with the four IDX files", "file": "its file"}


def kind(settings: Settings) -> str:
    """Return the kind of source that the settings ask for."""
    return settings.get("source") or DEFAULT


def check(source: str, settings: Settings, name: str | None) -> None:
    """Refuse settings of ``data.{source}`` that do not go together; `name` is the config's."""
    here, asked = f"config: data.{source}", kind(settings)
    for key in ("folder", "file"):
        given = settings.get(key)
        if NEEDS.get(asked) == key and not given:
            raise UserError(f"{here}.source is '{asked}', but {here[8:]}.{key} is empty; give {_WORDS[key]}")
        if given is not None and _TAKES.get(asked) != key:
            users = " or ".join(f"'{one}'" for one in _TAKES if _TAKES[one] == key)
            raise UserError(
                f"{here}.{key} is given, but {here[8:]}.source is '{asked}', which has none; set the source "
                f"to {users}, or {key} to null"
            )
    for what, own in (("source 'npz'", asked == "npz"), ("mined", bool(settings.get("mined")))):
        if own and not name:
            raise UserError(
                f"{here}.{what} needs a 'name', so that the results of your images are written to their own "
                "folder results/{scale}-{name} and the scale's own results stay whole"
            )
