"""Payments of Double Cross Poker as integers, derived from the compiled game."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb, lcm, perm
from typing import Final, NamedTuple

from crossfelt.cards.card import RANKS, SUITS
from crossfelt.errors import BadInput, Problem
from crossfelt.hands.rank import HandRank
from crossfelt.hands.strength import hand_classes
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import PayLine, PayTable, Wager
from crossfelt.rulebooks.paytable import PayTableInUse
from crossfelt.rulebooks.script import Decide, Reveal

ANTE: Final = "ante"
RAISE: Final = "raise"
VERTICAL: Final = "vertical"
HORIZONTAL: Final = "horizontal"
FOLD: Final = "fold"
CHOICES: Final = (FOLD, HORIZONTAL, VERTICAL)
"""Choices in ascending order of preference: of equal values the last is taken."""
TIE_RULE: Final = "raise, and on the vertical line"
_OPEN: Final = {"down_far", "across_right"}
_GREATEST: Final = (1 << 63) - 1


class DoubleCrossPayoffs(NamedTuple):
    """Stakes and payments of one game, as integers; `scale` of them make an ante."""

    line_of: bytes
    """Group of each class of hands; hands of a group are paid alike."""
    hands: tuple[HandRank, ...]
    """One hand of each group."""
    scale: int
    won: tuple[int, ...]
    """Win of ante and raise together, by group, if the hand beats the dealer's."""
    raise_times: int
    """Raise in antes."""
    ranks: tuple[int, ...]
    """Ranks in the deck."""

    @property
    def lost(self) -> int:
        return -(1 + self.raise_times) * self.scale

    @property
    def folded(self) -> int:
        return -self.scale

    @property
    def cards(self) -> int:
        return len(SUITS) * len(self.ranks)

    @property
    def positions(self) -> int:
        """Number of positions: hole cards, top card and right card."""
        return comb(self.cards, 2) * perm(self.cards - 2, 2)

    @property
    def deals(self) -> int:
        """Number of deals in each position: the three hidden community cards and the dealer's two."""
        return perm(self.cards - 4, 3) * comb(self.cards - 7, 2)


def terms_of(game: Game, *, ranks: tuple[int, ...] = tuple(range(len(RANKS)))) -> DoubleCrossPayoffs:
    """Return the payoffs of a game; with `ranks`, of the same game with a smaller deck.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> terms = terms_of(compile_game("nj-double-cross"))
    >>> terms.scale, terms.won[-1], terms.positions * terms.deals
    (1, 601, 333765720288000)
    """
    _require_known_script(game)
    ante, raised = game.wager(ANTE), game.wager(RAISE)
    tables = tuple(_kinds(game.pays[w.pays].table) for w in (ante, raised) if w.odds is None and w.pays)
    line_of, hands = _groups(tables)
    times = raised.stake.min
    profits = [_profit(game, ante, hand) + times * _profit(game, raised, hand) for hand in hands]
    scale = lcm(*(profit.denominator for profit in profits))
    won = tuple(int(profit * scale) for profit in profits)
    terms = DoubleCrossPayoffs(line_of, hands, scale, won, times, ranks)
    if terms.deals * max(map(abs, (*won, terms.lost))) > _GREATEST:
        what = "odds too large or with too many denominators for exact sums"
        raise BadInput(Problem(code="solve.bound", where="pay", what=what, value=f"1/{scale} of an ante"))
    return terms


def _profit(game: Game, wager: Wager, hand: HandRank) -> Fraction:
    """Return the win of a hand per unit of the wager, as the table settles it."""
    if wager.odds is not None:
        return wager.odds.ratio
    assert wager.pays is not None
    odds = game.pays[wager.pays].odds_for(hand)
    return Fraction(-1) if odds is None else odds.profit


_Kinds = tuple[tuple[str, str | None, str | None], ...]


def _kinds(table: PayTable) -> _Kinds:
    """Return the hands that the lines of a table distinguish."""
    return tuple((line.hand, line.low, line.high) for line in table.lines)


@lru_cache(maxsize=16)
def _groups(tables: tuple[_Kinds, ...]) -> tuple[bytes, tuple[HandRank, ...]]:
    """Group the classes of hands that match the same lines of all tables."""
    asked = [
        PayTableInUse(
            PayTable(
                id="asked",
                title="asked",
                order="five_card",
                lines=tuple(PayLine(hand=h, low=low, high=high) for h, low, high in kinds),
            )
        )
        for kinds in tables
    ]
    groups: dict[tuple[PayLine | None, ...], int] = {}
    hands: list[HandRank] = []
    line_of = []
    for rank in hand_classes():
        lines = tuple(pays.line_for(rank) for pays in asked)
        if lines not in groups:
            groups[lines] = len(groups)
            hands.append(rank)
        line_of.append(groups[lines])
    return bytes(line_of), tuple(hands)


def _require_known_script(game: Game) -> None:
    """Refuse a rulebook with another round."""
    decides = [step for step in game.book.script if isinstance(step, Decide) and step.wager == RAISE]
    reveals = [step for step in game.book.script if isinstance(step, Reveal)]
    stake = game.wager(RAISE).stake
    fits = (
        len(decides) == 1
        and set(game.options(decides[0])) == set(CHOICES)
        and game.fold_forfeits(decides[0]) == (ANTE,)
    )
    fits = fits and set(reveals[0].cards) == _OPEN and stake.of == ANTE and stake.min == stake.max
    if not fits:
        what = "no solver for this round: its decisions differ from Double Cross Poker"
        raise BadInput(Problem(code="solve.script", where=game.book.id, what=what))
