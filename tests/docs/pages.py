"""Doing what the pages of docs/ tell a reader to do."""

import json
import re
import sys
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"```(?:python|yaml)\n# (?P<path>[\w/.]+)\n(?P<text>.*?)```", re.S)

ASK = """
import json
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import check_config
config = check_config({"scale": "smoke", "chapters": ["2", "5"]}, "workflow/schemas/config.schema.yaml")
print(json.dumps({product.name: product.digest for product in Pipeline(config).products()}))
"""


def follow(page, project):
    """Write the blocks of a page that name a file in their first line to a project.

    A block of a file that there is replaces the line of it that the block begins with.
    """
    blocks = list(BLOCK.finditer((DOCS / page).read_text()))
    assert blocks, page
    for block in blocks:
        path, text = block["path"], block["text"]
        if (project.folder / path).exists():
            project.edit(path, text.splitlines()[0] + "\n", text)
        else:
            _write(project.folder / path, text)


def _write(file, text):
    """Write a new file, and the __init__.py of each folder that is new with it."""
    for folder in [folder for folder in file.parents if not folder.exists()]:
        folder.mkdir(parents=True)
        if "src" in folder.parts:
            (folder / "__init__.py").write_text('"""New."""\n')
    file.write_text(text)


def digests(project):
    """Return the digest of the code of every product of chapters 2 and 5, by its name."""
    environment = project.environment | {"PYTHONPATH": str(project.folder / "src")}
    return json.loads(project.run([sys.executable, "-c", ASK], environment=environment).stdout)


def texts(project):
    """Return the texts of all files of the package and the workflow, by path."""
    found = [path for part in ("src", "workflow") for path in (project.folder / part).rglob("*.*")]
    return {path: path.read_text() for path in found if path.suffix in (".py", ".yaml", ".smk")}
