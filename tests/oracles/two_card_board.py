"""A shared board of three a second time: the best two cards count and suits do not, so that ranks are dealt out.

Before the board the player may bet four antes, then three, then two; with all of it open one, or fold.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

RANKS = range(13)
QUALIFIES = (1, 6, 6)
BETS = (4, 3, 2, 1)


@cache
def best_two(ranks: tuple[int, ...]) -> tuple[int, int, int]:
    pairs = [rank for rank in ranks if ranks.count(rank) > 1]
    if pairs:
        return 1, max(pairs), max(pairs)
    high, next_high = sorted(ranks)[:-3:-1]
    return 0, high, next_high


def left(seen: Sequence[int]) -> list[int]:
    return [4 - seen.count(rank) for rank in RANKS]


@cache
def showdown(hole: tuple[int, ...], board: tuple[int, ...]) -> tuple[Fraction, Fraction]:
    """The average result of the ante and of each unit of the play bet."""
    mine, copies = best_two(hole + board), left(hole + board)
    ante = play = total = 0
    for low, high in combinations_with_replacement(RANKS, 2):
        ways = copies[low] * (copies[low] - 1) // 2 if low == high else copies[low] * copies[high]
        theirs = best_two((low, high, *board))
        won = (mine > theirs) - (mine < theirs)
        total += ways
        play += ways * won
        ante += ways * won * (theirs >= QUALIFIES)
    return Fraction(ante, total), Fraction(play, total)


@cache
def average(hole: tuple[int, ...], board: tuple[int, ...], bet: int) -> Fraction:
    """The value with a bet already made."""
    if len(board) == 3:
        ante, play = showdown(hole, tuple(sorted(board)))
        return ante + bet * play
    copies = left(hole + board)
    sums = (copies[rank] * average(hole, (*board, rank), bet) for rank in RANKS if copies[rank])
    return sum(sums, Fraction(0)) / sum(copies)


@cache
def value(hole: tuple[int, ...], board: tuple[int, ...]) -> Fraction:
    """The value of a position without a bet yet."""
    played = average(hole, board, BETS[len(board)])
    if len(board) == 3:
        return max(played, Fraction(-1))
    copies = left(hole + board)
    checked = sum((copies[rank] * value(hole, (*board, rank)) for rank in RANKS if copies[rank]), Fraction(0))
    return max(played, checked / sum(copies))


def game_value() -> Fraction:
    total = Fraction(0)
    for low, high in combinations_with_replacement(RANKS, 2):
        ways = 6 if low == high else 16
        total += ways * value((low, high), ())
    return total / 1326
