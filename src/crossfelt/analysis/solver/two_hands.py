"""Seven cards set as two hands against the dealer's: the exact value of every setting, house way and best play.

The counts of the shipped house ways against each other are in `two_hands.json`. Others are counted once, and kept.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files
from itertools import combinations
from math import ceil, comb, floor, lcm
from time import perf_counter
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from crossfelt.analysis.advice import SettingAdvice, SettingValue
from crossfelt.analysis.solution import (
    EXACT,
    OPTIMAL,
    Distribution,
    RulesIdentity,
    SideBet,
    Solution,
    WagerOutcome,
    WagerOutcomes,
    exact,
    result_of,
)
from crossfelt.analysis.solver.position import Given
from crossfelt.analysis.solver.side_bets import seven_card_bets
from crossfelt.analysis.solver.split_rules import CARDS, KIND_ORDERS, LOW_ORDER, SplitRules, split_rules
from crossfelt.analysis.what_if import Pay, pay_texts, with_pay
from crossfelt.cards.card import Card
from crossfelt.cards.notation import format_cards, parse_cards
from crossfelt.errors import BadInput, StoppedEarly
from crossfelt.games.house_way import Holding, house_way_of
from crossfelt.games.rules import rules_of
from crossfelt.kernels.array_cache import cached_arrays
from crossfelt.kernels.house_way.batch import set_hands
from crossfelt.kernels.house_way.strengths import SetStrengths, highest_lows, set_strengths, strength_counts
from crossfelt.kernels.seven_cards.kinds import KINDS, kinds
from crossfelt.kernels.solver.hand_shapes import (
    LOW_BITS,
    LOW_MASK,
    NO_HAND,
    Indices,
    Numbers,
    dealt_from,
    hands_beside,
    list_settings,
    shapes_of_hands,
)
from crossfelt.kernels.solver.two_hands import count_pairs
from crossfelt.kernels.threads import Done
from crossfelt.rulebooks.choices import house_way_ids
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.house_ways import HouseWay, load_house_way, two_card_ladder
from crossfelt.rulebooks.model import Wager
from crossfelt.rulebooks.render.phrases import as_words
from crossfelt.rulebooks.script import OfferBank

OWN: Final = "cards"
"""A name of the player's cards in any game, beside that of their group."""
HOUSE_WAY: Final = "house-way"
"""The strategy of a player whose hands are set by the dealer's house way."""


def no_progress(done: int, total: int) -> None:
    """Report nothing."""


# --- counts of all pairs of hands ---


class Won(msgspec.Struct, frozen=True, array_like=True):
    """Pairs of hands by a player's way."""

    both: int
    """The player wins both hands."""
    single: int
    """The player wins the high hand, plus the player wins the low hand."""
    improved: int
    """Player's hands, not pairs, for which the best setting is worth more."""


class DealerCounts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All pairs of hands against one dealer."""

    pairs: tuple[int, ...]
    """Pairs that settings decide, then pairs of each exception."""
    steps: tuple[int, int] = (0, 0)
    """Of a count that was interrupted: the steps that were counted, and all."""
    uncounted: int = 0
    """Pairs whose result may be another, because the count was interrupted."""
    ways: dict[str, Won]
    """By the key of the player's way; `OPTIMAL` for the best setting of each hand."""


def way_key(way: HouseWay) -> str:
    """Return a hash of what a house way decides, independent of its names and words."""
    decides = [(rule.when, rule.plays) for rule in way.rules]
    return hashlib.sha256(msgspec.json.encode(decides, enc_hook=str)).hexdigest()[:16]


def question_key(rules: SplitRules, *, bank: bool) -> str:
    """Return a hash of everything that the counts against a dealer depend on, except the player's ways."""
    excepted = [(each.order, each.match) for each in rules.exceptions]
    asked = (way_key(rules.house_way), rules.wheel_second, rules.deck, excepted, _worth(rules, bank=bank), bank)
    return hashlib.sha256(msgspec.json.encode(asked)).hexdigest()[:16]


