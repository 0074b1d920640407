"""The parameters of an experiment, each marked stated, chosen or reduced."""

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
    differs = set(experiment.get("differs", ()))
    sources = experiment.get("sources", {})
    rows = [
        [parameter_name(name), plain(value), _mark(sources.get(name), name in differs, experiment["scale"])]
        for name, value in experiment["parameters"].items()
    ]
    trials = _mark(sources.get("trials"), "trials" in differs, experiment["scale"])
    rows.append(["trials per cell", plain(experiment.get("trials")), trials])
    if "success" in experiment:
        rule = experiment["success"]
        words = f"{rule['column'].replace('_', ' ')} below {plain(rule['below'])}"
        rows.append(["success", words, _mark(sources.get("success"), False, experiment["scale"])])
    title = [experiment.get("title", ""), " ", element("code", experiment["experiment"])]
    return table(["parameter", "value here", "where it comes from"], rows, caption=join(title))


def _mark(source, differs, scale):
    sign, words = _SOURCES.get(source, ("", ""))
    parts = [f"{sign} {words}"] if words else []
    if differs:
        change = "changed from the thesis's" if scale.startswith("thesis") else "reduced at this scale"
        parts.append(f"▽ {change}")
    return "; ".join(parts) or "–"


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
