"""Rows of the reference run computed again, drawn at random."""
