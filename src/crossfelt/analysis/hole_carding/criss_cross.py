"""Gain of Criss Cross Poker players who share their hands, which Maryland forbids (11A(4)).

Hands are drawn at random. For each seat the game is solved exactly for the remaining cards, once with best play and
once with the strategy of a player who knows only the own cards. The gain is the mean difference.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from itertools import combinations
from math import comb, sqrt
from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.estimates import Estimate, around
from crossfelt.analysis.families import family_of
from crossfelt.analysis.solution import RulesIdentity
from crossfelt.analysis.solver.criss_cross.induction import Induction, induce
from crossfelt.analysis.solver.criss_cross.payoffs import CrissCrossPayoffs, terms_of
from crossfelt.cards.card import Card
from crossfelt.errors import BadInput, Problem
from crossfelt.hands.starting_hands import STARTING_HANDS, starting_hand
from crossfelt.kernels.array_checks import Hands
from crossfelt.kernels.criss_cross.continuations import layout, line_groups, positions
from crossfelt.kernels.criss_cross.known_cards import Payments, StrategyTables, values
from crossfelt.kernels.random_deals import deals
from crossfelt.kernels.threads import in_threads
from crossfelt.rulebooks.game import Game

DECK: Final = 52
CONFIDENCE: Final = 0.95
AT_A_TIME: Final = 16
ROUNDS: Final = 200
Places = NDArray[np.intp]


class SharedHands(msgspec.Struct, frozen=True, kw_only=True):
    """The gain of each player in a round, in antes."""

    rules: RulesIdentity
    players: int
    deals: int
    seed: str
    gain: Estimate
    value: Estimate
    """Value of a round to each player, in antes: the gain added to the exact value without it."""
    unit: str = "one ante"
    method: str = "exact for each of the drawn hands"


def share_hands(
    game: Game,
    *,
    players: int = 6,
    rounds: int = ROUNDS,
    seed: str = "0",
    advance: Callable[[int], None] = lambda done: None,
) -> SharedHands:
    """Estimate the gain of `players` who know each other's hole cards before they decide."""
    if family_of(game) != "criss_cross":
        what = "only Criss Cross Poker supports shared hands"
        raise BadInput(Problem(code="shared.game", what=what, value=family_of(game), allowed="criss_cross"))
    seats = game.book.table.seats
    if not 1 <= players <= seats:
        what = "no such number of players"
        raise BadInput(Problem(code="shared.players", what=what, value=players, allowed=f"1 … {seats}"))
    terms = terms_of(game)
    play = induce(terms)
    hands = deals(f"{game.hash}/shared/{seed}", rounds, 2 * players, DECK).reshape(-1, players, 2)
    gain_sum = gain_squares = Fraction(0)
    for start in range(0, rounds, AT_A_TIME):
        part = hands[start : start + AT_A_TIME]
        for gain in in_threads(partial(_gain, play, part), len(part)):
            gain_sum, gain_squares = gain_sum + gain, gain_squares + gain * gain
        advance(len(part))
    mean = gain_sum / rounds
    error = sqrt((gain_squares - gain_sum * mean) / max(1, rounds - 1) / rounds)
    alone = Fraction(play.total, terms.scale * terms.deals.all)
    return SharedHands(
        rules=RulesIdentity.of(game),
        players=players,
        deals=rounds,
        seed=seed,
        gain=around(float(mean), error, CONFIDENCE),
        value=around(float(alone + mean), error, CONFIDENCE),
    )


def _gain(play: Induction, dealt: NDArray[np.uint8], row: int) -> Fraction:
    """Return the average gain of the players of one round."""
    hands = dealt[row]
    held = {int(card) for hand in hands for card in hand}
    left = [card for card in range(DECK) if card not in held]
    found = [hand_values(play, tuple(int(card) for card in hand), left) for hand in hands]
    return sum((best - alone for best, alone in found), Fraction(0)) / len(found)


