"""What a figure says when its data are the user's own recording."""

from collections.abc import Mapping


def figure_words(entry: Mapping, experiments: Mapping[str, Mapping]) -> dict:
    """Return a figure's kind, title, caption and options, as they stand for the data that it shows.

    Parameters
    ----------
    entry : mapping
        The figure's entry in its chapter's file. Where the data are the user's own, its ``own_data`` comes
        over the rest: a title, a caption, and options, of which null removes one. The note on substitutes
        goes in any case.
    experiments : mapping
        The figure's resolved experiments.

    Returns
    -------
    dict
    """
    words = {key: value for key, value in entry.items() if key not in ("experiments", "own_data")}
    recordings = [e["recording"] for e in experiments.values() if e.get("recording", {}).get("own")]
    if not recordings:
        return words
    own = entry.get("own_data", {})
    options = {**entry.get("options", {}), "substitute": None, **own.get("options", {})}
    missing = recordings[0]["missing"]
    if missing:
        options["substitute"] = (
            f"{100 * missing:.3g} % of the recording is missing: never observed, never scored; for "
            "approximation errors it is bridged by straight lines"
        )
    options = {key: value for key, value in options.items() if value is not None}
    return {**words, **{key: own[key] for key in ("title", "caption") if key in own}, "options": options}
