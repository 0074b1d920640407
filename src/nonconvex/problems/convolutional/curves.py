"""Error against iteration in training convolutional networks."""

from nonconvex.problems.convolutional.outcome import TRAINING
from nonconvex.problems.training import curves

OUTCOME = curves(TRAINING)
