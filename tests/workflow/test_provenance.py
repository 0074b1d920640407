"""Promise 4: every result says where it came from, and nothing that differs between machines is in it."""

import json

import h5py
import pytest
from project_copy import Project


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("finished"))
    project.snakemake()
    return project


def test_blocks_say_what_made_them(finished):
    base = finished.folder / "results/smoke-tiny"
    blocks = sorted(base.rglob("*.h5"))
    assert len(blocks) == 4
    for path in blocks:
        with h5py.File(path) as file:
            plan = json.loads(file.attrs["plan"])
            assert plan["parameters"]["p"] == [0.6]
            assert plan["seed"] == 1
            assert len(file.attrs["digest"]) == 16
            assert set(json.loads(file.attrs["versions"])) == {"numpy", "scipy", "h5py"}
    with h5py.File(base / "datasets/phase_mode1/0000-0001.h5") as file:
        path = file["cells/00000"].attrs["seed path of mask"]
        assert (
            path
            == "seed=1|dataset=phase_mode1|mode=1,n_channels=4,n_samples=32,p=0.6,rank=1|trial=*|stream=mask"
        )


def test_sidecars_hold_what_differs_between_machines(finished):
    base = finished.folder / "results/smoke-tiny"
    sidecars = sorted((base / "provenance").rglob("*.json"))
    assert len(sidecars) == 9
    for path in sidecars:
        facts = json.loads(path.read_text())
        assert {
            "commit",
            "machine",
            "blas",
            "python",
            "numpy",
            "digest",
            "cpu_seconds",
            "peak_memory_mb",
        } <= set(facts)


def test_stamps_say_what_tables_and_figures_were_made_from(finished):
    base = finished.folder / "results/smoke-tiny"
    stamp = json.loads((base / "stamps/figures/fig2.2.json").read_text())
    assert stamp["plan"]["figure"] == "2.2"
    assert list(stamp["inputs"]) == ["results/smoke-tiny/tables/phase_mode1.csv"]
    assert sorted(stamp["outputs"]) == [f"results/smoke-tiny/figures/fig2.2.{s}" for s in ("csv", "png")]


def test_the_page_shows_it(finished):
    page = (finished.folder / "results/smoke-tiny/index.html").read_text()
    for word in ("Where the numbers came from", "commit", "machine", "openblas", "C001", "fig2.2.png"):
        assert word in page


def test_more_trials_replace_the_short_block(finished):
    folder = finished.folder / "results/smoke-tiny/outcomes/phase_mode1/am_fiht"
    kept = (folder / "0000-0001.h5").read_bytes()
    finished.snakemake(settings=["trials=3"])
    assert sorted(path.stem for path in folder.iterdir()) == ["0000-0001", "0002-0002"]
    finished.snakemake(settings=["trials=4"])
    assert sorted(path.stem for path in folder.iterdir()) == ["0000-0001", "0002-0003"]
    assert (folder / "0000-0001.h5").read_bytes() == kept
    rows = (finished.folder / "results/smoke-tiny/tables/phase_mode1.csv").read_text().splitlines()
    assert len(rows) == 1 + 3 * 4
