"""Find links that lead nowhere: ``python tools/check_links.py README.md docs build/api``.

Of Markdown the relative links are followed, of HTML the anchors too; what lies on the web is left alone.
"""

import re
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

MARKDOWN = re.compile(r"\]\(([^)\s]+)\)")
BLOCKS = re.compile(r"^```.*?^```$", re.M | re.S)


class _Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            if name in ("href", "src") and value:
                self.links.append(value)


def main(places: list[str]) -> int:
    """Print each broken link of the files and folders, and return how many there are."""
    files = [file for place in places for file in _files(Path(place))]
    broken = [f"{file}: {link}" for file in files for link in _broken(file)]
    print(*broken, f"{len(files)} files, {len(broken)} broken links", sep="\n")
    return min(len(broken), 1) if files else 1


def _files(place: Path) -> list[Path]:
    return sorted([*place.rglob("*.md"), *place.rglob("*.html")]) if place.is_dir() else [place]


@cache
def _page(file: Path) -> _Page:
    return _Page(file.read_text(encoding="utf-8"))


def _links(file: Path) -> list[str]:
    if file.suffix == ".html":
        return _page(file).links
    return MARKDOWN.findall(BLOCKS.sub("", file.read_text(encoding="utf-8")))


def _broken(file: Path) -> Iterator[str]:
    for link in _links(file):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
        anchored = parts.fragment and target.suffix == ".html"
        if not target.exists() or (anchored and unquote(parts.fragment) not in _page(target).anchors):
            yield link


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
