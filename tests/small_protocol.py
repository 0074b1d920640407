"""A protocol of two experiments that take seconds, at the thesis's scale, to be judged in three looks."""

from project_copy import Project

EXPERIMENTS = """
chapter: "2"
title: Two experiments
shared:
  numbers: &numbers
    n_channels: {thesis: 4, source: chosen}
    n_samples: {thesis: 32, source: chosen}
    n1: {thesis: 16, source: chosen}
    amplitude_exponent: {thesis: 1.0, source: chosen}
    mode: {thesis: 1, source: chosen}
    p: {thesis: [0.9], source: chosen}
    rank: {thesis: [1], source: chosen}
    noise_kind: {thesis: real, source: chosen}
  one: &one
    title: One of two
    family: completion
    parameters: *numbers
    trials: {thesis: 4, source: chosen}
    block: {thesis: 2}
    success: {column: error, below: 1.0e-3, source: chosen}
    algorithms:
      am_fiht: {method: am_fiht, label: AM-FIHT, tell: [rank, n1], options: {beta: squared}}
experiments:
  easy: {<<: *one, independent: {truth: [p]}}
  hard:
    <<: *one
    algorithms:
      am_fiht: {method: am_fiht, label: AM-FIHT, tell: [rank, n1], options: {beta: squared}}
      plain: {method: am_fiht, label: plain, tell: [rank, n1], options: {beta: 0.0}, trials: {thesis: 1}}
figures:
  "2.2":
    kind: phase_diagram
    title: Two experiments
    caption: Both.
    experiments: [easy]
    options: {x: p, y: rank, panels: [am_fiht]}
  "2.3":
    kind: phase_diagram
    title: Two experiments
    caption: Both.
    experiments: [hard]
    options: {x: p, y: rank, panels: [am_fiht]}
"""

# T001 is decided by any trial, T002 by none, and T003, which one trial shows, reads what T002 reads.
CLAIMS = """
chapter: "2"
claims:
  T001: &claim
    place: here
    line: 1
    statement: Some trials succeed.
    figures: ["2.2"]
    trials: 4
    seed: 2021
    parts: {one: {experiment: easy, figure: "2.2"}}
    judge: {quantity: share, of: am_fiht, condition: recovered, holds: "> 0.002", fails: "< 0.001"}
    readings: {as printed: {means: a few}}
  T002:
    <<: *claim
    statement: All trials that ever are succeed.
    figures: ["2.3"]
    parts: {one: {experiment: hard, figure: "2.3"}}
    judge: {quantity: share, of: am_fiht, condition: recovered, holds: "> 0.999999", fails: "< 0.000001"}
  T003:
    <<: *claim
    statement: Some trials succeed without the heavy-ball step.
    figures: ["2.3"]
    trials: 1
    parts: {one: {experiment: hard, figure: "2.3"}}
    judge: {quantity: share, of: plain, condition: recovered, holds: "> 0.002", fails: "< 0.001"}
"""


class SmallProject(Project):
    """A copy of the project with this protocol, which looks after 1, 2 and 4 trials."""

    def __init__(self, folder):
        super().__init__(folder)
        for kind, text in (("experiments", EXPERIMENTS), ("claims", CLAIMS)):
            for path in (folder / "workflow" / kind).glob("chapter*.yaml"):
                path.unlink()
            (folder / f"workflow/{kind}/chapter2.yaml").write_text(text)
        self.edit("src/nonconvex/claims/looks.py", "_LOOKS = {", "_LOOKS = {4: (1, 2, 4), ")

    def decide(self, *words, check=True):
        """Call decide at the thesis's scale."""
        call = self.nonconvex(
            "decide", "--cores", "2", "--config", "scale=thesis", *words, check=check, configfile=None
        )
        return call.stdout
