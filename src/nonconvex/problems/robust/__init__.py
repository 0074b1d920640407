"""robust."""
