"""Algorithms, study and figures of a thesis on non-convex matrix completion and network learning."""
