"""Criss Cross Poker: two hands that share the player's cards and the middle card, against a posted pay table.

The across hand is the player's two cards and the horizontal line; the down hand the same two and the vertical
line. Each line's ante and bet follow its own hand, the middle bet follows both, the Five Card Bonus the community
cards alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter

from crossfelt.games.settlement import LinePay, Places, Settlement, Spot, settle_at_odds
from crossfelt.hands.poker import rank_five
from crossfelt.hands.rank import HandRank
from crossfelt.hands.strength import hand_classes, strength
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager


class CrissCross:
    """The rules of one compiled game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._ace_low = bool(game.settings["ace_low_straight"])
        self._either_line = game.settings["middle_bet_follows"] == "either_line"
        self._five_on = {line.id: itemgetter(*line.places) for line in game.book.lines}
        self._pays: dict[tuple[str, HandRank], LinePay] = {}

    def hand(self, line: str, cards: Places) -> HandRank:
        """Return the five-card hand on a line."""
        five = self._five_on[line](cards)
        if not self._ace_low:
            return rank_five(five, ace_low_straight=False)
        return hand_classes()[strength(*five)]

    def lines_shown(self, choices: Mapping[str, str]) -> tuple[str, ...]:
        """Return the lines that a player shows: both."""
        return ("across", "down")

    def dealer_hand(self, cards: Places) -> tuple[str, HandRank]:
        raise LookupError("the dealer of Criss Cross Poker has no hand: players are paid by a posted pay table")

    def settle(self, wager: Wager, stake: int, spot: Spot) -> Settlement:
        """Settle one wager on the cards on the table."""
        assert wager.pays is not None
        if wager.better_of:
            return self._settle_middle(wager, stake, spot.cards)
        assert wager.line is not None
        return settle_at_odds(self._pay(wager.pays, self.hand(wager.line, spot.cards)), stake, wager.parts)

    def _settle_middle(self, wager: Wager, stake: int, cards: Places) -> Settlement:
        assert wager.pays is not None
        pays = [self._pay(wager.pays, self.hand(line, cards)) for line in wager.better_of]
        return settle_at_odds(self.deciding(pays), stake)

    def deciding(self, pays: Sequence[LinePay]) -> LinePay:
        """Return the hand that settles the middle bet.

        The bet is paid at the higher-ranking hand if either line wins, and lost only if both lose; otherwise it is a
        push. In Massachusetts the higher-ranking hand always decides, which is the same unless a better hand pays less.
        """
        higher = max(pays, key=lambda pay: pay.rank)
        if not self._either_line or any(pay.wins for pay in pays):
            return higher
        pushing = [pay for pay in pays if pay.pushes]
        return max(pushing, key=lambda pay: pay.rank) if pushing else higher

    def _pay(self, table: str, rank: HandRank) -> LinePay:
        pay = self._pays.get((table, rank))
        if pay is None:
            pay = self._pays[table, rank] = self.pay(table, rank)
        return pay

    def pay(self, table: str, rank: HandRank) -> LinePay:
        """Return the pay of a hand for a wager with this pay table."""
        line = self._game.pays[table].line_for(rank)
        return LinePay(rank=rank, line=line, odds=line.odds if line else None, name=rank.name)
