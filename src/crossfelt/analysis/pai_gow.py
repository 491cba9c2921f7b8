"""Pai Gow Poker: the wagers on seven cards exactly, by a census of all hands; the main wager by simulation."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb
from time import perf_counter
from typing import Any, Final

import msgspec

from crossfelt.analysis.imperial import imperial
from crossfelt.analysis.pai_gow_advice import CARDS, CONFIDENCE, DECK, advise, gain_of
from crossfelt.analysis.question import Pay, pay_texts, with_pay
from crossfelt.analysis.simulation.estimates import Estimate, mean
from crossfelt.analysis.simulation.plan import SeatPlan
from crossfelt.analysis.simulation.planning import plan_for
from crossfelt.analysis.simulation.simulating import tally_rounds
from crossfelt.analysis.solution import Distribution, PayOutcome, Rules, SideBet, Solution
from crossfelt.kernels.census import by_category, counted
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.house_ways import house_way_ids

__all__ = ["PaiGowSolution", "advise", "side_bets", "solve"]

ROUNDS: Final = 1_000_000
SEED: Final = "solve"
LOST: Final = Fraction(-1)


class PaiGowSolution(Solution, frozen=True, kw_only=True):
    """The main wager by simulation, the side bets exactly."""

    rounds: int
    house_ways: dict[str, Estimate]
    """What a main wager is worth to a player who sets by each house way, against a dealer who sets by the game's."""
    bank: Estimate | None
    """What a unit is worth to a player who banks against the house alone; None in the EZ variation."""

    @property
    def interval(self) -> Estimate:
        """The value of a main wager to a player who sets as the dealer does."""
        return self.house_ways[self.strategy]

    def as_data(self) -> dict[str, Any]:
        told = super().as_data()
        del told["exact"]
        told["ev"] = msgspec.to_builtins(self.interval)
        told["confidence"] = CONFIDENCE
        told["house_ways"] = msgspec.to_builtins(self.house_ways)
        told["bank_against_the_house"] = msgspec.to_builtins(self.bank)
        return told


def solve(game: Game, *, pay: Pay, known: str) -> PaiGowSolution:
    """Every house way against the dealer's, in the same rounds."""
    if known:
        what = "no card of this game is known before a decision"
        raise BadInput(Problem(code="known.card", where="known", what=what, value=known, allowed="nothing"))
    started = perf_counter()
    asked = with_pay(game, pay)
    counts = _results(_deciding(game))
    own = str(asked.choices["house_way"])
    gain = gain_of(asked)
    return PaiGowSolution(
        rules=Rules.of(game, pay=pay_texts(asked, pay)),
        initial_wagers=Fraction(1),
        average_total_wagered=Fraction(1),
        decisions={},
        distribution=Distribution.of(
            {gain: counts[own]["win"], Fraction(0): counts[own]["push"], LOST: counts[own]["lose"]}
        ),
        side_bets=side_bets(asked),
        strategy=own,
        method=f"simulation of {ROUNDS:,} rounds, seed {SEED}; side bets exact",
        unit="one main wager",
        tie_rule="copies to the dealer or bank",
        seconds=perf_counter() - started,
        rounds=ROUNDS,
        house_ways={way: _worth(results["win"], results["lose"], gain) for way, results in counts.items()},
        # Who banks wins what the other side loses, copies included, and pays the commission.
        bank=None if asked.settings["ez_variation"] else _worth(counts[own]["lose"], counts[own]["win"], gain),
    )


def _deciding(game: Game) -> Game:
    """The game as far as the hands of a main wager are concerned: odds, limits and other wagers do not enter."""
    stated = {name: game.stated[name] for name in ("house_way", "settings") if name in game.stated}
    return Game(game.book, stated, game.house_way)


@lru_cache(maxsize=32)
def _results(game: Game) -> Mapping[str, Mapping[str, int]]:
    """How often a main wager ends in what, by the house way that the player follows: kept, since odds do not matter."""
    ways = house_way_ids()
    stake = game.limits("main").min
    plan = plan_for(game, [SeatPlan(wagers={"main": stake}, strategy=way) for way in ways], seed=SEED)
    tally = tally_rounds(game, plan, ROUNDS)
    return {way: seat.wagers["main"].results for way, seat in zip(ways, tally.seats, strict=True)}


def _worth(wins: int, losses: int, gain: Fraction) -> Estimate:
    """The mean of a unit staked, from how often it was won and lost."""
    scale = gain.denominator
    won, lost = gain.numerator, scale
    found = mean(won * wins - lost * losses, won * won * wins + lost * lost * losses, ROUNDS, CONFIDENCE)
    return Estimate(**{name: getattr(found, name) / scale for name in found.__struct_fields__})


def side_bets(game: Game) -> dict[str, SideBet]:
    """The wagers that hands of seven cards decide, however they are set, exactly."""
    bets = {}
    for wager in game.wagers:
        if wager.id == "queens_dragon":
            bets[wager.id] = _queens_dragon(game)
        elif wager.id == "seven_card":
            bets[wager.id] = _seven_card(game)
        elif wager.id == "imperial":
            bets[wager.id] = imperial(game)
    return bets


def _seven_card(game: Game) -> SideBet:
    wager, hands = game.wager("seven_card"), by_category(counted(), "seven_card_bonus")
    outcomes = []
    for line in game.pays["seven_card"].table.lines:
        assert line.odds is not None
        count = hands.pop(line.hand)
        outcomes.append(PayOutcome(line=line.name, pays=str(line.odds), net=line.odds.profit, count=count))
    outcomes.append(PayOutcome(line="", pays="", net=LOST, count=sum(hands.values())))
    return SideBet(id=wager.id, title=wager.title, outcomes=tuple(outcomes))


def _queens_dragon(game: Game) -> SideBet:
    wager = game.wager("queens_dragon")
    assert wager.odds is not None
    count = by_category(counted(), "pai_gow_high_card")["queen_high"]
    won = PayOutcome(line="queen_high", pays=str(wager.odds), net=wager.odds.profit, count=count)
    lost = PayOutcome(line="", pays="", net=LOST, count=comb(DECK, CARDS) - count)
    return SideBet(id=wager.id, title=wager.title, outcomes=(won, lost))
