"""Pai Gow Poker: exact side bets from a census of all hands, a simulated main wager."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb
from time import perf_counter
from typing import Any, Final

import msgspec

from crossfelt.analysis.estimates import Estimate, mean
from crossfelt.analysis.simulation.api import tally_rounds
from crossfelt.analysis.simulation.plan import SeatPlan
from crossfelt.analysis.simulation.plan_builder import plan_for
from crossfelt.analysis.solution import Distribution, PayOutcome, RulesIdentity, SideBet, Solution
from crossfelt.analysis.solver.pai_gow_advice import CARDS, CONFIDENCE, DECK, advise, gain_of
from crossfelt.analysis.what_if import Pay, pay_texts, with_pay
from crossfelt.cards.card import RANK_NAMES
from crossfelt.errors import BadInput, Problem
from crossfelt.kernels.seven_cards.beside import kinds_beside
from crossfelt.kernels.seven_cards.census import by_category, counted
from crossfelt.kernels.seven_cards.kinds import KINDS
from crossfelt.rulebooks.choices import house_way_ids
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import PayLine

JOKER_DECK: Final = 53
HAND_CARDS: Final = 7


def imperial(game: Game) -> SideBet:
    """Count every outcome of the imperial bonus over all pairs of player's and dealer's hands."""
    wager = game.wager("imperial")
    player = {line.hand: line for line in game.pays["imperial_player"].table.lines}
    dealer = {line.hand: line for line in game.pays["imperial_banker"].table.lines}
    both = {high_card: _player_hands(high_card) for high_card in dealer}
    others = comb(JOKER_DECK - HAND_CARDS, HAND_CARDS)
    alone = {hand: count * others for hand, count in by_category(counted(), "joker_five").items()}
    for hands in both.values():
        for hand, count in hands.items():
            alone[hand] -= count
    outcomes = [_outcome(line, None, alone[hand]) for hand, line in player.items()]
    for high_card, of_dealer in dealer.items():
        outcomes += [_outcome(line, of_dealer, both[high_card][hand]) for hand, line in player.items()]
        outcomes.append(_outcome(None, of_dealer, _not_paid(both[high_card], player)))
    outcomes.sort(key=lambda outcome: outcome.net, reverse=True)
    outcomes.append(PayOutcome(line="", pays="", net=Fraction(-1), count=_not_paid(alone, player)))
    return SideBet(id=wager.id, title=wager.title, outcomes=tuple(outcome for outcome in outcomes if outcome.count))


def _player_hands(high_card: str) -> Counter[str]:
    """Count the pairs of hands in which the dealer has this high card, by the player's hand."""
    rank = RANK_NAMES.index(high_card.removesuffix("_high"))
    hands: Counter[str] = Counter()
    for kind, count in zip(KINDS, kinds_beside(rank).tolist(), strict=True):
        hands[kind.joker_five] += count
    return hands


def _not_paid(hands: Mapping[str, int], paid: Mapping[str, PayLine]) -> int:
    return sum(count for hand, count in hands.items() if hand not in paid)


def _outcome(player: PayLine | None, dealer: PayLine | None, count: int) -> PayOutcome:
    """Add the odds of both hands; the stake is returned once."""
    won = [line for line in (player, dealer) if line is not None]
    odds = [line.odds for line in won if line.odds is not None]
    return PayOutcome(
        line=", ".join(line.name for line in won),
        pays=", ".join(map(str, odds)),
        net=sum((each.ratio for each in odds), Fraction(0)),
        count=count,
    )


# --- the solution ---

__all__ = ["PaiGowSolution", "advise", "side_bets", "solve"]

ROUNDS: Final = 1_000_000
SEED: Final = "solve"
LOST: Final = Fraction(-1)


class PaiGowSolution(Solution, frozen=True, kw_only=True):
    """A simulated main wager with exact side bets."""

    rounds: int
    house_ways: dict[str, Estimate]
    """Value of a main wager by the player's house way; the dealer uses that of the game."""
    bank: Estimate | None
    """Value of a unit to a player who banks against the house alone; None in the EZ variation."""

    @property
    def interval(self) -> Estimate:
        """Value of a main wager to a player who uses the dealer's house way."""
        return self.house_ways[self.strategy]

    def _sampled_figures(self) -> Iterator[tuple[str, float]]:
        yield "ev.plus_minus", self.interval.high - self.interval.value
        yield from ((f"house_ways.{way}.ev", found.value) for way, found in self.house_ways.items())

    def as_data(self) -> dict[str, Any]:
        data = super().as_data()
        del data["exact"]
        data["ev"] = msgspec.to_builtins(self.interval)
        data["confidence"] = CONFIDENCE
        data["house_ways"] = msgspec.to_builtins(self.house_ways)
        data["bank_against_the_house"] = msgspec.to_builtins(self.bank)
        return data


def solve(game: Game, *, pay: Pay, known: str) -> PaiGowSolution:
    """Simulate every house way against the dealer's in the same rounds."""
    if known:
        what = "this game shows no card before a decision"
        raise BadInput(Problem(code="known.card", where="known", what=what, value=known, allowed="nothing"))
    started = perf_counter()
    asked = with_pay(game, pay)
    counts = _results(_deciding(game))
    own = str(asked.choices["house_way"])
    gain = gain_of(asked)
    return PaiGowSolution(
        rules=RulesIdentity.of(game, pay=pay_texts(asked, pay)),
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
        house_ways={way: _mean(results["win"], results["lose"], gain) for way, results in counts.items()},
        # The bank wins the losses of the other side, copies included, and pays the commission.
        bank=None if asked.settings["ez_variation"] else _mean(counts[own]["lose"], counts[own]["win"], gain),
    )


def _deciding(game: Game) -> Game:
    """Return the game with only the choices that affect the main wager's hands, as a cache key."""
    stated = {name: game.stated[name] for name in ("house_way", "settings") if name in game.stated}
    return Game(game.book, stated, game.house_way)


@lru_cache(maxsize=32)
def _results(game: Game) -> Mapping[str, Mapping[str, int]]:
    """Count the results of a main wager by the player's house way; odds do not affect them."""
    ways = house_way_ids()
    stake = game.limits("main").min
    plan = plan_for(game, [SeatPlan(wagers={"main": stake}, strategy=way) for way in ways], seed=SEED)
    tally = tally_rounds(game, plan, ROUNDS)
    return {way: seat.wagers["main"].results for way, seat in zip(ways, tally.seats, strict=True)}


def _mean(wins: int, losses: int, gain: Fraction) -> Estimate:
    """Estimate the mean of a unit staked from the numbers of wins and losses."""
    scale = gain.denominator
    won, lost = gain.numerator, scale
    found = mean(won * wins - lost * losses, won * won * wins + lost * lost * losses, ROUNDS, CONFIDENCE)
    return Estimate(**{name: getattr(found, name) / scale for name in found.__struct_fields__})


def side_bets(game: Game) -> dict[str, SideBet]:
    """Count the wagers that seven-card hands decide, independent of their setting."""
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
    count = by_category(counted(), "joker_high_card")["queen_high"]
    won = PayOutcome(line="queen_high", pays=str(wager.odds), net=wager.odds.profit, count=count)
    lost = PayOutcome(line="", pays="", net=LOST, count=comb(DECK, CARDS) - count)
    return SideBet(id=wager.id, title=wager.title, outcomes=(won, lost))
