"""Families of problems: what is drawn, what is kept of an outcome, what is tabulated."""
