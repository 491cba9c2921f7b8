"""What it is worth: cents, odds and how they are rounded."""

from crossfelt.money.cents import dollars
from crossfelt.money.odds import PUSH, Odds

__all__ = ["PUSH", "Odds", "dollars"]
