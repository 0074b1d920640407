"""Where in the config's files a knob is given, for a sentence about it."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import yaml

_ABOUT = re.compile(r"config: '?([\w.]+)")
_QUOTED = re.compile(r"'([\w.-]+)'")


def with_line(sentence: str, files: Sequence[str | Path], settings: Sequence[str] = ()) -> str:
    """Return a sentence that begins with ``config``, with the place that gives the knob it is about.

    Parameters
    ----------
    sentence : str
        Such as "config: grid.rank is empty"; another one is returned as it is.
    files : sequence of path
        The config's files; later ones come over earlier ones.
    settings : sequence of str
        ``key=value`` of the command line; they come over all files.
    """
    about = _ABOUT.match(sentence)
    if not about:
        return sentence
    words = [word for name in (about[1], *_QUOTED.findall(sentence)) for word in name.split(".")]
    depth, place = 0, ""
    for node, told in _given(files, settings):
        reached, line = _follow(node, words)
        if reached and reached >= depth:
            depth, place = reached, told.replace("{line}", str(line))
    return f"{sentence} ({place})" if depth else sentence


def _given(files: Sequence[str | Path], settings: Sequence[str]) -> Iterator[tuple[yaml.Node | None, str]]:
    """Yield the tree of each file and setting, and how to tell a line of it."""
    for path in files:
        yield yaml.compose(Path(path).read_text(encoding="utf-8"), yaml.SafeLoader), f"{path}, line {{line}}"
    for setting in settings:
        key, _, value = setting.partition("=")
        with suppress(yaml.YAMLError):  # told of already
            yield yaml.compose(yaml.safe_dump({key: yaml.safe_load(value)})), "given on the command line"


def _follow(node: yaml.Node | None, words: Sequence[str]) -> tuple[int, int]:
    """Return how many keys deep the words lead into a tree, and the line of the last key."""
    depth = line = 0
    for word in words:
        for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
            if key.value == word:
                depth, line, node = depth + 1, key.start_mark.line + 1, value
                break
    return depth, line
