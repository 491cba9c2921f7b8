"""What a game returns: exact figures that carry their unit, method, strategy and rules.

Counts are integers and figures are fractions, so that two methods can be compared to the last digit; floats are for
display. Everything is measured in antes: the stakes a player must put up before the cards are the unit's multiples.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import groupby
from typing import Any, Final, NamedTuple

import msgspec

from crossfelt.rulebooks.game import Game
from crossfelt.tabular import Record, Tabular

UNIT: Final = "one ante"
EXACT: Final = "exact"
OPTIMAL: Final = "optimal"
TIE_RULE: Final = "raise"
"""Of two choices that are worth the same, the one that stakes more is taken."""


LEFT_OUT: Final = ("payout limits", "rounding to the cent")
"""What a figure in antes does not know: both hang on how much an ante is."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """One result of a round, or of a bet, and how many deals of all lead to it."""

    net: Fraction
    """What the player is up by, in units of the stake."""
    count: int


ROW_STARTS: Final = (-12, -6, -3, -2, -1, 0, 1, 3, 6, 12, 30, 100, 1000)
"""Where the rows begin in which results are told to people, in antes."""


class ResultRow(NamedTuple):
    """Results that are told together: from the least to the most of them."""

    low: Fraction
    high: Fraction
    deals: int


class Distribution(msgspec.Struct, frozen=True, kw_only=True):
    """Every result with its count, the worst first.

    >>> coin = Distribution(outcomes=(Outcome(net=Fraction(-1), count=1), Outcome(net=Fraction(1), count=1)))
    >>> coin.mean, coin.variance, coin.at_least(Fraction(0))
    (Fraction(0, 1), Fraction(1, 1), Fraction(1, 2))
    """

    outcomes: tuple[Outcome, ...]

    @classmethod
    def of(cls, counts: Mapping[Fraction, int]) -> Distribution:
        """The results that happen, in order."""
        # Whole numbers are put in order and added up many times faster than fractions are.
        parts = math.lcm(*(net.denominator for net in counts))
        order = sorted(counts, key=lambda net: net.numerator * (parts // net.denominator))
        return cls(outcomes=tuple(Outcome(net=net, count=counts[net]) for net in order if counts[net]))

    @property
    def deals(self) -> int:
        return sum(outcome.count for outcome in self.outcomes)

    @property
    def mean(self) -> Fraction:
        return self._moment(1)

    @property
    def variance(self) -> Fraction:
        return self._moment(2) - self.mean**2

    def at_least(self, net: Fraction) -> Fraction:
        """The probability of so much or more."""
        return Fraction(sum(o.count for o in self.outcomes if o.net >= net), self.deals)

    def probability(self, outcome: Outcome) -> Fraction:
        return Fraction(outcome.count, self.deals)

    def rows(self) -> Iterator[ResultRow]:
        """The results in a few rows, for people; a round that ends level shares its row with none that is won.

        >>> [str(row.low) for row in Distribution.of({Fraction(-1): 3, Fraction(0): 4, Fraction(19, 20): 3}).rows()]
        ['-1', '0', '19/20']
        """
        for _, found in groupby(self.outcomes, key=lambda o: (bisect_right(ROW_STARTS, o.net), o.net > 0)):
            inside = list(found)
            yield ResultRow(inside[0].net, inside[-1].net, sum(o.count for o in inside))

    def _moment(self, power: int) -> Fraction:
        parts = math.lcm(*(o.net.denominator for o in self.outcomes))
        total = sum(o.count * (o.net.numerator * (parts // o.net.denominator)) ** power for o in self.outcomes)
        return Fraction(total, parts**power * self.deals)


class HouseEdge(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """What the house keeps on average, by what it is divided by: the same loss is quoted in three ways."""

    per_ante: Fraction
    per_initial_wagers: Fraction
    per_total_wagered: Fraction

    def headline(self) -> str:
        return ", ".join(f"{percent(record['value'])} {record['base']}" for record in self.records())

    def records(self) -> list[Record]:
        return [{"base": name.replace("_", " "), "value": getattr(self, name)} for name in self.__struct_fields__]


class PayOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a side bet's pay table."""

    line: str
    """Empty for what loses."""
    pays: str
    """The odds as the table prints them; empty for what loses."""
    net: Fraction
    """What the player is up by, for each unit staked."""
    count: int


