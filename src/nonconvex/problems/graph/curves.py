"""Error against iteration in training graph networks."""

from nonconvex.problems.graph.outcome import TRAINING
from nonconvex.problems.training import curves

OUTCOME = curves(TRAINING)
