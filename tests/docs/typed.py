"""What a reader types: taken apart and parsed as the programs do that it calls, and run by none of them."""

import os
import shlex
import sys
from functools import cache, cached_property
from pathlib import Path

from docs.blocks import ROOT, SHELL
from project_copy import Project, make
from snakemake.cli import get_argument_parser

from nonconvex.commands.parser import _parser
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import check_config, read_config

PLACEHOLDERS = {"SCALE=...": "SCALE=thesis", "CONFIGFILE=...": "CONFIGFILE=mine.yaml"}
RULES = ("all", "figure", "claims", "ledger", "page")


class Typed:
    """A copy of the project, in which commands are looked at."""

    def __init__(self, folder):
        self.project = Project(folder)
        make(self.project, "an environment of its own")

    @cached_property
    def _snakemake(self):
        return get_argument_parser([])

    def check(self, line, new=False):
        """Look at one line; a target need not be there yet where it is `new`.

        Raises what the programs raise, or an AssertionError, when it cannot be typed.
        """
        words = shlex.split(" ".join(PLACEHOLDERS.get(word, word) for word in line.split()), comments=True)
        words = _spelled_out(words[1:] if words[:1] == ["nohup"] else words)
        if words[0] == "sbatch":
            words = shlex.split(words[-1])
        if words[0] == "make":
            self._make([word for word in words[1:] if word not in (">", "run.log", "&")], new)
        elif words[:3] == [".venv/bin/python", "-m", "nonconvex"]:
            self._nonconvex(words[3:])
        elif words[0] == ".venv/bin/snakemake":
            self._snake(words[1:], new)
        elif words[0] == "python":
            assert (ROOT / words[1]).is_file(), f"there is no {words[1]}"
        else:
            assert words[0] in SHELL or words[:2] == [".venv/bin/python", "-m"], f"no rule for {line!r}"

    def _make(self, words, new):
        makefile = (self.project.folder / "Makefile").read_text()
        for name in (word.partition("=")[0] for word in words if "=" in word):
            assert f"$({name})" in makefile, f"the Makefile has no {name}"
        done = self.project.run(["make", "-n", "VENV=venv", *words])
        for line in done.stdout.replace("\\\n", " ").splitlines():
            called = shlex.split(line)
            if called[1:3] == ["-m", "nonconvex"]:
                self._nonconvex(called[3:])
            elif called[1:3] == ["-m", "snakemake"]:
                self._snake(called[3:], new)

    def _nonconvex(self, words):
        given = _parser().parse_args(words)
        if hasattr(given, "config"):
            self.study(tuple(given.configfile), tuple(given.config))
        if given.command == "export":
            study, files = self.study((), ())
            assert given.dataset in files, f"there is no block {given.dataset}"
            axes = study.experiment(Path(given.dataset).parent.name)["parameters"]
            for name, value in (part.split("=") for part in given.cell.split(",")):
                assert float(value) in axes[name], f"there is no cell with {name} = {value}"

    def _snake(self, words, new):
        given = self._snakemake.parse_args(words)
        assert given.cores or given.workflow_profile, f"Snakemake asks for --cores: {words}"
        if given.workflow_profile:
            assert (self.project.folder / given.workflow_profile / "config.yaml").is_file()
        study, files = self.study(tuple(map(str, given.configfile or ())), tuple(given.config or ()))
        names = (*RULES, *(f"chapter{chapter}" for chapter in study.chapters))
        for target in given.targets:
            assert new or target in names or target in files, f"there is no target {target}"

    @cache  # noqa: B019
    def study(self, configfiles, settings):
        """Return the study under a config, and the files that it makes."""
        here = os.getcwd()
        os.chdir(self.project.folder)
        try:
            raw = read_config("config.yaml", configfiles, settings)
            study = Pipeline(check_config(raw, "workflow/schemas/config.schema.yaml"))
            return study, {path for product in study.products() for path in product.outputs}
        finally:
            os.chdir(here)

    def run(self, line):
        """Run a command of this package's, with the Python of these tests, and return what it printed."""
        words = _spelled_out(shlex.split(line, comments=True))
        assert words[0] == ".venv/bin/python"
        environment = self.project.environment | {"PYTHONPATH": str(self.project.folder / "src")}
        return self.project.run([sys.executable, *words[1:]], environment=environment).stdout


def _spelled_out(words):
    """Return the words of a command with the script `nonconvex` as the module that it calls."""
    script = words[0] in ("nonconvex", ".venv/bin/nonconvex")
    return [".venv/bin/python", "-m", "nonconvex", *words[1:]] if script else words
