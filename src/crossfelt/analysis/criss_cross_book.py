"""Best play written out: which cards across call for which down bet, which cards down for which middle bet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.criss_cross_cards import pair_of
from crossfelt.analysis.criss_cross_induction import Chosen, Induction, best_ends
from crossfelt.analysis.criss_cross_pairs import Cards, words_beside
from crossfelt.analysis.criss_cross_tally import FOLD
from crossfelt.cards.card import RANKS, Card
from crossfelt.hands.starting_hands import STARTING_HANDS, StartingHand, starting_hand
from crossfelt.kernels.criss_cross import prospect_sums
from crossfelt.kernels.prospects import NO_POSITION, Layout, layout, positions

Pages = dict[str, tuple[str, ...]]
"""By choice, the two cards that call for it, the higher first: ``Q 7``; ``Qs`` is of the suit of both hole cards."""


OTHERWISE: Final = "otherwise"


class Choices(NamedTuple):
    """Choices with the cards that call for them, told as in `criss_cross_pairs`: the first that applies decides."""

    with_cards: tuple[tuple[str, str], ...]
    otherwise: str


class Page(NamedTuple):
    """Cards across that call for the same bets."""

    across: str
    """In the same words; `OTHERWISE` for all that no page before speaks of and that are not folded."""
    down_bet: str
    middle_bet: Choices
    """By the cards down."""


class HandBook(NamedTuple):
    """Best play with a starting hand."""

    hand: str
    across_bet: str
    down_bet: Choices
    """By the cards across."""
    pages: tuple[Page, ...]
    """The middle bet; empty where it was not asked for."""


def book(play: Induction, hands: Iterable[StartingHand] = STARTING_HANDS, *, middle: bool) -> Iterator[HandBook]:
    """Best play with each starting hand that is played at all; with `middle`, down to the last bet."""
    for hand in hands:
        number = STARTING_HANDS.index(hand)
        bet = int(play.first[number])
        if bet:
            down = _down_bets(play, number, bet)
            choices = _choices(hand, down, (1 << len(down)) - 1)
            pages = _middle_pages(play, number, bet, down) if middle else ()
            yield HandBook(hand.name, choice_name(bet), choices, tuple(pages))


def _down_bets(play: Induction, number: int, across_bet: int) -> Chosen:
    """By the pair across."""
    rows = slice(play.prospects.row_start[number], play.prospects.row_start[number + 1])
    return play.second[rows, play.terms.stakes[0].index(across_bet)]


def _middle_pages(play: Induction, number: int, across_bet: int, down: Chosen) -> Iterator[Page]:
    """Cards across with the same down bet and the same words for the middle bet are on one page."""
    hand = STARTING_HANDS[number]
    size = len(down)
    here = _prospects_of(play, number).reshape(size, size)
    told: dict[tuple[bytes, Cards], Choices] = {}
    found: dict[tuple[str, Choices], Cards] = {}
    for pair, down_bet in enumerate(down.tolist()):
        if not down_bet:
            continue
        dealt = here[pair] != NO_POSITION
        chosen = np.zeros(size, dtype=np.int8)
        chosen[dealt] = play.third[here[pair][dealt], play.terms.ends.index((across_bet, down_bet))]
        same = chosen.tobytes(), _bits(dealt)
        if same not in told:
            told[same] = _choices(hand, chosen, _bits(dealt))
        bets = choice_name(down_bet), told[same]
        found[bets] = found.get(bets, 0) | 1 << pair
    yield from _in_order(hand, found, _bits(down > 0))


def _in_order(hand: StartingHand, found: Mapping[tuple[str, Choices], Cards], left: Cards) -> Iterator[Page]:
    """The first page that applies decides.

    What is true of two cards of the suit is told first, so that later pages need not speak of suits.
    """
    words = words_beside(hand)
    pages = sorted(found.items(), key=lambda item: (-(item[1] & words.both).bit_count(), -item[1].bit_count()))
    for bets, across in pages:
        yield Page(words.told(across, left) if left != across else OTHERWISE, *bets)
        left &= ~across


def _choices(hand: StartingHand, chosen: Chosen, dealt: Cards) -> Choices:
    """In as few words as can be: any of the choices may be the one for all other cards."""
    by_bet = {bet: _bits(chosen == bet) & dealt for bet in sorted(set(chosen.tolist()), reverse=True)}
    by_bet = {bet: cards for bet, cards in by_bet.items() if cards}
    return min((_with_usual(hand, by_bet, dealt, usual) for usual in by_bet), key=_length)


def _with_usual(hand: StartingHand, by_bet: Mapping[int, Cards], dealt: Cards, usual: int) -> Choices:
    words, told = words_beside(hand), []
    for bet, cards in by_bet.items():
        if bet != usual:
            told.append((choice_name(bet), words.told(cards, dealt)))
            # The first that applies decides, so that later words may speak of these cards again.
            dealt &= ~cards
    return Choices(tuple(told), choice_name(usual))


def _length(choices: Choices) -> int:
    return sum(len(cards) for _, cards in choices.with_cards)


def _bits(where: NDArray[np.bool_]) -> Cards:
    return int.from_bytes(np.packbits(where, bitorder="little").tobytes(), "little")


def third_book(
    play: Induction, hole: Sequence[Card], across: Sequence[Card], bets: tuple[Fraction | int, Fraction | int]
) -> Pages:
    """The middle bet for two cards in hand and two across, by the two cards down, after two bets in antes."""
    number = starting_hand(hole)
    types = layout(STARTING_HANDS[number])
    size = len(types.pairs)
    here = _prospects_of(play, number).reshape(size, size)[pair_of(hole, across)]
    unit = lcm(*(bet.denominator for bet in bets))
    x, y = (int(bet * unit) for bet in bets)
    _, chosen = best_ends(play.terms, prospect_sums(play.prospects, play.terms.values), [(x, y)], unit=unit)
    dealt = [(pair, int(chosen[prospect, 0])) for pair, prospect in enumerate(here) if prospect != NO_POSITION]
    return _pages(types, dealt)


def _prospects_of(play: Induction, number: int) -> NDArray[np.uint32]:
    every = positions(play.terms.grouping)
    return every.prospect[every.start[number] : every.start[number + 1]]


def _pages(types: Layout, chosen: Iterable[tuple[int, int]]) -> Pages:
    pages: dict[int, list[str]] = {}
    for pair, bet in chosen:
        pages.setdefault(bet, []).append(_name(types, pair))
    return {choice_name(bet): tuple(names) for bet, names in sorted(pages.items())}


def choice_name(bet: int) -> str:
    return f"{bet}x" if bet else FOLD


def _name(types: Layout, pair: int) -> str:
    one, two = sorted(types.pairs[pair].tolist(), key=lambda place: -int(types.rank[place]))
    return " ".join(RANKS[types.rank[place]] + ("s" if types.in_suit[place] else "") for place in (one, two))
