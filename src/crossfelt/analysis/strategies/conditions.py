"""Numbers that a player sees at a glance at each decision, and the conditions of strategy cards over them.

Everything is read from the game: the cards that are open, the hands that they belong to, the pay tables of these
hands. A higher number is better for the player. Of suits the numbers say only whether a flush is possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solver.orders import order_of
from crossfelt.analysis.solver.round_plan import DEALER, FormedHand, RoundPlan
from crossfelt.analysis.strategies.seen import Seen
from crossfelt.cards.card import RANK_NAMES, RANKS
from crossfelt.hands.rank import HandRank
from crossfelt.kernels.solver.card_sets import Cards, classes_of
from crossfelt.kernels.solver.hand_tables import RANKS as ALL_RANKS
from crossfelt.kernels.solver.hand_tables import SUITS, rank_sets, weights_for
from crossfelt.play.text import NUMBERS

Numbers = NDArray[np.int64]
Features = Mapping[str, Numbers]
Where = NDArray[np.bool_]
ACE: Final = ALL_RANKS - 1
_DRAW: Final = 3
"""Cards from which on a player looks for a draw."""
_LARGEST: Final = 128 * 128
"""Base of the largest group of equal ranks in a key."""


class Condition(NamedTuple):
    """A line of a card holds where this does."""

    words: str
    holds: Callable[[Features], Where]


class Sight:
    """A decision as a player looks at it: the features of its positions, and the conditions that ask for them."""

    def __init__(self, plan: RoundPlan, decision: str) -> None:
        self.plan = plan
        self.decision = decision
        seen: list[str] = []
        for moment in plan.moments:
            seen += moment.places
            step = next((step for step in moment.decisions if step.id == decision), None)
            if step is not None:
                break
        assert step is not None
        chosen = {action.choose for action in step.actions if action.choose}
        self.named = next((hand.chosen_of for hand in plan.game.book.hands if hand.id in chosen), ())
        """The hands of which the player names one."""
        self.open = tuple(seen)
        self.hands = [hand for hand in plan.hands if not hand.of_dealer]
        self.against_dealer = any(hand.of_dealer for hand in plan.hands)
        self.shown = tuple(place for place in self.open if place.startswith(DEALER))
        self.ranked = [hand for hand in self.hands if len(self._of(hand)) >= hand.cards]
        """Hands whose open cards can be ranked."""
        looked_at = set(plan.own) if len(plan.own) < _DRAW else set()
        self.drawing = [h for h in self.hands if h not in self.ranked and set(self._of(h)) > looked_at]
        """Hands that a player looks at as a draw: with community cards, or with cards enough of their own."""

    def _of(self, hand: FormedHand) -> list[str]:
        return [place for place in hand.places if place in self.open]

    def _coming(self, hand: FormedHand) -> int:
        return len(hand.places) - len(self._of(hand))

    # --- features -------------------------------------------------------------------------------------------------

    def features(self, seen: Seen) -> dict[str, Numbers]:
        """Return the features of many positions."""
        return {name: np.asarray(values, dtype=np.int64) for name, values in self._features(seen.places)}

    def _features(self, places: Mapping[str, Cards]) -> Iterator[tuple[str, NDArray[np.generic]]]:
        own = _stack(places, self.plan.own)
        if self.ranked:
            yield "rank", np.max([self._threshold(hand, places) for hand in self.ranked], axis=0)
            for place in self.shown:
                yield "shown", places[place] // SUITS
                yield "matched", (own // SUITS == places[place][:, None] // SUITS).any(axis=1)
            if self._shared:
                yield "with_board", self._with_board(own, _stack(places, self._shared))
            return
        yield "own_made", self._made(own)
        yield "own_suited", _same(own % SUITS)
        if self.against_dealer:
            ranks = np.sort(own // SUITS, axis=1)
            yield "own_high", ranks[:, -1]
            yield "own_low", ranks[:, 0]
            if self._shared:
                yield "over", ranks[:, -1] > (_stack(places, self._shared) // SUITS).max(axis=1)
        elif not self.drawing:
            yield "own_points", self._points(own)
        if self.drawing:
            lines = [_stack(places, self._of(hand)) for hand in self.drawing]
            made = np.array([self._made(line) for line in lines])
            yield "made", made.max(axis=0)
            if len(lines) > 1:
                yield "paired_lines", (made > 0).sum(axis=0)
            draws = [self._draw(line, hand) for line, hand in zip(lines, self.drawing, strict=True)]
            if self.named:
                order = [hand.name for hand in self.drawing]
                better = np.array([order.index(hand) for hand in self.named])[self.better_hand(places)]
                rows = np.arange(len(own))
                yield "draw", np.array(draws)[better, rows]
                yield "line_high", np.array([(line // SUITS).max(axis=1) for line in lines])[better, rows]
            else:
                yield "draw", np.max(draws, axis=0)
            if not self.against_dealer:
                yield "points", self._points(_stack(places, self.open))

    @cached_property
    def _shared(self) -> tuple[str, ...]:
        return tuple(place for place in self.open if place not in self.plan.own and place not in self.shown)

    def better_hand(self, places: Mapping[str, Cards]) -> Numbers:
        """Return which of the hands to name is the best as far as its cards are open, of equal ones the first."""
        open_ = {hand.name: self._of(hand) for hand in self.hands}
        best: Numbers = np.argmax([self._key(_stack(places, open_[hand])) for hand in self.named], axis=0)
        return best

    def _key(self, cards: Cards) -> Numbers:
        """Return a number by which open cards are compared: the largest group, one suit, then the other groups."""
        groups = self._by_ranks(cards, _groups)
        return groups + (groups // _LARGEST) * _LARGEST + _same(cards % SUITS) * _LARGEST

    @property
    def better_note(self) -> str:
        """The meaning of the better line, where a player names one."""
        if not self.named:
            return ""
        return (
            "The better line has the higher pair or the higher best card; else it is the one in a single suit, or with "
            f"the higher other cards; else the {self.named[0].replace('_', ' ')} one."
        )

    # --- parts of features ----------------------------------------------------------------------------------------

    @cached_property
    def worth(self) -> tuple[int, ...]:
        """The pay of a pair of each rank by the tables of the main wagers: 0 nothing, 1 a push, 2 a win."""
        return tuple(self._worth("pair", rank) for rank in range(ALL_RANKS))

    def _worth(self, category: str, rank: int) -> int:
        wagers = (self.plan.game.wager(wager) for wager in self.plan.main)
        tables = {paid.pay for wager in wagers for rule in wager.settle for paid in rule.paid}
        orders = {hand.order for hand in self.hands}
        found = [self.plan.game.pays[t].odds_for(HandRank(o, category, (rank,))) for t in tables for o in orders]
        return max((1 if odds.is_push else 2 for odds in found if odds is not None), default=0)

    def _points(self, cards: Cards) -> Numbers:
        points: Numbers = np.array(self.worth)[cards // SUITS].sum(axis=1)
        return points

    def _made(self, cards: Cards) -> Numbers:
        """Return 0 without a pair; against a dealer 1 for a pair of twos to 14 for more than a pair, else 1 to 3 by
        what the hand is paid."""
        return self._by_ranks(cards, self._made_of)

    def _made_of(self, ranks: Numbers) -> Numbers:
        counts = (ranks[:, :, None] == np.arange(ALL_RANKS)).sum(axis=1)
        pairs, most = (counts >= 2).sum(axis=1), counts.max(axis=1)
        rank = ACE - np.argmax(counts[:, ::-1] == most[:, None], axis=1)
        if self.against_dealer:
            return np.where(most < 2, 0, np.where((most > 2) | (pairs > 1), ALL_RANKS + 1, 1 + rank))
        categories = ("pair", "three_of_a_kind", "four_of_a_kind", "two_pair")
        worth = np.array([[self._worth(category, each) for each in range(ALL_RANKS)] for category in categories])
        size = np.where((pairs > 1) & (most == 2), 3, np.clip(most - 2, 0, 2))
        return np.where(most < 2, 0, 1 + worth[size, rank])

    def _by_ranks(self, cards: Cards, function: Callable[[Numbers], Numbers]) -> Numbers:
        """Return a number that depends on ranks only, from a table of all sets of ranks."""
        key = function.__name__, cards.shape[1]
        weights = weights_for(cards.shape[1])
        if key not in self._tables:
            rows = rank_sets(cards.shape[1])
            sums = weights[rows].sum(axis=1)
            self._tables[key] = np.zeros(int(sums.max()) + 1, dtype=np.int64)
            self._tables[key][sums] = function(rows)
        found: Numbers = self._tables[key][weights[cards // SUITS].sum(axis=1)]
        return found

    @cached_property
    def _tables(self) -> dict[tuple[str, int], Numbers]:
        return {}

    def _draw(self, cards: Cards, hand: FormedHand) -> Numbers:
        """Return the draw of a hand's open cards.

        With one card to come: 1 a straight by one rank, 2 by two ranks, 3 a flush. With more: 1 a straight, 2 a flush,
        3 a straight flush, 4 and 5 one with at most one gap, and with none.
        """

        def runs_of(ranks: Numbers) -> Numbers:
            bits = np.bitwise_or.reduce(1 << ranks, axis=1)
            apart = np.bitwise_count(bits) == ranks.shape[1]
            runs = np.zeros(len(ranks), dtype=np.int64)
            for low in range(-1, ALL_RANKS - hand.cards + 1):
                run = sum(1 << (rank % ALL_RANKS) for rank in range(low, low + hand.cards))
                runs += (bits & ~run == 0) & apart
            return runs

        runs, suited = self._by_ranks(cards, runs_of), _same(cards % SUITS)
        if self._coming(hand) == 1:
            return np.where(suited, 3, np.minimum(runs, 2))
        return np.where(suited, np.where(runs > 0, 2 + np.minimum(runs, 3), 2), np.minimum(runs, 1))

    def _with_board(self, own: Cards, board: Cards) -> Numbers:
        """Return 0 where no own card is in a pair, else 1 for a two to 13 for an ace."""
        ranks, others = own // SUITS, board // SUITS
        paired = (ranks[:, :, None] == others[:, None, :]).any(axis=2)
        paired |= (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2) > 1
        highest: Numbers = np.where(paired, ranks.astype(np.int64) + 1, 0).max(axis=1)
        return highest

    @cached_property
    def _thresholds(self) -> dict[str, tuple[Numbers, list[str]]]:
        """The classes from which hands are told apart, with their words, by order."""
        found = {}
        for hand in self.ranked:
            classes = order_of(self.plan.game, hand.order).classes
            named: dict[int, str] = {}
            last: dict[int, tuple[str, tuple[int, ...]]] = {}
            for number, rank in enumerate(classes):
                for size in (1, 0) if self._shared else (3, 2, 1, 0):
                    begins = rank.category, rank.ranks[:size]
                    if begins != last.get(size):
                        last[size] = begins
                        words = _or_better(rank, size)
                        if words:
                            named[number] = words
            found[hand.order] = np.array(list(named), dtype=np.int64), list(named.values())
        return found

    def _threshold(self, hand: FormedHand, places: Mapping[str, Cards]) -> Numbers:
        cards = _stack(places, self._of(hand))
        table = order_of(self.plan.game, hand.order).best_of(cards.shape[1])
        classes = classes_of(cards, table, np.zeros(0, dtype=np.uint8))
        return np.searchsorted(self._thresholds[hand.order][0], classes, side="right")

    # --- conditions -----------------------------------------------------------------------------------------------

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions that a line of a card may have at this decision."""
        return tuple(self._conditions())

    @property
    def note(self) -> str:
        """The meaning of points, where conditions count them."""
        if self.against_dealer or not any(self.worth) or self.worth != tuple(sorted(self.worth)):
            return ""
        wins, pushes = (next((r for r in range(ALL_RANKS) if self.worth[r] >= w), ALL_RANKS) for w in (2, 1))
        parts = [f"2 for each {RANK_NAMES[wins]} or better"] if wins < ALL_RANKS else []
        if pushes < wins:
            parts.append(f"1 for each {RANK_NAMES[pushes]} to {RANK_NAMES[wins - 1]}")
        return f"Points: {', '.join(parts)}."

    def _conditions(self) -> Iterator[Condition]:
        if self.ranked:
            yield from self._by_rank()
            return
        yield from self._pairs("own_made", "in hand")
        suited = Condition("one suit in hand", at_least("own_suited", 1))
        yield suited
        if self.against_dealer:
            yield from self._high_cards(suited)
        if not self.drawing:
            if not self.against_dealer:
                points = [c._replace(words=f"{c.words} in hand") for c in _points("own_points", 2 * len(self.plan.own))]
                yield from points
                yield from (both(suited, one) for one in points)
            return
        where = f"in the {self.drawing[0].name} hand" if len(self.drawing) == 1 and len(self.hands) > 1 else "in a line"
        if len(self.hands) == 1:
            where = "in hand" if set(self.open) == set(self.plan.own) else "with the open cards"
        if self.named:
            where = "in the better line"
        pairs = list(self._pairs("made", where))
        draws = list(self._draws(where))
        yield from (*pairs, *draws)
        if self.named:
            for rank in range(5, ALL_RANKS):
                high = Condition(f"{RANK_NAMES[rank]}-high {where}", at_least("line_high", rank))
                yield either(high, pairs[0])._replace(words=f"{RANK_NAMES[rank]}-high or better {where}")
        if len(self.drawing) > 1:
            two = Condition("pairs in both lines", at_least("paired_lines", 2))
            yield two
            yield from (either(two, one) for one in pairs[1:])
        if self.against_dealer and self._shared:
            over = Condition("above all open cards", at_least("over", 1))
            for rank in range(5, ALL_RANKS):
                one = Condition(f"{a_or_an(RANK_NAMES[rank])} or better in hand", at_least("own_high", rank))
                yield from (both(one, other) for other in (over, *draws))
        if not self.against_dealer:
            points = _points("points", 2 * min(len(self.open), 5))
            yield from points
            yield from (both(one, point) for one in (pairs[0], draws[-1]) for point in points)

    def _pairs(self, feature: str, where: str) -> Iterator[Condition]:
        yield Condition(f"a pair {where}", at_least(feature, 1))
        if self.against_dealer:
            for rank in range(1, ALL_RANKS):
                yield Condition(f"a pair of {plural(rank)} or better {where}", at_least(feature, 1 + rank))
            return
        for least in sorted(set(self.worth) - {min(self.worth)}):
            rank = next(r for r in range(ALL_RANKS) if self.worth[r] >= least)
            yield Condition(f"a pair of {plural(rank)} or better {where}", at_least(feature, 1 + least))

    def _draws(self, where: str) -> Iterator[Condition]:
        (coming,) = {self._coming(hand) for hand in self.drawing}
        cards = NUMBERS[len(self._of(self.drawing[0]))]
        if coming == 1:
            named = [(3, f"{cards} to a flush"), (2, f"{cards} to a flush or open straight")]
            named.append((1, f"{cards} to a flush or straight"))
        else:
            straight = f"{cards} of one suit that a straight can hold"
            named = [(5, f"{cards} of one suit in a row"), (4, f"{straight} with one gap at most"), (3, straight)]
            named += [(2, f"{cards} of one suit"), (1, f"{cards} of one suit or to a straight")]
        for least, words in named:
            yield Condition(f"{words} {where}", at_least("draw", least))

    def _high_cards(self, suited: Condition) -> Iterator[Condition]:
        for high in range(5, ALL_RANKS):
            name = RANK_NAMES[high]
            one = Condition(f"{a_or_an(name)} or better in hand", at_least("own_high", high))
            yield one
            yield both(one, suited)
            for low in range(1, high + 1):
                words = f"{a_or_an(name)} or better with {a_or_an(RANK_NAMES[low])} or better"
                two = Condition(words, _all(one.holds, at_least("own_low", low)))
                yield two
                yield Condition(f"{two.words}, of one suit", _all(two.holds, suited.holds))

    def _by_rank(self) -> Iterator[Condition]:
        (thresholds,) = self._thresholds.values()
        ranks = [Condition(words, at_least("rank", place + 1)) for place, words in enumerate(thresholds[1])][1:]
        yield from ranks
        beside: list[Condition] = []
        if self.shown:
            beside.append(Condition("a card of the rank that the dealer shows", at_least("matched", 1)))
            for rank in range(ALL_RANKS - 1):
                words = f"the dealer shows {a_or_an(RANK_NAMES[rank])} or less"
                beside.append(Condition(words, _at_most("shown", rank)))
        if self._shared:
            beside += [
                Condition(f"a pair of {plural(rank)} or better with a card in hand", at_least("with_board", rank + 1))
                for rank in range(ALL_RANKS)
            ]
        yield from beside
        yield from (both(one, other) for one in ranks for other in beside)