def _worth(rules: SplitRules, *, bank: bool) -> tuple[int, int]:
    """Return the value of two hands won at once, and of a hand won, as integers without a common factor."""
    none, one, two = rules.bank_profits if bank else rules.profits
    both, single = two - 2 * one + none, one - none
    scale = lcm(both.denominator, single.denominator)
    factor = np.gcd(int(both * scale), int(single * scale)) or 1
    return int(both * scale) // int(factor), int(single * scale) // int(factor)


def counts_against(
    rules: SplitRules, ways: Mapping[str, HouseWay], *, bank: bool = False, done: Done = no_progress
) -> DealerCounts:
    """Return the counts of some ways of a player, or of a player who banks, against the house way of a game."""
    key, by_key = question_key(rules, bank=bank), {way_key(way): way for way in ways.values()}
    shipped = shipped_counts().get(key)
    if shipped is not None and shipped.ways.keys() >= by_key.keys():
        return shipped

    def make() -> list[Numbers]:
        found = count_against(rules, by_key, bank=bank, done=done)
        if found.uncounted:
            raise _stopped(rules, {**{name: way_key(way) for name, way in ways.items()}, OPTIMAL: OPTIMAL}, found, bank)
        won = [found.ways[name] for name in (*by_key, OPTIMAL)]
        return [np.array(found.pairs), np.array([(each.both, each.single, each.improved) for each in won])]

    pairs, won = cached_arrays(("pairs of hands", key, *by_key), make)
    rows = zip((*by_key, OPTIMAL), won.tolist(), strict=True)
    return DealerCounts(pairs=tuple(pairs.tolist()), ways={name: Won(*row) for name, row in rows})


def _stopped(rules: SplitRules, keys: Mapping[str, str], found: DealerCounts, bank: bool) -> StoppedEarly:
    """Return what is known after an interrupt: every uncounted pair may win or lose both hands instead."""
    profits = rules.bank_profits if bank else rules.profits
    margin = (profits[-1] - profits[0]) * Fraction(found.uncounted, sum(found.pairs))
    lines = []
    for name, key in keys.items():
        value = Distribution.of(_counts(found.ways[key], found.pairs, rules, bank=bank)).mean
        # Rounded outwards, so that the bounds stay true.
        low, high = floor((value - margin) * 10**6) / 10**4, ceil((value + margin) * 10**6) / 10**4
        lines.append(f"  {as_words(name)}: between {low:+.4f} % and {high:+.4f} %")
    done, of = found.steps
    return StoppedEarly(
        f"Stopped after {done} of {of} steps. These are bounds, not exact figures, and none is kept.",
        f"Expected value{' of a player who banks' if bank else ''}, of the wager:",
        *lines,
    )


@cache
def shipped_counts() -> Mapping[str, DealerCounts]:
    """Return the counts of the shipped house ways against each other, by question."""
    text = files("crossfelt.analysis.solver").joinpath("two_hands.json").read_bytes()
    return msgspec.json.decode(text, type=ShippedCounts).counts


class ShippedCounts(msgspec.Struct, frozen=True, kw_only=True):
    """The file of counts."""

    method: str
    questions: dict[str, str]
    """The question of each key, in words."""
    counts: dict[str, DealerCounts]


def count_against(
    rules: SplitRules, ways: Mapping[str, HouseWay], *, bank: bool = False, done: Done = no_progress
) -> DealerCounts:
    """Count all pairs of hands: some seconds."""
    shapes, dealer = shapes_of_hands(), _dealer_codes(rules)
    others = comb(rules.cards_in_deck - CARDS, CARDS)
    excepted = [int(shapes.hands[dealt].sum()) * others for dealt in _excepted(rules)]
    codes = np.array([_way_codes(way, rules.wheel_second) for way in ways.values()])
    settings = list_settings(_every_code(rules.wheel_second), codes, deck=rules.deck)
    highs = strength_counts(wheel_second=rules.wheel_second)[0]
    worth = _worth(rules, bank=bank)
    found = count_pairs(dealer, settings, highs, worth, ties=bank, deck=rules.deck, done=done)
    rows = zip((*ways, OPTIMAL), found.both, found.single, found.improved, strict=True)
    return DealerCounts(
        pairs=(found.hands * others - sum(excepted), *excepted),
        ways={name: Won(*row) for name, *row in rows},
        steps=found.steps if found.uncounted else (0, 0),
        uncounted=found.uncounted,
    )


