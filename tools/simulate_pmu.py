"""Simulate the bundled block of voltage phasors: a line trip in Central New York.

Run by hand, in an environment of its own (see resources/pmu/README.md): andes is GPL software, and nothing
else in this project imports it. Two runs with one version of andes write the same bytes.
"""

# ruff: noqa: E402 - the number of BLAS threads must be set before numpy is imported.
import argparse
import hashlib
import json
import os
import sys
import tempfile
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import andes
import numpy as np

CASE = "npcc/npcc.xlsx"
LINE = "Line_44"
LINE_BUSES = [43, 50]
EVENT_TIME = 2.3
STEP = 1 / 120
SAMPLING_RATE = 30
SAMPLES = 300
BUSES = [37, 38, 41, 43, 44, 45, 50, 51, 52, 66, 69]
NAME = "npcc140_linetrip"


def main() -> None:
    """Write the CSV and its side file into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path(__file__).resolve().parents[1] / "resources" / "pmu"
    parser.add_argument("--output", type=Path, default=default, help="folder (default: resources/pmu)")
    folder = parser.parse_args().output
    system = simulate()
    text = table(*sample(system))
    write(folder / f"{NAME}.csv", text)
    write(folder / f"{NAME}.json", json.dumps(side_file(system, text), indent=2) + "\n")


def simulate() -> "andes.system.System":
    """Run the case with the line trip as its only event, and return the solved system."""
    with tempfile.TemporaryDirectory() as scratch:
        system = andes.load(
            andes.get_case(CASE), setup=False, no_output=True, default_config=True, output_path=scratch
        )
        built_in = list(system.Toggle.idx.v)
        system.add("Toggle", {"idx": "trip", "model": "Line", "dev": LINE, "t": EVENT_TIME})
        system.setup()
        for toggle in built_in:
            system.Toggle.set_status(toggle, 0)
        if sorted(_ends(system)) != LINE_BUSES:
            sys.exit(f"{LINE} of {CASE} joins buses {_ends(system)}, not {LINE_BUSES}: the case has changed")
        if not system.PFlow.run():
            sys.exit("the power flow did not converge")
        settings = system.TDS.config
        settings.tf = SAMPLES / SAMPLING_RATE
        settings.fixt = 1
        settings.shrinkt = 0
        settings.tstep = STEP
        settings.criteria = 0
        settings.no_tqdm = 1
        if not system.TDS.run():
            sys.exit("the time-domain simulation failed")
    return system


def sample(system: "andes.system.System") -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Interpolate magnitude (per unit) and angle (degrees) to k / 30 s; shape (buses, samples)."""
    time = np.arange(SAMPLES) / SAMPLING_RATE
    simulated = np.asarray(system.dae.ts.t)
    addresses = system.Bus.idx2uid(BUSES)
    magnitude = system.dae.ts.y[:, system.Bus.v.a[addresses]]
    angle = np.degrees(system.dae.ts.y[:, system.Bus.a.a[addresses]])
    return time, _interpolate(time, simulated, magnitude), _interpolate(time, simulated, angle)


def table(time: np.ndarray, magnitude: np.ndarray, angle: np.ndarray) -> str:
    """Return the CSV's text: seven significant digits."""
    columns = ["time_s"] + [f"bus{bus}_{what}" for bus in BUSES for what in ("magnitude_pu", "angle_deg")]
    values = np.column_stack([time, np.stack([magnitude, angle], axis=1).reshape(-1, SAMPLES).T])
    rows = [",".join(f"{value:.7g}" for value in row) for row in values]
    return "\n".join([",".join(columns), *rows]) + "\n"


def side_file(system: "andes.system.System", text: str) -> dict[str, object]:
    """Return what the CSV's side file says."""
    names = [str(system.Bus.name.v[address]) for address in system.Bus.idx2uid(BUSES)]
    return {
        "title": "Simulated voltage phasors of 11 Central New York buses around a line trip",
        "origin": (
            "Simulation, not a recording. Output of the NPCC 140-bus dynamic model distributed with andes "
            f"({CASE}); its two built-in toggles are switched off."
        ),
        "file": f"{NAME}.csv",
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "columns": {
            "time_s": "seconds",
            "bus<number>_magnitude_pu": "voltage magnitude, per unit of the bus's nominal voltage",
            "bus<number>_angle_deg": "voltage angle, degrees, in the model's common rotating frame",
        },
        "buses": dict(zip(map(str, BUSES), names, strict=True)),
        "n_channels": len(BUSES),
        "n_samples": SAMPLES,
        "sampling_rate_hz": SAMPLING_RATE,
        "event": f"trip of {LINE}, one of the two circuits between EDIC (bus 43) and CLAY (bus 50)",
        "event_time_s": EVENT_TIME,
        "simulation_step_s": STEP,
        "sampling": "linear interpolation of the simulated points to k / 30 s",
        "tool": f"andes {andes.__version__}",
        "made_by": "tools/simulate_pmu.py",
    }


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8", newline="\n")
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _ends(system: "andes.system.System") -> list[int]:
    return [int(system.Line.get(end, LINE)) for end in ("bus1", "bus2")]


def _interpolate(time: np.ndarray, simulated: np.ndarray, values: np.ndarray) -> np.ndarray:
    return np.array([np.interp(time, simulated, column) for column in values.T])


if __name__ == "__main__":
    main()
