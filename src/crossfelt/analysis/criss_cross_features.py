"""What a person at the table sees in the cards: pairs, draws, and points for high cards.

Points go by what the bets' table gives for a pair, as the bots count them: two for a card whose pair wins, one for a
card whose pair pushes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.cards.card import RANKS, Card
from crossfelt.hands.starting_hands import STARTING_HANDS, StartingHand
from crossfelt.kernels.prospects import layout
from crossfelt.rulebooks.game import Game
from crossfelt.table.bot_rules import made, points

Small = NDArray[np.int16]

MADE: Final = ("", "small pair", "pushes", "wins")
"""What a line has so far, as `made` tells it, the lowest first."""
NO_DRAW, INSIDE, OPEN, FLUSH = range(4)
_RUNS: Final = tuple({rank % len(RANKS) for rank in range(low, low + 5)} for low in range(-1, len(RANKS) - 4))


class Features(NamedTuple):
    """Of every starting hand, and of every row: a starting hand with two cards of a line."""

    hole_made: Small
    hole_suited: Small
    hole_points: Small
    made: Small
    draw: Small
    points: Small
    """Of the two cards of the line alone."""


def features_of(game: Game) -> Features:
    """The features of all rows, in the order of `crossfelt.kernels.prospects`."""
    holes = [hand.cards for hand in STARTING_HANDS]
    rows = rows_of()
    return Features(
        hole_made=np.array([MADE.index(made(game, hole)) for hole in holes], dtype=np.int16),
        hole_suited=np.array([hand.suited for hand in STARTING_HANDS], dtype=np.int16),
        hole_points=np.array([points(game, hole) for hole in holes], dtype=np.int16),
        made=np.array([MADE.index(made(game, (*hole, *line))) for hole, line in rows], dtype=np.int16),
        draw=_draws(),
        points=np.array([points(game, line) for _, line in rows], dtype=np.int16),
    )


@cache
def _draws() -> Small:
    return np.array([draw((*hole, *line)) for hole, line in rows_of()], dtype=np.int16)


def draw(cards: Sequence[Card]) -> int:
    """What one more card could complete: nothing, a straight inside or at one end, one at either end, a flush.

    >>> from crossfelt.cards import parse_cards
    >>> [draw(parse_cards(text)) for text in ("2s 9s Ks 4s", "8s 9d Tc Jh", "As Kd Qc Jh", "8s 8d Tc Jh")]
    [3, 2, 1, 0]
    """
    if len({card.suit for card in cards}) == 1:
        return FLUSH
    ranks = {card.rank for card in cards}
    completing = {rank for run in _RUNS if len(ranks & run) == len(cards) for rank in run - ranks}
    return (NO_DRAW, INSIDE, OPEN)[len(completing)]


@cache
def rows_of() -> tuple[tuple[tuple[Card, ...], tuple[Card, ...]], ...]:
    """Two hole cards and two of a line for every row, in the order of `crossfelt.kernels.prospects`."""
    return tuple((hand.cards, line) for hand in STARTING_HANDS for line in _lines(hand))


def _lines(hand: StartingHand) -> Iterator[tuple[Card, ...]]:
    types = layout(hand)
    suit = hand.cards[0].suit
    for pair in types.pairs.tolist():
        candidates = []
        for place in pair:
            same = [Card(4 * int(types.rank[place]) + s) for s in range(4) if (s == suit) == bool(types.in_suit[place])]
            if not hand.suited:
                same = [Card(4 * int(types.rank[place]) + s) for s in range(4)]
            candidates.append([card for card in same if card not in hand.cards])
        # The last of one and the first of the other: two different cards even where the types are the same.
        yield candidates[0][-1], candidates[1][0]
