import os
import sys
from pathlib import Path

from snakemake.utils import min_version

min_version("9.27")

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
