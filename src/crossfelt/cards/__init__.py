"""Cards, decks and their notation."""

from crossfelt.cards.card import HIDDEN, JOKER, RANK_NAMES, RANKS, SUIT_NAMES, SUITS, Card, dec_hook, enc_hook
from crossfelt.cards.deck import deck_of, joker_deck, standard_deck
from crossfelt.cards.notation import format_cards, parse_cards, require_cards

__all__ = [
    "HIDDEN",
    "JOKER",
    "RANKS",
    "RANK_NAMES",
    "SUITS",
    "SUIT_NAMES",
    "Card",
    "dec_hook",
    "deck_of",
    "enc_hook",
    "format_cards",
    "joker_deck",
    "parse_cards",
    "require_cards",
    "standard_deck",
]
