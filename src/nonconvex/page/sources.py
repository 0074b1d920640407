"""Where the numbers of an experiment came from: digest, seed, libraries, machine."""

from nonconvex.page.html import element, table
from nonconvex.page.text import plain

_ORDER = ("digest", "seed", "numpy", "scipy", "h5py", "commit", "machine", "blas")


def source_table(experiment, facts):
    """
    Show the provenance of an experiment's table.

    Parameters
    ----------
    experiment : dict
        A resolved experiment.
    facts : dict
        What the files and their sidecars say; may be empty.

    Returns
    -------
    Html
    """
    facts = {"seed": experiment.get("seed"), **facts}
    names = [*_ORDER, *sorted(set(facts) - set(_ORDER))]
    rows = [
        [name.replace("_", " "), element("code", plain(facts[name])) if name in facts else "not recorded"]
        for name in names
    ]
    return table(["what", "value"], rows, caption=element("code", experiment["experiment"]))
