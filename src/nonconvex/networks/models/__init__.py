"""Networks of one hidden layer: convolutional and graph networks, and batches of their training problems."""
