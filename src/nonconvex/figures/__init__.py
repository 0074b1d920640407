"""Figures: one small module per kind of plot, each with one function `draw(plan, tables)`."""
