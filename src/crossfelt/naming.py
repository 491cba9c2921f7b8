"""How classes are named in files: `BetsLocked` travels as ``bets_locked``."""

from __future__ import annotations

import re


def snake_case(name: str) -> str:
    """The name of a class as files have it.

    >>> snake_case("CommunityCardsRevealed")
    'community_cards_revealed'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
