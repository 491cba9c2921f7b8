"""Five-card hands as numbers: 7,462 classes of equal hands, numbered from the lowest to the highest.

`rank_five` is the rule. It ranks one hand of each class once; everything here looks up the result. There are 455
combinations of three ranks and 91 of two, so one grid of 455 × 91 holds every hand that is not suited, and another
every suited hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Final

from crossfelt.cards.card import RANKS, SUITS, Card
from crossfelt.cards.notation import require_cards
from crossfelt.hands.rank import HandRank
from crossfelt.hands.shape import five_card_shape

Ranks = tuple[int, ...]
Row = tuple[int, ...]

NO_HAND: Final = -1
"""Marks the cells of a grid that no deck can deal: five of a rank, or two of a rank in one suit."""

TRIPLES: Final[tuple[Ranks, ...]] = tuple(combinations_with_replacement(range(len(RANKS)), 3))
"""The three ranks of each row of a grid, lowest first."""

PAIRS: Final[tuple[Ranks, ...]] = tuple(combinations_with_replacement(range(len(RANKS)), 2))
"""The two ranks of each column of a grid, lowest first."""


def strength(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the class of five different cards, 0 … 7461: better hands have greater numbers, equal hands the same.

    For speed the cards are not checked; `strength_of` checks them.

    >>> royal_flush, seven_high = (48, 44, 40, 36, 32), (0, 4, 8, 12, 21)
    >>> strength(*royal_flush), strength(*seven_high)
    (7461, 0)
    """
    try:
        return _rows[a][b][c][_columns[d][e]]
    except IndexError:
        return _strength_at_first((a, b, c, d, e))


def strength_of(cards: Sequence[int]) -> int:
    """Return the class of five cards, and refuse cards that are not a hand.

    >>> from crossfelt.cards import parse_cards
    >>> strength_of(parse_cards("As Ks Qs Js Ts"))
    7461
    >>> strength_of(parse_cards("As Ks Qs Js"))
    Traceback (most recent call last):
    crossfelt.errors.BadInput: wrong number of cards: 4 (allowed: 5)
    """
    hand = [Card(card) for card in cards]
    require_cards(hand, 5)
    suits = {card.suit for card in hand}
    ranks = tuple(sorted(card.rank for card in hand))
    return _numbers()[len(suits) == 1][ranks]


@cache
def hand_classes() -> tuple[HandRank, ...]:
    """Return the rank of each class, lowest first."""
    plain, suited = _hands_by_ranks()
    return tuple(sorted((*plain.values(), *suited.values()), key=lambda rank: (rank.level, rank.ranks)))


@cache
def grid(*, one_suit: bool) -> tuple[Row, ...]:
    """Return the class of every five ranks, by three of them (`TRIPLES`) and the two others (`PAIRS`).

    >>> aces, twos = TRIPLES.index((12, 12, 12)), PAIRS.index((0, 0))
    >>> hand_classes()[grid(one_suit=False)[aces][twos]].category
    'full_house'
    """
    numbers = _numbers()[one_suit]
    return tuple(tuple(numbers.get(tuple(sorted(t + p)), NO_HAND) for p in PAIRS) for t in TRIPLES)


@cache
def _numbers() -> tuple[dict[Ranks, int], dict[Ranks, int]]:
    """Return the classes by ranks, lowest rank first: of unsuited hands, and of suited ones."""
    number = {rank: index for index, rank in enumerate(hand_classes())}
    plain, suited = _hands_by_ranks()
    return (
        {ranks: number[rank] for ranks, rank in plain.items()},
        {ranks: number[rank] for ranks, rank in suited.items()},
    )


@cache
def _hands_by_ranks() -> tuple[dict[Ranks, HandRank], dict[Ranks, HandRank]]:
    """Return the rank of one hand of each class by its ranks, lowest first: unsuited hands, and suited ones."""

    def ranked(ranks: Ranks, *, one_suit: bool) -> HandRank:
        return HandRank("five_card", *five_card_shape(ranks, one_suit=one_suit, ace_low=True))

    all_ranks = range(len(RANKS))
    any_five: list[Ranks] = [r for r in combinations_with_replacement(all_ranks, 5) if r[0] != r[4]]
    different: list[Ranks] = list(combinations(all_ranks, 5))
    return {r: ranked(r, one_suit=False) for r in any_five}, {r: ranked(r, one_suit=True) for r in different}


# The tables of `strength`. Plain subscripts are the fastest lookup in Python, and equal tuples are shared so that
# they stay in the processor's cache. Two cards give a column: their ranks or, if they share a suit, their ranks
# in that suit. The three others give a row of a grid, with columns added for two cards of each suit; these hold
# flushes only where all five share a suit.
_rows: tuple[tuple[tuple[Row, ...], ...], ...] = ()
_columns: tuple[tuple[int, ...], ...] = ()

_SUITABLE: Final = tuple(combinations(range(len(RANKS)), 2))
"""The ranks of two cards that can share a suit."""


def _strength_at_first(cards: tuple[int, ...]) -> int:
    """Make the tables at the first call; a later call that comes here has an invalid card."""
    global _rows, _columns
    checked = strength_of(cards)
    if not _rows:
        _columns, _rows = _column_table(), _row_table()
    return checked


def _column_table() -> tuple[tuple[int, ...], ...]:
    plain = {pair: index for index, pair in enumerate(PAIRS)}
    suited = {pair: index for index, pair in enumerate(_SUITABLE)}

    def column(d: int, e: int) -> int:
        low, high = sorted((d, e))
        ranks, suit = (low >> 2, high >> 2), low & 3
        if suit != high & 3 or low == high:
            return plain[ranks]
        return len(PAIRS) + len(_SUITABLE) * suit + suited[ranks]

    return tuple(tuple(column(d, e) for e in range(52)) for d in range(52))


def _row_table() -> tuple[tuple[tuple[Row, ...], ...], ...]:
    rows, rows_of_suit = _all_rows()

    @cache
    def with_third(low: int, high: int, suit: int | None) -> tuple[Row, ...]:
        """Return the rows of two ranks, in this suit or in none, with each third card."""

        def row(card: int) -> Row:
            triple = tuple(sorted((low, high, card >> 2)))
            plain = rows[triple]
            return rows_of_suit.get((triple, card & 3), plain) if card & 3 == suit else plain

        return tuple(row(card) for card in range(52))

    def of_two(a: int, b: int) -> tuple[Row, ...]:
        low, high = sorted((a >> 2, b >> 2))
        return with_third(low, high, a & 3 if a & 3 == b & 3 else None)

    return tuple(tuple(of_two(a, b) for b in range(52)) for a in range(52))


def _all_rows() -> tuple[dict[Ranks, Row], dict[tuple[Ranks, int], Row]]:
    """Return the rows of three unsuited cards, and of three cards of each suit."""
    suitable = [PAIRS.index(pair) for pair in _SUITABLE]
    rows: dict[Ranks, Row] = {}
    rows_of_suit: dict[tuple[Ranks, int], Row] = {}
    for triple, plain, flush in zip(TRIPLES, grid(one_suit=False), grid(one_suit=True), strict=True):
        plain_suited = tuple(plain[column] for column in suitable)
        flush_suited = tuple(flush[column] for column in suitable)
        rows[triple] = plain + plain_suited * len(SUITS)
        if len(set(triple)) < len(triple):
            continue
        for suit in range(len(SUITS)):
            before, after = plain_suited * suit, plain_suited * (len(SUITS) - 1 - suit)
            rows_of_suit[triple, suit] = plain + before + flush_suited + after
    return rows, rows_of_suit
