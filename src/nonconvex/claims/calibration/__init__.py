"""How often intervals miss the true value, and how often they decide, on simulated data."""
