"""convolutional."""