def _code(strengths: SetStrengths) -> Indices:
    return strengths.high.astype(np.int32) << LOW_BITS | strengths.low


def _way_codes(way: HouseWay, wheel_second: bool) -> Indices:
    """Return the code of each shape as a house way sets it."""
    cards = shapes_of_hands().cards
    return _code(set_strengths(cards, set_hands(way, cards).low, wheel_second=wheel_second))


def _every_code(wheel_second: bool) -> Indices:
    """Return the code of each shape with each two cards in front, `NO_HAND` for a foul."""
    cards, columns = shapes_of_hands().cards, []
    for places in combinations(range(CARDS), 2):
        made = set_strengths(cards, np.ascontiguousarray(cards[:, places]), wheel_second=wheel_second)
        columns.append(np.where(made.low > highest_lows(wheel_second)[made.high], np.int32(NO_HAND), _code(made)))
    return np.ascontiguousarray(np.array(columns).T)


@lru_cache(maxsize=8)
def _excepted(rules: SplitRules) -> tuple[Numbers, ...]:
    """Return the shapes of each exception that the deck deals; of several exceptions the first decides."""
    found, left = [], dealt_from(rules.deck)
    for each in rules.exceptions:
        if each.order == LOW_ORDER:
            fits = np.array([each.match.fits(low.category, low.ranks) for low in two_card_ladder()])
            fitting = fits[_way_codes(rules.house_way, rules.wheel_second) & LOW_MASK]
        else:
            fits = np.array([getattr(kind, KIND_ORDERS[each.order]) == each.match.hand for kind in KINDS])
            fitting = fits[kinds(shapes_of_hands().cards)]
        found.append(np.flatnonzero(fitting & left))
        left = left & ~fitting
    return tuple(found)


@lru_cache(maxsize=8)
def _dealer_codes(rules: SplitRules) -> Indices:
    """Return the code of each shape as the dealer sets it, without the exceptions."""
    codes = _way_codes(rules.house_way, rules.wheel_second)
    for shapes in _excepted(rules):
        codes[shapes] = NO_HAND
    return codes


# --- results ---


class WayResult(msgspec.Struct, frozen=True, kw_only=True):
    """The results of one way to set all hands."""

    counts: dict[Fraction, int]
    """Pairs of hands by the player's profit per unit staked."""
    cost: Fraction
    """Loss per unit staked against the best settings."""
    improved: Fraction
    """Share of hands for which another setting is better."""

    @property
    def ev(self) -> Fraction:
        """Expected value per unit staked."""
        return Distribution.of(self.counts).mean

    def as_data(self) -> dict[str, Any]:
        distribution = Distribution.of(self.counts)
        shares = {float(outcome.net): float(distribution.probability(outcome)) for outcome in distribution.outcomes}
        results = {"win": sum(p for net, p in shares.items() if net > 0), "push": shares.get(0.0, 0.0)}
        results["lose"] = sum(p for net, p in shares.items() if net < 0)
        return {"ev": exact(self.ev), "cost": exact(self.cost), **results, "improved_hands": float(self.improved)}


def _results(rules: SplitRules, ways: Mapping[str, HouseWay], *, bank: bool, done: Done) -> dict[str, WayResult]:
    """Return the results of each way and of the best settings, which are named `OPTIMAL`."""
    found = counts_against(rules, ways, bank=bank, done=done)
    won = {OPTIMAL: found.ways[OPTIMAL], **{name: found.ways[way_key(way)] for name, way in ways.items()}}
    counts = {name: _counts(each, found.pairs, rules, bank=bank) for name, each in won.items()}
    means, hands = {name: Distribution.of(each).mean for name, each in counts.items()}, comb(rules.cards_in_deck, CARDS)
    return {
        name: WayResult(counts=counts[name], cost=means[OPTIMAL] - means[name], improved=Fraction(each.improved, hands))
        for name, each in won.items()
    }


