"""The tests, one file a quantity: each takes arrays and returns a decision; none reads tables or settings."""
