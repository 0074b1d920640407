"""What is kept of training pruned networks: status, errors, iterations, and the supports' effective size."""

from nonconvex.problems.pruned.training import TRAINING
from nonconvex.problems.training import outcomes

OUTCOME = outcomes(TRAINING)
