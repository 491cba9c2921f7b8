"""Wagers in credits of a progressive system: paid at odds or from the meter, with awards drawn at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import msgspec

from crossfelt.cards.card import JOKER, RANKS, Card
from crossfelt.games.settlement import LinePay, Settlement, Spot
from crossfelt.hands.joker import rank_joker_five
from crossfelt.hands.rank import HandRank
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager

LUCKY_PLAYER, LUCKY_DEALER, MAGIC = "lucky_player", "lucky_dealer", "magic_card"
"""The random awards: one for a seat, one for the dealer's hand, one for hands that hold a card."""


def lucky_award(game: Game, wager_id: str) -> str:
    """Return the lucky award of a wager in credits."""
    return LUCKY_DEALER if game.credit_wagers[wager_id] else LUCKY_PLAYER


def bonus_table(game: Game) -> str:
    """Return the pay table of the random awards; empty where the game has none."""
    named = (table for wager in game.credit_wagers for table in game.wager(wager).also_pays)
    return next((table for table in named if table in game.pays), "")


def award_rate(game: Game, award: str) -> int:
    """Return the frequency of a random award in a million rounds."""
    return game.whole(rate_path(game, award))


def rate_path(game: Game, award: str) -> str:
    """Return the choice that has the frequency of a random award."""
    pays = next(game.wager(wager).pays for wager in game.credit_wagers)
    return f"wagers.{pays}.{award}_per_million"


class RandomAward(msgspec.Struct, frozen=True):
    """An award of the progressive system beside the hand: odds times credits (PGP-17, PGP-18)."""

    award: str
    cents: int
    hand: str = ""


def in_credits(game: Game, wager: Wager, stake: int, spot: Spot, settled: Settlement) -> Settlement:
    """Return the settlement of credits. Odds are multiplied by the credits, a percentage of the meter is not (PGP-23).

    Odds "to 1" return the stake, a percentage does not (AMB-24); a lucky award may return it in any case.
    """
    if not game.settings["credit_returned_on_win"]:
        settled = msgspec.structs.replace(settled, returned=0)
    back = wager.id in spot.lucky and not game.settings["lucky_stake_follows_hand"]
    if not back or settled.returned:
        return settled
    result = "push" if settled.result == "lose" else settled.result
    return msgspec.structs.replace(settled, result=result, returned=stake)


def random_awards(
    game: Game, wager: Wager, stake: int, spot: Spot, pay: LinePay, cards: Sequence[Card]
) -> Iterator[RandomAward]:
    """Yield the random awards of these credits, beside their other wins (AMB-29)."""
    lucky = lucky_award(game, wager.id)
    if wager.id in spot.lucky:
        yield RandomAward(lucky, award_cents(game, lucky, stake))
    if pay.line is not None and spot.magic_card is not None:
        # Of a winning hand, the cards in which the magic card counts (AMB-29b).
        counted = cards if game.settings["magic_card_in"] == "all_seven" else cards_making(cards, pay.rank)
        if spot.magic_card in counted:
            yield RandomAward(MAGIC, award_cents(game, MAGIC, stake), pay.rank.name)


def drawn_awards(game: Game) -> frozenset[str]:
    """Return the random awards of the chosen pay table (PGP-19); none if the wager is not offered.

    >>> sorted(drawn_awards(compile_game("nj-pai-gow")))
    ['lucky_dealer', 'lucky_player', 'magic_card']
    >>> drawn_awards(compile_game("nj-pai-gow", {"wagers": {"progressive": {"paytable": "C"}}}))
    frozenset()
    """
    bonus = bonus_table(game)
    return frozenset(line.hand for line in game.pays[bonus].lines) if bonus else frozenset()


def award_cents(game: Game, award: str, stake: int) -> int:
    """Return the pay of a random award for a stake."""
    odds = next(line.odds for line in game.pays[bonus_table(game)].lines if line.hand == award)
    assert odds is not None
    return odds.paid(stake)


def cards_making(seven: Sequence[Card], rank: HandRank) -> tuple[Card, ...]:
    """Return the cards that make a winning hand; if several selections make it, the cards of all of them.

    >>> from crossfelt.cards import parse_cards
    >>> from crossfelt.hands.joker import rank_progressive_seven
    >>> seven = parse_cards("9s 9h 9d 9c Ks 4d 2h")
    >>> [card.text for card in cards_making(seven, rank_progressive_seven(seven))]
    ['9s', '9h', '9d', '9c']
    """
    if rank.category == "seven_card_straight_flush":
        return tuple(seven)
    making: set[Card] = set()
    for five in combinations(seven, 5):
        made = rank_joker_five(five, wheel_second=False)
        if (made.category, made.ranks) == (rank.category, rank.ranks):
            making.update(five)
    if rank.category == "four_of_a_kind":
        four, ace = rank.ranks[0], RANKS.index("A")
        making = {card for card in making if (ace if card == JOKER else card.rank) == four}
    return tuple(card for card in seven if card in making)
