"""The most one patron could win in a round at the minimum wager: computed, never typed in.

Payout limits hang on this figure. It is found by searching the deals themselves, best hands first, and stopping
as soon as no remaining deal could pay more.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product
from typing import TYPE_CHECKING

import msgspec

from crossfelt.cards.card import Card
from crossfelt.hands.five_card import rank_five
from crossfelt.hands.strength import category_of, strength
from crossfelt.money import Odds

if TYPE_CHECKING:
    from crossfelt.rulebooks.game import Game


class Exposure(msgspec.Struct, frozen=True, kw_only=True):
    """The greatest win, and a deal that brings it."""

    cents: int
    deal: str
    """Cards by place, as a scripted round would name them; empty where any deal with that hand does."""


def most_at_minimum(game: Game) -> Exposure:
    """Every required wager at its minimum and every bet at the least the rules allow.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> most_at_minimum(compile_game("nj-criss-cross")).cents
    551000
    """
    match game.book.game:
        case "criss_cross":
            return _criss_cross(game)
        case "double_cross":
            return _double_cross(game)
        case "pai_gow":
            return _pai_gow(game)


def _criss_cross(game: Game) -> Exposure:
    return _CrissCross(game).search()


class _CrissCross:
    """Searches across hands from the best paid down; the down hand pays no more than the across hand, since the
    two lines are paid alike and may be swapped."""

    def __init__(self, game: Game) -> None:
        self._ante = game.whole("wagers.ante.min_cents")
        self._bet = self._ante * game.number("minimum_wager_bets_at")
        self._either_line = game.settings["middle_bet_follows"] == "either_line"
        self._bets, self._antes = game.pays["bets"], game.pays[game.wager("ante_across").pays or "ante"]
        self._known: dict[int, tuple[int, int, bool]] = {}

    def search(self) -> Exposure:
        best = Exposure(cents=0, deal="")
        lines = sorted(self._bets.table.lines, key=lambda line: line.odds or Odds("push"), reverse=True)
        for line in lines:
            bet = (line.odds or Odds("push")).paid(self._bet)
            bound = 2 * self._antes.best_odds().paid(self._ante) + 3 * bet
            for across in _hands_in(line.hand):
                if best.cents >= bound:
                    return best
                best = max(best, self._best_with(across), key=lambda exposure: exposure.cents)
        return best

    def _best_with(self, across: tuple[int, ...]) -> Exposure:
        best = Exposure(cents=0, deal="")
        rest = [card for card in range(52) if card not in across]
        above = strength(*across)
        for hole in combinations(across, 2):
            row = [card for card in across if card not in hole]
            for middle in row:
                for far, near in combinations(rest, 2):
                    cents = self._win(above, strength(*hole, far, middle, near), across, (*hole, far, middle, near))
                    if cents > best.cents:
                        left, right = (card for card in row if card != middle)
                        best = Exposure(cents=cents, deal=_deal(hole, left, right, far, near, middle))
        return best

    def _win(self, across: int, down: int, cards: tuple[int, ...], below: tuple[int, ...]) -> int:
        ante_a, bet_a, wins_a = self._paid(across, cards)
        ante_d, bet_d, wins_d = self._paid(down, below)
        higher, wins_higher = (bet_a, wins_a) if across >= down else (bet_d, wins_d)
        middle = higher if (wins_a or wins_d if self._either_line else wins_higher) else 0
        return ante_a + bet_a + ante_d + bet_d + middle

    def _paid(self, class_: int, cards: tuple[int, ...]) -> tuple[int, int, bool]:
        """What ante and bet are paid on a class of hands, and whether it wins; asked once for each class."""
        if class_ not in self._known:
            rank = rank_five(tuple(map(Card, cards)))
            ante, bet = self._antes.odds_for(rank), self._bets.odds_for(rank)
            wins = bet is not None and not bet.is_push
            self._known[class_] = (
                ante.paid(self._ante) if ante else 0,
                bet.paid(self._bet) if bet else 0,
                wins,
            )
        return self._known[class_]


SUIT_PATTERNS = tuple(
    suits
    for suits in product(range(4), repeat=5)
    if all(suit <= max(suits[:place], default=-1) + 1 for place, suit in enumerate(suits))
)
"""Suits of five cards, named in order of appearance: which suit is which pays nothing."""


def _hands_in(category: str) -> Iterator[tuple[int, ...]]:
    """The five-card hands of a category, one for each pattern of suits."""
    suited = category in ("flush", "straight_flush", "royal_flush")
    for ranks in combinations_with_replacement(range(12, -1, -1), 5):
        for suits in SUIT_PATTERNS[:1] if suited else SUIT_PATTERNS[1:]:
            cards = tuple(4 * rank + suit for rank, suit in zip(ranks, suits, strict=True))
            if len(set(cards)) == 5:
                if category_of(strength(*cards)) != category:
                    break
                yield cards


def _deal(hole: tuple[int, int], left: int, right: int, far: int, near: int, middle: int) -> str:
    def text(*cards: int) -> str:
        return " ".join(str(Card(card)) for card in cards)

    return f"seat1 = {text(*hole)}, across = {text(left, right)}, down = {text(far, near)}, middle = {text(middle)}"


def _double_cross(game: Game) -> Exposure:
    """The best paid hand on the named line, over a dealer it beats; both raises at the ante."""
    ante = game.whole("wagers.ante.min_cents")
    even = game.wager("ante").odds or Odds("push")
    parts = game.wager("raise").parts
    return Exposure(cents=even.paid(ante) + parts * game.pays["raise"].best_odds().paid(ante), deal="")


def _pai_gow(game: Game) -> Exposure:
    """The imperial bonus, its two parts together: a player's best hand beside a dealer's lowest.

    The player's best line and the dealer's can always be dealt side by side: a nine-, ten- or jack-high dealer holds
    no ace and no joker, and leaves the player the cards of any hand.
    """
    stake = game.whole("wagers.imperial.min_cents")
    player, banker = (game.pays[name].best_odds() for name in ("imperial_player", "imperial_banker"))
    return Exposure(cents=player.paid(stake) + banker.paid(stake), deal="")
