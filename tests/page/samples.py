"""What several tests of the page use."""

HOSTILE = "<script>alert('x')</script> & \"more\""


def experiment(name, **changes):
    return {
        "experiment": name,
        "chapter": "2",
        "scale": "preview",
        "family": "completion",
        "title": f"Title of {name}",
        "parameters": {"n_channels": 10, "mode": 1, "p": [0.1, 0.15], "strange_knob": HOSTILE},
        "axes": ["p"],
        "sources": {"n_channels": "stated", "mode": "stated", "p": "chosen"},
        "differs": ["n_channels"],
        "thesis": {"n_channels": 30},
        "algorithms": {
            "am_fiht": {
                "method": "am_fiht",
                "tell": ["rank", "n1"],
                "options": {"beta": "squared"},
                "label": "AM-FIHT, β > 0",
                "trials": 3,
            }
        },
        "trials": 5,
        "seed": 1,
        "success": {"column": "error", "below": 0.001},
        **changes,
    }
