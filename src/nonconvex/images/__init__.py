"""Real images: sets of labelled images, and networks trained on them (thesis, Chapters 6 and 7)."""
