"""The exact return of a game, with unit, method, strategy and rules.

Counts are integers and figures are fractions, so that two methods can be compared to the last digit; floats are for
display. All amounts are in antes.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import groupby
from typing import Any, Final, NamedTuple

import msgspec

from crossfelt.money import dollars
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.render.phrases import a
from crossfelt.tabular import Record, Tabular

EXACT: Final = "exact"
OPTIMAL: Final = "optimal"
SIMPLE: Final = "simple"
"""The best short card that was found."""

LEFT_OUT: Final = ("payout limits", "rounding to the cent")
"""Effects that depend on the size of the ante, so that figures in antes omit them."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """One result of a round or bet, with the number of deals that lead to it."""

    net: Fraction
    """Net result of the player, in units of the stake."""
    count: int


ROW_STARTS: Final = (-12, -6, -3, -2, -1, 0, 1, 3, 6, 12, 30, 100, 1000)
"""First result of each row of a printed distribution, in antes."""


class ResultRow(NamedTuple):
    """A range of results printed in one row."""

    low: Fraction
    high: Fraction
    deals: int


class Distribution(msgspec.Struct, frozen=True, kw_only=True):
    """Every result with its count, in ascending order.

    >>> coin = Distribution(outcomes=(Outcome(net=Fraction(-1), count=1), Outcome(net=Fraction(1), count=1)))
    >>> coin.mean, coin.variance, coin.at_least(Fraction(0))
    (Fraction(0, 1), Fraction(1, 1), Fraction(1, 2))
    """

    outcomes: tuple[Outcome, ...]

    @classmethod
    def of(cls, counts: Mapping[Fraction, int]) -> Distribution:
        """Make the distribution of the results with a count above zero."""
        # Integers sort and add many times faster than fractions.
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

    @property
    def skewness(self) -> float:
        """The third standardised moment: positive where rare results are large wins."""
        return float(self._central(3)) / math.sqrt(self.variance) ** 3

    @property
    def kurtosis(self) -> float:
        """The fourth standardised moment; a normal distribution has 3."""
        return float(self._central(4) / self.variance**2)

    def _central(self, power: int) -> Fraction:
        mean = self.mean
        terms = (math.comb(power, k) * self._moment(k) * (-mean) ** (power - k) for k in range(power + 1))
        return sum(terms, Fraction(0))

    def at_least(self, net: Fraction) -> Fraction:
        """Return the probability of this result or a better one."""
        return Fraction(sum(o.count for o in self.outcomes if o.net >= net), self.deals)

    @property
    def hit_rate(self) -> Fraction:
        """Probability of a net win."""
        return Fraction(sum(outcome.count for outcome in self.outcomes if outcome.net > 0), self.deals)

    def probability(self, outcome: Outcome) -> Fraction:
        return Fraction(outcome.count, self.deals)

    def rows(self) -> Iterator[ResultRow]:
        """Yield the results in a few rows for printing; a tie never shares a row with a win.

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


class HandValue(msgspec.Struct, frozen=True, kw_only=True):
    """The average value of a starting hand at the first decision, in antes, over the open cards."""

    shares: Mapping[str, Fraction]
    """The share of the decisions in which each choice is best."""
    best: Fraction
    """With the best choice for the open cards."""
    choices: Mapping[str, Fraction]
    """With one choice for all open cards."""


