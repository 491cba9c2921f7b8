"""Hands of one category, made card by card: the material of a search for the best-paid deal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import combinations, combinations_with_replacement, islice, permutations, product
from math import comb, prod
from typing import Final, NamedTuple

from crossfelt.cards.card import JOKER, RANKS, SUITS, Card
from crossfelt.games.rules import Ranker
from crossfelt.hands.rank import HandRank

Cards = tuple[int, ...]
LARGEST: Final = 5
"""Hands of up to five cards are made exhaustively; of larger hands some of each category are made."""
SOME: Final = 2


class Wanted(NamedTuple):
    """Hands of one category, with a leading rank among these or with these ranks first."""

    category: str
    leads: frozenset[int]
    first: Cards = ()

    def is_met_by(self, rank: HandRank) -> bool:
        begins = rank.ranks[: len(self.first)] == self.first
        return rank.category == self.category and begins and (not rank.ranks or rank.ranks[0] in self.leads)


@lru_cache(maxsize=64)
def made(ranker: Ranker, cards: int, wanted: Wanted, *, joker: bool) -> tuple[Cards, ...]:
    """Return the hands, high ranks first, one for each pattern of suits.

    >>> from crossfelt.hands.poker import rank_five
    >>> made(rank_five, 5, Wanted("royal_flush", frozenset(range(13))), joker=False)
    ((48, 44, 40, 36, 32),)
    """
    if cards > LARGEST:
        return tuple(islice(_some(ranker, cards, wanted, joker=joker), SOME))
    return tuple(
        tuple(4 * rank + suit for rank, suit in zip(ranks, suits, strict=True))
        for ranks, one_suit in _by_category(ranker, cards).get(wanted.category, ())
        if wanted.is_met_by(ranker(_example(ranks, one_suit)))
        for suits in (_patterns(cards)[:1] if one_suit else _patterns(cards)[1:])
        if len(set(zip(ranks, suits, strict=True))) == cards
    )


@lru_cache(maxsize=16)
def _by_category(ranker: Ranker, cards: int) -> dict[str, list[tuple[Cards, bool]]]:
    """Return the ranks of every hand by category, each in one suit or not; a rank depends on nothing else."""
    found: dict[str, list[tuple[Cards, bool]]] = {}
    for ranks, one_suit in _shapes(cards):
        found.setdefault(ranker(_example(ranks, one_suit)).category, []).append((ranks, one_suit))
    return found


def _shapes(cards: int) -> Iterator[tuple[Cards, bool]]:
    """Yield the ranks of every hand, high ones first, and whether it has one suit."""
    high_first = range(len(RANKS) - 1, -1, -1)
    for one_suit, chosen in ((True, combinations), (False, combinations_with_replacement)):
        for ranks in chosen(high_first, cards):
            if max(map(ranks.count, ranks)) <= len(SUITS) and (cards > 1 or one_suit):
                yield ranks, one_suit


def hands_by_shape(cards: int) -> Iterator[tuple[list[Card], int]]:
    """Yield one hand of every shape, with the number of hands that have it.

    >>> sum(ways for _, ways in hands_by_shape(5)), sum(ways for (a, b), ways in hands_by_shape(2) if a.rank == b.rank)
    (2598960, 78)
    """
    for ranks, one_suit in _shapes(cards):
        in_suits = prod(comb(len(SUITS), ranks.count(rank)) for rank in set(ranks))
        ways = len(SUITS) if one_suit else in_suits - (len(SUITS) if len(set(ranks)) == cards else 0)
        yield _example(ranks, one_suit), ways


@lru_cache(maxsize=16)
def hand_counts(ranker: Ranker, cards: int) -> dict[str, int]:
    """Count the hands of each category."""
    counts: dict[str, int] = {}
    for hand, ways in hands_by_shape(cards):
        category = ranker(hand).category
        counts[category] = counts.get(category, 0) + ways
    return counts


def _example(ranks: Cards, one_suit: bool) -> list[Card]:
    """Return cards of these ranks, in one suit or in at least two."""
    if one_suit:
        return [Card(4 * rank) for rank in ranks]
    suits = [ranks[:place].count(rank) for place, rank in enumerate(ranks)]
    if not any(suits):
        suits[-1] = 1
    return [Card(4 * rank + suit) for rank, suit in zip(ranks, suits, strict=True)]


@cache
def _patterns(cards: int) -> list[Cards]:
    """List the suits of some cards, numbered in order of appearance; one suit comes first."""
    return [
        suits
        for suits in product(range(len(SUITS)), repeat=cards)
        if all(suit <= max(suits[:place], default=-1) + 1 for place, suit in enumerate(suits))
    ]


def _some(ranker: Ranker, cards: int, wanted: Wanted, *, joker: bool) -> Iterator[Cards]:
    """Yield some hands of more than five cards: groups of equal ranks, then different ranks in one suit or in all."""
    lead = [(int(JOKER),)] if joker else []
    sources: list[tuple[Cards, Callable[[int], Iterator[Cards]]]] = [(jokers, _grouped) for jokers in (*lead, ())]
    in_suits = (partial(_distinct, suits=len(SUITS)), partial(_distinct, suits=1))
    sources += [(jokers, suited) for jokers in ((), *lead) for suited in in_suits]
    for jokers, source in sources:
        for hand in source(cards - len(jokers)):
            whole = (*jokers, *hand)
            if len(set(whole)) == cards and wanted.is_met_by(ranker([Card(card) for card in whole])):
                yield whole


def _distinct(size: int, suits: int) -> Iterator[Cards]:
    """Yield cards of different ranks in some suits, from both ends of the order in turn."""
    ranks = range(len(RANKS))
    for low, high in zip(combinations(ranks, size), combinations(reversed(ranks), size), strict=True):
        for each in (low, high):
            yield tuple(4 * rank + place % suits for place, rank in enumerate(each))


GROUPS: Final = ((4, 3), (4, 2, 1), (4, 1, 1, 1), (3, 3, 1), (3, 2, 2), (3, 1, 1, 1, 1), (2, 2, 2, 1), (2, 2, 1, 1, 1))


def _grouped(size: int) -> Iterator[Cards]:
    """Yield groups of equal ranks, the largest first, beside cards of other ranks."""
    for sizes in GROUPS:
        for top in (12, 11, 8):
            ranks = [top, *(rank for rank in (0, 5, 2, 7, 10, 3, 9) if rank != top)]
            groups = zip(ranks, sizes, strict=False)
            hand = tuple(4 * rank + (suit + rank) % len(SUITS) for rank, count in groups for suit in range(count))
            yield hand[:size]


def in_every_suit(hand: Cards) -> Iterator[Cards]:
    """Yield a hand with its suits exchanged in every way."""
    seen = set()
    for suits in permutations(range(len(SUITS))):
        changed = tuple(card if card == JOKER else 4 * (card // 4) + suits[card % 4] for card in hand)
        if frozenset(changed) not in seen:
            seen.add(frozenset(changed))
            yield changed


def best_rank(ranker: Ranker, cards: Sequence[int], counted: int) -> HandRank:
    """Return the rank of the best selection of some cards."""
    chosen = [Card(card) for card in cards]
    return max(map(ranker, combinations(chosen, counted))) if len(chosen) > counted else ranker(chosen)


def completions(ranker: Ranker, fixed: Sequence[int], free: int, wanted: Wanted) -> Iterator[Cards]:
    """Yield the cards of a deck without jokers that complete these to a wanted hand."""
    suits: dict[int, int] = {}
    for card in sorted(fixed):
        suits.setdefault(card % 4, len(suits))
    for suit in range(len(SUITS)):
        suits.setdefault(suit, len(suits))
    back = {number: suit for suit, number in suits.items()}
    pattern = tuple(sorted(4 * (card // 4) + suits[card % 4] for card in fixed))
    found = _completed(ranker, pattern, free)
    for lead in sorted(wanted.leads, reverse=True):
        for new in found.get((wanted.category, lead), ()):
            cards = tuple(4 * (card // 4) + back[card % 4] for card in new)
            if not wanted.first or wanted.is_met_by(ranker([Card(card) for card in (*fixed, *cards)])):
                yield cards


@lru_cache(maxsize=256)
def _completed(ranker: Ranker, fixed: Cards, free: int) -> dict[tuple[str, int], list[Cards]]:
    """Return the cards that complete these, by category and leading rank of the hand."""
    own, rest = [Card(card) for card in fixed], [Card(card) for card in range(52) if card not in fixed]
    found: dict[tuple[str, int], list[Cards]] = {}
    for new in combinations(rest, free):
        rank = ranker([*own, *new])
        found.setdefault((rank.category, rank.ranks[0] if rank.ranks else 0), []).append(new)
    return found
