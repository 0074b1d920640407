"""Error against iteration in training pruned networks."""

from nonconvex.problems.pruned.training import TRAINING
from nonconvex.problems.training import curves

OUTCOME = curves(TRAINING)
