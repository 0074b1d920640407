"""Dataset families: how an instance is drawn, and what an algorithm's outcome on it is.

A family is two modules. `data` has ``STREAMS`` (random stream -> names of the cell values it depends on),
``check(cell)`` (ValueError for an impossible cell), ``draw(cell, streams)`` (arrays to store) and
``build(cell, stored)`` (the instance). `outcome`, where the family has algorithms, has ``COLUMNS`` (name ->
dtype), ``outcome(solver, instance, tell, options)`` and ``failed()``; `methods` is the package of the
solvers, one module and function of the same name each. A family without algorithms has `table`, with
``columns(axes)`` and ``rows(axes, cell, trial, instance)``. An `outcome` with ``HISTORY`` (name -> dtype)
keeps every iterate, and its table has one row per iterate. The jobs of a `timed` family run alone on their
machine. The `data` of a `RECORDED` family has ``read(path, parameters)``: the arrays that it returns are
stored once a block, and handed to `build` with what was drawn. `tell`, where it is given, is what the solvers
may be told, instead of the outcome's ``TELL``. A family in which nothing is drawn happens `once`: it has one
trial, whatever the config asks for.

`data` may have ``REDRAWN``, streams whose draws are too bulky to be stored: ``build(cell, stored, streams)``
draws them again, and checks what it draws against the first numbers that ``draw`` stored. `outcome` may have
``outcomes(solver, instances, tell, options)`` instead of ``outcome``, which works on all trials of a cell
together, and ``check(options, cell)`` (ValueError for options that it cannot use); `solver`, instead of
`methods`, is the one module that has all solvers of the family.
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
    "robust_masks": {
        "data": "nonconvex.study.robust_masks_data",
        "table": "nonconvex.study.robust_masks_table",
    },
    "robust": {
        "data": "nonconvex.study.robust_data",
        "outcome": "nonconvex.study.robust_outcome",
        "methods": "nonconvex.hankel",
    },
    "timed_robust": {
        "data": "nonconvex.study.robust_data",
        "outcome": "nonconvex.study.timed_robust_outcome",
        "methods": "nonconvex.hankel",
        "timed": True,
    },
    "pmu_block": {
        "data": "nonconvex.study.pmu_block",
        "table": "nonconvex.study.pmu_block",
        "once": True,
    },
    "pmu_rank_errors": {
        "data": "nonconvex.study.pmu_rank_errors",
        "table": "nonconvex.study.pmu_rank_errors",
        "once": True,
    },
    "pmu": {
        "data": "nonconvex.study.pmu_data",
        "outcome": "nonconvex.study.completion_outcome",
        "methods": "nonconvex.hankel",
        "tell": ("incoherence",),
    },
    "timed_pmu": {
        "data": "nonconvex.study.pmu_data",
        "outcome": "nonconvex.study.timed_outcome",
        "methods": "nonconvex.hankel",
        "tell": ("incoherence",),
        "timed": True,
    },
    "convolutional": {
        "data": "nonconvex.study.convolutional_data",
        "outcome": "nonconvex.study.convolutional_outcome",
        "solver": "nonconvex.networks.descent",
    },
    "convolutional_curves": {
        "data": "nonconvex.study.convolutional_data",
        "outcome": "nonconvex.study.convolutional_curves_outcome",
        "solver": "nonconvex.networks.descent",
    },
    "convolutional_starts": {
        "data": "nonconvex.study.convolutional_data",
        "outcome": "nonconvex.study.convolutional_start_outcome",
        "solver": "nonconvex.networks.descent",
    },
    "tensor_signal": {
        "data": "nonconvex.study.convolutional_data",
        "table": "nonconvex.study.tensor_signal_table",
    },
    "graph": {
        "data": "nonconvex.study.graph_data",
        "outcome": "nonconvex.study.graph_outcome",
        "solver": "nonconvex.networks.descent",
    },
    "graph_curves": {
        "data": "nonconvex.study.graph_data",
        "outcome": "nonconvex.study.graph_curves_outcome",
        "solver": "nonconvex.networks.descent",
    },
    "graph_starts": {
        "data": "nonconvex.study.graph_data",
        "outcome": "nonconvex.study.graph_start_outcome",
        "solver": "nonconvex.networks.descent",
    },
    "graph_structures": {
        "data": "nonconvex.study.graph_structure_data",
        "table": "nonconvex.study.graph_edges_table",
    },
    "graph_spectra": {
        "data": "nonconvex.study.graph_structure_data",
        "table": "nonconvex.study.graph_spectrum_table",
    },
}

RECORDED = ("pmu_block", "pmu_rank_errors", "pmu", "timed_pmu")
"""The families about the recording that the config's ``data.pmu`` names."""
