"""Judging: the statistical tests, the claims files and the ledger."""
