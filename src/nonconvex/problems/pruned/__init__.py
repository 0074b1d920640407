"""Pruned one-hidden-layer networks (thesis, Chapter 6)."""
