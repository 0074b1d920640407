"""Provenance: which commit, machine and libraries made a file, and what it cost.

Sidecars lie under ``results/{scale}/provenance/``; no rule reads them and no comparison covers them, because
times and machines differ between runs that must give the same results.
"""

import json
import os
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from nonconvex.files import write_text

PACKAGES = ("numpy", "scipy", "h5py", "pandas", "matplotlib", "snakemake")
OPTIONAL = ("torch",)  # its version tells the build, as in 2.13.0+cpu


def sidecar(output: str | Path) -> Path:
    """Return the sidecar of a product's file ``results/{scale}/{what}/...``."""
    parts = Path(output).parts
    if len(parts) < 3:
        return Path(f"{output}.provenance.json")
    return Path(*parts[:2], "provenance", *parts[2:]).with_suffix(".json")


def write_sidecar(output: str | Path, digest: str, started: float) -> None:
    """Write the sidecar of `output`; `started` is the process's ``time.perf_counter()`` at its start."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    facts = machine_facts() | {
        "digest": digest,
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 3),
        "wall_seconds": round(time.perf_counter() - started, 3),
        "peak_memory_mb": round(usage.ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024), 1),
    }
    write_text(sidecar(output), json.dumps(facts, indent=1, sort_keys=True) + "\n")


def read_sidecar(output: str | Path) -> dict:
    """Return the sidecar of `output`, or an empty dict where there is none."""
    try:
        return json.loads(sidecar(output).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def machine_facts() -> dict[str, object]:
    """Return the commit, the machine and the libraries of this process."""
    return {
        "commit": commit(),
        "machine": f"{platform.system()} {platform.machine()}, {_processor()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "blas": _blas(),
        **{name: version(name) for name in PACKAGES},
        **{name: version(name) for name in OPTIONAL if find_spec(name)},
    }


def commit() -> str:
    """Return the short git commit of the working folder, marked when files were changed, or "unknown"."""
    head = _git("rev-parse", "--short=12", "HEAD")
    if not head:
        return "unknown"
    return f"{head} with changes" if _git("status", "--porcelain") else head


def _git(*words: str) -> str:
    try:
        done = subprocess.run(["git", *words], capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown processor"


def _blas() -> str:
    import numpy as np

    config: Mapping = np.show_config(mode="dicts")
    blas = config["Build Dependencies"]["blas"]
    kernel = os.environ.get("OPENBLAS_CORETYPE")
    return f"{blas['name']} {blas['version']}" + (f" (kernel {kernel})" if kernel else "")
