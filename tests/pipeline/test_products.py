"""What the workflow asks the pipeline for."""

from nonconvex.pipeline import pipeline as module
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import Config


def test_another_scale_is_read_once(pytestconfig, monkeypatch):
    """Rules ask for it with every product: reading the study each time made a plan take minutes."""
    pipeline = Pipeline(Config("preview"), pytestconfig.rootpath)
    made = []
    monkeypatch.setattr(module, "Pipeline", lambda *words: made.append(words) or Pipeline(*words))
    assert pipeline.at("smoke") is pipeline.at("smoke")
    assert len(made) == 1
    assert pipeline.at("preview") is pipeline
