"""House ways by the million: the rules of `crossfelt.rulebooks.house_ways`, compiled into numbers.

A house way becomes a list of lines, one for each play, with the condition of its rule; what a word of the rules
means is asked of the rules themselves, and what five cards are worth of `crossfelt.hands`. One kernel goes
through the lines for any hand. Where no flush is possible only the ranks matter: the answers for all 68,952
sets of ranks are worked out once for each house way, and looked up.

Cards are sorted first, so that a setting is two places of seven. Sorted ranks are numbered without gaps by the
sum of C(rank + place, place + 1), places from 0. A hand of the joker and six cards follows after all others.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.cards.card import JOKER as JOKER_CARD
from crossfelt.cards.card import Card
from crossfelt.games.house_way import PATTERN_OF_SIZES
from crossfelt.games.pai_gow import SetHand
from crossfelt.hands.orders import PAI_GOW_CATEGORIES
from crossfelt.hands.pai_gow import rank_pai_gow_five
from crossfelt.hands.rank import HandRank
from crossfelt.hands.two_card import rank_two
from crossfelt.kernels.inputs import Hands, require_cards_of_deck, require_different_cards, require_shape
from crossfelt.kernels.kernel import Kernel, part_of_kernel
from crossfelt.kernels.threads import in_threads, share_count, share_of
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.house_ways import (
    GUARD,
    PATTERNS,
    BehindHands,
    HouseWay,
    Play,
    RankSpan,
    Rule,
    load_house_way,
    two_card_ladder,
)

DECK: Final = 53
JOKER: Final = 52
_ACE: Final = 12
_RANKS: Final = 13
_CARDS: Final = 7
_NATURAL: Final = comb(_RANKS - 1 + 7, 7)
_WITH_JOKER: Final = comb(_RANKS - 1 + 6, 6)
_SETTINGS: Final = comb(7, 2)
_SMALLEST_SHARE: Final = 1 << 12
_SHARES: Final = 64

# A setting is a line and six bits, in a signed number of 16.
_MOST_PLAYS: Final = (1 << 9) - 1

# Columns of the lines.
_HOLDS, _PAIR, _SECOND_PAIR, _THREE, _FOUR, _MAKES, _LEAST, _MOST, _BEHIND = range(9)
# Stands for the rank of a group that a hand does not have.
_NO_RANK: Final = 13

Numbers = NDArray[np.int64]
Table = NDArray[np.int16]


class SetHands(NamedTuple):
    """What a house way made of many hands."""

    low: NDArray[np.uint8]
    """The two cards in front of each, the higher first."""
    line: Table
    """Which play of which rule set each: a place in `lines_of`."""


def set_hands(way: str | HouseWay, hands: Hands) -> SetHands:
    """Set each row of seven different cards, 0 … 51 and 52 for the joker.

    >>> pair_of_nines_and_threes = np.array([[28, 29, 6, 7, 44, 25, 2]], dtype=np.uint8)
    >>> made = set_hands("trump_plaza", pair_of_nines_and_threes)
    >>> made.low.tolist(), lines_of("trump_plaza")[made.line[0]]
    ([[44, 25]], 'two_pair_low_and_medium')
    """
    hands = require_shape(hands, _CARDS)
    compiled = _compiled(_loaded(way))
    low, line = np.empty((len(hands), 2), dtype=np.uint8), np.empty(len(hands), dtype=np.int16)
    shares = share_count(len(hands), _SMALLEST_SHARE)

    def work(share: int) -> None:
        rows = share_of(len(hands), share, shares)
        if not _set_all(hands[rows], *compiled, low[rows], line[rows]):
            require_cards_of_deck(hands[rows], DECK, first_row=rows.start)
            require_different_cards(hands[rows], first_row=rows.start)

    in_threads(work, shares)
    return SetHands(low, line)


def lines_of(way: str | HouseWay) -> tuple[str, ...]:
    """The rule of each play of a house way, in order, and the guard last.

    >>> lines_of("foxwoods")[-3:]
    ('five_aces', 'five_aces', 'guard')
    """
    return (*(rule.id for rule, _ in _plays(_loaded(way))), GUARD)


def line_counts(way: str | HouseWay) -> Numbers:
    """How many of all 154,143,080 hands each line sets, by the pattern they hold: exact, by counting.

    >>> int(line_counts("foxwoods").sum())
    154143080
    """
    compiled = _compiled(_loaded(way))
    counts = np.zeros((len(PATTERNS), len(compiled.lines) + 1), dtype=np.int64)
    for joker in (0, 1):
        _count(joker, *compiled, counts)
    return counts


def rule_counts(way: str | HouseWay) -> dict[str, int]:
    """How many of all 154,143,080 hands each rule sets, and the guard.

    >>> rule_counts("trump_plaza")["five_aces"]
    1128
    """
    counts = dict.fromkeys(lines_of(way), 0)
    for rule, count in zip(lines_of(way), line_counts(way).sum(axis=0).tolist(), strict=True):
        counts[rule] += count
    return counts


def guard_counts(way: str | HouseWay) -> dict[str, int]:
    """How many of all 154,143,080 hands no rule sets, by the pattern they hold.

    >>> sum(guard_counts("trump_plaza").values())
    0
    """
    return dict(zip(PATTERNS, line_counts(way)[:, -1].tolist(), strict=True))


def visited(way: str | HouseWay) -> tuple[Numbers, int]:
    """How many of all 154,143,080 hands each line sets, and how many of them foul, by setting every one."""
    compiled = _compiled(_loaded(way))
    starts = np.array(list(combinations(range(DECK), 2)), dtype=np.int64)

    def work(share: int) -> Numbers:
        counts = np.zeros(len(compiled.lines) + 2, dtype=np.int64)
        _visit(np.ascontiguousarray(starts[share::_SHARES]), *compiled, counts)
        return counts

    total = np.sum(in_threads(work, _SHARES), axis=0)
    return total[:-1], int(total[-1])


# --- compiling a house way ------------------------------------------------------------------------------------


class _Compiled(NamedTuple):
    lines: Numbers
    patterns: Numbers
    """The place of a pattern in `PATTERNS`, by the number of groups of two, three, four and five."""
    steps: Numbers
    """What a card adds to the number of the sorted cards it is among, by its place."""
    lows: Numbers
    """The place of a two-card hand among all of them, by its two ranks."""
    worths: Table
    """What five cards are worth, by their number: not of one suit, and of one suit."""
    by_ranks: Table
    """How seven cards without a flush are set, by their number."""


def _loaded(way: str | HouseWay) -> HouseWay:
    return load_house_way(way) if isinstance(way, str) else way


def _plays(way: HouseWay) -> list[tuple[Rule, Play]]:
    return [(rule, play) for rule in way.rules for play in rule.plays]


@lru_cache(maxsize=32)
def _compiled(way: HouseWay) -> _Compiled:
    if len(_plays(way)) > _MOST_PLAYS:
        what, allowed = "too many plays", f"at most {_MOST_PLAYS}"
        raise BadInput(Problem(code="house_way.plays", what=what, value=len(_plays(way)), allowed=allowed))
    lines = np.array([_line(rule, play) for rule, play in _plays(way)], dtype=np.int64)
    by_ranks = np.zeros(_NATURAL + _WITH_JOKER, dtype=np.int16)
    compiled = _Compiled(lines, _pattern_places(), _steps(), _low_places(), _worths(), by_ranks)
    for joker in (0, 1):
        _tabulate(joker, *compiled)
    return compiled


def _line(rule: Rule, play: Play) -> tuple[int, ...]:
    fitting = [place for place, low in enumerate(two_card_ladder()) if play.front.allows(low)]
    when = rule.when
    return (
        _bits(PATTERNS.index(pattern) for pattern in when.holds),
        *(_ranks_of(span) for span in (when.pair, when.second_pair, when.three, when.four)),
        _categories_of(when.makes),
        fitting[0],
        fitting[-1],
        _categories_of(play.behind),
    )


def _ranks_of(span: RankSpan | None) -> int:
    return _bits(rank for rank in range(_NO_RANK + 1) if span is None or (rank < _NO_RANK and span.allows(rank)))


def _categories_of(wanted: tuple[BehindHands, ...]) -> int:
    categories = enumerate(PAI_GOW_CATEGORIES)
    return _bits(level for level, name in categories if not wanted or any(word.allows(name) for word in wanted))


def _bits(places: Iterable[int]) -> int:
    return sum(1 << place for place in places)


@cache
def _pattern_places() -> Numbers:
    places = np.zeros(1 << 8, dtype=np.int64)
    for sizes, pattern in PATTERN_OF_SIZES.items():
        places[sum(1 << 2 * (size - 2) for size in sizes if size > 1)] = PATTERNS.index(pattern)
    return places


@cache
def _steps() -> Numbers:
    steps = np.zeros((_CARDS, DECK), dtype=np.int64)
    for place in range(_CARDS):
        steps[place, :JOKER] = [comb(card // 4 + place, place + 1) for card in range(JOKER)]
        # The joker is the last card of five or seven, and no card of the others has such a number.
        steps[place, JOKER] = comb(_RANKS + place, place + 1)
    return steps


@cache
def _low_places() -> Numbers:
    place_of = {low: place for place, low in enumerate(two_card_ladder())}
    places = np.zeros((_RANKS, _RANKS), dtype=np.int64)
    for one in range(_RANKS):
        for other in range(_RANKS):
            places[one, other] = place_of[rank_two((Card(4 * one), Card(4 * other + 1)))]
    return places


@cache
def _worths() -> Table:
    """A category, and the highest low hand that is no foul before it, of whatever five cards can be."""
    steps = _steps()
    table = np.zeros((2, comb(_RANKS + 4, 5) + comb(_RANKS + 3, 4)), dtype=np.int16)
    for joker in ((), (JOKER_CARD,)):
        for ranks in combinations_with_replacement(range(_RANKS), 5 - len(joker)):
            # Equal ranks stand side by side and are at most four, so these suits never give one card twice.
            mixed = [Card(4 * rank + place % 4) for place, rank in enumerate(ranks)]
            suited = [Card(4 * rank) for rank in ranks]
            for one_suit, cards in enumerate((mixed, suited)):
                if len(set(cards)) == len(ranks):
                    number = sum(steps[place, card] for place, card in enumerate((*cards, *joker)))
                    table[one_suit, number] = _worth(rank_pai_gow_five((*cards, *joker)))
    return table


def _worth(high: HandRank) -> int:
    fouls = bisect_left(two_card_ladder(), True, key=lambda low: SetHand(high=high, low=low).foul)
    return high.level << 8 | fouls - 1


# --- the kernel -----------------------------------------------------------------------------------------------


@part_of_kernel
def _behind(cards: Numbers, lower: int, higher: int, steps: Numbers, worths: Table) -> int:
    """What five of seven sorted cards are worth that stay behind, by the places of the two others."""
    number, suits, place = 0, 0, 0
    for index in range(_CARDS):
        if index != lower and index != higher:
            card = cards[index]
            number += steps[place, card]
            suits |= 0 if card == JOKER else 1 << (card & 3)
            place += 1
    worth: int = worths[1 if suits & suits - 1 == 0 else 0, number]
    return worth


@part_of_kernel
def _weigh(cards: Numbers, steps: Numbers, lows: Numbers, worths: Table, scratch: Numbers) -> int:
    """Put down what each setting of sorted cards is worth, less than nothing for a foul; what they can make.

    A worth is one number for "the highest front, then the highest hand behind". The settings are in such an
    order that the first of equals is the one to prefer: the joker and the higher suits stay behind.
    """
    makes, setting = 0, 0
    for higher in range(1, _CARDS):
        for lower in range(higher):
            worth = _behind(cards, lower, higher, steps, worths)
            low = lows[min(cards[lower] >> 2, _ACE), min(cards[higher] >> 2, _ACE)]
            lawful = low <= worth & 0xFF
            scratch[setting] = low << 8 | worth >> 8 if lawful else -1
            makes |= 1 << (worth >> 8) if lawful else 0
            setting += 1
    return makes


@part_of_kernel
def _groups(cards: Numbers, patterns: Numbers) -> tuple[int, int, int, int, int]:
    """The pattern of sorted cards, and the ranks of the higher pair, the lower pair, the three and the four."""
    code, pair, second_pair, three, four = 0, _NO_RANK, _NO_RANK, _NO_RANK, _NO_RANK
    start = 0
    for index in range(1, _CARDS + 1):
        rank = min(cards[start] >> 2, _ACE)
        if index < _CARDS and min(cards[index] >> 2, _ACE) == rank:
            continue
        size, start = index - start, index
        if size < 2:
            continue
        code += 1 << 2 * (size - 2)
        if size == 2:
            # From the lowest rank up: of three pairs the two highest are left.
            pair, second_pair = rank, pair
        elif size == 3:
            three = rank
        elif size == 4:
            four = rank
    return patterns[code], pair, second_pair, three, four


@part_of_kernel
def _decide(
    cards: Numbers,
    lines: Numbers,
    patterns: Numbers,
    steps: Numbers,
    lows: Numbers,
    worths: Table,
    scratch: Numbers,
) -> int:
    """How sorted cards are set: the line that does it, and the two places that go in front, in three bits each."""
    makes = _weigh(cards, steps, lows, worths, scratch)
    pattern, pair, second_pair, three, four = _groups(cards, patterns)
    for line in range(lines.shape[0]):
        if not lines[line, _HOLDS] >> pattern & lines[line, _PAIR] >> pair & 1:
            continue
        if not lines[line, _SECOND_PAIR] >> second_pair & lines[line, _THREE] >> three & 1:
            continue
        if not lines[line, _FOUR] >> four & 1 or not lines[line, _MAKES] & makes:
            continue
        places = _best(scratch, lines[line, _LEAST], lines[line, _MOST], lines[line, _BEHIND])
        if places >= 0:
            return line << 6 | places
    return len(lines) << 6 | _best(scratch, 0, 0xFF, -1)


@part_of_kernel
def _best(scratch: Numbers, least: int, most: int, behind: int) -> int:
    """The places in front of the best setting of those that will do; less than nothing if none will."""
    best, places, setting = -1, -1, 0
    for higher in range(1, _CARDS):
        for lower in range(higher):
            worth = scratch[setting]
            setting += 1
            if worth > best and least <= worth >> 8 <= most and behind >> (worth & 0xFF) & 1:
                best, places = worth, higher << 3 | lower
    return places


@part_of_kernel
def _may_flush(cards: Numbers) -> bool:
    """Whether so many of seven sorted cards are of one suit that five can be a flush."""
    suits = 0
    for place in range(_CARDS - 1):
        suits += 1 << ((cards[place] & 3) << 2)
    last = cards[_CARDS - 1]
    # Four of a suit are enough with the joker, else five: these, and no less, become 8 or more.
    suits += 0x4444 if last == JOKER else 0x3333 + (1 << ((last & 3) << 2))
    return suits & 0x8888 != 0


@part_of_kernel
def _number(cards: Numbers, steps: Numbers) -> int:
    """The number of seven sorted cards, by their ranks."""
    number: int = 0
    for place in range(_CARDS):
        number += steps[place, cards[place]]
    return number


@Kernel
def _set_all(
    hands: Hands,
    lines: Numbers,
    patterns: Numbers,
    steps: Numbers,
    lows: Numbers,
    worths: Table,
    by_ranks: Table,
    front: Hands,
    line: Table,
) -> bool:
    """Fill in `front` and `line`; false if a card is none of the deck or comes twice."""
    cards, scratch = np.empty(_CARDS, dtype=np.int64), np.empty(_SETTINGS, dtype=np.int64)
    for row in range(hands.shape[0]):
        if not _sort(hands, row, cards):
            return False
        if _may_flush(cards):
            made = _decide(cards, lines, patterns, steps, lows, worths, scratch)
        else:
            made = by_ranks[_number(cards, steps)]
        front[row, 0], front[row, 1] = cards[made >> 3 & 7], cards[made & 7]
        line[row] = made >> 6
    return True


@part_of_kernel
def _sort(hands: Hands, row: int, cards: Numbers) -> bool:
    """Put down the cards of a hand, lowest first; false if it is no hand."""
    a, b, c, d = hands[row, 0], hands[row, 1], hands[row, 2], hands[row, 3]
    e, f, g = hands[row, 4], hands[row, 5], hands[row, 6]
    # The shortest network for seven: it has no branch to guess wrong.
    a, g = min(a, g), max(a, g)
    c, d = min(c, d), max(c, d)
    e, f = min(e, f), max(e, f)
    a, c = min(a, c), max(a, c)
    b, e = min(b, e), max(b, e)
    d, g = min(d, g), max(d, g)
    a, b = min(a, b), max(a, b)
    c, f = min(c, f), max(c, f)
    d, e = min(d, e), max(d, e)
    b, c = min(b, c), max(b, c)
    e, g = min(e, g), max(e, g)
    c, d = min(c, d), max(c, d)
    e, f = min(e, f), max(e, f)
    b, c = min(b, c), max(b, c)
    d, e = min(d, e), max(d, e)
    f, g = min(f, g), max(f, g)
    cards[0], cards[1], cards[2], cards[3], cards[4], cards[5], cards[6] = a, b, c, d, e, f, g
    return bool((a < b) & (b < c) & (c < d) & (d < e) & (e < f) & (f < g) & (g < DECK))


# --- all hands ------------------------------------------------------------------------------------------------


@part_of_kernel
def _advance(ranks: Numbers) -> bool:
    """Go on to the next ranks that never fall; false after the last."""
    place = ranks.size - 1
    while place >= 0 and ranks[place] == _RANKS - 1:
        place -= 1
    if place < 0:
        return False
    ranks[place:] = ranks[place] + 1
    return True


@part_of_kernel
def _without_flush(ranks: Numbers, cards: Numbers) -> int:
    """Put down cards of these ranks, no three of one suit; the number of hands of these ranks in any suits."""
    of_four = (1, 4, 6, 4, 1)
    hands, copies = 1, 0
    cards[_CARDS - 1] = JOKER
    for place in range(ranks.size):
        cards[place] = 4 * ranks[place] + place % 4
        copies += 1
        if place + 1 == ranks.size or ranks[place + 1] != ranks[place]:
            hands *= of_four[copies] if copies <= 4 else 0
            copies = 0
    return hands


@Kernel
def _tabulate(
    joker: int,
    lines: Numbers,
    patterns: Numbers,
    steps: Numbers,
    lows: Numbers,
    worths: Table,
    by_ranks: Table,
) -> None:
    """Fill in `by_ranks` for the hands with the joker (1), or without it (0)."""
    cards, scratch = np.empty(_CARDS, dtype=np.int64), np.empty(_SETTINGS, dtype=np.int64)
    ranks = np.zeros(_CARDS - joker, dtype=np.int64)
    more = True
    while more:
        if _without_flush(ranks, cards):
            made = _decide(cards, lines, patterns, steps, lows, worths, scratch)
            by_ranks[_number(cards, steps)] = made
        more = _advance(ranks)


@Kernel
def _count(
    joker: int,
    lines: Numbers,
    patterns: Numbers,
    steps: Numbers,
    lows: Numbers,
    worths: Table,
    by_ranks: Table,
    counts: Numbers,
) -> None:
    """Add all hands with the joker (1), or all without it (0): their ranks, and those that one suit may have."""
    cards, scratch = np.empty(_CARDS, dtype=np.int64), np.empty(_SETTINGS, dtype=np.int64)
    ranks = np.zeros(_CARDS - joker, dtype=np.int64)
    more = True
    while more:
        hands = _without_flush(ranks, cards)
        if hands:
            pattern = _groups(cards, patterns)[0]
            unsuited = by_ranks[_number(cards, steps)]
            for subset in range(1 << ranks.size):
                ways = _suited(subset, ranks, joker, cards)
                if ways:
                    made = _decide(cards, lines, patterns, steps, lows, worths, scratch)
                    counts[pattern, made >> 6] += ways
                    hands -= ways
            counts[pattern, unsuited >> 6] += hands
        more = _advance(ranks)


@part_of_kernel
def _suited(subset: int, ranks: Numbers, joker: int, cards: Numbers) -> int:
    """Put down cards of these ranks, spades at the places of `subset`; how many hands have them in one suit.

    None, if they would be no flush; or if of equal ranks not the last would be the spade, or two of them.
    """
    of_three = (1, 3, 3, 1, 0)
    ways, spades, copies = 4, 0, 0
    for place in range(ranks.size):
        spade = subset >> place & 1
        last = place + 1 == ranks.size or ranks[place + 1] != ranks[place]
        if spade and not last:
            return 0
        cards[place] = 4 * ranks[place] + (3 if spade else copies)
        spades += spade
        copies += 1 - spade
        if last:
            ways *= of_three[copies]
            copies = 0
    return ways if spades >= 5 - joker else 0


@Kernel
def _visit(
    starts: Numbers,
    lines: Numbers,
    patterns: Numbers,
    steps: Numbers,
    lows: Numbers,
    worths: Table,
    by_ranks: Table,
    counts: Numbers,
) -> None:
    """Add all hands whose first two cards are among `starts`, by line; the last number is that of the fouls."""
    cards, scratch = np.empty(_CARDS, dtype=np.int64), np.empty(_SETTINGS, dtype=np.int64)
    for start in range(starts.shape[0]):
        cards[0], cards[1] = starts[start, 0], starts[start, 1]
        cards[2:] = cards[1] + np.arange(1, _CARDS - 1)
        while cards[_CARDS - 1] < DECK:
            if _may_flush(cards):
                made = _decide(cards, lines, patterns, steps, lows, worths, scratch)
            else:
                made = by_ranks[_number(cards, steps)]
            counts[made >> 6] += 1
            counts[counts.size - 1] += _is_foul(cards, made >> 3 & 7, made & 7, steps, lows, worths)
            _next_cards(cards)


@part_of_kernel
def _is_foul(cards: Numbers, higher: int, lower: int, steps: Numbers, lows: Numbers, worths: Table) -> bool:
    """Whether two of seven sorted cards rank above the five others."""
    low: int = lows[min(cards[lower] >> 2, _ACE), min(cards[higher] >> 2, _ACE)]
    return low > _behind(cards, lower, higher, steps, worths) & 0xFF


@part_of_kernel
def _next_cards(cards: Numbers) -> None:
    """Go on to the next five of the last cards; beyond the deck after the last."""
    place = _CARDS - 1
    while place > 2 and cards[place] == DECK - _CARDS + place:
        place -= 1
    cards[place] += 1
    for above in range(place + 1, _CARDS):
        cards[above] = cards[above - 1] + 1
