"""The tree of a game without a dealer's hand: every position of a seat, merged into nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb, prod
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt._util.cached_by_key import cached_by_key
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.analysis.solver.tree import Tree
from crossfelt.kernels.array_cache import cached_arrays
from crossfelt.kernels.solver.card_sets import Counts, classes_of, set_kinds
from crossfelt.kernels.solver.hand_tables import DECK, MOST_CARDS
from crossfelt.kernels.solver.nodes import Draws, Keyed, Level, nodes_from, start_of
from crossfelt.kernels.threads import in_threads
from crossfelt.rulebooks.script import Decide

MOST_POSITIONS: Final = 10**11
"""The most positions, before suits are lumped, that are walked."""
MOST_AT_ONCE: Final = 5
"""The most cards that a round begins with."""
PER_SECOND: Final = 2 * 10**9
"""Positions, before suits are lumped, that one processor walks in a second."""


class Block(NamedTuple):
    """Cards that are turned up together and enter the same hands."""

    places: tuple[str, ...]
    enters: tuple[bool, ...]
    """By the player's hand."""


class Streets(NamedTuple):
    """The blocks of a round in order, and the decisions after each; the first block is what a round begins with."""

    blocks: tuple[Block, ...]
    decisions: tuple[tuple[Decide, ...], ...]


def streets_of(plan: RoundPlan, hands: Sequence[Sequence[str]]) -> Streets:
    """Return the blocks of a round; `hands` lists the places of each hand.

    >>> plan = RoundPlan(compile_game("nj-criss-cross"), known="middle")
    >>> [len(block.places) for block in streets_of(plan, [hand.places for hand in plan.hands]).blocks]
    [3, 2, 2]
    """
    blocks: list[Block] = []
    decisions: list[tuple[Decide, ...]] = []
    for moment in plan.moments:
        for block in blocks_of(moment.places, hands):
            blocks.append(block)
            decisions.append(())
        decisions[-1] += moment.decisions
    return Streets(tuple(blocks), tuple(decisions))


def blocks_of(places: Iterable[str], hands: Sequence[Sequence[str]]) -> list[Block]:
    """Return places in blocks of those that enter the same hands."""
    together: dict[tuple[bool, ...], list[str]] = {}
    for place in places:
        together.setdefault(tuple(place in hand for hand in hands), []).append(place)
    return [Block(tuple(alike), enters) for enters, alike in together.items()]


def draws_of(payoffs: Payoffs, blocks: Sequence[Block]) -> Draws:
    """Return the blocks that are still to be drawn, for the kernel."""
    hands = len(payoffs.own)
    enters = np.array([block.enters for block in blocks], dtype=np.uint8).reshape(len(blocks), hands)
    sizes = np.array([len(block.places) for block in blocks], dtype=np.int64)
    coming = (enters * sizes[:, None]).astype(np.int64)
    return Draws(
        sizes=sizes,
        enters=enters,
        to_come=np.vstack([coming[::-1].cumsum(axis=0)[::-1], np.zeros((1, hands), dtype=np.int64)]),
        tables=payoffs.tables,
        results=payoffs.results,
    )


def tree_of(payoffs: Payoffs) -> Tree:
    """Return the tree of a game, from disk if it was made before."""
    streets = require_reach(payoffs)
    first = set_kinds(len(streets.blocks[0].places))
    if len(streets.blocks) == 1:
        entered = np.array([streets.blocks[0].enters] * first.example.shape[1], dtype=np.uint8)
        root = results_of(payoffs, first.example, entered).astype(np.int32)
        return Tree(root, first.ways, (), (1,), streets.decisions)
    grown = _grown(payoffs)
    return Tree(grown.root, first.ways, grown.levels, deals_after(streets.blocks), streets.decisions)


def results_of(payoffs: Payoffs, cards: NDArray[np.uint8], entered: NDArray[np.uint8]) -> Counts:
    """Return the results of hands that are all complete; `entered` says by column which hands a card is in."""
    none = np.zeros(0, dtype=np.uint8)
    found = np.zeros(len(cards), dtype=np.int64)
    for place, groups in enumerate(payoffs.own):
        own = np.ascontiguousarray(cards[:, entered[:, place] == 1])
        found += prod(payoffs.shape[place + 1 :]) * classes_of(own, groups.table, none).astype(np.int64)
    return found


def positions_of(payoffs: Payoffs) -> tuple[Keyed, ...]:
    """Return the positions of each level with their nodes, sorted; none where no decision needs them."""
    return _grown(payoffs).keyed


def _structure(payoffs: Payoffs) -> NodeStructure:
    streets = require_reach(payoffs)
    return NodeStructure(
        blocks=streets.blocks,
        hands=tuple((groups.order.digest, len(groups.hand.places), groups.first) for groups in payoffs.own),
        # Values over one last card are summed when they are asked for.
        keyed=tuple(bool(steps) for steps in streets.decisions[: -2 if one_card_left(streets) else -1]),
    )


def one_card_left(streets: Streets) -> bool:
    """Say if only one card comes after the last decision before the end, and none is made at the end."""
    return len(streets.blocks[-1].places) == 1 and not streets.decisions[-1]


class NodeStructure(NamedTuple):
    """The data that determine the nodes of a game: blocks, hands and their groups, but no odds."""

    blocks: tuple[Block, ...]
    hands: tuple[tuple[str, int, tuple[int, ...]], ...]
    keyed: tuple[bool, ...]
    """Levels whose positions are kept."""


class Grown(NamedTuple):
    root: NDArray[np.int32]
    levels: tuple[Level, ...]
    keyed: tuple[Keyed, ...]


