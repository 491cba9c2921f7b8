"""Wagers as people say and type them: `bonus` for `five_card_bonus`."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

_NO_NAMES: Final = ("card", "hand")
"""Words that alone name no wager: the player asks for the cards with them."""


def short_name(wager_id: str, ids: Collection[str]) -> str:
    """Return one or two words that no other wager on offer has, or else the last words of the id that name it.

    >>> ids = ("ante", "five_card_bonus", "bonus_spin", "pair_plus")
    >>> [short_name(wager, ids) for wager in ids]
    ['ante', 'bonus', 'spin', 'pair plus']
    """
    words = wager_id.split("_")
    if len(words) < 3 and not any(set(words) & set(other.split("_")) for other in ids if other != wager_id):
        return " ".join(words)
    for count in range(1, len(words)):
        last = words[-count:]
        others = (other.split("_")[-count:] for other in ids if other != wager_id)
        if last not in others and last[0] not in _NO_NAMES:
            return " ".join(last)
    return " ".join(words)


def wager_called(name: str, ids: Collection[str], titles: Mapping[str, str] = MappingProxyType({})) -> str | None:
    """Return the wager of a name among those on offer: its id or title, its last words, or a word that no other has.

    >>> ids = ("ante", "five_card_bonus", "bonus_spin", "three_card")
    >>> [wager_called(name, ids) for name in ("bonus", "five card bonus", "three", "card", "insurance")]
    ['five_card_bonus', 'five_card_bonus', 'three_card', None, None]
    >>> wager_called("bonus", ("ante", "three_card"), {"three_card": "Three-card bonus"})
    'three_card'
    """
    words = _words(name)
    known = {wager: (_words(wager), _words(titles.get(wager, ""))) for wager in ids}
    word = words[0] if len(words) == 1 and words[0] not in _NO_NAMES else ""
    for fits in (
        [wager for wager, names in known.items() if words in names],
        [wager for wager in ids if short_name(wager, ids).split() == words],
        [wager for wager, names in known.items() if any(word in each for each in names)],
    ):
        if len(fits) == 1:
            return fits[0]
    return None


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())
