"""Kinds of figures: one module a kind, each with a function `draw(plan, tables)`."""
