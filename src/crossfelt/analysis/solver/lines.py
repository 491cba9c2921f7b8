"""The tree of a game in which player and dealer have two cards each and make their hands on lines of a shared board.

A seat decides once, beside the open cards of the board. A position is these cards and its own, up to suits; a node is
a position's results by the line that is played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import comb, perm
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt._util.cached_by_key import cached_by_key
from crossfelt.analysis.solver.courses import Courses
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.solver.tree import Tree, distinct_rows
from crossfelt.cards.card import Card
from crossfelt.hands.starting_hands import starting_hand
from crossfelt.kernels.array_cache import cached_arrays
from crossfelt.kernels.solver.card_sets import Cards, Counts, card_sets
from crossfelt.kernels.solver.hand_tables import DECK, RANKS, SUITS
from crossfelt.kernels.solver.line_deals import LineCards, count_deals
from crossfelt.kernels.solver.lines import LineRanking, Types, add_boards, pair_number, types_of
from crossfelt.kernels.solver.nodes import Level
from crossfelt.kernels.threads import in_parts

HELD: Final = 2
MOST_OPEN: Final = 2
MOST_OUTER: Final = 4
PER_SECOND: Final = 30_000
"""Boards, by rank and suit, that one processor counts in a second."""


class Lines(NamedTuple):
    """The board of a game: lines that share one card."""

    shared: str
    """The place of the shared card."""
    outer: tuple[str, ...]
    """The other places."""
    in_line: tuple[tuple[bool, ...], ...]
    """By line and outer place."""
    opened: tuple[str, ...]
    """Outer places that are open when the seat decides."""

    @property
    def hidden(self) -> tuple[str, ...]:
        return (self.shared, *(place for place in self.outer if place not in self.opened))


def lines_of(payoffs: Payoffs) -> Lines:
    """Return the lines of a game, or refuse one with another board."""
    payoffs.refuse_orders_by_suits()
    plan, game = payoffs.plan, payoffs.plan.game
    board = plan.board
    if len(plan.own) != HELD or len(plan.theirs) != HELD:
        raise Unreachable.form(game, f"hands on a shared board are solved for {HELD} own cards on each side")
    own = [_line(payoffs, groups.hand.places, plan.own) for groups in payoffs.own]
    theirs = [_line(payoffs, groups.hand.places, plan.theirs) for groups in payoffs.dealer]
    if set(own) != set(theirs) or any(hand.lowest_of for hand in game.book.hands):
        raise Unreachable.form(game, "the player's and the dealer's hands are not the same lines of the board")
    if len({groups.order.digest for groups in (*payoffs.own, *payoffs.dealer)}) > 1:
        raise Unreachable.form(game, "the player's and the dealer's hands are ranked in different ways")
    if any(len(groups.hand.places) != groups.hand.cards for groups in payoffs.own):
        raise Unreachable.form(game, "a hand on one of several lines has cards that do not count")
    shared = set(board).intersection(*own)
    opened = [place for place in plan.moments[0].places if place in board]
    if set(plan.moments[0].places) - {*plan.own, *board}:
        raise Unreachable.form(game, "the seat decides after a card of the dealer is turned up")
    if len(shared) != 1 or shared & set(opened) or set(board) != set().union(*own):
        raise Unreachable.form(game, "the lines of the board do not share exactly one hidden card")
    if len(plan.moments) != 2 or plan.moments[1].decisions or plan.ceiling_marks:
        raise Unreachable.form(game, "the seat decides more than once beside several lines of a board")
    if len(opened) > MOST_OPEN or len(board) > MOST_OUTER + 1:
        boards = RANKS * (2 * RANKS) ** (len(board) - 1) * (2 * RANKS) ** max(len(opened) - MOST_OPEN, 0)
        raise Unreachable.size(game, "boards of several lines", boards, PER_SECOND)
    outer = [place for place in board if place not in shared]
    in_line = tuple(tuple(place in line for place in outer) for line in own)
    return Lines(shared.pop(), tuple(outer), in_line, tuple(opened))


def _line(payoffs: Payoffs, places: Sequence[str], held: Sequence[str]) -> frozenset[str]:
    if not set(held) <= set(places):
        raise Unreachable.form(payoffs.plan.game, "a hand on a shared board leaves out a card of its owner")
    return frozenset(places) - set(held)


def tree_of(payoffs: Payoffs) -> Tree:
    """Return the tree of a game, from disk if it was made before."""
    lines = lines_of(payoffs)
    made = nodes_of(payoffs)
    deals = perm(DECK - HELD - len(lines.opened), len(lines.hidden)) * comb(DECK - HELD - len(lines.outer) - 1, HELD)
    named = {groups.hand.name: level for groups, level in zip(payoffs.own, made.levels, strict=True)}
    root = np.arange(len(made.ways), dtype=np.int32)
    first = next(iter(named.values()))
    return Tree(root, made.ways, (first,), (deals, 1), (payoffs.plan.moments[0].decisions, ()), named)


def _level(payoffs: Payoffs, counts: NDArray[np.int32], line: int) -> Level:
    """Return the results of each node on a line."""
    node, outcome = np.nonzero(counts)
    start = np.concatenate([[0], np.cumsum(np.count_nonzero(counts, axis=1))])
    result = np.array(outcomes_of(payoffs, line).results, dtype=np.int32)
    return Level(start, result[outcome], counts[node, outcome].astype(np.int64))


class Outcomes(NamedTuple):
    """The results on a line that every wager settles alike, whatever its pay table pays."""

    of_result: tuple[int, ...]
    """By the player's group with the dealer's group and relation."""
    results: tuple[int, ...]
    """A result of each outcome."""
    won: tuple[str, ...]
    """The result of the first wager."""


def outcomes_of(payoffs: Payoffs, line: int) -> Outcomes:
    """Tell apart the outcomes of a line."""
    named = payoffs.own[line].hand.name
    wagers = [wager for wager, name in payoffs.columns if name == named]
    known: dict[object, int] = {}
    of_result, results, won = [], [], []
    for group, theirs, relation in product(*map(range, (payoffs.shape[line], *payoffs.shape[-2:]))):
        # The groups of other lines are left at the lowest; no wager on this line depends on them.
        result = tuple(group if place == line else 0 for place in range(len(payoffs.own)))
        settled = [payoffs.settlement(wager, named, (*result, theirs, relation)) for wager in wagers]
        alike = tuple(each and (each.result, each.line, "" if each.line else each.odds) for each in settled)
        if alike not in known:
            known[alike] = len(known)
            results.append(int(np.ravel_multi_index((*result, theirs, relation), payoffs.shape)))
            won.append(settled[0].result if settled and settled[0] else "")
        of_result.append(known[alike])
    return Outcomes(tuple(of_result), tuple(results), tuple(won))


class LineNodes(NamedTuple):
    ways: Counts
    counts: NDArray[np.int32]
    """Deals by node, line and outcome."""
    of_position: NDArray[np.int32]
    """Node by the number of a position; −1 where a card would lie twice."""
    position_ways: Counts
    levels: tuple[Level, ...]
    """The results of each node, by line."""


def structure_of(payoffs: Payoffs) -> LineStructure:
    """Return the data on which the nodes of a game depend."""
    hands = (*payoffs.own, *payoffs.dealer)
    return LineStructure(
        lines=lines_of(payoffs),
        hands=tuple((groups.order.digest, groups.first) for groups in hands),
        outcomes=tuple(outcomes_of(payoffs, line).of_result for line in range(len(payoffs.own))),
    )


class LineStructure(NamedTuple):
    """The data that determine the nodes of a game, without odds."""

    lines: Lines
    hands: tuple[tuple[str, tuple[int, ...]], ...]
    outcomes: tuple[tuple[int, ...], ...]


@cached_by_key(2, structure_of)
def nodes_of(payoffs: Payoffs) -> LineNodes:
    """Return the nodes of a game, from disk if they were made before."""
    of = structure_of(payoffs)
    position_ways, counts, of_position = cached_arrays(("lines", of), lambda: _counted(of, payoffs))
    dealt = position_ways > 0
    ways = np.bincount(of_position[dealt], weights=position_ways[dealt]).astype(np.int64)
    levels = tuple(_level(payoffs, counts[:, line], line) for line in range(len(of.outcomes)))
    return LineNodes(ways, counts, of_position, position_ways, levels)


# --- counting -----------------------------------------------------------------------------------------------------


def _counted(of: LineStructure, payoffs: Payoffs) -> Iterable[NDArray[Any]]:
    ranking = ranking_of(payoffs)
    by_rank, by_type = (_by_position(of, ranking, types_of(suits=suits)) for suits in (False, True))
    positions = _positions_by_suits(len(of.lines.opened), by_rank, by_type)
    ways = np.bincount(_every_position(len(of.lines.opened)), minlength=len(positions))
    dealt = np.flatnonzero(ways)
    rows, number = distinct_rows(positions[dealt])
    of_position = np.full(len(ways), -1, dtype=np.int32)
    of_position[dealt] = number
    return [ways, rows.reshape(len(rows), len(of.outcomes), -1), of_position]


def ranking_of(payoffs: Payoffs) -> LineRanking:
    of, own, dealer = structure_of(payoffs), payoffs.own, payoffs.dealer[0]
    table = own[0].order.table
    most = max(map(len, of.outcomes))
    return LineRanking(
        in_line=np.array(of.lines.in_line, dtype=np.uint8),
        weights=table.weights,
        plain=table.plain,
        flush=table.flush,
        groups=np.stack([groups.of_class for groups in own]),
        bounds=np.array(dealer.first[1:-1], dtype=np.int64),
        outcome=np.array([(*each, *[0] * (most - len(each))) for each in of.outcomes], dtype=np.int16),
    )


def _by_position(of: LineStructure, ranking: LineRanking, types: Types) -> Counts:
    """Return the deals by open cards, pair, line and outcome, in each position of the same types."""
    lines, ranks = of.lines, types_of(suits=False)
    orders, line_of = _orders(lines, alike=len(set(of.outcomes)) == 1 and len({first for _, first in of.hands}) == 1)
    boards = _boards(lines, types, orders)
    opened = [lines.outer.index(place) for place in lines.opened]
    shown = orders[:, [*opened, *(place for place in range(len(lines.outer)) if place not in opened)]]
    shape = len(types.copies) ** len(opened), len(types.low), len(lines.in_line), int(ranking.outcome.max()) + 1

    def work(rows: slice, sums: Counts) -> None:
        add_boards(boards[rows], shown, line_of, ranking, types, ranks, sums)

    total, *others = in_parts(work, len(boards), lambda: np.zeros(shape, dtype=np.int64))
    for other in others:
        total += other
    # Every position of the same types has the same deals.
    total //= np.maximum(_ways(types, len(opened)), 1)[:, :, None, None]
    return total


def _orders(lines: Lines, *, alike: bool) -> tuple[Cards, Cards]:
    """Return the orders of the outer cards that leave the lines as they are, and the line that each line then is;
    `alike` lines may also be exchanged."""
    places = [frozenset(place for place, enters in enumerate(line) if enters) for line in lines.in_line]
    orders, line_of = [], []
    for order in permutations(range(len(lines.outer))):
        then = [frozenset(order[place] for place in line) for line in places]
        if then == places or (alike and set(then) == set(places)):
            orders.append(order)
            line_of.append([places.index(line) for line in then])
    return np.array(orders, dtype=np.uint8), np.array(line_of, dtype=np.uint8)


def _boards(lines: Lines, types: Types, orders: Cards) -> Cards:
    """Return the types of the outer cards of every board, one of each order; by types only those with a line in the
    shared card's suit."""
    kinds = len(types.copies)
    rows = np.indices((kinds,) * len(lines.outer), dtype=np.uint8).reshape(len(lines.outer), -1).T
    if kinds > RANKS:
        suited = [(rows[:, np.array(line)] < RANKS).all(axis=1) for line in lines.in_line]
        rows = rows[np.any(suited, axis=0)]
    base = kinds ** np.arange(len(lines.outer))
    numbers = np.stack([rows[:, order].astype(np.int64) @ base for order in orders])
    rows = rows[numbers.min(axis=0) == rows.astype(np.int64) @ base]
    return np.ascontiguousarray(rows[np.lexsort(rows.T % RANKS)])


