"""Links in the pages, and names in docstrings, lead somewhere."""

import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import nonconvex.hankel
import nonconvex.networks

ROOT = Path(__file__).parents[2]
CHECK = [sys.executable, "tools/check_links.py"]


def test_links_of_the_pages_lead_somewhere():
    done = subprocess.run(
        [*CHECK, "README.md", "CONTRIBUTING.md", "docs"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_a_broken_link_and_a_broken_anchor_are_found(tmp_path):
    (tmp_path / "a.md").write_text(
        "[here](a.md) [there](b.md) [web](https://example.org/x)\n```\n[no](c.md)\n```\n"
    )
    (tmp_path / "p.html").write_text('<p id="good"><a href="#good">1</a><a href="p.html#bad">2</a></p>')
    done = subprocess.run([*CHECK, str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout.splitlines()) == (
        1,
        [f"{tmp_path / 'a.md'}: b.md", f"{tmp_path / 'p.html'}: p.html#bad", "2 files, 2 broken links"],
    )


def test_names_in_docstrings_are_names():
    for package in (nonconvex.hankel, nonconvex.networks):
        modules = [
            package.__name__,
            *(m.name for m in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")),
        ]
        for module in modules:
            text = Path(importlib.import_module(module).__file__).read_text()
            for name in re.findall(r"`(nonconvex(?:\.\w+)+)`", text):
                assert resolves(name), f"{module} names {name}"


def resolves(name):
    """Return whether a dotted name is a module, or something in one."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            thing = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:]:
            if not hasattr(thing, part):
                return False
            thing = getattr(thing, part)
        return True
    return False
