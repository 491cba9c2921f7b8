"""Payments of Criss Cross Poker as integers, derived from the compiled game."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.families import multiples
from crossfelt.errors import BadInput, Problem
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import LinePay, Spot
from crossfelt.hands.rank import HandRank
from crossfelt.hands.strength import hand_classes
from crossfelt.kernels.criss_cross.continuations import SUITS, Grouping
from crossfelt.money import Odds
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import PayLine, PayTable
from crossfelt.rulebooks.paytable import PayTableInUse
from crossfelt.rulebooks.script import Decide, Reveal

Counts = NDArray[np.int64]

ANTES: Final = ("ante_across", "ante_down")
BETS: Final = ("across", "down", "middle")
"""Bets in the order of their decisions."""
_REVEALS: Final = ({"across_left", "across_right"}, {"down_far", "down_near"}, {"middle"})
_GREATEST: Final = (1 << 63) - 1


class Deals(NamedTuple):
    """The number of ways of each part of a deal, given the parts before it."""

    hole: int
    across: int
    down: int
    middle: int

    @property
    def all(self) -> int:
        return self.hole * self.across * self.down * self.middle


class CrissCrossPayoffs(NamedTuple):
    """Stakes and payments of one game, as integers in units of which an ante has `scale`.

    The index of a payment stands for two groups of hands: it is the group of the across hand times the number of
    groups, plus the group of the down hand.
    """

    grouping: Grouping
    hands: tuple[HandRank, ...]
    """One hand of each group."""
    scale: int
    antes: Counts
    """Win of both antes together."""
    bets: tuple[Counts, Counts, Counts]
    """Win of each bet per ante staked on it."""
    stakes: tuple[tuple[int, int], ...]
    """Smallest and largest size of each bet, in antes."""

    @property
    def groups(self) -> int:
        return len(self.hands)

    @property
    def deals(self) -> Deals:
        cards = SUITS * len(self.grouping.ranks)
        return Deals(comb(cards, 2), comb(cards - 2, 2), comb(cards - 4, 2), cards - 6)

    @property
    def values(self) -> Counts:
        return np.array([self.antes, *self.bets])

    @property
    def ends(self) -> list[tuple[int, int]]:
        """The first two bets, each at its smallest or largest, in the order of the kernels."""
        return [(x, y) for x in self.stakes[0] for y in self.stakes[1]]


def terms_of(game: Game, *, ranks: tuple[int, ...] | None = None) -> CrissCrossPayoffs:
    """Return the payoffs of a game; with `ranks`, of the same game with a smaller deck.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> terms = terms_of(compile_game("nj-criss-cross"))
    >>> terms.groups, terms.scale, terms.deals.all
    (11, 1, 84284272800)
    """
    _require_known_script(game)
    rules = rules_of(game)
    tables = [game.pays[_table(game, wager)].table for wager in (*ANTES, *BETS)]
    grouping, hands = _grouping(tuple(map(_kinds, tables)), bool(game.settings["ace_low_straight"]))
    if ranks is not None:
        grouping = Grouping(
            group_of_class=grouping.group_of_class, ace_low_straight=grouping.ace_low_straight, ranks=ranks
        )
    profits = {wager: [rules.pay(_table(game, wager), hand).profit for hand in hands] for wager in (*ANTES, *BETS[:2])}
    middle = [middle_pay(game, one, two).profit for one in hands for two in hands]
    scale = lcm(*(profit.denominator for line in (*profits.values(), middle) for profit in line))
    across, down = np.divmod(np.arange(len(hands) ** 2), len(hands))
    whole = {wager: _whole(line, scale) for wager, line in profits.items()}
    terms = CrissCrossPayoffs(
        grouping=grouping,
        hands=hands,
        scale=scale,
        antes=whole["ante_across"][across] + whole["ante_down"][down],
        bets=(whole["across"][across], whole["down"][down], _whole(middle, scale)),
        stakes=tuple((times[0], times[-1]) for times in (multiples(game.wager(bet).stake) for bet in BETS)),
    )
    _require_sums_that_fit(terms, game)
    return terms


def _table(game: Game, wager: str) -> str:
    pays = game.wager(wager).pays
    assert pays is not None
    return pays


def middle_pay(game: Game, across: HandRank, down: HandRank) -> LinePay:
    """Return the pay of the middle bet on two hands."""
    spot = Spot(cards={}, ranks={"across": across, "down": down})
    settled = rules_of(game).settle(game.wager("middle"), 1, spot)
    table = game.pays[_table(game, "middle")].table
    line = next((line for line in table.lines if line.name == settled.line), None)
    odds = Odds(settled.odds) if settled.odds else None
    return LinePay(rank=max(across, down), line=line, odds=odds, name=settled.hand)


def _whole(line: Iterable[Fraction], scale: int) -> Counts:
    try:
        return np.array([int(profit * scale) for profit in line], dtype=np.int64)
    except OverflowError:
        raise _too_large(scale) from None


_Kinds = tuple[tuple[str, str | None, str | None], ...]


def _kinds(table: PayTable) -> _Kinds:
    """Return the hands that the lines of a table distinguish."""
    return tuple((line.hand, line.low, line.high) for line in table.lines)


def _line(hand: str, low: str | None, high: str | None) -> PayLine:
    return PayLine(hand=hand, low=low, high=high)


@lru_cache(maxsize=16)
def _grouping(tables: tuple[_Kinds, ...], ace_low_straight: bool) -> tuple[Grouping, tuple[HandRank, ...]]:
    """Group neighbouring classes of hands that match the same lines of all tables, the lowest first."""
    asked = [
        PayTableInUse(
            PayTable(id="asked", title="asked", order="five_card", lines=tuple(_line(*kind) for kind in kinds))
        )
        for kinds in dict.fromkeys(tables)
    ]
    groups: list[int] = []
    hands: list[HandRank] = []
    before: object = None
    for rank in hand_classes(ace_low_straight=ace_low_straight):
        lines = [pays.line_for(rank) for pays in asked]
        if lines != before:
            hands.append(rank)
            before = lines
        groups.append(len(hands) - 1)
    return Grouping(group_of_class=bytes(groups), ace_low_straight=ace_low_straight), tuple(hands)


def _bets_given_up(game: Game, step: Decide) -> set[str]:
    """The antes and bets that a fold gives up; a spin wager is paid by its wheel and solved apart."""
    return {wager for wager in (step.fold.forfeits if step.fold else ()) if not game.wager(wager).spins}


def _require_known_script(game: Game) -> None:
    """Refuse a rulebook with other decisions, other reveals, or a fold that keeps main wagers."""
    told = [step for step in game.book.script if isinstance(step, Decide | Reveal)]
    decides, reveals = told[0::2], told[1::2]
    staked: list[str] = list(ANTES)
    fits = len(decides) == len(reveals) == len(BETS)
    for decide, bet, reveal, cards in zip(decides, BETS, reveals, _REVEALS, strict=False):
        fits &= isinstance(decide, Decide) and decide.wager == bet and set(staked) == _bets_given_up(game, decide)
        fits &= isinstance(reveal, Reveal) and set(reveal.cards) == cards
        staked.append(bet)
    if not fits:
        what = "no solver for this round: its decisions differ from Criss Cross Poker"
        raise BadInput(Problem(code="solve.script", where=game.book.id, what=what))


def _require_sums_that_fit(terms: CrissCrossPayoffs, game: Game) -> None:
    """Refuse payments whose sum over all deals could overflow a kernel."""
    most = int(np.abs(terms.antes).max()) + sum(
        high * int(np.abs(bet).max()) for bet, (_, high) in zip(terms.bets, terms.stakes, strict=True)
    )
    staked = (len(ANTES) + sum(high for _, high in terms.stakes)) * terms.scale
    if terms.deals.all * max(most, staked) > _GREATEST:
        raise _too_large(terms.scale)


def _too_large(scale: int) -> BadInput:
    what = "odds too large or with too many denominators for exact sums"
    return BadInput(Problem(code="solve.bound", where="pay", what=what, value=f"1/{scale} of an ante"))
