"""What the workflow costs beside its work: a dry run of everything, and the overhead of a job.

Run as ``python benchmarks/dag.py``. CPU seconds are those of the process and its children, memory is the
largest of any one process. A plan of thousands of jobs should stay below 10 CPU seconds and 1 GB.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
SNAKEMAKE = (sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile"))


def measure(words, folder):
    """Run a command in `folder`; return CPU seconds, peak memory in MB and what it printed."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(words, cwd=folder, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        output.seek(0)
        text = output.read()
    if status:
        sys.exit(text)
    scale = 1024**2 if sys.platform == "darwin" else 1024
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / scale, text


@contextmanager
def empty_folder():
    """Yield a folder of its own in which nothing is done yet."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("config.yaml", "workflow", "resources"):
            Path(folder, name).symlink_to(ROOT / name)
        yield folder


def jobs(text):
    """Return the number of jobs in Snakemake's table of them."""
    return int(re.search(r"^total +(\d+)", text, re.MULTILINE).group(1))


def plan(scale):
    """Print what a dry run of everything costs at a scale."""
    with empty_folder() as folder:
        seconds, memory, text = measure([*SNAKEMAKE, "-n", "--config", f"scale={scale}"], folder)
    count = jobs(text)
    print(
        f"dry run, {scale:<8}{count:>6} jobs {seconds:>7.2f} CPU s, {1000 * seconds / count:.1f} ms a job, "
        f"{memory:.0f} MB"
    )


def ours():
    """Print the part of it that is this project's own: config, experiments, plans and code digests."""
    sys.path.insert(0, str(ROOT / "src"))
    os.chdir(ROOT)
    started = time.process_time()
    from nonconvex.study.config import check_config, read_config
    from nonconvex.study.pipeline import Pipeline

    raw = read_config("config.yaml", (), ["scale=thesis"])
    pipeline = Pipeline(check_config(raw, "workflow/schemas/config.schema.yaml"))
    pipeline.check()
    count = len([product.plan_text for product in pipeline.products()])
    print(f"of it our own  {count:>8} plans{time.process_time() - started:>7.2f} CPU s")


def overhead():
    """Print what a job costs beside the work of its own process: Snakemake, the shell, logs, metadata."""
    with empty_folder() as folder:
        run = ["--cores", "1", "--config", "scale=smoke", 'figures=["2.2", "2.3", "2.4"]']
        seconds, _, text = measure([*SNAKEMAKE, *run], folder)
        sidecars = list(Path(folder).rglob("provenance/**/*.json"))
        work = sum(json.loads(path.read_text())["cpu_seconds"] for path in sidecars)
        planning, _, _ = measure([*SNAKEMAKE, "-n", "--forceall", *run], folder)
    count = jobs(text) - 1  # the target is no job
    print(
        f"a real run     {count:>8} jobs {seconds:>7.2f} CPU s: {work:.2f} in the steps, "
        f"{planning:.2f} planning, {(seconds - work - planning) / count:.2f} s a job for the rest"
    )


if __name__ == "__main__":
    plan("smoke")
    plan("preview")
    plan("thesis")
    ours()
    overhead()
