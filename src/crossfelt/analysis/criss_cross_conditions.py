"""What a player can see in the cards at a glance, in words and as a test of cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.criss_cross_cells import Seen
from crossfelt.analysis.criss_cross_features import FLUSH, INSIDE, MADE, OPEN
from crossfelt.cards.card import RANK_NAMES, RANKS, Card
from crossfelt.rulebooks.game import Game
from crossfelt.table.bot_rules import made

Test = Callable[[Seen], NDArray[np.bool_]]


class Condition(NamedTuple):
    """Something that is seen or not."""

    words: str
    holds: Test


class PairWords(NamedTuple):
    """How pairs and single cards are spoken of, by what the pay table gives for a pair."""

    pays: str
    """A pair that is not lost."""
    wins: str
    points: str


def pair_words(game: Game) -> PairWords:
    """Words for the pay table in force.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> pair_words(compile_game("nj-criss-cross"))
    PairWords(pays='a pair of sixes or better', wins='a pair of jacks or better', \
points='2 for each jack or better, 1 for each six to ten')
    """
    worth = [MADE.index(made(game, (Card(4 * rank), Card(4 * rank + 1)))) for rank in range(len(RANKS))]
    push, win = MADE.index("pushes"), MADE.index("wins")
    pays, wins = (min((rank for rank, found in enumerate(worth) if found >= least), default=0) for least in (push, win))
    if worth != sorted(worth) or worth[-1] < win:
        return PairWords("a pair that is not lost", "a pair that wins", "2 for a card whose pair wins, 1 if it pushes")
    plural = ["sixes" if name == "six" else f"{name}s" for name in RANK_NAMES]
    points = f"2 for each {RANK_NAMES[wins]} or better"
    if pays < wins:
        points += f", 1 for each {RANK_NAMES[pays]} to {RANK_NAMES[wins - 1]}"
    return PairWords(f"a pair of {plural[pays]} or better", f"a pair of {plural[wins]} or better", points)


def conditions(game: Game, decision: str) -> list[Condition]:
    """All that a line of a card may ask for at a decision."""
    words = pair_words(game)
    if decision == "across":
        return _of_hole(words)
    pairs = [("a pair", 1), (words.pays, 2), (words.wins, 3)]
    if decision == "down":
        return [*_of_hole(words)[:4], *_of_lines("in the across hand", pairs, 8)]
    # Two small pairs, one in each line, count as a level of their own.
    levels = [("a pair", 1), (f"pairs in both lines, or {words.pays},", 2), (words.pays, 3), (words.wins, 4)]
    return _of_lines("in a line", levels, 10)


def _of_hole(words: PairWords) -> list[Condition]:
    points = [(f"{_points(least)} in hand", _at_least("hole_points", least)) for least in range(1, 5)]
    suited = _at_least("hole_suited", 1)
    return [
        Condition("a pair in hand", _at_least("hole_made", 1)),
        Condition(f"{words.pays} in hand", _at_least("hole_made", 2)),
        Condition(f"{words.wins} in hand", _at_least("hole_made", 3)),
        Condition("one suit in hand", suited),
        *(Condition(told, holds) for told, holds in points),
        *(Condition(f"one suit and {told}", _all(suited, holds)) for told, holds in points),
    ]


def _of_lines(where: str, pairs: Sequence[tuple[str, int]], most_points: int) -> list[Condition]:
    draws = (
        ("four to a flush", FLUSH),
        ("four to a flush or open straight", OPEN),
        ("four to a flush or straight", INSIDE),
    )
    paired = [(f"{told} {where}", _at_least("made", least)) for told, least in pairs]
    drawing = [(f"{told} {where}", _at_least("draw", least)) for told, least in draws]
    points = [(_points(least), _at_least("points", least)) for least in range(1, most_points + 1)]
    single = [Condition(*one) for one in (*paired, *drawing, *points)]
    double = [
        Condition(f"{told} and {count}", _all(holds, enough))
        for told, holds in (paired[0], drawing[-1])
        for count, enough in points
    ]
    return single + double


def _points(least: int) -> str:
    return f"{least} point{'s' if least > 1 else ''} or more"


def _at_least(field: str, least: int) -> Test:
    return lambda seen: getattr(seen, field) >= least


def _all(*tests: Test) -> Test:
    return lambda seen: np.logical_and.reduce([test(seen) for test in tests])
