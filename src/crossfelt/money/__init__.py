"""Money: whole cents, payout odds, and the ledger."""

from crossfelt.money.odds import Odds

__all__ = ["Odds", "dollars"]


def dollars(cents: int) -> str:
    """Format cents as dollars; whole dollars have no decimals.

    >>> dollars(5_000_00), dollars(-150), dollars(5)
    ('$5,000', '-$1.50', '$0.05')
    """
    whole, part = divmod(abs(cents), 100)
    text = f"${whole:,}" if part == 0 else f"${whole:,}.{part:02}"
    return f"-{text}" if cents < 0 else text
