"""Judging: the statistical tests, the claims files and the ledger of verdicts."""

from nonconvex.claims.check import read_claims
from nonconvex.claims.ledger import judge, write_ledger

__all__ = ["judge", "read_claims", "write_ledger"]
