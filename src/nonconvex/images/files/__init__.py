"""Readers of image files: no size, name or number that a file states is trusted before it is checked."""
