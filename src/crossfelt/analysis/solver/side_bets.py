"""Wagers of the opening without decisions: every outcome, counted over the whole deck; on seven cards too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from math import comb, lcm
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solution import PayOutcome, SideBet
from crossfelt.analysis.solver.courses import Courses
from crossfelt.analysis.solver.hand_groups import groups_of, spot_of
from crossfelt.analysis.solver.orders import counts_by_class
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.played_out import play_out
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.solver.round_plan import RoundPlan, is_by_suits
from crossfelt.analysis.solver.split_rules import CARDS
from crossfelt.cards.card import RANK_NAMES
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import Spot
from crossfelt.hands.rank import HandRank
from crossfelt.kernels.seven_cards.beside import kinds_beside
from crossfelt.kernels.seven_cards.kinds import KINDS, counted
from crossfelt.kernels.solver.hand_tables import MOST_CARDS
from crossfelt.money import Odds
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import side_of
from crossfelt.rulebooks.model import Wager
from crossfelt.rulebooks.script import Decide


class SideBets(NamedTuple):
    """The side bets with an exact figure, and the reasons of the others."""

    solved: Mapping[str, SideBet]
    unsolved: Mapping[str, str]


def side_bets_of(plan: RoundPlan, payoffs: Payoffs) -> SideBets:
    """Return every side bet of a game, for a seat that keeps it to the end.

    >>> plan = RoundPlan(compile_game("nj-criss-cross"))
    >>> found = side_bets_of(plan, Payoffs(plan))
    >>> found.solved["five_card_bonus"].outcomes[0].count, found.unsolved
    (4, {'bonus_spin': 'a wheel pays it'})
    """
    solved: dict[str, SideBet] = {}
    unsolved: dict[str, str] = {}
    for name in plan.side_bets:
        wager = plan.game.wager(name)
        if why := _out_of_reach(plan, wager):
            unsolved[name] = why
            continue
        try:
            one_hand = len(plan.hands_of([name])) == 1
            solved[name] = _counted(plan, payoffs, wager) if one_hand else _compared(plan.game, wager)
        except Unreachable as refused:
            unsolved[name] = refused.reason or str(refused)
    return SideBets(solved, unsolved)


def _out_of_reach(plan: RoundPlan, wager: Wager) -> str:
    if wager.spins:
        return "a wheel pays it"
    if wager.id in plan.taken_back:
        return "a decision may take it back"
    if any(line.odds is None for table in wager.tables for line in plan.game.pays[table].lines):
        return "a meter or a fixed amount pays it"
    return ""


def _counted(plan: RoundPlan, payoffs: Payoffs, wager: Wager) -> SideBet:
    (hand,) = plan.hands_of([wager.id])
    held = len(hand.places)
    if held > MOST_CARDS or (held >= 2 * hand.cards and not is_by_suits(plan.game, hand.order)):
        raise Unreachable.form(plan.game, f"its hand has {held} cards")
    groups = groups_of(plan, hand, [wager.id])
    counts = counts_by_class(groups.order, len(hand.places))
    found: Counter[tuple[str, str, Fraction]] = Counter()
    for group in reversed(range(groups.number)):
        spot = spot_of(plan, hand.name, groups.example(group), shown=wager.id)
        settled = payoffs.settle_spot(wager, spot)
        number = int(counts[groups.first[group] : groups.first[group + 1]].sum())
        found[settled.line, settled.odds, payoffs.profit(wager, settled)] += number
    return _side_bet(plan.game, wager, sorted(found.items(), key=lambda item: not item[0][0]))


def _side_bet(game: Game, wager: Wager, outcomes: Iterable[tuple[tuple[str, str, Fraction], int]]) -> SideBet:
    listed = tuple(PayOutcome(line=line, pays=pays, net=net, count=count) for (line, pays, net), count in outcomes)
    decides = (step for step in game.book.script if isinstance(step, Decide))
    given_up_at = tuple(step.name for step in decides if wager.id in game.fold_forfeits(step))
    return SideBet(id=wager.id, title=wager.title, outcomes=listed, given_up_at=given_up_at)


class AlonePlan(RoundPlan):
    """The plan of a round in which a seat has placed one wager, and decides nothing."""

    def __init__(self, game: Game, wager: Wager) -> None:
        self._alone = wager.id
        super().__init__(game)

    @cached_property
    def opening(self) -> tuple[str, ...]:
        return (self._alone,)

    @cached_property
    def _steps(self) -> tuple[Decide, ...]:
        return ()


def _compared(game: Game, wager: Wager) -> SideBet:
    """Count a wager on several hands, such as one that equal hands win, as a game of its own."""
    plan = AlonePlan(game, wager)
    payoffs, courses = Payoffs(plan), Courses(plan)
    counted = play_out(payoffs, courses).counted
    found: Counter[tuple[str, str, Fraction]] = Counter()
    for by_result in counted.played.values():
        for settled, net, count in payoffs.outcomes(wager.id, "", by_result):
            found[settled.line or ("" if settled.result == "lose" else settled.result), settled.odds, net] += count
    return _side_bet(game, wager, sorted(found.items(), key=lambda item: -item[0][2]))


# --- on all seven cards of the player, the dealer or the bank, counted over all hands ---


ORDERS: Final = {"joker_seven": "joker_five"} | {name: name for name in KINDS[0]._fields}
"""Orders of seven cards, with the field of their kinds."""
HIGH_CARD: Final = "joker_high_card"
BELOW_ACE: Final = {f"{name}_high": rank for rank, name in enumerate(RANK_NAMES[:-1])}
"""Categories of hands without a pair and an ace, with their highest rank."""
JOKER_DECK: Final = 53


def seven_card_bets(game: Game) -> SideBets:
    """Return the wagers beside the main one, for a seat that keeps them to the end.

    >>> round(float(seven_card_bets(compile_game("nj-pai-gow")).solved["seven_card"].house_edge), 4)
    0.0777
    """
    solved: dict[str, SideBet] = {}
    unsolved: dict[str, str] = {}
    for wager in game.wagers:
        if wager.required or wager.unit == "credits":
            continue
        try:
            solved[wager.id] = _by_kinds(game, wager)
        except Unreachable as refused:
            unsolved[wager.id] = refused.reason or str(refused)
    return SideBets(solved, unsolved)


def _by_kinds(game: Game, wager: Wager) -> SideBet:
    """Settle an example of each kind of hands by the rules."""
    if game.book.deck.cards != JOKER_DECK:
        raise Unreachable.form(game, "its deck has no joker")
    lines = [line for name in wager.tables for line in game.pays[name].lines]
    if wager.spins or wager.bonus or any(line.odds is None for line in lines):
        raise Unreachable.form(game, "a wheel, a meter or a fixed amount pays it")
    if any(line.low or line.high or line.ranks for line in lines):
        raise Unreachable.form(game, "its pay table looks at ranks")
    rules, stake = rules_of(game), _stake(game, wager)
    found: Counter[tuple[str, str, Fraction]] = Counter()
    for ranks, count in _hands(game, wager):
        settled = rules.settle(wager, stake, Spot(cards={}, ranks=ranks))
        line = settled.line or (", ".join(wager.rule.when.values()) if settled.result == "win" else "")
        net = Fraction(settled.returned + settled.paid - settled.commission - stake, stake)
        found[line, settled.odds, net] += count
    possible = [item for item in found.items() if item[1]]
    return _side_bet(game, wager, sorted(possible, key=lambda item: (not item[0][1], -item[0][2])))


def _stake(game: Game, wager: Wager) -> int:
    """Return a stake on which no payment is rounded."""
    odds = [line.odds for name in wager.tables for line in game.pays[name].lines if line.odds]
    odds += [Odds(rule.odds) for rule in wager.settle if rule.odds not in (None, "push", "lose")]
    return wager.parts * lcm(*(each.ratio.denominator for each in odds)) * (100_000 if wager.commission else 1)


def _hands(game: Game, wager: Wager) -> Iterator[tuple[dict[str, HandRank], int]]:
    """Yield an example of each kind of the hands that a wager depends on, with the number of deals."""
    rules = [rule for rule in wager.settle if all(game.settings[name] == value for name, value in rule.where.items())]
    names = tuple(dict.fromkeys(name for rule in rules for name in rule.hands))
    hands = {hand.id: hand for hand in game.book.hands}
    orders = {name: ORDERS.get(str(hands[side_of(name)[1]].order), "") for name in names}
    if not all(orders.values()):
        raise Unreachable.form(game, "it does not depend on the kind of all seven cards")
    own = [name for name in names if not side_of(name)[0]]
    theirs = [name for name in names if side_of(name)[0]]
    if not (own and theirs):
        for kind, count in reversed([*zip(KINDS, counted().tolist(), strict=True)]):
            yield {name: _example(order, getattr(kind, order)) for name, order in orders.items()}, count
        return
    paid = [paid for rule in rules for paid in rule.paid if paid.on in theirs]
    high_cards = dict.fromkeys(line.hand for each in paid for line in game.pays[each.pay].lines)
    if {paid.on for paid in paid} != set(theirs) or not high_cards.keys() <= BELOW_ACE.keys():
        raise Unreachable.form(game, "it depends on two hands at once")
    others = counted() * comb(JOKER_DECK - CARDS, CARDS)
    for high_card in high_cards:
        beside = kinds_beside(BELOW_ACE[high_card])
        others = others - beside
        yield from _beside(own, theirs, orders, high_card, beside)
    yield from _beside(own, theirs, orders, "nothing", others)


def _example(order: str, category: str) -> HandRank:
    """Return a hand of a category; pay lines of these orders do not look at its ranks."""
    return HandRank(order, category, (0,) * 5)


def _beside(
    own: list[str], theirs: list[str], orders: dict[str, str], high_card: str, counts: NDArray[np.int64]
) -> Iterator[tuple[dict[str, HandRank], int]]:
    """Yield the kinds of the player's hand beside another hand with a high card only."""
    other = {name: _example(HIGH_CARD, high_card) for name in theirs}
    for kind, count in reversed([*zip(KINDS, counts.tolist(), strict=True)]):
        yield {**{name: _example(orders[name], getattr(kind, orders[name])) for name in own}, **other}, count
