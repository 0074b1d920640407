"""When a claim may be decided before its last trial: looks that are fixed before any run.

The Snakemake main process imports this module: neither it nor what it imports may load numpy or pandas. The
levels of the looks are in `nonconvex.statistics.spending`.
"""

_LOOKS = {
    20: (10, 20),
    30: (10, 30),
    # A tenth, a quarter, half and all: the levels depend on these shares only.
    100: (10, 25, 50, 100),
    200: (20, 50, 100, 200),
    1000: (100, 250, 500, 1000),
}


def looks(declared: int) -> tuple[int, ...]:
    """Return the numbers of trials after which a claim of so many trials is looked at, in order.

    Claims of other numbers of trials than 20, 30, 100, 200 and 1000 have one look, after all of them.
    """
    return _LOOKS.get(declared, (declared,))


def next_look(declared: int, available: int) -> int | None:
    """Return the number of trials that the next look needs; None after the last one."""
    return next((trials for trials in looks(declared) if trials > available), None)
