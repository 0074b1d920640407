"""What is asked: the config, the experiments of each chapter at a scale, their cells and blocks."""