def hand_values(play: Induction, hole: tuple[int, ...], left: list[int]) -> tuple[Fraction, Fraction]:
    """Return the value of a starting hand with these cards left, in antes: with best play, and with basic strategy."""
    terms = play.terms
    number = starting_hand((Card(hole[0]), Card(hole[1])))
    hand = STARTING_HANDS[number]
    cards = np.array(left, dtype=np.int64)
    pairs = np.array(list(combinations(range(len(left)), 2)), dtype=np.int64)
    one, two = cards[pairs[:, 0], None], cards[pairs[:, 1], None]
    suit = hole[0] & 3
    flush = hand.suited & (one & 3 == suit) & (two & 3 == suit) & (cards & 3 == suit)
    groups = line_groups(terms.grouping)[flush.astype(np.int64), hand.high, hand.low, one >> 2, two >> 2, cards >> 2]
    types = len(layout(hand).pairs)
    beside = pairs_beside(np.tile(np.array(hole, dtype=np.uint8), (len(pairs), 1)), cards[pairs].astype(np.uint8))
    rows = slice(play.prospects.row_start[number], play.prospects.row_start[number + 1])
    where = positions(terms.grouping)
    prospect = where.prospect[where.start[number] : where.start[number + 1]]
    # Cards that cannot be dealt are never looked up.
    third = play.third[np.minimum(prospect, len(play.third) - 1)].reshape(types, types, -1)
    alone = StrategyTables(int(play.first[number]), play.second[rows], third, beside)
    total = comb(len(left), 2) * comb(len(left) - 2, 2) * (len(left) - 4) * terms.scale
    best, by_the_book = values(pairs, groups, _payments(terms), np.array(terms.stakes), terms.scale, alone)
    return Fraction(best, total), Fraction(by_the_book, total)


def _payments(terms: CrissCrossPayoffs) -> Payments:
    size = terms.groups
    antes, (across, down, middle) = terms.antes.reshape(size, size), (bet.reshape(size, size) for bet in terms.bets)
    # Each ante and each outer bet depends on its own line only.
    assert (antes == antes[:, :1] + antes[:1] - antes[0, 0]).all()
    assert (across == across[:, :1]).all()
    assert (down == down[:1]).all()
    first, second = antes[:, 0].copy(), antes[0] - antes[0, 0]
    return Payments(first, second, across[:, 0].copy(), down[0].copy(), middle.reshape(-1).copy())


def pairs_beside(hole: Hands, cards: Hands) -> Places:
    """Return the pair of types of two cards beside two hole cards, by round."""
    numbers = _numbers()
    hand = numbers.hand[hole[:, 0], hole[:, 1]]
    same_suit = ((cards ^ hole[:, :1]) & 3 == 0).astype(np.intp)
    types = numbers.type[hand[:, None], same_suit, cards >> 2]
    pair: Places = numbers.pair[numbers.suited.take(hand), types[:, 0], types[:, 1]]
    return pair


class _Numbers(NamedTuple):
    """The solver's numbering of cards, as arrays."""

    hand: Places
    """Starting hand of two cards."""
    suited: Places
    pairs: Places
    """Number of pairs of types beside each starting hand."""
    type: Places
    """Type of a card, by starting hand, suit of the first card (or another) and rank."""
    pair: Places
    """Number of a pair of types, by suitedness of the starting hand."""


@cache
def _numbers() -> _Numbers:
    hand = np.zeros((DECK, DECK), dtype=np.intp)
    for one in range(DECK):
        for two in range(DECK):
            if one != two:
                hand[one, two] = starting_hand((Card(one), Card(two)))
    layouts = [layout(starting) for starting in STARTING_HANDS]
    most_types = max(len(types.rank) for types in layouts)
    type_ = np.zeros((len(layouts), 2, len(layouts[0].rank)), dtype=np.intp)
    pair = np.zeros((2, most_types, most_types), dtype=np.intp)
    for place, (starting, types) in enumerate(zip(STARTING_HANDS, layouts, strict=True)):
        for number, (rank, in_suit) in enumerate(zip(types.rank, types.in_suit, strict=True)):
            type_[place, int(in_suit), rank] = number
            if not starting.suited:
                type_[place, 1, rank] = number
        one, two = types.pairs.T
        pair[int(starting.suited), one, two] = pair[int(starting.suited), two, one] = np.arange(len(types.pairs))
    return _Numbers(
        hand=hand,
        suited=np.array([int(starting.suited) for starting in STARTING_HANDS]),
        pairs=np.array([len(types.pairs) for types in layouts]),
        type=type_,
        pair=pair,
    )
