import getpass
import os
import sys
from pathlib import Path

from snakemake.utils import min_version

min_version("9.27")

here = Path(str(workflow.current_basedir))
if not workflow.modifier.is_main_snakefile():
    raise SystemExit(
        f"error: {here}/Snakefile cannot be a module of another workflow: run it by itself, and read its results/"
    )
if not here.exists() or not here.samefile(Path.cwd()):
    raise SystemExit(
        f"error: this workflow runs in its own folder, where its data and results are: cd {here}, without --directory"
    )

# Snakemake names the user in its log; in a container the user's number may have no name.
try:
    getpass.getuser()
except (KeyError, OSError):
    os.environ.update(USER=str(os.getuid()))

# Rules call `python -m nonconvex`: the environment that runs Snakemake comes first, activated or not.
os.environ.update(
    PATH=os.pathsep.join(
        [str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]
    ),
    PYTHONPATH=str(Path(workflow.basedir) / "src"),
)


configfile: "config.yaml"


include: "workflow/rules/common.smk"


wildcard_constraints:
    scale=r"[a-z0-9-]+",
    experiment=r"\w+",
    algorithm=r"\w+",
    block=r"\d\d\d\d+-\d\d\d\d+",
    figure=r"[^/]+",
    chapter=r"\w+",


rule all:
    default_target: True
    input:
        lambda wildcards: STUDY.results(),


for chapter in STUDY.chapters:

    rule:
        name:
            f"chapter{chapter}"
        input:
            lambda wildcards, chapter=chapter: STUDY.chapter_files(chapter),


include: "workflow/rules/datasets.smk"
include: "workflow/rules/outcomes.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/page.smk"