def _ways(types: Types, opened: int) -> Counts:
    """Count the positions of each types of open cards and of a pair."""
    found = np.zeros((len(types.copies) ** opened, len(types.low)), dtype=np.int64)
    for row, kinds in enumerate(product(range(len(types.copies)), repeat=opened)):
        left, ways = types.copies.copy(), 1
        for kind in kinds:
            ways *= left[kind]
            left[kind] -= 1
        same = types.low == types.high
        held = np.where(same, left[types.low] * (left[types.low] - 1) // 2, left[types.low] * left[types.high])
        found[row] = ways * held
    return found


# --- positions ----------------------------------------------------------------------------------------------------


@cache
def _suit_patterns(cards: int) -> tuple[tuple[int, ...], ...]:
    """Return the suits of some cards, named in the order in which they appear.

    >>> len(_suit_patterns(4))
    15
    """
    return tuple(suits for suits in product(range(SUITS), repeat=cards) if _named(suits) == suits)


def _named(suits: Sequence[int]) -> tuple[int, ...]:
    names: dict[int, int] = {}
    return tuple(names.setdefault(suit, len(names)) for suit in suits)


@cache
def _pattern_table(cards: int) -> NDArray[np.int64]:
    """Return the pattern of each suits of some cards, by their number to the base of four."""
    patterns = {suits: place for place, suits in enumerate(_suit_patterns(cards))}
    return np.array([patterns[_named(suits)] for suits in product(range(SUITS), repeat=cards)], dtype=np.int64)


def position_numbers(opened: Cards, hole: Cards) -> NDArray[np.int64]:
    """Return the number of each position: ranks of the open cards, pair of ranks, and pattern of suits.

    Own cards of one rank are taken in the order whose pattern comes first.
    """
    hole = np.sort(hole, axis=1)[:, ::-1].astype(np.int64)
    opened = opened.astype(np.int64)
    cards = opened.shape[1] + HELD
    base = SUITS ** np.arange(cards)[::-1]
    suits = np.concatenate([opened, hole], axis=1) % SUITS
    pattern = _pattern_table(cards)[suits @ base]
    ranks = opened.astype(np.int64) // SUITS
    pairs: Counts = hole.astype(np.int64) // SUITS
    same = pairs[:, 0] == pairs[:, 1]
    swapped = suits[:, [*range(cards - HELD), cards - 1, cards - 2]]
    pattern = np.where(same, np.minimum(pattern, _pattern_table(cards)[swapped @ base]), pattern)
    number = np.zeros(len(hole), dtype=np.int64)
    for column in range(ranks.shape[1]):
        number = number * RANKS + ranks[:, column]
    by_ranks: Counts = number * _RANK_PAIRS + pair_number(pairs[:, 1], pairs[:, 0])
    return np.asarray(by_ranks * len(_suit_patterns(cards)) + pattern)


_RANK_PAIRS: Final = RANKS * (RANKS + 1) // 2


@cached_by_key(2, structure_of)
def starts_of(payoffs: Payoffs) -> tuple[Counts, Counts, Counts]:
    """Return of each position the number of the starting hand, its node, and its ways."""
    made = nodes_of(payoffs)
    dealt = np.flatnonzero(made.position_ways)
    patterns = np.array(_suit_patterns(len(lines_of(payoffs).opened) + HELD))
    pair, pattern = dealt // len(patterns) % _RANK_PAIRS, dealt % len(patterns)
    suited = (patterns[:, -1] == patterns[:, -2])[pattern].astype(np.int64)
    ranks = types_of(suits=False)
    low, high = ranks.low[pair] * SUITS, ranks.high[pair] * SUITS + 1 - suited
    kinds, place = np.unique(low * DECK + high, return_inverse=True)
    hands = [starting_hand([Card(kind // DECK), Card(kind % DECK)]) for kind in kinds.tolist()]
    return np.array(hands)[place], made.of_position[dealt].astype(np.int64), made.position_ways[dealt]


def _every_position(opened: int) -> NDArray[np.int64]:
    """Return the number of every actual position."""
    pairs = card_sets(HELD)
    rows = np.array(list(product(range(DECK), repeat=opened)), dtype=np.uint8).reshape(DECK**opened, opened)
    rows = rows[[len(set(row)) == opened for row in rows.tolist()]]
    found = []
    for pair in pairs:
        free = rows[~np.isin(rows, pair).any(axis=1)]
        found.append(position_numbers(free, np.broadcast_to(pair, (len(free), HELD))))
    return np.concatenate(found)


def _positions_by_suits(opened: int, by_rank: Counts, by_type: Counts) -> NDArray[np.int32]:
    """Return the deals of every position: those by ranks, corrected for each suit that the shared card can have."""
    patterns = _suit_patterns(opened + HELD)
    ranks = np.array(list(product(range(RANKS), repeat=opened)), dtype=np.int64).reshape(RANKS**opened, opened)
    low, high = (np.asarray(part) for part in (types_of(suits=False).low, types_of(suits=False).high))
    found = np.zeros((len(ranks), len(low), len(patterns), *by_rank.shape[2:]), dtype=np.int32)
    for place, suits in enumerate(patterns):
        total = by_rank.copy()
        for suit in range(SUITS):
            out = [RANKS * (each != suit) for each in suits]
            row = np.zeros(len(ranks), dtype=np.int64)
            for column in range(opened):
                row = 2 * RANKS * row + ranks[:, column] + out[column]
            kinds = np.sort(np.stack([high + out[opened], low + out[opened + 1]]), axis=0)
            total += by_type[row[:, None], pair_number(kinds[0], kinds[1])[None, :]]
        found[:, :, place] = total
    return found.reshape(len(ranks) * len(low) * len(patterns), -1)


# --- single positions, also with a card that the player should not have seen ---


Seen = Mapping[str, int]
"""Cards by place."""


def outcomes_at(payoffs: Payoffs, seen: Seen) -> Counts:
    """Count the deals of a position by line and outcome."""
    lines = lines_of(payoffs)
    places = {*payoffs.plan.own, *lines.opened}
    if seen.keys() != places:
        by_shared: Counts = count_deals(_cards(payoffs, seen), ranking_of(payoffs))[0]
        return np.asarray(by_shared.sum(axis=0))
    opened = np.array([[seen[place] for place in lines.opened]], dtype=np.uint8)
    hole = np.array([[seen[place] for place in payoffs.plan.own]], dtype=np.uint8)
    made = nodes_of(payoffs)
    counts: Counts = made.counts[made.of_position[position_numbers(opened, hole)[0]]].astype(np.int64)
    return counts


def values_by_option(payoffs: Payoffs, courses: Courses, counts: Counts) -> dict[str, Counts]:
    """Return the value of each option, summed over the deals; `counts` has the deals by line and outcome at the end."""
    named = [groups.hand.name for groups in payoffs.own]
    deals = counts[..., 0, :].sum(axis=-1)
    found = {}
    for option in courses.options(0, courses.first):
        end = option.then
        if end.settled:
            found[option.name] = -end.lost * payoffs.scale * deals
        else:
            line = named.index(end.named)
            nets = payoffs.nets([end])[0, list(outcomes_of(payoffs, line).results)]
            found[option.name] = counts[..., line, : len(nets)] @ nets
    return found


def chances_at(payoffs: Payoffs, counts: Counts) -> dict[str, dict[str, Fraction]]:
    """Return by line the shares of the deals that win, push and lose."""
    told = {}
    for line, groups in enumerate(payoffs.own):
        won = outcomes_of(payoffs, line).won
        deals = int(counts[line].sum())
        told[groups.hand.name] = {
            result: Fraction(sum(int(n) for n, how in zip(counts[line], won, strict=False) if how == result), deals)
            for result in ("win", "push", "lose")
        }
    return told


def values_of_flashed(payoffs: Payoffs, courses: Courses, seen: Seen) -> dict[str, Fraction]:
    """Return the gain of seeing the card at each hidden place in a position, in units.

    >>> from crossfelt.analysis.solver.round_plan import RoundPlan
    >>> plan = RoundPlan(compile_game("nj-double-cross"))
    >>> seen = {"hole_1": 51, "hole_2": 45, "down_far": 35, "across_right": 37}
    >>> {place: round(float(gain), 3) for place, gain in values_of_flashed(Payoffs(plan), Courses(plan), seen).items()}
    {'middle': 0.116, 'down_near': 0.46, 'across_left': 0.463, 'dealer.hole_1': 0.063}
    """
    counts = count_deals(_cards(payoffs, seen), ranking_of(payoffs))
    lines = lines_of(payoffs)
    hidden = [_hidden(lines.outer, line, seen) for line in lines.in_line]
    places = [lines.shared, *(each[0] if each else "" for each in hidden), payoffs.plan.theirs[0]]
    gains = {}
    for place, by_card in zip(places, counts, strict=True):
        if place:
            values = np.stack(list(values_by_option(payoffs, courses, by_card).values()))
            gain = int(values.max(axis=0).sum()) - int(values.sum(axis=1).max())
            gains[place] = Fraction(gain, int(by_card[:, 0].sum()) * payoffs.scale)
    return gains


def _cards(payoffs: Payoffs, seen: Seen) -> LineCards:
    plan, lines = payoffs.plan, lines_of(payoffs)
    unseen = tuple(card for card in range(DECK) if card not in seen.values())
    known = [seen[place] for place in plan.theirs if place in seen]
    hidden = [_hidden(lines.outer, line, seen) for line in lines.in_line]
    if max(map(len, hidden)) > 1 or len(known) > 1 or payoffs.dealer[0].number > 1:
        raise Unreachable.form(plan.game, "a card that was flashed beside several lines of a board")
    return LineCards(
        hole=(seen[plan.own[0]], seen[plan.own[1]]),
        shared=(seen[lines.shared],) if lines.shared in seen else unseen,
        seen=tuple(
            tuple(seen[place] for place, enters in zip(lines.outer, line, strict=True) if enters and place in seen)
            for line in lines.in_line
        ),
        hidden=tuple(unseen if places else (DECK + line,) for line, places in enumerate(hidden)),
        dealer=tuple(known) or unseen,
        unseen=unseen,
    )


def _hidden(outer: tuple[str, ...], line: tuple[bool, ...], seen: Seen) -> list[str]:
    return [place for place, enters in zip(outer, line, strict=True) if enters and place not in seen]
