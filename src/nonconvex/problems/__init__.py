"""problems."""
