"""Self-training of one-hidden-layer networks with unlabelled data (thesis, Chapter 7)."""
