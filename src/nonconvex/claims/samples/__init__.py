"""From tables and settings to the arrays that quantities take."""
