"""Meters count millionths of a cent, so that no rate of progression loses anything; the ledger moves whole cents."""

from __future__ import annotations

from typing import Final

MICROS: Final = 1_000_000
"""Millionths in a cent. A stake in cents times a rate in millionths is a contribution in this unit."""


def in_cents(micros: int) -> int:
    """The whole cents of an amount; what is left over stays where it is.

    >>> in_cents(7_999_999), in_cents(-1)
    (7, -1)
    """
    return micros // MICROS


def posted(residue_micros: int, micros: int) -> tuple[int, int]:
    """The whole cents a ledger moves for a contribution, or its reversal, and the residue that waits for the next.

    >>> posted(900_000, 7_350_000), posted(250_000, -7_350_000)
    ((8, 250000), (-8, 900000))
    """
    return divmod(residue_micros + micros, MICROS)
