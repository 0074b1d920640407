"""The manifest of CODECHECK: which file shows which figure, so that others can check by its rules.

See https://codecheck.org.uk/spec/config/1.0/. Codechecker, report and certificate are for those who check.
"""

from collections.abc import Sequence
from pathlib import Path

import yaml

from nonconvex.commands.deposit.citation import authors, read_citation
from nonconvex.files import write_text
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import Config

FILE = "codecheck.yml"
VERSION = "https://codecheck.org.uk/spec/config/1.0/"
_HEAD = """%YAML 1.1
---
# Written by: python -m nonconvex codecheck. Whoever checks adds codechecker and report.
"""


def codecheck_text(pipeline: Pipeline, figures: Sequence[str], folder: str = "") -> str:
    """Return the manifest of some figures.

    Parameters
    ----------
    pipeline : Pipeline
    figures : sequence of str
        Their numbers.
    folder : str
        Where the results lie, seen from the manifest: ``results/thesis/``, or "" for the same folder.
    """
    _, thesis = read_citation(pipeline.root)
    formats = sorted(pipeline.config.formats)
    suffix = "pdf" if "pdf" in formats else formats[0]
    told = {
        "version": VERSION,
        "manifest": [
            {
                "file": f"{folder}figures/fig{figure}.{suffix}",
                "comment": f"Figure {figure}: {pipeline.figure_title(figure)}",
            }
            for figure in figures
        ],
        "paper": {
            "title": thesis["title"],
            "authors": [{"name": name} for name in authors(thesis)],
            "reference": f"{thesis['thesis-type']}, {thesis['institution']['name']}, {thesis['year']}",
        },
    }
    return _HEAD + yaml.safe_dump(told, sort_keys=False, allow_unicode=True, width=110)


def write_codecheck(root: Path = Path()) -> None:
    """Write the manifest of all figures at the thesis's sizes, whether or not they can be made here."""
    pipeline = Pipeline(Config("thesis"), root)
    write_text(root / FILE, codecheck_text(pipeline, pipeline.asked_figures(), f"{pipeline.folder}/"))
