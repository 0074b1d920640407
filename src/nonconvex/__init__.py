"""Non-convex robust matrix completion and neural network learning: algorithms, study and figures of one thesis."""
