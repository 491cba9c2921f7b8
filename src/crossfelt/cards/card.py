"""A playing card: the 52 of a standard deck, the joker, and a face-down card."""

from __future__ import annotations

import re
from typing import Final

from crossfelt.errors import BadInput

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"

RANK_NAMES: Final = (
    *("two", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "jack", "queen", "king", "ace"),
)
SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")

ALLOWED_CARDS: Final = "2c … As, Jk (joker), ?? (face down)"
# ASCII: otherwise the long s (ſ) and the Kelvin sign (K) would match s and k
CARD_PATTERN: Final = re.compile(r"jk|\?\?|(?:10|[2-9tjqka])[cdhs]", re.IGNORECASE | re.ASCII)

_TEXTS: Final = (*(rank + suit for rank in RANKS for suit in SUITS), "Jk", "??")
_INDEX_OF_TEXT: Final = {text: index for index, text in enumerate(_TEXTS)}
_STANDARD_CARDS: Final = len(RANKS) * len(SUITS)


class Card(int):
    """One card, written as text and counted as a number: ``4 * rank + suit``, 52 the joker, 53 a hidden card.

    There is one object for each card. A card is an ``int``, so it indexes arrays and bit masks directly.

    >>> Card("As"), int(Card("As")), Card(51) is Card("as")
    (Card('As'), 51, True)
    >>> [str(Card(text)) for text in ("10d", "jk", "??")]
    ['Td', 'Jk', '??']
    """

    __slots__ = ()

    def __new__(cls, value: str | int) -> Card:
        if isinstance(value, str):
            index = _INDEX_OF_TEXT[value.replace("10", "T").capitalize()] if CARD_PATTERN.fullmatch(value) else -1
        else:
            index = int(value)
        if not 0 <= index < len(_CARDS):
            raise BadInput.at("", "card.unknown", "not a card", value, ALLOWED_CARDS)
        return _CARDS[index]

    @property
    def rank(self) -> int:
        """The rank: 0 for a two … 12 for an ace."""
        if self >= _STANDARD_CARDS:
            raise self._no_rank_or_suit()
        return self >> 2

    @property
    def suit(self) -> int:
        """The suit: 0 clubs, 1 diamonds, 2 hearts, 3 spades."""
        if self >= _STANDARD_CARDS:
            raise self._no_rank_or_suit()
        return self & 3

    @property
    def text(self) -> str:
        """The two characters of the card, as typed, logged and sent."""
        return _TEXTS[self]

    @property
    def name(self) -> str:
        """The spoken name of the card.

        >>> Card("Qh").name, Card("Jk").name, Card("??").name
        ('queen of hearts', 'joker', 'face-down card')
        """
        if self == JOKER:
            return "joker"
        if self == HIDDEN:
            return "face-down card"
        return f"{RANK_NAMES[self.rank]} of {SUIT_NAMES[self.suit]}"

    def _no_rank_or_suit(self) -> ValueError:
        # The rank of a joker depends on its hand, so a caller that asks the card for it has a bug.
        return ValueError(f"a {self.name} has no rank or suit of its own")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Card({self.text!r})"

    def __format__(self, spec: str) -> str:
        return format(self.text, spec)

    def __bool__(self) -> bool:
        # The two of clubs is the number 0, and would be false.
        return True


_CARDS: Final = tuple(int.__new__(Card, index) for index in range(len(_TEXTS)))
JOKER: Final = Card(52)
HIDDEN: Final = Card(53)


def enc_hook(value: object) -> str:
    """Encode a card as its text; a hook for msgspec encoders.

    >>> import msgspec
    >>> msgspec.json.encode((Card("As"), Card("Jk")), enc_hook=enc_hook)
    b'["As","Jk"]'
    """
    if isinstance(value, Card):
        return value.text
    raise NotImplementedError(f"{type(value).__name__} cannot be encoded")


def dec_hook(wanted: type, value: object) -> Card:
    """Decode a card from its text; a hook for msgspec decoders."""
    if wanted is not Card:
        raise NotImplementedError(f"{wanted.__name__} cannot be decoded")
    if not isinstance(value, str):
        # A number would be a second spelling of the same card, and hashes cover the encoded text.
        raise BadInput.at("", "card.unknown", "a card is sent as text", str(value), ALLOWED_CARDS)
    return Card(value)