class SideBet(msgspec.Struct, frozen=True, kw_only=True):
    """A wager that needs no decision: every outcome, exactly."""

    id: str
    title: str
    outcomes: tuple[PayOutcome, ...]
    """The best paid line first, what loses last."""

    @property
    def distribution(self) -> Distribution:
        counts: dict[Fraction, int] = {}
        for outcome in self.outcomes:
            counts[outcome.net] = counts.get(outcome.net, 0) + outcome.count
        return Distribution.of(counts)

    @property
    def deals(self) -> int:
        return sum(outcome.count for outcome in self.outcomes)

    @property
    def ev(self) -> Fraction:
        """For each unit staked."""
        return self.distribution.mean

    @property
    def house_edge(self) -> Fraction:
        return -self.ev

    @property
    def hit_rate(self) -> Fraction:
        """How often it is paid more than its stake."""
        return Fraction(sum(o.count for o in self.outcomes if o.net > 0), self.deals)

    def probability(self, outcome: PayOutcome) -> Fraction:
        return Fraction(outcome.count, self.deals)

    def contribution(self, outcome: PayOutcome) -> Fraction:
        """The part of the expected value that this outcome brings; all of them add up to it."""
        return outcome.net * self.probability(outcome)


class WagerOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which a wager of the game ends, for one size of it."""

    line: str
    """The pay line; empty where none applies."""
    pays: str
    """The odds as the table prints them; empty where none apply."""
    result: str
    """``win``, ``push``, ``lose`` or ``forfeit``, as a scripted round tells it."""
    stake: Fraction
    """In antes."""
    net: Fraction
    """What the player is up by on this wager, in antes."""
    count: int


class WagerOutcomes(msgspec.Struct, frozen=True, kw_only=True):
    """A wager of the game under the strategy of the solution: every outcome, exactly.

    >>> won = WagerOutcome(line="flush", pays="8 to 1", result="win", stake=Fraction(3), net=Fraction(24), count=1)
    >>> lost = WagerOutcome(line="", pays="", result="lose", stake=Fraction(3), net=Fraction(-3), count=9)
    >>> wager = WagerOutcomes(id="down", title="Down", deals=20, outcomes=(won, lost))
    >>> wager.placed, wager.ev, wager.house_edge
    (Fraction(1, 2), Fraction(-3, 20), Fraction(1, 10))
    """

    id: str
    title: str
    deals: int
    """All deals, those in which the wager is not placed included."""
    outcomes: tuple[WagerOutcome, ...]

    @property
    def placed(self) -> Fraction:
        """How often it is placed."""
        return Fraction(sum(outcome.count for outcome in self.outcomes), self.deals)

    @property
    def average_stake(self) -> Fraction:
        """Of all rounds, in antes."""
        return Fraction(sum(outcome.count * outcome.stake for outcome in self.outcomes), self.deals)

    @property
    def ev(self) -> Fraction:
        """The part of a round's expected value that this wager brings, in antes."""
        return Fraction(sum(outcome.count * outcome.net for outcome in self.outcomes), self.deals)

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps of what is staked on it."""
        return -self.ev / self.average_stake

    @property
    def hit_rate(self) -> Fraction:
        """How often it wins, of all rounds."""
        return Fraction(sum(outcome.count for outcome in self.outcomes if outcome.result == "win"), self.deals)


class RulesIdentity(msgspec.Struct, frozen=True, kw_only=True):
    """Which rules a figure holds for."""

    rulebook: str
    version: str
    rulebook_hash: str
    submission: Mapping[str, Any]
    """What the operator states, over the defaults."""
    pay: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Odds changed for the question at hand."""
    known: str = ""
    """A card that the player has seen before the first decision: ``middle``, ``across`` or ``down``."""

    @classmethod
    def of(cls, game: Game, *, pay: Mapping[str, str] | None = None, known: str = "") -> RulesIdentity:
        """The rules of a game as it was compiled, with what the question changes."""
        book = game.book
        return cls(
            rulebook=book.id,
            version=book.version,
            rulebook_hash=game.rulebook_hash,
            submission=dict(game.stated),
            pay=dict(pay or {}),
            known=known,
        )


