"""What people do with the reference run: draw it, keep a run as it, go on from it."""
