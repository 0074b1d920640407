"""Claims about real images, on tables that are as the thesis says, and the opposite."""

import numpy as np
import pandas as pd
import pytest
from whole_images import bring_images

from nonconvex.claims.ledger import judge
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import check_config

TICKETS, STUDENTS = ("C109", "C110", "C111"), ("C112", "C124", "C125", "C126")
ROUNDS = np.arange(19)


@pytest.fixture(scope="module")
def experiments(pytestconfig):
    with pytest.MonkeyPatch.context() as patch:
        bring_images(patch)
        schema = pytestconfig.rootpath / "workflow/schemas/config.schema.yaml"
        pipeline = Pipeline(check_config({"scale": "thesis"}, schema), pytestconfig.rootpath)
        names = ("mnist_tickets", "cifar_tickets", "cifar_students")
        return {name: pipeline.experiment(name) for name in names}


def tickets(experiment, better, last, rng):
    """Rows of pruning: a ticket has `better` times the dense network's errors, the last round `last` times."""
    rows = []
    for n in experiment["parameters"]["n_samples"]:
        for trial in range(5):
            dense = n**-0.1 * np.exp(0.01 * rng.standard_normal())
            bend = np.interp(ROUNDS, [0, 10, 18], [1, better, last])
            rows += [
                {
                    "algorithm": "tickets", "n_samples": n, "trial": trial, "status": "finished", "round": k,
                    "pruning_ratio": 1 - 0.8**k, "test_error": dense * bend[k], "dense_error": dense,
                    "ticket_error": dense * better * np.exp(0.005 * rng.standard_normal()),
                }
                for k in ROUNDS
            ]  # fmt: skip
    return pd.DataFrame(rows)


def students(experiment, gain, law, rng):
    """Rows of self-training: all M gain up to `gain` points, less a multiple of a law of M."""
    levels = np.array(experiment["parameters"]["n_unlabelled"])
    rows = []
    for m in levels:
        less = law(m) / law(levels[levels > 0].min()) if m else 2
        for trial in range(5):
            own = gain * (1 - less / 2) + 0.02 * rng.standard_normal()
            rows.append(
                {
                    "algorithm": "students", "n_unlabelled": m, "trial": trial, "status": "finished",
                    "gain": own if m else 0.0, "test_accuracy": 0.85 + own / 100,
                    "rate": 0.9 + 0.05 * less + 2e-4 * rng.standard_normal(),
                    "loss_rate": 0.8 + 0.05 * less + 2e-4 * rng.standard_normal(),
                }
            )  # fmt: skip
    return pd.DataFrame(rows)


def verdicts(claims, experiments, tables, names):
    wanted = [claim for claim in claims if claim["id"] in names]
    found = judge({"scale": "thesis", "claims": wanted, "experiments": experiments}, tables)
    return found[found["row"] == "claim"].set_index("claim")["verdict"].to_dict()


@pytest.mark.parametrize(
    ("better", "last", "said"), [(0.85, 1.3, "reproduced"), (1.15, 0.9, "not reproduced")]
)
def test_tickets(chapter6, experiments, better, last, said):
    rng = np.random.default_rng(1)
    tables = {
        name: tickets(experiments[name], better, last, rng) for name in ("mnist_tickets", "cifar_tickets")
    }
    assert verdicts(chapter6, experiments, tables, TICKETS) == dict.fromkeys(TICKETS, said)


def test_a_ticket_that_beats_only_its_own_dense_network_does_not_beat_one_on_more_images(
    chapter6, experiments
):
    rng = np.random.default_rng(1)
    tables = {name: tickets(experiments[name], 0.99, 1.3, rng) for name in ("mnist_tickets", "cifar_tickets")}
    found = verdicts(chapter6, experiments, tables, TICKETS)
    assert (found["C109"], found["C111"]) == ("not reproduced", "reproduced")


@pytest.mark.parametrize(
    ("gain", "law", "said"),
    [
        (8, lambda m: m**-0.5, dict.fromkeys(STUDENTS, "reproduced")),
        (2, lambda m: m**-2.0, dict.fromkeys(STUDENTS, "not reproduced")),
    ],
)
def test_students(chapter7, experiments, gain, law, said):
    tables = {"cifar_students": students(experiments["cifar_students"], gain, law, np.random.default_rng(1))}
    assert verdicts(chapter7, experiments, tables, STUDENTS) == said


def test_substitute_images_give_no_verdict(chapter7, experiments):
    stands_in = {**experiments["cifar_students"]}
    stands_in["source"] = {**stands_in["source"], "about": {"substitute": True}}
    tables = {"cifar_students": students(stands_in, 8, lambda m: m**-0.5, np.random.default_rng(1))}
    found = verdicts(chapter7, {**experiments, "cifar_students": stands_in}, tables, STUDENTS)
    assert set(found.values()) == {"surrogate: for"}
