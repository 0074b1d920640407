"""One-hidden-layer convolutional networks (thesis, Chapter 4)."""
