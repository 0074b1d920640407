"""Families about real images (thesis, Sections 6.4.3, 7.1 and 7.4.2): pruning, and self-training."""