# --- words ----------------------------------------------------------------------------------------------------------


def at_least(feature: str, least: int) -> Callable[[Features], Where]:
    return lambda seen: seen[feature] >= least


def _at_most(feature: str, most: int) -> Callable[[Features], Where]:
    return lambda seen: seen[feature] <= most


def _all(*tests: Callable[[Features], Where]) -> Callable[[Features], Where]:
    return lambda seen: np.logical_and.reduce([test(seen) for test in tests])


def both(one: Condition, other: Condition) -> Condition:
    return Condition(f"{one.words} and {other.words}", _all(one.holds, other.holds))


def either(one: Condition, other: Condition) -> Condition:
    return Condition(f"{one.words}, or {other.words}", lambda seen: one.holds(seen) | other.holds(seen))


def _points(feature: str, most: int) -> list[Condition]:
    each = range(1, most + 1)
    return [Condition(f"{least} point{'s' * (least > 1)} or more", at_least(feature, least)) for least in each]


def plural(rank: int) -> str:
    """Return the name of a rank in the plural.

    >>> plural(4), plural(9)
    ('sixes', 'jacks')
    """
    name = RANK_NAMES[rank]
    return f"{name}es" if name == "six" else f"{name}s"


def a_or_an(name: str) -> str:
    """Return a rank with its article.

    >>> a_or_an("king"), a_or_an("eight")
    ('a king', 'an eight')
    """
    return f"an {name}" if name[0] in "ae" else f"a {name}"


