"""All families: one folder and one line each here. `nonconvex.problems.contract` looks them up."""

from importlib import import_module

from nonconvex.problems.contract import Family

FOLDERS = (
    "completion",
    "robust",
    "phasors",
    "convolutional",
    "graph",
    "pruned",
    "selftraining",
    "images",
)
"""Folders of this package; the module ``family`` of each has ``FAMILIES``, by name."""

FAMILIES: dict[str, Family] = {
    name: family
    for folder in FOLDERS
    for name, family in import_module(f"{__package__}.{folder}.family").FAMILIES.items()
}

SOURCES = {
    "pmu": f"{__package__}.phasors.source",
    "mnist": f"{__package__}.images.mnist_source",
    "cifar10": f"{__package__}.images.cifar10_source",
}
"""By the name of its settings in the config's ``data``: the module with ``SOURCE``."""
