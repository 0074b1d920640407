"""Build the wheel and try it where nothing else is: with the oldest packages it allows, and with the newest.

``python tools/try_wheel.py`` takes every Python from 3.11 to 3.13 that it finds on PATH or with pyenv. The
oldest packages are those of pyproject.toml's lower bounds, on the oldest Python; the newest are pip's choice.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MINORS = (11, 12, 13)
OLDEST = MINORS[0]

# The library's way: half of two channels is lost, and comes back; a small network learns.
LIBRARY = """
import h5py
import numpy as np
from nonconvex import hankel, networks
rng = np.random.default_rng(1)
truth = hankel.spectrally_sparse_signal(2, 60, 2, rng=rng)
mask = hankel.loss_mask(1, 2, 60, 0.5, rng)
solvers = [(hankel.am_fiht, {"rank": 2}), (hankel.sap, {"rank": 2}), (hankel.svt, {})]
for solver, options in solvers:
    error = np.linalg.norm(solver(truth, mask, **options).x - truth) / np.linalg.norm(truth)
    assert error < 0.1, (solver.__name__, error)
weights, signs = networks.draw_weights(5, 2, rng=rng), networks.draw_signs(2, rng=rng)
inputs = networks.draw_patches(100, 3, 5, rng=rng)
outputs = networks.convolutional_outputs(inputs, weights, signs)
start = networks.draw_start(weights, rng=rng)[None]
trials = networks.convolutional_trials(inputs[None], outputs[None], signs[None])
step = networks.convolutional_step(n_neurons=2, n_patches=3)
learned = networks.descend(trials, start, weights[None], step=step, max_iterations=3000, target=1e-6)
assert learned.status[0] == "converged"
time = np.arange(60) / 10
wave = np.where(np.arange(60) % 7 == 3, np.nan, np.cos(7 * time))
np.savetxt("data.csv", np.column_stack([time, wave]), delimiter=",", header="time,a", comments="")
with h5py.File("data.h5", "w") as file:
    file["time"], file["series"] = time, wave[None]
"""

# What was tried; nothing of the pipeline came with it.
INSTALLED = """
from importlib.metadata import distributions
versions = {one.name.lower(): one.version for one in distributions()}
assert not {"snakemake", "pandas", "pyyaml"} & set(versions), versions
print(*(f"{name} {versions[name]}" for name in ("numpy", "scipy", "h5py", "matplotlib")), sep=", ")
"""


def main() -> int:
    """Build, try with each Python, and return how many trials failed."""
    found = dict(_pythons())
    print("found Python", ", ".join(f"3.{minor}" for minor in found), flush=True)
    for minor in MINORS:
        if minor not in found:
            print(f"Python 3.{minor} is not on this machine: not tried")
    with tempfile.TemporaryDirectory() as folder:
        wheel = _wheel(Path(folder))
        trials = [(python, Path(folder, f"newest-3.{minor}"), []) for minor, python in found.items()]
        if OLDEST in found:
            trials.append((found[OLDEST], Path(folder, "oldest"), _lower_bounds()))
        with ThreadPoolExecutor(max_workers=2) as pool:  # one is installed while the other is tried
            return sum(not good for good in pool.map(lambda trial: _tried(wheel, *trial), trials))


def _pythons() -> Iterator[tuple[int, str]]:
    pyenv = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser() / "versions"
    for minor in MINORS:
        places = [shutil.which(f"python3.{minor}"), *sorted(pyenv.glob(f"3.{minor}.*/bin/python"))]
        for place in filter(None, places):
            probe = [place, "-c", "import sys, venv; print(sys.version_info[1])"]
            said = subprocess.run(probe, capture_output=True, text=True).stdout
            if said.strip() == str(minor):  # a shim of pyenv may be there for a Python that is not in use
                yield minor, str(place)
                break


def _wheel(folder: Path) -> Path:
    source = folder / "source"  # a copy, for setuptools writes its build folder into the source
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        source.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    _pip(
        sys.executable, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(source)
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def _lower_bounds() -> list[str]:
    return [re.sub(">=", "==", item) for item in PROJECT["dependencies"]]


def _tried(wheel: Path, python: str, home: Path, pins: Sequence[str]) -> bool:
    # With its own pip: one that is older than the Python tried may not know it.
    subprocess.run([python, "-m", "venv", str(home)], check=True)
    inside, script = str(home / "bin/python"), str(home / "bin/nonconvex")
    _pip(inside, "install", "--no-compile", "--only-binary", ":all:", str(wheel), *pins)
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    said = ""
    for words, status, part in (
        ([inside, "-c", LIBRARY], 0, ""),
        ([script, "--version"], 0, PROJECT["version"]),
        ([script, "recover", "data.csv", "--rank", "2"], 0, "data_recovered.png"),
        ([script, "recover", "data.h5", "--rank", "2"], 0, "data_recovered.h5"),
        ([script, "cost"], 1, "works in a clone"),
        ([inside, "-c", INSTALLED], 0, "numpy"),
    ):
        done = subprocess.run(words, cwd=home, env=kept, capture_output=True, text=True)
        said = done.stdout + done.stderr
        if done.returncode != status or part not in said:
            print(f"{home.name}: FAILED at {' '.join(words[:3])}\n{said}", flush=True)
            return False
    print(f"{home.name}: good, with {said.strip()}", flush=True)
    return True


def _pip(python: str, *words: str) -> None:
    subprocess.run([python, "-m", "pip", "--quiet", "--disable-pip-version-check", *words], check=True)


if __name__ == "__main__":
    sys.exit(main())
