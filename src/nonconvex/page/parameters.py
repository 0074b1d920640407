"""The parameters of an experiment, each marked stated, chosen or reduced."""

from nonconvex.figures.words import ordered
from nonconvex.page.html import element, join, table
from nonconvex.page.text import parameter_name, plain

_SOURCES = {"stated": ("●", "stated in the thesis"), "chosen": ("○", "chosen, not reported")}


def parameter_tables(experiment):
    """
    Show an experiment's parameters and the algorithms that ran on it.

    Parameters
    ----------
    experiment : dict
        A resolved experiment.

    Returns
    -------
    Html
    """
    return join([_parameters(experiment), _algorithms(experiment) if experiment.get("algorithms") else None])


def _parameters(experiment):
    values = experiment["parameters"]
    rows = [
        [parameter_name(name), plain(values[name]), *_origin(experiment, name, values[name])]
        for name in ordered(values)
    ]
    trials = experiment.get("trials")
    rows.append(["trials per cell", plain(trials), *_origin(experiment, "trials", trials)])
    if "success" in experiment:
        rule = experiment["success"]
        words = f"{rule['column'].replace('_', ' ')} below {plain(rule['below'])}"
        rows.append(["success", words, *_origin(experiment, "success", words)])
    title = [experiment.get("title", ""), " ", element("code", experiment["experiment"])]
    return table(
        ["parameter", "value here", "at thesis scale", "where that comes from"], rows, caption=join(title)
    )


def _origin(experiment, name, here):
    """Give the value at thesis scale, marked where this scale's differs, and where it comes from."""
    sign, words = _SOURCES.get(experiment.get("sources", {}).get(name), ("", "–"))
    changed = name in experiment.get("thesis", {})
    value = f"▽ {plain(experiment['thesis'][name])}" if changed else plain(here)
    return value, f"{sign} {words}".strip()


def _algorithms(experiment):
    rows = []
    for name, algorithm in experiment["algorithms"].items():
        options = [f"{key} = {plain(value)}" for key, value in algorithm.get("options", {}).items()]
        told = [
            [", " if index else None, parameter_name(key)]
            for index, key in enumerate(algorithm.get("tell", ()))
        ]
        rows.append(
            [
                join([algorithm.get("label", name), " ", element("code", algorithm.get("method", name))]),
                join(told) or "–",
                plain(options) or "–",
                plain(algorithm.get("trials", experiment.get("trials"))),
            ]
        )
    return table(["algorithm", "told", "options", "trials per cell"], rows)
