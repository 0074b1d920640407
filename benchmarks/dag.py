"""What the workflow costs beside its work: a dry run of everything, and the overhead of a job.

Run as ``python benchmarks/dag.py``. CPU seconds are those of the process and its children, memory is the
largest of any one process. A plan of thousands of jobs should stay below 10 CPU seconds and 1 GB.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import SCALES, check_config, read_config

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


def own_plans(scale):
    """Return the jobs of a scale, and the CPU seconds of this project's own part in planning them."""
    started = time.process_time()
    raw = read_config("config.yaml", (), [f"scale={scale}"])
    pipeline = Pipeline(check_config(raw, "workflow/schemas/config.schema.yaml"))
    pipeline.check()
    return len([product.plan_text for product in pipeline.products()]), time.process_time() - started


def plan(scale):
    """Print what a dry run of everything costs at a scale."""
    count, own = own_plans(scale)
    with empty_folder() as folder:
        seconds, memory, _ = measure([*SNAKEMAKE, "-n", "-q", "--config", f"scale={scale}"], folder)
    print(
        f"dry run, {scale:<8}{count:>6} jobs {seconds:>7.2f} CPU s, {1000 * seconds / count:.1f} ms a job, "
        f"{memory:.0f} MB; of it our own {own:.2f} CPU s"
    )


def overhead():
    """Print what a job costs beside the work of its own process: Snakemake, the shell, logs, metadata."""
    with empty_folder() as folder:
        run = ["--cores", "1", "--config", "scale=smoke", 'figures=["2.2", "2.3", "2.4"]']
        seconds, _, _ = measure([*SNAKEMAKE, *run], folder)
        sidecars = list(Path(folder).glob("results/smoke/provenance/**/*.json"))
        work = sum(json.loads(path.read_text())["cpu_seconds"] for path in sidecars)
        planning, _, _ = measure([*SNAKEMAKE, "-n", "-q", "--forceall", *run], folder)
    rest = (seconds - work - planning) / len(sidecars)
    print(
        f"real run, smoke {len(sidecars):>6} jobs {seconds:>7.2f} CPU s: {work:.2f} in the steps, "
        f"{planning:.2f} planning, {rest:.2f} a job for the rest"
    )


if __name__ == "__main__":
    os.chdir(ROOT)
    for name in SCALES:
        plan(name)
    overhead()