class Solution(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """The exact return of one set of rules under one strategy."""

    rules: RulesIdentity
    initial_wagers: Fraction
    """What is staked before the cards, in antes."""
    average_total_wagered: Fraction
    """All that is staked in a round on average, in antes."""
    decisions: Mapping[str, Mapping[str, Fraction]]
    """How often each choice is made, by decision: of all rounds, so that those after a fold sum to less than one."""
    distribution: Distribution
    """What the player is up by at the end of a round, in antes, side bets apart."""
    side_bets: Mapping[str, SideBet] = msgspec.field(default_factory=dict)
    strategy: str = OPTIMAL
    method: str = EXACT
    unit: str = UNIT
    tie_rule: str = TIE_RULE
    seconds: float = 0.0
    """How long it took, in seconds of the clock."""

    @property
    def ev(self) -> Fraction:
        """What a round is worth to the player, in antes."""
        return self.distribution.mean

    @property
    def variance(self) -> Fraction:
        return self.distribution.variance

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self.variance)

    @property
    def house_edge(self) -> HouseEdge:
        loss = -self.ev
        return HouseEdge(
            per_ante=loss,
            per_initial_wagers=loss / self.initial_wagers,
            per_total_wagered=loss / self.average_total_wagered,
        )

    @property
    def hit_rate(self) -> Fraction:
        """How often a round ends with the player up."""
        won = sum(outcome.count for outcome in self.distribution.outcomes if outcome.net > 0)
        return Fraction(won, self.distribution.deals)

    def by_wager(self) -> dict[str, WagerOutcomes]:
        """Every outcome of each wager of the game, side bets apart; what they bring adds up to the value of a round.

        Empty where a solver does not keep wagers apart.
        """
        return {}

    def by_starting_hand(self) -> dict[str, dict[str, Fraction]]:
        """How often each choice is the best at the first decision, by starting hand, of all that may be seen with it.

        Empty for a game that has no such hands.
        """
        return {}

    def figures(self, *, by_wager: bool = False) -> Iterator[tuple[str, Fraction | float]]:
        """Name every figure as ``crossfelt solve --json`` does; those of each wager take longest."""
        edge = self.house_edge
        yield "ev", self.ev
        yield from ((f"house_edge.{name}", getattr(edge, name)) for name in edge.__struct_fields__)
        yield "average_total_wagered", self.average_total_wagered
        yield "variance", self.variance
        yield "standard_deviation", self.standard_deviation
        yield "hit_rate", self.hit_rate
        for decision, rates in self.decisions.items():
            yield from ((f"decisions.{decision}.{choice}", rate) for choice, rate in rates.items())
        for name, bet in self.side_bets.items():
            variance = bet.distribution.variance
            yield f"side_bets.{name}.house_edge", bet.house_edge
            yield f"side_bets.{name}.hit_rate", bet.hit_rate
            yield f"side_bets.{name}.variance", variance
            yield f"side_bets.{name}.standard_deviation", math.sqrt(variance)
        yield from self._sampled_figures()
        if by_wager:
            for name, wager in self.by_wager().items():
                for figure in ("placed", "average_stake", "ev", "house_edge", "hit_rate"):
                    yield f"wagers.{name}.{figure}", getattr(wager, figure)

    def _sampled_figures(self) -> Iterator[tuple[str, float]]:
        """Name the figures that a solver has sampled, where it has."""
        return iter(())

    def headline(self) -> str:
        edge = self.house_edge.per_initial_wagers
        known = f", {self.rules.known} card known" if self.rules.known else ""
        return f"{self.rules.rulebook}, {self.strategy} play{known}: house edge {percent(edge)} of the initial wagers"

    def records(self) -> list[Record]:
        return [{"figure": name, "value": value} for name, value in self.figures()]

    def as_data(self) -> dict[str, Any]:
        """Plain data, as ``crossfelt solve --json`` prints it."""
        edge = self.house_edge
        return {
            **identity_data(self.rules),
            "method": self.method,
            "unit": self.unit,
            "strategy": self.strategy,
            "tie_rule": self.tie_rule,
            "left_out": list(LEFT_OUT),
            "ev": exact(self.ev),
            "house_edge": {name: float(getattr(edge, name)) for name in edge.__struct_fields__},
            "initial_wagers": float(self.initial_wagers),
            "average_total_wagered": float(self.average_total_wagered),
            "standard_deviation": self.standard_deviation,
            "hit_rate": float(self.hit_rate),
            "decisions": {
                decision: {choice: float(rate) for choice, rate in rates.items()}
                for decision, rates in self.decisions.items()
            },
            "side_bets": {name: side_bet_data(bet) for name, bet in self.side_bets.items()},
            "distribution": distribution_data(self.distribution),
            "exact": self._exact_data(),
            "seconds": self.seconds,
        }

    def _exact_data(self) -> dict[str, Any]:
        edge = self.house_edge
        return {
            "deals": str(self.distribution.deals),
            "house_edge": {name: exact(getattr(edge, name)) for name in edge.__struct_fields__},
            "average_total_wagered": exact(self.average_total_wagered),
            "variance": exact(self.variance),
            "decisions": {
                decision: {choice: exact(rate) for choice, rate in rates.items()}
                for decision, rates in self.decisions.items()
            },
        }


