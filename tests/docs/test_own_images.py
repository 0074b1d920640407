"""docs/own-images.md, done as it says, where torch is installed."""

import contextlib
import io
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from images.image_problems import images_of

PAGE = (Path(__file__).parents[2] / "docs/own-images.md").read_text()
(OVERLAY,) = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)


def test_the_programs_of_the_page(tmp_path, monkeypatch):
    pytest.importorskip("torch")
    data = images_of(500, n_classes=4)
    np.savez(tmp_path / "images.npz", images=data.images, labels=data.labels.astype(np.uint8))
    monkeypatch.chdir(tmp_path)
    names, shown = {}, []
    for text in PROGRAMS:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(text, names)
        shown.append(printed.getvalue().splitlines())
    assert shown[0] == []
    assert len([line for line in shown[1] if "pruned: " in line]) == 10
    assert float(shown[1][-1].split()[-1]) > 0.5
    unlabelled, teacher, last = zip(*(map(float, line.split()) for line in shown[2]), strict=True)
    assert unlabelled == (0, 100, 250) and len(set(teacher)) == 1
    assert teacher[0] == last[0] > 0.6
    assert sorted(path.name.split("-")[0] for path in Path("states").iterdir()) == [
        "lottery_ticket", "students", "students", "teacher",
    ]  # fmt: skip


def test_the_figures_of_ones_own_images(project):
    pytest.importorskip("torch")
    data = images_of(500, n_classes=4)
    np.savez(project.folder / "images.npz", images=data.images, labels=data.labels)
    (project.folder / "own-images.yaml").write_text(OVERLAY)
    small = ["--config", "trials=1", "formats=[png]"]
    project.run(
        [sys.executable, "-m", "snakemake", "--cores", "2", "--configfile", "own-images.yaml", *small]
    )
    folder = project.folder / "results/preview-own-images"
    tickets = pd.read_csv(folder / "tables/mnist_tickets.csv")
    assert sorted(tickets["n_samples"].unique()) == [100, 200]
    assert tickets.groupby("n_samples")["round"].max().tolist() == [7, 7]
    students = pd.read_csv(folder / "tables/cifar_students.csv")
    assert students["n_unlabelled"].tolist() == [0, 50, 100, 200]
    assert (students["gain"].iloc[0], students["status"].unique().tolist()) == (0, ["finished"])
    assert sorted(path.stem for path in folder.glob("figures/*.png")) == ["fig6.11", "fig7.10"]
    assert not list(folder.rglob("*.unfinished"))
    assert (
        "in the place of MNIST: 401 labelled images and 99 for tests" in (folder / "index.html").read_text()
    )
    ledger = pd.read_csv(folder / "claims.csv")
    assert (ledger.loc[ledger["claim"].isin(["C109", "C125"]), "data"] == "substitute").all()


def test_the_page_names_every_model():
    pytest.importorskip("torch")
    from nonconvex.images.models.build import MODELS

    (listed,) = re.findall(r"(?s)The models are (.*?)\.", PAGE)
    assert re.findall(r"`(\w+)`", listed) == list(MODELS)
