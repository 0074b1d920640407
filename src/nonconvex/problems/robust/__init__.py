"""Robust Hankel matrix completion: losses and bad data (thesis, Chapter 3)."""