def percent(value: Fraction | float) -> str:
    """Write a share for people.

    >>> percent(Fraction(1, 23))
    '4.348 %'
    """
    return f"{float(100 * value):.3f} %"


def exact(value: Fraction) -> dict[str, Any]:
    """A fraction as JSON holds it: numbers of any length as text, and the nearest float beside them.

    >>> exact(Fraction(-1, 3))
    {'numerator': '-1', 'denominator': '3', 'value': -0.3333333333333333}
    """
    return {"numerator": str(value.numerator), "denominator": str(value.denominator), "value": float(value)}


def identity_data(rules: RulesIdentity) -> dict[str, Any]:
    """Which rules a figure holds for, as JSON holds it."""
    return {
        "rulebook": rules.rulebook,
        "version": rules.version,
        "rulebook_hash": rules.rulebook_hash,
        "submission": dict(rules.submission),
        "pay": dict(rules.pay),
        "known": rules.known or None,
    }


def side_bet_data(bet: SideBet) -> dict[str, Any]:
    """A side bet as JSON holds it."""
    return {
        "house_edge": float(bet.house_edge),
        "hit_rate": float(bet.hit_rate),
        "standard_deviation": math.sqrt(bet.distribution.variance),
        "ev": exact(bet.ev),
        "outcomes": [
            {
                "line": outcome.line or None,
                "pays": outcome.pays or None,
                "count": outcome.count,
                "probability": float(bet.probability(outcome)),
                "net": float(outcome.net),
                "contribution": float(bet.contribution(outcome)),
            }
            for outcome in bet.outcomes
        ],
    }


def distribution_data(distribution: Distribution) -> list[dict[str, Any]]:
    """A distribution as JSON holds it, the worst result first."""
    deals = distribution.deals
    return [
        {"net": float(outcome.net), "count": str(outcome.count), "probability": outcome.count / deals}
        for outcome in distribution.outcomes
    ]
