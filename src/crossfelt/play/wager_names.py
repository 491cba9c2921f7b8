"""Wagers as people say and type them: `bonus` for `five_card_bonus`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

_NO_NAMES: Final = ("card", "hand")
"""Words that alone name no wager: the player asks for the cards with them."""


def short_name(wager_id: str, ids: Collection[str]) -> str:
    """Return the fewest last words of a wager's id that name it among the wagers on offer.

    >>> ids = ("ante", "five_card_bonus", "bonus_spin", "three_card")
    >>> [short_name(wager, ids) for wager in ids]
    ['ante', 'bonus', 'spin', 'three card']
    """
    words = wager_id.split("_")
    for count in range(1, len(words)):
        last = words[-count:]
        others = (other.split("_")[-count:] for other in ids if other != wager_id)
        if last not in others and last[0] not in _NO_NAMES:
            return " ".join(last)
    return " ".join(words)


def wager_called(name: str, ids: Collection[str]) -> str | None:
    """Return the wager of a name among those on offer: its id, its last words, or a word that no other has.

    >>> ids = ("ante", "five_card_bonus", "bonus_spin", "three_card")
    >>> [wager_called(name, ids) for name in ("bonus", "five card bonus", "three", "card", "insurance")]
    ['five_card_bonus', 'five_card_bonus', 'three_card', None, None]
    """
    words = name.replace("_", " ").split()
    for fits in (
        [wager for wager in ids if wager.split("_") == words],
        [wager for wager in ids if short_name(wager, ids).split() == words],
        [wager for wager in ids if words[:1] == words and words[0] in wager.split("_")],
    ):
        if len(fits) == 1:
            return fits[0]
    return None
