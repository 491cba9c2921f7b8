"""Side bets on all seven cards of the player, the dealer or the bank, counted over all hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import comb, lcm
from typing import Final

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solution import PayOutcome, SideBet
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.solver.side_bets import SideBets
from crossfelt.analysis.solver.split_rules import CARDS
from crossfelt.cards.card import RANK_NAMES
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import Spot
from crossfelt.hands.rank import HandRank
from crossfelt.kernels.seven_cards.beside import kinds_beside
from crossfelt.kernels.seven_cards.kinds import KINDS, counted
from crossfelt.money import Odds
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import side_of
from crossfelt.rulebooks.model import Wager

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
            solved[wager.id] = _counted(game, wager)
        except Unreachable as refused:
            unsolved[wager.id] = refused.problems[0].what.partition(": ")[2]
    return SideBets(solved, unsolved)


def _counted(game: Game, wager: Wager) -> SideBet:
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
    order = sorted(found.items(), key=lambda item: (not item[0][1], -item[0][2]))
    outcomes = (PayOutcome(line=line, pays=pays, net=net, count=count) for (line, pays, net), count in order if count)
    return SideBet(id=wager.id, title=wager.title, outcomes=tuple(outcomes))


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
