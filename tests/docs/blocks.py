"""The blocks of code in README.md and docs/, and how each kind of them is checked.

| language | how it is checked |
|---|---|
| `sh` | every command is parsed: make's by ``make -n``, and what that prints by the parsers of Snakemake and of this package; files and targets must be there; those of `RUN` are run |
| `console` | run, and what it prints is compared |
| `python` | run, in the order of the page; with a path in the first line, and in the pages of `FOLLOWED`, that page's own test does as it says |
| `yaml` | laid over config.yaml, and the study checked; in the pages of `FOLLOWED` as above |
| `csv` | read by `recover`'s reader, with more rows of the same |
| `text` | whatever stands in `TEXTS` |

The pages of `OWN` have a test that does all that they show. A block of another language, or of none, fails `test_every_block.py`, and so does a text that is not in `TEXTS`.
"""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LANGUAGES = ("sh", "console", "python", "yaml", "csv", "text")

FOLLOWED = {
    "add-a-family.md": "test_add_a_family.py",
    "add-a-figure.md": "test_add_a_figure_and_a_claim.py",
    "add-a-claim.md": "test_add_a_figure_and_a_claim.py",
    "add-an-algorithm.md": "test_add_an_algorithm.py",
}
"""Pages whose blocks name the file that they go to, and the tests that do as these pages say."""

OWN = {"tutorial.md": "test_tutorial.py", "own-images.md": "test_own_images.py"}
"""Pages of which a test of their own runs every block."""

TEXTS = {"architecture.md": "a diagram of folders", "cluster.md": "a sentence of the program's"}
"""What is shown and is no code; each has its test."""

RUN = ("recover", "calibration")
"""Words of commands that take seconds, and are run."""

SHELL = ("git", "export")
"""Commands of the shell's and others: nothing is checked but their syntax."""

MENTIONED = ("python -m nonconvex <step>", "snakemake --sdm conda")
"""Code in sentences that is no command to type as it stands."""

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
_CODE = re.compile(r"`([^`\n]+(?:\n[^`\n]+)?)`")
_TYPED = re.compile(r"(make|nohup make|sbatch|snakemake|python|\.venv/bin/\w+) \S")


@dataclass(frozen=True)
class Block:
    """A block of code of a page, and the number of its first line."""

    page: str
    line: int
    language: str
    text: str

    def __str__(self):
        return f"{self.page}:{self.line}"

    @property
    def path(self):
        """The file that the first line names, or None."""
        match = re.match(r"# ([\w/.-]+\.\w+)\n", self.text)
        return match and match[1]


def blocks(language=None):
    """Return the blocks of all pages, or those of one language."""
    found = [
        Block(page.name, text.count("\n", 0, match.start()) + 1, match[1], match[2])
        for page in PAGES
        for text in [page.read_text()]
        for match in _BLOCK.finditer(text)
    ]
    return [block for block in found if language in (None, block.language)]


def sentences():
    """Return (page, command) for each command that a sentence tells a reader to type."""
    found = []
    for page in PAGES:
        prose = _BLOCK.sub("", page.read_text())
        codes = (" ".join(match[1].split()) for match in _CODE.finditer(prose))
        found += [(page.name, code) for code in codes if _TYPED.match(code) and code not in MENTIONED]
    return found
