"""Strategy book of Criss Cross Poker, with sets of two cards in short notation: ``any A K, QQ-66, J-T9``.

``any K`` is a king with any other card, ``QQ-66`` are pairs, ``J-T9`` is a jack with a ten or a nine. If the hole cards
are suited, ``Ks`` is the king of that suit and ``Ko`` one of another; ``K`` is either, and ``both s`` are two cards of
the suit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solver.criss_cross.advice import pair_of
from crossfelt.analysis.solver.criss_cross.induction import FOLD, Chosen, Induction, best_ends
from crossfelt.cards.card import RANKS, Card
from crossfelt.hands.starting_hands import STARTING_HANDS, StartingHand, starting_hand
from crossfelt.kernels.criss_cross.continuations import NO_POSITION, CardTypes, layout, positions
from crossfelt.kernels.criss_cross.induction import prospect_sums

BOTH: Final = "both s"
NameT = TypeVar("NameT", str, tuple[str, str])
Cards = int
"""A set of pairs of types, numbered as in `layout`: one bit for each."""


class Words(NamedTuple):
    """The terms of the notation beside a starting hand, with their sets of cards."""

    any_with: dict[str, Cards]
    pairs: dict[str, Cards]
    """Pairs by rank, from the ace down."""
    both: Cards
    two: dict[tuple[str, str], Cards]
    """Sets by two cards, the higher first; terms for any suit come before terms for one suit."""

    def told(self, chosen: Cards, dealt: Cards) -> str:
        """Describe the chosen cards, of those that can be dealt.

        >>> from crossfelt.hands.starting_hands import STARTING_HANDS
        >>> words = words_beside(STARTING_HANDS[13])
        >>> words.told(words.any_with["A"] | words.pairs["6"] | words.two["Q", "J"], (1 << 91) - 1)
        'any A, 66, Q-J'
        """
        left, parts = chosen, list[str]()
        others = dealt & ~chosen
        any_with = []
        for name, cards in self.any_with.items():
            if cards & left and not cards & others:
                any_with.append(name)
                left &= ~cards
        if any_with:
            parts.append(f"any {' '.join(any_with)}")
        for first, last in self._ranges(left, others):
            parts.append(first * 2 if first == last else f"{first * 2}-{last * 2}")
            left &= ~self._between(first, last)
        if self.both & left and not self.both & others:
            parts.append(BOTH)
            left &= ~self.both
        with_first = defaultdict[str, str](str)
        for (one, other), cards in self.two.items():
            if cards & left and not cards & others:
                with_first[one] += other
                left &= ~cards
        assert not left
        return ", ".join([*parts, *(f"{one}-{others}" for one, others in with_first.items())])

    def _ranges(self, left: Cards, others: Cards) -> Iterator[tuple[str, str]]:
        """Describe pairs as ranges of neighbours, from the highest to the lowest."""
        first = last = ""
        for rank, cards in self.pairs.items():
            if cards & others:
                if first:
                    yield first, last
                first = ""
            elif cards & left:
                first, last = first or rank, rank
        if first:
            yield first, last

    def _between(self, first: str, last: str) -> Cards:
        ranks = list(self.pairs)
        return sum(self.pairs[rank] for rank in ranks[ranks.index(first) : ranks.index(last) + 1])


@lru_cache(maxsize=256)
def words_beside(hand: StartingHand) -> Words:
    """Return the terms of the notation beside a starting hand."""
    types = layout(hand)
    any_with, two = defaultdict[str, Cards](int), defaultdict[tuple[str, str], Cards](int)
    pairs, both = dict.fromkeys(reversed(RANKS), 0), 0
    for place, pair in enumerate(types.pairs.tolist()):
        bit = 1 << place
        high, low = sorted(pair, key=lambda card: -int(types.rank[card]))
        ranks = RANKS[types.rank[high]], RANKS[types.rank[low]]
        told = [ranks]
        if hand.suited:
            inside = bool(types.in_suit[high]), bool(types.in_suit[low])
            both |= bit * all(inside)
            told.append((ranks[0] + "os"[inside[0]], ranks[1] + "os"[inside[1]]))
        for name in {name for names in told for name in names}:
            any_with[name] |= bit
        if ranks[0] == ranks[1]:
            pairs[ranks[0]] |= bit
            told.remove(ranks)
        for names in told:
            two[names] |= bit
    return Words(_words_in_order(any_with), pairs, both, _words_in_order(two))


def _words_in_order(found: dict[NameT, Cards]) -> dict[NameT, Cards]:
    """Sort ranks before suited cards, both from the ace down."""

    def place(name: NameT) -> tuple[int, list[tuple[int, str]]]:
        cards = (name,) if isinstance(name, str) else name
        return len(cards[0]), [(-RANKS.index(card[0]), card) for card in cards]

    return {name: found[name] for name in sorted(found, key=place)}


# --- the book ---

Pages = dict[str, tuple[str, ...]]
"""Two cards by choice, the higher first: ``Q 7``; ``Qs`` is of the suit of both hole cards."""


OTHERWISE: Final = "otherwise"


class Choices(NamedTuple):
    """Choices with their cards in the notation of the book; the first that applies decides."""

    with_cards: tuple[tuple[str, str], ...]
    otherwise: str


class BookPage(NamedTuple):
    """Cards across with the same bets."""

    across: str
    """Cards in the same notation; `OTHERWISE` for all cards that no earlier page names and that are not folded."""
    down_bet: str
    middle_bet: Choices
    """Middle bet by the cards down."""


class HandBook(NamedTuple):
    """Best play with a starting hand."""

    hand: str
    across_bet: str
    down_bet: Choices
    """Down bet by the cards across."""
    pages: tuple[BookPage, ...]
    """Pages of the middle bet; empty if it was not requested."""


def book(play: Induction, hands: Iterable[StartingHand] = STARTING_HANDS, *, middle: bool) -> Iterator[HandBook]:
    """Yield best play with each starting hand that is not folded; with `middle`, including the last bet."""
    for hand in hands:
        number = STARTING_HANDS.index(hand)
        bet = int(play.first[number])
        if bet:
            down = _down_bets(play, number, bet)
            choices = _choices(hand, down, (1 << len(down)) - 1)
            pages = _middle_pages(play, number, bet, down) if middle else ()
            yield HandBook(hand.name, choice_name(bet), choices, tuple(pages))


def _down_bets(play: Induction, number: int, across_bet: int) -> Chosen:
    """Return the down bet by the pair across."""
    rows = slice(play.prospects.row_start[number], play.prospects.row_start[number + 1])
    return play.second[rows, play.terms.stakes[0].index(across_bet)]


def _middle_pages(play: Induction, number: int, across_bet: int, down: Chosen) -> Iterator[BookPage]:
    """Group cards across with the same down bet and the same description of the middle bet."""
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


def _in_order(hand: StartingHand, found: Mapping[tuple[str, Choices], Cards], left: Cards) -> Iterator[BookPage]:
    """Order the pages, of which the first that applies decides.

    Pages of suited cards come first, so that later pages need not name suits.
    """
    words = words_beside(hand)
    pages = sorted(found.items(), key=lambda item: (-(item[1] & words.both).bit_count(), -item[1].bit_count()))
    for bets, across in pages:
        yield BookPage(words.told(across, left) if left != across else OTHERWISE, *bets)
        left &= ~across


def _choices(hand: StartingHand, chosen: Chosen, dealt: Cards) -> Choices:
    """Describe choices in the fewest words: any of the choices may be the default."""
    by_bet = {bet: _bits(chosen == bet) & dealt for bet in sorted(set(chosen.tolist()), reverse=True)}
    by_bet = {bet: cards for bet, cards in by_bet.items() if cards}
    return min((_with_usual(hand, by_bet, dealt, usual) for usual in by_bet), key=_length)


def _with_usual(hand: StartingHand, by_bet: Mapping[int, Cards], dealt: Cards, usual: int) -> Choices:
    words, told = words_beside(hand), []
    for bet, cards in by_bet.items():
        if bet != usual:
            told.append((choice_name(bet), words.told(cards, dealt)))
            # The first term that applies decides, so later terms may include these cards again.
            dealt &= ~cards
    return Choices(tuple(told), choice_name(usual))


def _length(choices: Choices) -> int:
    return sum(len(cards) for _, cards in choices.with_cards)


def _bits(where: NDArray[np.bool_]) -> Cards:
    return int.from_bytes(np.packbits(where, bitorder="little").tobytes(), "little")


def third_book(
    play: Induction, hole: Sequence[Card], across: Sequence[Card], bets: tuple[Fraction | int, Fraction | int]
) -> Pages:
    """Return the middle bet for two hole cards and two across, by the two cards down, after two bets in antes."""
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


def _pages(types: CardTypes, chosen: Iterable[tuple[int, int]]) -> Pages:
    pages: dict[int, list[str]] = {}
    for pair, bet in chosen:
        pages.setdefault(bet, []).append(_name(types, pair))
    return {choice_name(bet): tuple(names) for bet, names in sorted(pages.items())}


def choice_name(bet: int) -> str:
    return f"{bet}x" if bet else FOLD


def _name(types: CardTypes, pair: int) -> str:
    one, two = sorted(types.pairs[pair].tolist(), key=lambda place: -int(types.rank[place]))
    return " ".join(RANKS[types.rank[place]] + ("s" if types.in_suit[place] else "") for place in (one, two))
