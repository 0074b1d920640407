"""Judging: the claims files, the statistical tests and their calibration, the ledger."""
