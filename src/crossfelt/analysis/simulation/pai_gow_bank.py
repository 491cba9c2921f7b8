"""A player's bank at Pai Gow Poker: every round against the same seat, what it covers, wins and loses.

The house banks the round before each of these, as the rules have it; those rounds are not counted.
"""

from __future__ import annotations

import numpy as np

from crossfelt.analysis.simulation.plan import Plan
from crossfelt.analysis.simulation.wagered import LOSE, WIN, Cents, Outcomes, Prices, Wagered
from crossfelt.games.pai_gow import PaiGow
from crossfelt.games.settlement import Settlement
from crossfelt.rulebooks.game import Game

MAIN = "main"


class PlayersBank:
    """The bank of one seat, the house's half of a co-bank included."""

    def __init__(self, game: Game, plan: Plan) -> None:
        self._game = game
        self._rules = PaiGow(game)
        self._share = game.number("co_bank_share_per_mille") if plan.co_bank else 0
        last = plan.seats[plan.bank - 1].wagers[MAIN]
        self.house_wager = 0 if plan.co_bank else last
        """What the dealer stakes: as much as the banker did against the house, and nothing against its own bank."""
        odds = game.wager(MAIN).odds
        assert odds is not None
        self._odds = odds
        others = [seat.wagers[MAIN] for number, seat in enumerate(plan.seats, start=1) if number != plan.bank]
        at_stake = sum(map(odds.paid, (*others, self.house_wager)))
        self._cover = at_stake - self._house_part(at_stake)

    def _house_part(self, cents: int) -> int:
        """The house's part of what the bank covers, loses or, seen from the house, wins: part of a cent stays there."""
        return cents * self._share // 1000

    def net_of(self, stake: int, outcomes: Outcomes) -> Cents:
        """What a wager against the bank brings it."""
        by_outcome = np.zeros(3, dtype=np.int64)
        by_outcome[LOSE], by_outcome[WIN] = stake, -self._odds.paid(stake)
        return by_outcome.take(outcomes)

    def wagered(self, nets: Cents) -> Wagered:
        """The bank as an entry of its seat, by what all wagers against it brought."""
        different, outcomes = np.unique(nets, return_inverse=True)
        return Wagered(Prices.of(self._cover, [self._settled(int(net)) for net in different]), outcomes)

    def _settled(self, net: int) -> Settlement:
        lost, won = max(0, -net), max(0, net)
        lost, won = lost - self._house_part(lost), won + self._house_part(-won)
        return Settlement(
            result="win" if won else "lose" if lost else "push",
            returned=self._cover - lost,
            paid=won,
            commission=self._rules.bank_commission(won),
        )
