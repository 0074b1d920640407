"""Statistics that figures and claims share: curves, rates, intervals, the bootstrap, many tests at once."""
