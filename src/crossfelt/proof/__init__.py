"""Proof: commitments, hash chain, signed heads, verification, a second settlement, and tests of the shuffle."""
