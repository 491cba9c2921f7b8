"""Simulation of a player's bank.

A player banks every simulated round. The rules require the house to bank the rounds in between, which are not counted.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from crossfelt.analysis.simulation.payoffs import Cents, Prices, WagerRounds
from crossfelt.analysis.simulation.plan import SimulationPlan
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import Settlement
from crossfelt.rulebooks.game import Game


class PlayersBank:
    """The bank of one seat, including the house's half of a co-bank."""

    def __init__(self, game: Game, plan: SimulationPlan) -> None:
        self._game = game
        self._share = game.number("co_bank_share_per_mille") if plan.co_bank else 0
        self._wager = game.wager(game.banked_wager)
        last = plan.seats[plan.bank - 1].wagers[self._wager.id]
        self.house_wager = 0 if plan.co_bank else last
        """Stake of the dealer: the banker's last wager against the house, or 0 against a co-bank."""
        odds = self._wager.odds
        assert odds is not None
        others = [seat.wagers[self._wager.id] for number, seat in enumerate(plan.seats, 1) if number != plan.bank]
        at_stake = sum(map(odds.paid, (*others, self.house_wager)))
        self._cover = at_stake - self._house_part(at_stake)

    def _house_part(self, cents: int) -> int:
        """Return the house's part of an amount that the bank covers, loses or wins, rounded down."""
        return cents * self._share // 1000

    def wagered(self, against: Mapping[int, WagerRounds]) -> WagerRounds:
        """Return the bank as a wager of its seat, from the wagers of all other positions against it."""
        nets: Cents = np.sum(
            [
                (each.prices.stake - each.prices.returned - each.prices.paid).take(each.outcomes)
                for each in against.values()
            ],
            axis=0,
        )
        different, outcomes = np.unique(nets, return_inverse=True)
        return WagerRounds(Prices.of(self._cover, [self._settled(int(net)) for net in different]), outcomes)

    def _settled(self, net: int) -> Settlement:
        lost, won = max(0, -net), max(0, net)
        lost, won = lost - self._house_part(lost), won + self._house_part(-won)
        return Settlement(
            result="win" if won else "lose" if lost else "push",
            returned=self._cover - lost,
            paid=won,
            commission=rules_of(self._game).commission(self._wager, won),
        )
