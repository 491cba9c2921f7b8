"""Best play written out: which cards across call for which down bet, which cards down for which middle bet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crossfelt.analysis.criss_cross_cards import pair_of
from crossfelt.analysis.criss_cross_induction import Induction, best_ends
from crossfelt.analysis.criss_cross_tally import FOLD
from crossfelt.cards.card import RANKS, Card
from crossfelt.hands.starting_hands import STARTING_HANDS, starting_hand
from crossfelt.kernels.criss_cross import prospect_sums
from crossfelt.kernels.prospects import NO_POSITION, Layout, layout, positions

Pages = dict[str, tuple[str, ...]]
"""By choice, the two cards that call for it, the higher first: ``Q 7``; ``Qs`` is of the suit of both hole cards."""


def second_book(play: Induction) -> dict[str, Pages]:
    """The down bet for every starting hand that is played at all, after its best across bet."""
    book = {}
    for number, hand in enumerate(STARTING_HANDS):
        bet = int(play.first[number])
        if bet:
            rows = slice(play.prospects.row_start[number], play.prospects.row_start[number + 1])
            chosen = play.second[rows, play.terms.stakes[0].index(bet)]
            book[hand.name] = _pages(layout(hand), enumerate(chosen.tolist()))
    return book


def third_book(play: Induction, hole: Sequence[Card], across: Sequence[Card], bets: tuple[int, int]) -> Pages:
    """The middle bet for two cards in hand and two across, by the two cards down."""
    number = starting_hand(hole)
    types, every = layout(STARTING_HANDS[number]), positions(play.terms.grouping)
    size = len(types.pairs)
    here = every.prospect[every.start[number] : every.start[number + 1]].reshape(size, size)[pair_of(hole, across)]
    _, chosen = best_ends(play.terms, prospect_sums(play.prospects, play.terms.values), [bets])
    dealt = [(pair, int(chosen[prospect, 0])) for pair, prospect in enumerate(here) if prospect != NO_POSITION]
    return _pages(types, dealt)


def _pages(types: Layout, chosen: Iterable[tuple[int, int]]) -> Pages:
    pages: dict[int, list[str]] = {}
    for pair, bet in chosen:
        pages.setdefault(bet, []).append(_name(types, pair))
    return {f"{bet}x" if bet else FOLD: tuple(names) for bet, names in sorted(pages.items())}


def _name(types: Layout, pair: int) -> str:
    one, two = sorted(types.pairs[pair].tolist(), key=lambda place: -int(types.rank[place]))
    return " ".join(RANKS[types.rank[place]] + ("s" if types.in_suit[place] else "") for place in (one, two))
