"""All quantities, by the names that claims files use: what settings each one takes.

The Snakemake main process imports this module: neither it nor what it imports may load numpy or pandas.
"""

from math import inf

from nonconvex.claims.words.quantity import (
    ALGORITHMS,
    FLAG,
    NUMBER,
    OPERATION_NAMES,
    TEXT,
    Quantity,
    settings,
)

_OPERATIONS = {"enum": list(OPERATION_NAMES)}
_TWO = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}
_COLUMNS = {"type": "array", "items": TEXT, "minItems": 2, "names": "table column"}
_CELLS = settings("cells")
_BOTH_CELLS = settings("cells", "over_cells")
_GIVEN = settings("given", "over_given", "until", "over_until")
# A law goes through means of a column at each level of `per`, or through thresholds in each of `rows`.
_LAW = (("column", "per"), ("rows", "along", "success"))
_LAW_MORE = settings(
    "condition",
    "complement",
    "times_level",
    "geometric",
    "median",
    "cells",
    "levels",
    "among",
    "bins",
    "strata",
)

QUANTITIES: dict[str, Quantity] = {
    "share": Quantity(settings("of", "condition"), _CELLS, bounds=(0, 1), guard="cell"),
    "difference of shares": Quantity(
        settings("of", "over"),
        settings("condition", "cells", against=settings("condition")["condition"], mixed_only=FLAG),
        bounds=(-1, 1),
        guard="cell",
    ),
    "difference of gains": Quantity(
        settings("of", "over"),
        settings("condition", "cells", mixed_only=FLAG),
        bounds=(-2, 2),
        beside=True,
    ),
    "threshold": Quantity(
        settings("of", "along", "success"),
        settings("condition", "cells", bounds=_TWO),
    ),
    "difference of thresholds": Quantity(
        settings("of", "along", "success"),
        settings(
            "over",
            "rows",
            "condition",
            "complement",
            "cells",
            "over_cells",
            unit={"enum": ["axis", "relative", "steps"]},
        ),
        beside=None,
        sided=True,
        against=True,
        guard="row",
    ),
    "mean": Quantity(
        settings("column"),
        settings("geometric", "given", "until", "cells", relative_to=settings("per")["per"]),
        guard="cell",
        facts=True,
    ),
    "ratio of values": Quantity(
        settings("of", "column"),
        {
            **_GIVEN,
            **_BOTH_CELLS,
            **settings("over_column"),
            "over": ALGORITHMS,
            "work": _OPERATIONS,
            "over_work": _OPERATIONS,
        },
        bounds=(0, inf),
        beside=None,
        sided=True,
        against=True,
        guard="cell",
    ),
    "ratio of ratios": Quantity(
        settings("of", "over", "column"), {**_GIVEN, **_CELLS}, bounds=(0, inf), beside=True
    ),
    "change": Quantity({}, _LAW_MORE, _LAW, bounds=(0, inf), guard="step", facts=True),
    "slope": Quantity(
        settings("function"),
        {**_LAW_MORE, **settings("over", "over_cells")},
        _LAW,
        beside=None,
        sided=True,
        facts=True,
    ),
    "log-log slope": Quantity(
        {}, {**_LAW_MORE, **settings("over", "over_cells")}, _LAW, beside=None, sided=True, facts=True
    ),
    "distance from a line": Quantity(
        settings("function"), {**_LAW_MORE, **settings("rivals")}, _LAW, bounds=(0, inf), facts=True
    ),
    "ratio of ranges": Quantity(
        settings("column", "per"),
        {**_BOTH_CELLS, **settings("over", "geometric", "median")},
        bounds=(0, inf),
        beside=None,
        sided=True,
        against=True,
        facts=True,
    ),
    "change of reach": Quantity(
        settings("column", "per", "along", "function"), _CELLS, bounds=(0, inf), guard="step", facts=True
    ),
    "place of the steepest fall": Quantity(settings("of", "column", "per"), settings("cells", "geometric")),
    "relative spread": Quantity(settings("of", "column", "per"), _CELLS, bounds=(0, inf)),
    "spreads in a band": Quantity(settings("of", "column", band=_TWO), _CELLS, bounds=(0, 1)),
    "even decay": Quantity(
        settings("of"),
        settings("cells", "among", milestones=_COLUMNS),
        bounds=(0, 1),
        reads=("status",),
    ),
    "every value": Quantity(
        settings("column"), settings("cells", pick={"enum": ["all", "least", "largest", "largest size"]})
    ),
    "value for context": Quantity(
        settings("of", "column"), settings("until", "cells", stated=NUMBER), judged=False
    ),
}
