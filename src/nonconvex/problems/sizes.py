"""Sizes of Hankel matrices that an experiment can ask for."""


def check_sizes(n_channels: int, n_samples: int, n1: int, rank: int) -> None:
    """Raise ValueError when the Hankel matrix with `n1` blocks does not exist or does not allow the rank."""
    if not 1 <= n1 <= n_samples:
        raise ValueError(f"n1 = {n1} is outside 1..n_samples = {n_samples}")
    rows, columns = n_channels * n1, n_samples - n1 + 1
    limit = min(rows, columns)
    if not 1 <= rank <= limit:
        raise ValueError(
            f"rank = {rank} is outside 1..{limit}, all that a Hankel matrix of {rows} x {columns} "
            f"allows (n_channels = {n_channels}, n_samples = {n_samples}, n1 = {n1})"
        )
