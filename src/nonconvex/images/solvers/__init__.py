"""Training on images; each module has the function of its own name."""
