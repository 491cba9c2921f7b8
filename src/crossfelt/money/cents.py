"""Money is an integer number of cents; this is how it is written for people."""

from __future__ import annotations


def dollars(cents: int) -> str:
    """Cents as a person writes them; whole dollars without decimals.

    >>> dollars(5_000_00), dollars(-150), dollars(5)
    ('$5,000', '-$1.50', '$0.05')
    """
    whole, part = divmod(abs(cents), 100)
    text = f"${whole:,}" if part == 0 else f"${whole:,}.{part:02}"
    return f"-{text}" if cents < 0 else text
