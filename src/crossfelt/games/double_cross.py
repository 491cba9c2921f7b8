"""Double Cross Poker: the player names one line of the cross and plays it against the dealer's better one.

The three-card wager is independent: the player's two cards and the vertical card farthest from the dealer, if the
player shows them.
"""

from __future__ import annotations

from collections.abc import Mapping

from crossfelt.games.settlement import LinePay, Places, Settlement, Spot, settle_at_odds
from crossfelt.hands.kinds import KINDS
from crossfelt.hands.rank import HandRank
from crossfelt.hands.strength import hand_classes, strength
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager

LINES = ("vertical", "horizontal")


class DoubleCross:
    """The rules of one compiled game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._lines = {line.id: line for line in game.book.lines}

    def hand(self, line: str, cards: Places) -> HandRank:
        """Return the hand on a line."""
        made_of = self._lines[line]
        lie = [cards[place] for place in made_of.places]
        if made_of.hand == "five_card":
            return hand_classes()[strength(*lie)]
        return KINDS[made_of.hand].classify(lie)

    def lines_shown(self, choices: Mapping[str, str]) -> tuple[str, ...]:
        """Return the line that the player named."""
        return (choices["raise"],)

    def dealer_hand(self, cards: Places) -> tuple[str, HandRank]:
        """Return the dealer's line and hand: the higher of the two, the vertical one if they are equal."""
        own = {**cards, "hole_1": cards["dealer_hole_1"], "hole_2": cards["dealer_hole_2"]}
        hands = [(line, self.hand(line, own)) for line in LINES]
        return max(hands, key=lambda made: made[1])

    def settle(self, wager: Wager, stake: int, spot: Spot) -> Settlement:
        """Settle one wager on the cards on the table and the player's choices."""
        if wager.id == "three_card":
            return self._settle_three_card(wager, stake, spot)
        rank = self.hand(spot.choices["raise"], spot.cards)
        _, dealer = self.dealer_hand(spot.cards)
        if rank == dealer:
            return Settlement(result="push", returned=stake, hand=rank.name)
        if rank < dealer:
            return Settlement(result="lose", hand=rank.name)
        if wager.odds is not None:
            return Settlement(
                result="win", returned=stake, paid=wager.odds.paid(stake), hand=rank.name, odds=str(wager.odds)
            )
        return settle_at_odds(self._pay(wager, rank), stake, wager.parts)

    def _settle_three_card(self, wager: Wager, stake: int, spot: Spot) -> Settlement:
        """Settle the three-card wager; a hand that the player does not show loses."""
        if spot.choices.get(wager.id) != "expose":
            return Settlement(result="lose")
        return settle_at_odds(self._pay(wager, self.hand("three_card", spot.cards)), stake)

    def _pay(self, wager: Wager, rank: HandRank) -> LinePay:
        assert wager.pays is not None
        line = self._game.pays[wager.pays].line_for(rank)
        return LinePay(rank=rank, line=line, odds=line.odds if line else None)
