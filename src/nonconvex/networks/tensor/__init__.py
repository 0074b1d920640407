"""Tensor initialisations: a start point from the moments of the data (thesis, Chapters 4 and 5)."""
