"""What kinds of figures share: frames, panels, cells, axes, curves."""
