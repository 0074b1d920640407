"""Quantities, each with an interval at any level: from arrays; none reads tables or settings."""
