"""Dataset families: how an instance is drawn, and what an algorithm's outcome on it is.

A family is two modules. `data` has ``STREAMS`` (random stream -> names of the cell values it depends on),
``check(cell)`` (ValueError for an impossible cell), ``draw(cell, streams)`` (arrays to store) and
``build(cell, stored)`` (the instance). `outcome`, where the family has algorithms, has ``COLUMNS`` (name ->
dtype), ``outcome(solver, instance, tell, options)`` and ``failed()``; `methods` is the package of the
solvers, one module and function of the same name each. A family without algorithms has `table`, with
``columns(axes)`` and ``rows(axes, cell, trial, instance)``. An `outcome` with ``HISTORY`` (name -> dtype) keeps
every iterate, and its table has one row per iterate. The jobs of a `timed` family run alone on their machine.
"""

FAMILIES = {
    "masks": {"data": "nonconvex.study.masks_data", "table": "nonconvex.study.masks_table"},
    "completion": {
        "data": "nonconvex.study.completion_data",
        "outcome": "nonconvex.study.completion_outcome",
        "methods": "nonconvex.hankel",
    },
    "timed_completion": {
        "data": "nonconvex.study.completion_data",
        "outcome": "nonconvex.study.timed_outcome",
        "methods": "nonconvex.hankel",
        "timed": True,
    },
}
