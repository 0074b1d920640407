"""One-hidden-layer graph networks (thesis, Chapter 5)."""
