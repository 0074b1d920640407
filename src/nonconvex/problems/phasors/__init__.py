"""phasors."""
