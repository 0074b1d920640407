"""The Hankel matrix stood upright: at least as many rows as columns, its entries windows on the signal."""

import numpy as np

from nonconvex.hankel.operators.lift import HankelLift


class UprightHankel:
    """H(X), its rows in any order, or its transpose where H(X) is wide.

    The rows of an upright H are sorted by channel, then by time block; those of a transposed H are the
    columns of H, and its columns run over channels, then over time blocks.

    Parameters
    ----------
    lift : HankelLift
        Of the shape and kind of the signals.

    Attributes
    ----------
    shape : tuple of int
        (rows, columns), rows >= columns.
    fold : tuple of int
        How a matrix of this shape splits into (n_channels, n1, n2), or for a transposed H into
        (n2, n_channels, n1).
    """

    def __init__(self, lift: HankelLift) -> None:
        self.lift = lift
        rows, columns = lift.shape
        self.turned = rows < columns
        self.shape = (columns, rows) if self.turned else (rows, columns)
        sizes = lift.n_channels, lift.n1, lift.n2
        self.fold = (sizes[2], *sizes[:2]) if self.turned else sizes

    def windows(self, x: np.ndarray) -> np.ndarray:
        """Return the matrix of the signal `x` as a read-only view of shape `fold`: nothing is copied."""
        if self.turned:
            windows = np.lib.stride_tricks.sliding_window_view(x, self.lift.n1, axis=1)
            return windows.transpose(1, 0, 2)
        return np.lib.stride_tricks.sliding_window_view(x, self.lift.n2, axis=1)

    def signal(self, low_rank: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        """Return H^dagger(A B) for factors (A, B), shape (n_channels, n_samples)."""
        left, right = low_rank
        if self.turned:
            left, right = right.T, left.T
        left = np.ascontiguousarray(left.T).reshape(-1, self.lift.n_channels, self.lift.n1)
        return self.lift.pseudoinverse(
            self.lift.left_spectrum(left), self.lift.right_spectrum(np.conj(right))
        )

    def antidiagonal_means(self, matrix: np.ndarray) -> np.ndarray:
        """Return H^dagger of a matrix of this shape, shape (n_channels, n_samples)."""
        total = np.zeros((self.lift.n_channels, self.lift.n_samples), self.lift.dtype)
        windows = matrix.reshape(self.fold)
        if self.turned:
            for t, window in enumerate(windows):
                total[:, t : t + self.lift.n1] += window
        else:
            for s in range(self.lift.n1):
                total[:, s : s + self.lift.n2] += windows[:, s]
        return total / self.lift.weights
