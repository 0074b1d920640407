"""Figures: the kinds, what they share, their options, and the writing of their files."""
