"""How much work an iteration is: operations, which no machine changes, beside the seconds of one machine."""

from collections.abc import Callable

import numpy as np

PRODUCTS = 20

# Of the number of samples n and the fraction lost, with a Hankel matrix of n/2 x n/2. A partial decomposition
# into singular values is counted as 20 products with it.
OPERATIONS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    # Three transforms of length n for a product with a Hankel matrix.
    "fast Hankel products": lambda n, loss: PRODUCTS * 15 * n * np.log2(n),
    # A complex product and sum for each observed entry of the matrix.
    "products with observed entries": lambda n, loss: PRODUCTS * 8 * (1 - loss) * (n / 2) ** 2,
    # A full decomposition by the Gram matrix: two products of matrices and its eigenvectors.
    "full decomposition": lambda n, loss: 5 * 8 * (n / 2) ** 3,
}