def _counts(won: Won, pairs: tuple[int, ...], rules: SplitRules, *, bank: bool) -> dict[Fraction, int]:
    """Count pairs of hands by the player's profit."""
    (decided, *excepted), counts = pairs, Counter[Fraction]()
    profits = *(rules.bank_profits if bank else rules.profits), *(each.profit for each in rules.exceptions)
    times = decided - won.single + won.both, won.single - 2 * won.both, won.both, *excepted
    for profit, count in zip(profits, times, strict=True):
        counts[profit] += count
    return dict(counts)


class TwoHandsSolution(Solution, frozen=True, kw_only=True):
    """The exact value of each way to set hands against the dealer's house way."""

    dealer_way: str
    """The house way by which the dealer sets hands."""
    wager: Wager
    """The wager that the two hands decide."""
    house_ways: dict[str, WayResult]
    """By the player's house way; the best settings are `OPTIMAL`."""
    banking: dict[str, WayResult]
    """The same for a player who banks against the house alone; empty where that is not offered."""
    unsolved_bets: Mapping[str, str]
    """The side bets without an exact figure, with the reason."""

    def by_wager(self) -> dict[str, WagerOutcomes]:
        deals, stake = self.distribution.deals, Fraction(1)
        outcomes = tuple(
            WagerOutcome(line="", pays="", result=result_of(each.net), stake=stake, net=each.net, count=each.count)
            for each in self.distribution.outcomes
        )
        name = self.wager.id
        return {name: WagerOutcomes(id=name, title=self.wager.title, deals=deals, outcomes=outcomes)}

    def figures(self, *, by_wager: bool = False) -> Iterator[tuple[str, Fraction | float]]:
        yield from super().figures(by_wager=by_wager)
        for name, results in (("house_ways", self.house_ways), ("banking", self.banking)):
            yield from ((f"{name}.{way}.ev", result.ev) for way, result in results.items())

    def as_data(self) -> dict[str, Any]:
        data = super().as_data()
        data["dealer_house_way"] = self.dealer_way
        data["house_ways"] = {name: result.as_data() for name, result in self.house_ways.items()}
        data["banking"] = {name: result.as_data() for name, result in self.banking.items()}
        if self.unsolved_bets:
            data["unsolved_bets"] = dict(self.unsolved_bets)
        return data


def solve(
    game: Game, *, pay: Pay, known: str = "", strategy: str = OPTIMAL, done: Done | None = None
) -> TwoHandsSolution:
    """Return the exact value of every shipped house way and of best play, against the house way of a game.

    The main figures are those of `strategy`: best play, the dealer's house way, or another house way by its id.

    >>> found = solve(compile_game("nj-pai-gow"), pay={})
    >>> round(float(found.ev), 6), round(float(found.house_ways["trump_plaza"].ev), 6)
    (-0.024371, -0.027262)
    """
    if known:
        raise BadInput.at("known", "known.card", "this game shows no card before a decision", known, "nothing")
    started = perf_counter()
    asked = with_pay(game, pay)
    rules = split_rules(game)
    own = rules.house_way.id
    ways = {**{name: load_house_way(name) for name in house_way_ids()}, own: rules.house_way}
    done = done or no_progress
    found = _results(rules, ways, bank=False, done=done)
    chosen = own if strategy == HOUSE_WAY else strategy
    if chosen not in found:
        allowed = ", ".join((OPTIMAL, HOUSE_WAY, *ways))
        raise BadInput.at("strategy", "strategy.unknown", "no such strategy", strategy, allowed)
    banks = any(isinstance(step, OfferBank) for step in game.book.script) and not rules.exceptions
    bets = seven_card_bets(asked)
    return TwoHandsSolution(
        rules=RulesIdentity.of(game, pay=pay_texts(asked, pay)),
        initial_wagers=Fraction(1),
        average_total_wagered=Fraction(1),
        decisions={},
        distribution=Distribution.of(found[chosen].counts),
        side_bets=bets.solved,
        unsolved_bets=bets.unsolved,
        wager=game.wager(rules.wager),
        strategy=chosen,
        unit=f"one {game.wager(rules.wager).stake.posted or rules.wager} wager".replace("_", " "),
        tie_rule="the first setting of equal value",
        seconds=perf_counter() - started,
        dealer_way=own,
        house_ways=found,
        banking=_results(rules, ways, bank=True, done=done) if banks else {},
    )


