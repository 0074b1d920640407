"""What one iteration of a robust-completion method costs on one channel, in floating-point operations.

The seconds of two implementations decide only where their operations point the same way. Iterations would be
no witness here, because an iteration of one method costs many times another's. A partial singular value
decomposition is counted as 20 products with the matrix, and the Hankel matrix as n/2 x n/2.
"""

from collections.abc import Callable

import numpy as np

PRODUCTS = 20

# Of the number of samples n and the fraction lost.
OPERATIONS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    # Three transforms of length n for a product with a Hankel matrix.
    "fast Hankel products": lambda n, loss: PRODUCTS * 15 * n * np.log2(n),
    # A complex product and sum for each observed entry of the matrix.
    "products with observed entries": lambda n, loss: PRODUCTS * 8 * (1 - loss) * (n / 2) ** 2,
    # A full decomposition by the Gram matrix: two products of matrices and its eigenvectors.
    "full decomposition": lambda n, loss: 5 * 8 * (n / 2) ** 3,
}
