"""The winnings of the main wagers of a game on each result, as integers.

A result is what rules can tell apart at the end of a round: the group of each of the player's hands, and where the
dealer has a hand its group and whether it is below, equal to or above the player's. The rules themselves settle an
example of each result, so that no settlement is written a second time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm, prod
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from crossfelt.analysis.solver.courses import Courses, Option, Stakes
from crossfelt.analysis.solver.hand_groups import HandGroups, allowed, groups_of, marked
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import Settlement, Spot
from crossfelt.hands.rank import HandRank
from crossfelt.kernels.solver.hand_tables import HandTables, hand_tables
from crossfelt.money import Odds
from crossfelt.rulebooks.hand_forms import side_of
from crossfelt.rulebooks.model import Wager
from crossfelt.rulebooks.settle_forms import PayOn

Counts = NDArray[np.int64]
BELOW, EQUAL, ABOVE = range(3)
"""The dealer's hand against the player's."""
RELATIONS: Final = 3
_GREATEST: Final = (1 << 63) - 1
Result = tuple[int, ...]
"""Groups of the player's hands; against a dealer then the dealer's group and a relation."""


class Settled(NamedTuple):
    """The settlements of a wager by the results of the hands that it depends on."""

    each: tuple[Settlement | None, ...]
    """None for a result that cannot happen."""
    number: Counts
    """The place of the settlement by result of all hands."""


class Payoffs:
    """The winnings of every main wager by result; `scale` of the integers make a unit.

    >>> payoffs = Payoffs(RoundPlan(compile_game("nj-criss-cross")))
    >>> payoffs.shape, payoffs.scale, int(payoffs.wins("middle", "").max())
    ((11, 11), 1, 500)
    """

    def __init__(self, plan: RoundPlan, *, bonuses: bool = True) -> None:
        self.plan = plan
        self._pays_bonuses = bonuses
        own = [hand for hand in plan.hands if not hand.of_dealer]
        theirs = [hand for hand in plan.hands if hand.of_dealer]
        self.own: tuple[HandGroups, ...] = tuple(groups_of(plan, hand, plan.main) for hand in own)
        self.dealer: tuple[HandGroups, ...] = tuple(groups_of(plan, hand, plan.main) for hand in theirs)
        """The dealer's hands; of several the higher counts, and they have the same groups."""
        self._rules = rules_of(plan.game)
        self._settled: dict[tuple[str, str], Settled] = {}
        self._against: dict[str, int] = {}

    @cached_property
    def _shares_a_board(self) -> bool:
        return bool(self.dealer) and any(set(self.plan.board) & set(groups.hand.places) for groups in self.own)

    @property
    def has_lines(self) -> bool:
        """True if hands are made on several lines of a shared board."""
        return self._shares_a_board and len(self.dealer) > 1

    @property
    def on_board(self) -> bool:
        """True if hands are made on the whole of a shared board."""
        return self._shares_a_board and len(self.dealer) == 1

    @property
    def shape(self) -> tuple[int, ...]:
        """Numbers of groups of the hands; the number of a result counts in this base."""
        theirs = (self.dealer[0].number, RELATIONS) if self.dealer else ()
        return (*(hand.number for hand in self.own), *theirs)

    @property
    def results(self) -> int:
        return prod(self.shape)

    @cached_property
    def tables(self) -> HandTables:
        """The groups of the player's hands, for the kernels."""
        return hand_tables([groups.table for groups in self.own], self.shape)

    # --- settlement -----------------------------------------------------------------------------------------------

    def settled(self, wager: str, named: str) -> Settled:
        """Return the settlements of a wager; `named` is the hand that the player has named."""
        if (wager, named) not in self._settled:
            found = self.plan.game.wager(wager)
            self._settled[wager, named] = self._settle_each(found, named, self.stake_cents(found))
        return self._settled[wager, named]

    def settlement(self, wager: str, named: str, result: Result) -> Settlement | None:
        """Return the settlement of a wager on a result of all hands."""
        settled = self.settled(wager, named)
        return settled.each[int(settled.number[result])]

    def _settle_each(self, wager: Wager, named: str, stake: int) -> Settled:
        depends = self._depends_on(wager, named)
        ranges = [range(size) if place in depends else (-1,) for place, size in enumerate(self.shape)]
        each = tuple(
            None if ranks is None else self.settle_spot(wager, Spot(cards={}, ranks=ranks, choices={"": named}), stake)
            for ranks in (self._example(result, named) for result in product(*ranges))
        )
        number = np.arange(len(each)).reshape(list(map(len, ranges)))
        return Settled(each, np.broadcast_to(number, self.shape))

    def _depends_on(self, wager: Wager, named: str) -> set[int]:
        """Return the places of a result on which a wager depends."""
        asked = self.plan.names_in([wager.id])
        names = {hand.name for name in asked for hand in self.plan.formed(self._as_named(name, named))}
        places = {place for place, groups in enumerate(self.own) if groups.hand.name in names}
        if any(groups.hand.name in names for groups in self.dealer):
            places |= {len(self.own), len(self.own) + 1}
        return places

    def _as_named(self, name: str, named: str) -> str:
        """Return the hand that the player has named, where a hand is one that the player names."""
        hand = next(hand for hand in self.plan.game.book.hands if hand.id == side_of(name)[1])
        return named if hand.chosen_of and named else name

    def settle_spot(self, wager: Wager, spot: Spot, stake: int = 0) -> Settlement:
        """Settle a wager, with its bonuses; without a stake in cents, on one on which nothing is rounded."""
        tables = (*wager.tables, *(bonus.pay for bonus in wager.bonus))
        if any(line.odds is None for table in tables for line in self.plan.game.pays[table].lines):
            raise Unreachable.form(self.plan.game, f"the wager {wager.id} pays a share of a meter or a fixed amount")
        stake = stake or self.stake_cents(wager)
        settled = self._rules.settle(wager, stake, spot)
        extra = [bonus for _, bonus in self._rules.bonuses(wager, stake, spot)] if self._pays_bonuses else []
        return replace(
            settled,
            paid=settled.paid + sum(bonus.paid for bonus in extra),
            line=", ".join(filter(None, [settled.line, *(bonus.line for bonus in extra)])),
            odds=", ".join(filter(None, [settled.odds, *(bonus.odds for bonus in extra)])),
        )

    def _example(self, result: Result, named: str) -> dict[str, HandRank] | None:
        """Return hands that make a result, or None if there are none."""
        ranks = {
            groups.hand.name: groups.example(max(group, 0)) for groups, group in zip(self.own, result, strict=False)
        }
        if not self.dealer or result[-1] < 0:
            return ranks
        against = self.against(named)
        own, theirs = self.own[against], self.dealer[0]
        mine, other = _related(own, max(result[against], 0), theirs, result[-2], result[-1])
        if mine < 0:
            return None
        ranks[own.hand.name] = own.order.classes[mine]
        return {**ranks, **{groups.hand.name: groups.order.classes[other] for groups in self.dealer}}

    def against(self, named: str) -> int:
        """Return which of the player's hands the dealer's is compared with."""
        if named not in self._against:
            self._against[named] = self._hand_against(named)
        return self._against[named]

    def _hand_against(self, named: str) -> int:
        names = (rule.versus for wager in self.plan.main for rule in self.plan.game.wager(wager).settle if rule.versus)
        formed = {
            hand.name for pair in names for name in pair for hand in self.plan.formed(self._as_named(name, named))
        }
        found = [place for place, groups in enumerate(self.own) if groups.hand.name in formed]
        if len(found) > 1:
            raise Unreachable.form(self.plan.game, "several of the player's hands are compared with the dealer's")
        return found[0] if found else 0

    def stake_cents(self, wager: Wager) -> int:
        """Return a stake on which no payment is rounded."""
        # A commission is rounded as well: to a cent, or to a quarter.
        return wager.parts * self._whole_stake * (100_000 if wager.commission else 1)

    @cached_property
    def _whole_stake(self) -> int:
        odds = [line.odds for pays in self.plan.game.pays.values() for line in pays.lines if line.odds]
        for wager in map(self.plan.game.wager, self.plan.main):
            for rule in wager.settle:
                plain = [rule.odds, rule.win, rule.tie, rule.lose, rule.else_, *rule.by_wins]
                plain += [paid.else_ for paid in rule.paid]
                texts = (text for text in plain if text and not isinstance(text, PayOn))
                odds += [Odds(text) for text in texts if text not in ("push", "lose", "next")]
        return lcm(*(each.ratio.denominator for each in odds))

    # --- integers -------------------------------------------------------------------------------------------------

    def profit(self, wager: Wager, settled: Settlement | None) -> Fraction:
        """Return the player's gain for each unit of stake."""
        if settled is None:
            return Fraction(0)
        stake = self.stake_cents(wager)
        return Fraction(settled.returned + settled.paid - settled.commission - stake, stake)

    @cached_property
    def _profits(self) -> dict[tuple[str, str], list[Fraction]]:
        columns = {column: self.plan.game.wager(column[0]) for column in self.columns}
        return {
            column: [self.profit(wager, each) for each in self.settled(*column).each]
            for column, wager in columns.items()
        }

    @cached_property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """The wagers with an open stake at the end of some course, and the hands named there."""
        every = (
            (wager, stakes.named)
            for stakes in Courses(self.plan).ends
            for wager, stake in zip(self.plan.main, stakes.open, strict=True)
            if stake
        )
        return tuple(dict.fromkeys(every))

    @cached_property
    def scale(self) -> int:
        """The number of integers that make a unit."""
        return lcm(*(profit.denominator for profits in self._profits.values() for profit in profits))

    def wins(self, wager: str, named: str) -> Counts:
        """Return the winnings per unit staked, by result."""
        try:
            whole = np.array([int(profit * self.scale) for profit in self._profits[wager, named]], dtype=np.int64)
        except OverflowError:
            raise Unreachable.amounts(self.scale) from None
        return whole[self.settled(wager, named).number].reshape(-1)

    def outcomes(self, wager: str, named: str, deals: Counts) -> Iterator[tuple[Settlement, Fraction, int]]:
        """Yield the settlements of a wager with their profit per unit and the deals that lead to them."""
        settled, profits = self.settled(wager, named), self._profits[wager, named]
        counts = np.zeros(len(profits), dtype=np.int64)
        np.add.at(counts, settled.number.reshape(-1), deals)
        for each, profit, count in zip(settled.each, profits, counts.tolist(), strict=True):
            if count:
                assert each is not None
                yield each, profit, count

    @cached_property
    def table(self) -> Counts:
        """The winnings of every column by result."""
        return np.array([self.wins(*column) for column in self.columns])

    def allows(self, option: Option, results: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Say for each result if the player's hands allow the multiple of an option."""
        groups = np.unravel_index(results, self.shape)

        def has(name: str, mark: str) -> NDArray[np.bool_]:
            (formed,) = self.plan.formed(name)
            place = next(place for place, each in enumerate(self.own) if each.hand == formed)
            of_group = marked(self.plan.game, name, mark)[np.array(self.own[place].first[:-1])]
            return np.asarray(of_group[groups[place]])

        return allowed(option, has, len(results))

    def stakes_of(self, ends: Sequence[Stakes]) -> Counts:
        """Return the open stakes of some ends by column, in units."""
        place = {wager: number for number, wager in enumerate(self.plan.main)}
        return np.array(
            [[end.open[place[w]] if named == end.named else 0 for w, named in self.columns] for end in ends],
            dtype=np.int64,
        ).reshape(len(ends), len(self.columns))

    def nets(self, ends: Sequence[Stakes]) -> Counts:
        """Return the player's net result at some ends, by end and result."""
        nets: Counts = self.stakes_of(ends) @ self.table - np.array([[end.lost * self.scale] for end in ends])
        return nets

    def refuse_orders_by_suits(self) -> None:
        for groups in (*self.own, *self.dealer):
            if groups.order.by_suits:
                what = f"the order {groups.order.id} ranks hands by every suit; use crossfelt simulate"
                raise Unreachable.form(self.plan.game, what)

    def require_sums_that_fit(self, ends: Sequence[Stakes], deals: int) -> None:
        """Refuse odds whose sum over all deals could exceed 64 bits."""
        most = np.abs(self.table).max(axis=1, initial=0).tolist()
        for end, stakes in zip(ends, self.stakes_of(ends).tolist(), strict=True):
            value = sum(stake * win for stake, win in zip(stakes, most, strict=True)) + end.lost * self.scale
            if value * deals > _GREATEST:
                raise Unreachable.amounts(self.scale)


def _related(own: HandGroups, mine: int, theirs: HandGroups, other: int, relation: int) -> tuple[int, int]:
    """Return classes of two groups that are related so, or −1 if there are none."""
    low, high = own.first[mine], own.first[mine + 1] - 1
    their_low, their_high = theirs.first[other], theirs.first[other + 1] - 1
    if own.order.id != theirs.order.id:
        return (low, their_low) if relation == BELOW else (-1, -1)
    if relation == BELOW:
        return (high, their_low) if their_low < high else (-1, -1)
    if relation == ABOVE:
        return (low, their_high) if their_high > low else (-1, -1)
    both = max(low, their_low)
    return (both, both) if both <= min(high, their_high) else (-1, -1)