def side_bets(game: Game) -> dict[str, SideBet]:
    """Return the side bets with an exact figure."""
    return dict(seven_card_bets(game).solved)


def require_reach(game: Game) -> None:
    """Raise BadInput, with the reason, if the game has no exact solution; nothing is counted yet."""
    split_rules(game)


# --- one hand ---


class _Below(NamedTuple):
    """The dealer's hands beside seven cards."""

    both: Numbers
    """The number below a high strength and a low strength."""
    left_out: tuple[int, ...]
    """The number of each exception."""


def advise(game: Game, *, pay: Pay, bets: Given, cards: Mapping[str, str]) -> SettingAdvice:
    """Return every lawful setting of seven cards with its exact value against all hands of the dealer."""
    if bets:
        raise BadInput.at("bets", "advise.bets", "this game has no bets after the deal", next(iter(bets)))
    rules = split_rules(game)
    group = game.book.splits[0].of
    given, unknown = cards.get(group) or cards.get(OWN), [name for name in cards if name not in (group, OWN)]
    if unknown or not given:
        what = "this game has no such cards" if unknown else "missing"
        where = unknown[0] if unknown else OWN
        raise BadInput.at(where, "advise.cards", what, allowed=f'{OWN}: seven, as "As Kd … Jk"')
    seven = parse_cards(given, count=CARDS, joker=rules.deck[-1] > 0, where=OWN)
    below, house = _below(rules, seven), house_way_of(game).set(seven)
    values = [
        _value(game, rules, below, seven, option.front, house=set(house.low)) for option in Holding(seven).options
    ]
    values.sort(key=lambda value: (value.ev, value.house_way), reverse=True)
    return SettingAdvice(
        rules=RulesIdentity.of(game, pay=pay_texts(with_pay(game, pay), pay)),
        decision="set",
        best=format_cards(values[0].low),
        actions={format_cards(value.low): value.ev for value in values},
        settings=tuple(values),
        house_rule=house.rule,
        method=EXACT,
        dealer_hands=comb(rules.cards_in_deck - CARDS, CARDS),
    )


def _below(rules: SplitRules, seven: Sequence[Card]) -> _Below:
    cards = np.array(sorted(seven), dtype=np.uint8)
    highs = strength_counts(wheel_second=rules.wheel_second)[0]
    counts = hands_beside(cards, _dealer_codes(rules), highs, deck=rules.deck)
    below = np.zeros((counts.shape[0] + 1, counts.shape[1] + 1), dtype=np.int64)
    below[1:, 1:] = counts.cumsum(axis=0).cumsum(axis=1)
    left_out = []
    for shapes in _excepted(rules):
        only = np.full(len(shapes_of_hands().hands), NO_HAND, dtype=np.int32)
        only[shapes] = 0
        left_out.append(int(hands_beside(cards, only, 1, deck=rules.deck).sum()))
    return _Below(below, tuple(left_out))


def _value(
    game: Game, rules: SplitRules, below: _Below, seven: Sequence[Card], front: tuple[Card, Card], *, house: set[Card]
) -> SettingValue:
    made = rules_of(game).set(seven, front)
    rows = (np.array([cards], dtype=np.uint8) for cards in (seven, front))
    high, low = (int(strength[0]) for strength in set_strengths(*rows, wheel_second=rules.wheel_second))
    both = int(below.both[high, low])
    won = Won(both, int(below.both[high, -1]) + int(below.both[-1, low]), 0)
    counts = _counts(won, (int(below.both[-1, -1]), *below.left_out), rules, bank=False)
    chances = {"win": 0, "push": 0, "lose": 0}
    for net, count in counts.items():
        chances[result_of(net)] += count
    return SettingValue(
        low=(max(front), min(front)),
        high=tuple(sorted((card for card in seven if card not in front), reverse=True)),
        hands=f"{made.high.name}; {made.low.name}",
        **{result: Fraction(count, sum(counts.values())) for result, count in chances.items()},
        ev=Distribution.of(counts).mean,
        house_way=set(front) == house,
    )
