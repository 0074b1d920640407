"""One figure on the page."""

from nonconvex.page.claims import claims_about
from nonconvex.page.html import element
from nonconvex.page.parameters import parameter_tables
from nonconvex.page.sources import source_table


def figure_section(figure, formats, claims, shown, provenance):
    """
    Show a figure: picture, caption, files, claims, parameters, provenance.

    Parameters
    ----------
    figure : dict
        The figure's plan.
    formats : list of str
        The formats it was written in.
    claims : list of Claim
        The claims about it.
    shown : set of str
        Names of the claims shown in full so far; grows.
    provenance : dict
        By experiment.

    Returns
    -------
    Html
    """
    formats = sorted(formats)
    number, base = figure["figure"], f"figures/fig{figure['figure']}"
    picture = next((kind for kind in ("png", "svg") if kind in formats), None)
    image = (
        element("a", element("img", src=f"{base}.{picture}", alt=figure["title"]), href=f"{base}.{picture}")
        if picture
        else None
    )
    files = [
        element("a", {"csv": "the numbers (csv)"}.get(kind, kind), href=f"{base}.{kind}")
        for kind in (*formats, "csv")
    ]
    experiments = figure["experiments"]
    return element(
        "section",
        element("h3", f"Figure {number}. {figure['title']}"),
        element(
            "figure",
            image,
            element("figcaption", figure.get("caption", "")),
        ),
        element("p", "Files: ", [[file, " "] for file in files], class_="files"),
        claims_about(claims, number, shown),
        element(
            "details",
            element("summary", "Parameters: stated, chosen, reduced"),
            [parameter_tables(experiment) for experiment in experiments.values()],
            open=True,
        ),
        element(
            "details",
            element("summary", "Where the numbers came from"),
            [source_table(one, provenance.get(name, {})) for name, one in experiments.items()],
        ),
        class_="figure",
        id=f"fig{number}",
    )
