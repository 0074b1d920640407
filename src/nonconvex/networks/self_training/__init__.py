"""Self-training of a one-hidden-layer network: `self_train`, and what it is made of."""
