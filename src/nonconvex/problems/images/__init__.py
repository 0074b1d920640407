"""Experiments on real images (thesis, Chapters 6 and 7)."""