class HouseEdge(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """The house edge under its three usual denominators."""

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
    """Empty for a loss."""
    pays: str
    """Odds as printed; empty for a loss."""
    net: Fraction
    """Net result of the player per unit staked."""
    count: int


class SideBet(msgspec.Struct, frozen=True, kw_only=True):
    """Every outcome of a wager without decisions."""

    id: str
    title: str
    outcomes: tuple[PayOutcome, ...]
    """Outcomes in descending order of payment, the loss last."""
    given_up_at: tuple[str, ...] = ()
    """Decisions at which a fold gives the wager up. The outcomes are those of players who do not fold there."""

    @property
    def note(self) -> str:
        """Say for whom the figures hold, where a fold gives the wager up."""
        at = " or ".join(self.given_up_at)
        return f"A fold at {at} gives it up; the figures are those of players who do not fold there." if at else ""

    @property
    def distribution(self) -> Distribution:
        counts = Counter[Fraction]()
        for outcome in self.outcomes:
            counts[outcome.net] += outcome.count
        return Distribution.of(counts)

    @property
    def deals(self) -> int:
        return sum(outcome.count for outcome in self.outcomes)

    @property
    def ev(self) -> Fraction:
        """Expected value per unit staked."""
        return self.distribution.mean

    @property
    def house_edge(self) -> Fraction:
        return -self.ev

    @property
    def hit_rate(self) -> Fraction:
        """Probability of a net win."""
        return self.distribution.hit_rate

    @property
    def most(self) -> Fraction:
        """The most that one unit staked can win."""
        return max(outcome.net for outcome in self.outcomes)

    @property
    def chances(self) -> dict[str, Fraction]:
        """The chance of each result that can happen."""
        counts = Counter[str]()
        for outcome in self.outcomes:
            counts[result_of(outcome.net)] += outcome.count
        return {result: Fraction(count, self.deals) for result, count in counts.items()}

    def probability(self, outcome: PayOutcome) -> Fraction:
        return Fraction(outcome.count, self.deals)

    def contribution(self, outcome: PayOutcome) -> Fraction:
        """Return the contribution of an outcome to the expected value; the contributions add up to it."""
        return outcome.net * self.probability(outcome)


def result_of(net: Fraction) -> str:
    return "win" if net > 0 else "lose" if net else "push"


class WagerOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """One outcome of a wager of the game, for one size of its stake."""

    line: str
    """Pay line; empty if none applies."""
    pays: str
    """Odds as printed; empty if none apply."""
    result: str
    """``win``, ``push``, ``lose`` or ``forfeit``."""
    stake: Fraction
    """In antes."""
    net: Fraction
    """Net result of the wager for the player, in antes."""
    count: int


class WagerOutcomes(msgspec.Struct, frozen=True, kw_only=True):
    """Every outcome of a wager of the game, under the strategy of the solution.

    >>> won = WagerOutcome(line="flush", pays="8 to 1", result="win", stake=Fraction(3), net=Fraction(24), count=1)
    >>> lost = WagerOutcome(line="", pays="", result="lose", stake=Fraction(3), net=Fraction(-3), count=9)
    >>> wager = WagerOutcomes(id="down", title="Down", deals=20, outcomes=(won, lost))
    >>> wager.placed, wager.ev, wager.house_edge
    (Fraction(1, 2), Fraction(-3, 20), Fraction(1, 10))
    """

    id: str
    title: str
    deals: int
    """All deals, including those in which the wager is not placed."""
    outcomes: tuple[WagerOutcome, ...]

    @property
    def placed(self) -> Fraction:
        """Probability that the wager is placed."""
        return Fraction(sum(outcome.count for outcome in self.outcomes), self.deals)

    @property
    def chances(self) -> dict[str, Fraction]:
        """The chance of each result where the wager is placed."""
        placed, counts = sum(outcome.count for outcome in self.outcomes), Counter[str]()
        for outcome in self.outcomes:
            counts[outcome.result] += outcome.count
        return {result: Fraction(count, placed) for result, count in counts.items()}

    @property
    def average_stake(self) -> Fraction:
        """Average stake over all rounds, in antes."""
        return Fraction(sum(outcome.count * outcome.stake for outcome in self.outcomes), self.deals)

    @property
    def ev(self) -> Fraction:
        """Contribution of the wager to the expected value of a round, in antes."""
        return Fraction(sum(outcome.count * outcome.net for outcome in self.outcomes), self.deals)

    @property
    def variance(self) -> Fraction:
        """Variance over all rounds, including those without the wager."""
        squares = sum((outcome.count * outcome.net**2 for outcome in self.outcomes), Fraction(0))
        return squares / self.deals - self.ev**2

    @property
    def house_edge(self) -> Fraction:
        """House edge as a fraction of its stakes."""
        return -self.ev / self.average_stake

    @property
    def hit_rate(self) -> Fraction:
        """Probability of a win, of all rounds."""
        return Fraction(sum(outcome.count for outcome in self.outcomes if outcome.result == "win"), self.deals)


class RulesIdentity(msgspec.Struct, frozen=True, kw_only=True):
    """The rules to which a figure applies."""

    rulebook: str
    version: str
    rulebook_hash: str
    submission: Mapping[str, Any]
    """Values that the operator states instead of defaults."""
    pay: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Changed odds."""
    known: str = ""
    """Card that the player sees before the first decision: ``middle``, ``across`` or ``down``."""

    @classmethod
    def of(cls, game: Game, *, pay: Mapping[str, str] | None = None, known: str = "") -> RulesIdentity:
        """Identify the rules of a compiled game with the changes of a question."""
        book = game.book
        return cls(
            rulebook=book.id,
            version=book.version,
            rulebook_hash=game.rulebook_hash,
            submission=dict(game.stated),
            pay=dict(pay or {}),
            known=known,
        )


class AtAnte(msgspec.Struct, frozen=True, kw_only=True):
    """The return at an ante, with payments rounded to the cent and cut at the payout limit; without side bets."""

    ante_cents: int
    same_play: Distribution
    """Net result of a round under the strategy of the solution, in antes."""
    best_play: Distribution | None = None
    """Under best play at this ante, where bets may be any whole multiple; None beside another
    strategy, and for a game whose dealer and players share a board, where it is not computed."""
    decisions: Mapping[str, Mapping[str, Fraction]] = msgspec.field(default_factory=dict)
    """Probability of each choice under best play at this ante."""
    average_total_wagered: Fraction = Fraction(0)
    """Under best play at this ante, in antes."""

    def as_data(self) -> dict[str, Any]:
        """Return plain data for ``crossfelt solve --json``."""
        return {
            "ante_cents": self.ante_cents,
            "same_play": _play_data(self.same_play),
            "best_play": None
            if self.best_play is None
            else _play_data(self.best_play)
            | {
                "average_total_wagered": float(self.average_total_wagered),
                "decisions": _rates_data(self.decisions, float),
            },
        }


def _rates_data(
    decisions: Mapping[str, Mapping[str, Fraction]], as_data: Callable[[Fraction], Any]
) -> dict[str, dict[str, Any]]:
    return {step: {name: as_data(rate) for name, rate in rates.items()} for step, rates in decisions.items()}


def _play_data(play: Distribution) -> dict[str, Any]:
    return {"ev": exact(play.mean), "standard_deviation": math.sqrt(play.variance)}


class Solution(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """The exact return of one set of rules under one strategy."""

    rules: RulesIdentity
    initial_wagers: Fraction
    """Stakes before the deal, in antes."""
    average_total_wagered: Fraction
    """Average of all stakes in a round, in antes."""
    decisions: Mapping[str, Mapping[str, Fraction]]
    """Probability of each choice by decision, of all rounds; after possible folds the sum is below one."""
    distribution: Distribution
    """Net result of a round for the player, in antes, without side bets."""
    side_bets: Mapping[str, SideBet] = msgspec.field(default_factory=dict)
    strategy: str = OPTIMAL
    method: str = EXACT
    unit: str
    tie_rule: str
    """The choice between actions of equal value."""
    seconds: float = 0.0
    """Duration of the computation."""
    at_antes: tuple[AtAnte, ...] = ()
    """The return at antes in cents, where it was asked for."""

    @property
    def units(self) -> str:
        """The unit in the plural: antes, main wagers."""
        return f"{self.base}s"

    @property
    def base(self) -> str:
        """The wager that is the unit: ante, main wager."""
        return self.unit.removeprefix("one ")

    @property
    def ev(self) -> Fraction:
        """Expected value of a round for the player, in antes."""
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
        """Probability that the player wins the round."""
        return self.distribution.hit_rate

    @property
    def limit_cents(self) -> int | None:
        """The payout limit in force on the wagers of the game; None if there is none."""
        return None

    @property
    def holds_to_cents(self) -> int | None:
        """The largest ante at which the payout limit cuts no result, so that the figures hold; None for any ante."""
        return None

    def limit_words(self) -> str:
        """Say up to which ante the figures hold; empty if they hold at any ante."""
        if self.holds_to_cents is None:
            return ""
        limit, most = dollars(self.limit_cents or 0), f"{a(self.base)} of {dollars(self.holds_to_cents)}"
        return f"The payout limit of {limit} cuts no result up to {most}; above it the return is lower."

    def by_wager(self) -> dict[str, WagerOutcomes]:
        """Return the outcomes of each wager without side bets; their contributions add up to the value of a round.

        Empty if the solver does not separate wagers.
        """
        return {}

    def by_wager_alone(self) -> dict[str, WagerOutcomes]:
        """Return the same outcomes without the bonuses beside wagers, which are results of their own in a round."""
        return self.by_wager()

    def values_by_starting_hand(self) -> dict[str, HandValue]:
        """Return the first decision by starting hand; empty for a game without starting hands."""
        return {}

    def figures(self, *, by_wager: bool = False) -> Iterator[tuple[str, Fraction | float]]:
        """Yield every figure with its name in ``crossfelt solve --json``; figures of each wager take longest."""
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
        yield from self._figures_at_ante()
        if by_wager:
            for name, wager in self.by_wager().items():
                for figure in ("placed", "average_stake", "ev", "house_edge", "hit_rate"):
                    yield f"wagers.{name}.{figure}", getattr(wager, figure)

    def _figures_at_ante(self) -> Iterator[tuple[str, Fraction]]:
        """Yield the house edge at the first ante that was asked for."""
        for at in self.at_antes[:1]:
            for play in ("same_play", "best_play"):
                if (edge := self.edge_at(getattr(at, play))) is not None:
                    yield f"at_ante.{play}.house_edge", edge
            if self.holds_to_cents is not None:
                yield "at_ante.holds_to_cents", Fraction(self.holds_to_cents)

    def edge_at(self, play: Distribution | None) -> Fraction | None:
        """Return the house edge of a play at an ante, of the initial wagers."""
        return None if play is None else -play.mean / self.initial_wagers

    def headline(self) -> str:
        edge = self.house_edge.per_initial_wagers
        known = f", {self.rules.known} card known" if self.rules.known else ""
        holds = self.holds_to_cents
        to = f", up to {a(self.base)} of {dollars(holds)}" if holds is not None else ""
        return (
            f"{self.rules.rulebook}, {self.strategy} play{known}: house edge {percent(edge)} of the initial wagers{to}"
        )

    def records(self) -> list[Record]:
        return [{"figure": name, "value": value} for name, value in self.figures()]

    def as_data(self) -> dict[str, Any]:
        """Return plain data for ``crossfelt solve --json``."""
        edge = self.house_edge
        return {
            **identity_data(self.rules),
            "method": self.method,
            "unit": self.unit,
            "strategy": self.strategy,
            "tie_rule": self.tie_rule,
            "left_out": list(LEFT_OUT),
            "payout_limit": {
                "cents": self.limit_cents,
                "holds_to_ante_cents": self.holds_to_cents,
                "says": self.limit_words(),
            },
            "at_antes": [at.as_data() for at in self.at_antes],
            "ev": exact(self.ev),
            "house_edge": {name: float(getattr(edge, name)) for name in edge.__struct_fields__},
            "initial_wagers": float(self.initial_wagers),
            "average_total_wagered": float(self.average_total_wagered),
            "standard_deviation": self.standard_deviation,
            "skewness": self.distribution.skewness,
            "kurtosis": self.distribution.kurtosis,
            "hit_rate": float(self.hit_rate),
            "decisions": _rates_data(self.decisions, float),
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
            "decisions": _rates_data(self.decisions, exact),
        }


def percent(value: Fraction | float) -> str:
    """Format a share in percent.

    >>> percent(Fraction(1, 23))
    '4.348 %'
    """
    return f"{float(100 * value):.3f} %"


def exact(value: Fraction) -> dict[str, Any]:
    """Convert a fraction to JSON data: numerator and denominator as text, and the nearest float.

    >>> exact(Fraction(-1, 3))
    {'numerator': '-1', 'denominator': '3', 'value': -0.3333333333333333}
    """
    return {"numerator": str(value.numerator), "denominator": str(value.denominator), "value": float(value)}


def identity_data(rules: RulesIdentity) -> dict[str, Any]:
    """Convert the identity of rules to JSON data."""
    return msgspec.structs.asdict(rules) | {"known": rules.known or None}


def side_bet_data(bet: SideBet) -> dict[str, Any]:
    """Convert a side bet to JSON data."""
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
    } | ({"given_up_at": list(bet.given_up_at)} if bet.given_up_at else {})


def distribution_data(distribution: Distribution) -> list[dict[str, Any]]:
    """Convert a distribution to JSON data, in ascending order."""
    deals = distribution.deals
    return [
        {"net": float(outcome.net), "count": str(outcome.count), "probability": outcome.count / deals}
        for outcome in distribution.outcomes
    ]
