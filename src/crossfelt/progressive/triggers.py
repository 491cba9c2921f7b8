"""Triggers of a wheel: a pair in the player's two cards, or an event among the community cards."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from crossfelt.cards.card import RANKS as RANK_LETTERS
from crossfelt.cards.card import Card
from crossfelt.hands.kinds import KINDS
from crossfelt.hands.poker import rank_five
from crossfelt.rulebooks.game import Game

RANKS, SUITS = len(RANK_LETTERS), 4


def is_pair(cards: Sequence[Card]) -> bool:
    """Say if two cards are a pair: the trigger of a Bonus Spin (NJC-10, MDC-22).

    >>> from crossfelt.cards import parse_cards
    >>> is_pair(parse_cards("Ks Kd")), is_pair(parse_cards("Ks Qd"))
    (True, False)
    """
    return len(cards) == 2 and cards[0].rank == cards[1].rank


def pair_chance() -> Fraction:
    """Return the probability of a pair in two cards.

    >>> pair_chance()
    Fraction(1, 17)
    """
    return Fraction(RANKS * comb(SUITS, 2), comb(RANKS * SUITS, 2))


def event_occurs(game: Game, community: Sequence[Card]) -> bool:
    """Say if the five community cards are the event that spins the Xtreme wheels (MDC-23, AMB-13)."""
    hand = rank_five(community, ace_low_straight=bool(game.settings["ace_low_straight"]))
    return hand.category in event_categories(game)


def event_chance(game: Game) -> Fraction:
    """Return the probability of the event.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> float(event_chance(compile_game("md-criss-cross")))         # three of a kind or better
    0.028714562748176194
    """
    counts = five_card_counts(ace_low=bool(game.settings["ace_low_straight"]))
    return Fraction(sum(counts[category] for category in event_categories(game)), comb(RANKS * SUITS, 5))


def event_categories(game: Game) -> tuple[str, ...]:
    """The categories that are the event, best first."""
    least = str(game.choices["wagers.bonus_spin_xtreme.qualifying_hand"])
    categories = KINDS["five_card"].categories
    return categories[: categories.index(least) + 1]


def five_card_counts(*, ace_low: bool = True) -> dict[str, int]:
    """Count the five-card hands of each category above a high card.

    >>> sum(five_card_counts().values()), comb(52, 5)
    (1296420, 2598960)
    """
    runs = RANKS - 4 + ace_low
    others = RANKS - 1
    return {
        "royal_flush": SUITS,
        "straight_flush": SUITS * (runs - 1),
        "four_of_a_kind": RANKS * others * SUITS,
        "full_house": RANKS * comb(SUITS, 3) * others * comb(SUITS, 2),
        "flush": SUITS * (comb(RANKS, 5) - runs),
        "straight": runs * (SUITS**5 - SUITS),
        "three_of_a_kind": RANKS * comb(SUITS, 3) * comb(others, 2) * SUITS**2,
        "two_pair": comb(RANKS, 2) * comb(SUITS, 2) ** 2 * (RANKS - 2) * SUITS,
        "pair": RANKS * comb(SUITS, 2) * comb(others, 3) * SUITS**3,
    }
