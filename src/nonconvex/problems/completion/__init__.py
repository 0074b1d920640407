"""Hankel matrix completion: losses at random, noise, running times (thesis, Chapter 2)."""
