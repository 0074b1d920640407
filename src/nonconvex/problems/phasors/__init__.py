"""Recorded phasors: the bundled simulation or a recording of the user (thesis, Section 2.6.2)."""