@cached_by_key(8, _structure)
def _grown(payoffs: Payoffs) -> Grown:
    of = _structure(payoffs)
    root, *arrays = cached_arrays(("nodes", of), lambda: _grow(of, payoffs))
    levels = len(arrays) // 5
    in_levels, in_keyed = arrays[: 3 * levels], arrays[3 * levels :]
    return Grown(
        root,
        tuple(Level(*in_levels[at : at + 3]) for at in range(0, 3 * levels, 3)),
        tuple(Keyed(*in_keyed[at : at + 2]) for at in range(0, 2 * levels, 2)),
    )


def _grow(of: NodeStructure, payoffs: Payoffs) -> Iterable[NDArray[Any]]:
    first, *rest = of.blocks
    draws = draws_of(payoffs, rest)
    starts = set_kinds(len(first.places)).example

    def work(place: int) -> tuple[list[Level], list[Keyed]]:
        cards = starts[place].tolist()
        return nodes_from(draws, start_of(draws, cards, [cards if one else [] for one in first.enters]), of.keyed)

    grown = in_threads(work, len(starts))
    levels, numbers = merged([levels for levels, _ in grown])
    keyed = [
        _sorted([keyed[place] for _, keyed in grown], [levels[place] for levels, _ in grown], number)
        for place, number in enumerate(numbers)
    ]
    return [numbers[0], *(array for each in (*levels, *keyed) for array in each)]


def require_reach(payoffs: Payoffs) -> Streets:
    """Return the blocks of a game, or refuse one with too many positions."""
    streets = streets_of(payoffs.plan, [groups.hand.places for groups in payoffs.own])
    game = payoffs.plan.game
    payoffs.refuse_orders_by_suits()
    for groups in payoffs.own:
        if len(groups.hand.places) > MOST_CARDS:
            raise Unreachable.form(game, f"the hand {groups.hand.name} has more than {MOST_CARDS} cards")
    first = len(streets.blocks[0].places)
    if first > MOST_AT_ONCE:
        raise Unreachable.form(game, f"a seat sees {first} cards at once, more than {MOST_AT_ONCE}")
    positions = comb(DECK, first) // 7 * deals_after(streets.blocks)[0]
    if positions > MOST_POSITIONS:
        raise Unreachable.size(game, "positions without a dealer's hand", positions, PER_SECOND)
    return streets


def deals_after(blocks: Sequence[Block]) -> tuple[int, ...]:
    """Return the number of ways in which the cards after each block can come."""
    return deals_of([len(block.places) for block in blocks], DECK)[1:]


def deals_of(sizes: Sequence[int], cards: int) -> tuple[int, ...]:
    """Return the number of ways in which some cards can come in blocks: all of them, and those after each block."""
    ways = [comb(cards - sum(sizes[:place]), size) for place, size in enumerate(sizes)]
    return tuple(prod(ways[place:]) for place in range(len(ways) + 1))


# --- merging ------------------------------------------------------------------------------------------------------


def merged(grown: Sequence[Sequence[Level]]) -> tuple[list[Level], list[NDArray[np.int32]]]:
    """Merge the nodes of all starts that have the same children; return the levels, and the new number of each node by
    level. The first level has one node of each start."""
    levels: list[Level] = []
    numbers: list[NDArray[np.int32]] = []
    for place in reversed(range(len(grown[0]))):
        parts = [levels_of_start[place] for levels_of_start in grown]
        child = np.concatenate([part.child for part in parts])
        if numbers:
            below = _first_of_each([levels_of_start[place + 1] for levels_of_start in grown])
            child = numbers[0][child + np.repeat(below, [len(part.child) for part in parts])]
        sizes = np.concatenate([np.diff(part.start) for part in parts])
        level, number = _distinct(sizes, child, np.concatenate([part.ways for part in parts]))
        levels.insert(0, level)
        numbers.insert(0, number)
    return levels, numbers


def _first_of_each(parts: Sequence[Level]) -> Counts:
    """Return the place of the first node of each start among the nodes of a level."""
    return np.cumsum([0, *(len(part.start) - 1 for part in parts[:-1])])


def _sorted(parts: Sequence[Keyed], levels: Sequence[Level], number: NDArray[np.int32]) -> Keyed:
    """Return the positions of all starts in the order of their words."""
    local = np.concatenate([part.nodes for part in parts])
    nodes = number[local + np.repeat(_first_of_each(levels), [len(part.nodes) for part in parts])]
    keys, first, place = np.unique(
        np.concatenate([part.keys for part in parts]), return_index=True, return_inverse=True
    )
    if not np.array_equal(nodes[first][place], nodes):
        raise RuntimeError("random words did not tell two positions apart")
    return Keyed(keys, nodes[first])


def _distinct(sizes: Counts, child: NDArray[np.int32], ways: Counts) -> tuple[Level, NDArray[np.int32]]:
    """Return the different nodes of a level, and the new number of each node."""
    order = np.lexsort((child, np.repeat(np.arange(len(sizes)), sizes)))
    entries = np.stack([child[order], ways[order]], axis=1)
    ends = np.cumsum(sizes).tolist()
    known: dict[bytes, int] = {}
    number = np.array(
        [
            known.setdefault(entries[start:end].tobytes(), len(known))
            for start, end in zip([0, *ends], ends, strict=False)
        ],
        dtype=np.int32,
    )
    kept = np.frombuffer(b"".join(known), dtype=entries.dtype).reshape(-1, 2)
    start = np.cumsum([0, *(len(node) // (2 * entries.itemsize) for node in known)])
    return Level(start, kept[:, 0].astype(np.int32), np.ascontiguousarray(kept[:, 1])), number
