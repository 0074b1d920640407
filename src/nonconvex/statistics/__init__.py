"""Statistics that figures and claims share: curves, rates, intervals, the bootstrap, levels of looks."""
