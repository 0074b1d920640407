"""Figure 6.6 makes sense at smoke scale: its step is for as many neurons as there are."""

import pandas as pd

from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.steps.datasets import draw_block
from nonconvex.steps.outcomes import run_block
from nonconvex.steps.tables import write_table
from nonconvex.study.config import Config


def test_no_trial_diverges_and_errors_follow_the_noise(pytestconfig, tmp_path):
    pipeline = Pipeline(Config("smoke"), pytestconfig.rootpath)
    (block,) = pipeline.blocks("pruned_noise", "agd")
    dataset, outcomes = (
        pipeline.dataset("pruned_noise", block),
        pipeline.outcomes("pruned_noise", "agd", block),
    )
    files = [tmp_path / name / f"{block}.h5" for name in ("dataset", "agd")]
    for file in files:
        file.parent.mkdir()
    draw_block(dataset.plan, dataset.digest, str(files[0]), {})
    run_block(outcomes.plan, outcomes.digest, str(files[0]), str(files[1]))
    write_table(pipeline.table("pruned_noise").plan, [str(files[1])], str(tmp_path / "table.csv"))
    table = pd.read_csv(tmp_path / "table.csv")
    assert not table["status"].isin(["diverged", "failed"]).any()
    assert (table["error"] / table["noise"]).between(0.5, 6).all()
