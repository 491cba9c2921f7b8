"""The value of each choice beside a shared board."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solver.board_game import HELD, BoardGame
from crossfelt.analysis.solver.boards import best_play, origins, part_nodes
from crossfelt.analysis.solver.courses import Option, Stakes
from crossfelt.analysis.solver.position import Position
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.solver.round_plan import DEALER
from crossfelt.kernels.solver.boards import PAIRS, sum_boards
from crossfelt.kernels.solver.card_sets import card_sets
from crossfelt.kernels.solver.hand_tables import DECK

Counts = NDArray[np.int64]


def values_at(game: BoardGame, position: Position) -> dict[str, Fraction]:
    """Return the value of each option of a position, in units."""
    plan = position.plan
    if any(place.startswith(DEALER) for place in position.seen):
        raise Unreachable.form(plan.game, "a card of the dealer beside a shared board is known")
    low, high = sorted(int(position.seen[place]) for place in plan.own)
    opened = [int(card) for place, card in position.seen.items() if place not in plan.own]
    pair = high * (high - 1) // 2 + low
    options = game.courses.options(0, game.courses.first)
    if not opened:
        return _before_the_board(game, options, pair)
    return _beside(game, options, pair, opened, [low, high])


def _before_the_board(game: BoardGame, options: Sequence[Option], pair: int) -> dict[str, Fraction]:
    """Return the values of the first decision; they take as long as the game itself, and are kept."""
    values = best_play(game).decided[0, game.courses.first].values
    nodes = part_nodes(0)
    node = nodes.of_pair[0, pair]
    deals = int(nodes.ways[node]) * game.deals_after(0) * game.payoffs.scale * game.courses.unit
    return {o.name: Fraction(int(np.asarray(v)[node]), deals) for o, v in zip(options, values, strict=True)}


def _beside(
    game: BoardGame, options: Sequence[Option], pair: int, opened: list[int], own: list[int]
) -> dict[str, Fraction]:
    left = [card for card in range(DECK) if card not in opened and card not in own]
    whole = [sorted([*opened, *rest]) for rest in combinations(left, game.board - len(opened))]
    boards = np.array(whole, dtype=np.uint8)
    last = game.decisions_at(game.board)
    choosing = [stakes for stakes in game.arriving if len(game.options_of(stakes)) > 1] if len(boards) > 1 else []
    arriving = game.options(choosing)
    columns = len(game.wins)
    sums = np.zeros((1, PAIRS, columns + len(choosing)), dtype=np.int64)
    ways = np.ones(len(boards), dtype=np.int64)
    sum_boards(boards, ways, game.ranking, game.wins, arriving, origins(game.board, 0), card_sets(HELD), sums)
    found: Counts = sums[0, pair]
    deals = len(boards) * comb(DECK - HELD - game.board, HELD)

    def value(stakes: Stakes) -> int:
        if stakes in choosing:
            return int(found[columns + choosing.index(stakes)])
        if len(boards) > 1 and last and not stakes.settled:
            (stakes,) = (option.then for option in game.options_of(stakes))
        return int(found[:columns] @ game.units_of(stakes)) - stakes.lost * game.payoffs.scale * deals

    parts = deals * game.payoffs.scale * game.courses.unit
    return {option.name: Fraction(value(option.then), parts) for option in options}