def _or_better(rank: HandRank, size: int) -> str:
    """Name the hands from a class on, told by its category or by its first ranks."""
    if size == 0:
        words = rank.category.replace("_", " ")
        article = "" if words.startswith(("three", "four", "two")) else "a "
        return f"{article}{words} or better"
    if rank.category == "pair" and size == 1:
        return f"a pair of {plural(rank.ranks[0])} or better"
    if rank.category == "high_card" and len(rank.ranks) >= size:
        return f"{'-'.join(RANKS[each] for each in rank.ranks[:size])} or better"
    return ""


# --- arrays ---------------------------------------------------------------------------------------------------------


def _stack(places: Mapping[str, Cards], names: Iterable[str]) -> Cards:
    return np.ascontiguousarray(np.stack([places[name] for name in names], axis=1))


def _same(values: NDArray[np.uint8]) -> Where:
    same: Where = (values == values[:, :1]).all(axis=1)
    return same


def _groups(ranks: Numbers) -> Numbers:
    """Return a number by which sets of ranks are compared: their groups of equal ranks, the largest first."""
    counts = (ranks[:, :, None] == np.arange(ALL_RANKS)).sum(axis=1)
    groups = np.sort(np.where(counts > 0, counts * ALL_RANKS + np.arange(ALL_RANKS), 0), axis=1)[:, ::-1]
    key: Numbers = groups[:, 0] * _LARGEST + groups[:, 1:3] @ np.array([128, 1])
    return key
