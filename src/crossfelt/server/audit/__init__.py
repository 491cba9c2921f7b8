"""Signed heads, integrity checks, search and disputes."""
