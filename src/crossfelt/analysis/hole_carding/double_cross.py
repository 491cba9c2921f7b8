"""Value of a flashed card at Double Cross Poker, estimated with a confidence interval.

Positions are drawn from a seed. In each position every card that could be flashed is enumerated exactly. A useless card
is worth nothing, never less.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from statistics import fmean, stdev
from typing import Final

import numpy as np

from crossfelt.analysis.advice import FLASHED
from crossfelt.analysis.estimates import Estimate, around
from crossfelt.analysis.solver.double_cross.payoffs import DoubleCrossPayoffs, terms_of
from crossfelt.cards.card import Card
from crossfelt.errors import BadInput, Problem
from crossfelt.kernels.double_cross.position import outcomes_by_flashed
from crossfelt.rulebooks.game import Game

CONFIDENCE: Final = 0.95
Position = dict[str, tuple[Card, ...]]


def values_in_position(terms: DoubleCrossPayoffs, position: Position) -> dict[str, Fraction]:
    """Return the value of knowing the card in each place in one position, in antes.

    >>> from crossfelt.cards import parse_cards
    >>> from crossfelt.rulebooks.game import compile_game
    >>> terms = terms_of(compile_game("nj-double-cross"), ranks=tuple(range(8, 13)))
    >>> seen = {"hole": parse_cards("As Kd"), "top": parse_cards("Ts"), "right": parse_cards("Jd")}
    >>> {place: str(worth) for place, worth in values_in_position(terms, seen).items()}
    {'centre': '1137/5824', 'bottom': '209/4160', 'left': '499/29120', 'dealer': '0'}
    """
    seen = {card for cards in position.values() for card in cards}
    unseen = [card for card in range(52) if card >> 2 in terms.ranks and Card(card) not in seen]
    counts = outcomes_by_flashed(
        np.array(position["hole"], dtype=np.uint8),
        int(position["top"][0]),
        int(position["right"][0]),
        np.array(unseen, dtype=np.uint8),
        np.frombuffer(terms.line_of, dtype=np.uint8),
        len(terms.hands),
    )
    # By place, card and line; all deals are equally likely, so sums over deals are comparable.
    values = counts @ np.array([*terms.won, 0, terms.lost], dtype=np.int64)
    deals = counts[:, 0, 0].sum(axis=-1)
    worths = {}
    for place, by_card, each in zip(FLASHED, values, deals.tolist(), strict=True):
        fold = terms.folded * each
        known = int(np.maximum(by_card.max(axis=1), fold).sum())
        unknown = max(*(int(total) for total in by_card.sum(axis=0)), fold * len(unseen))
        worths[place] = Fraction(known - unknown, each * len(unseen) * terms.scale)
    return worths


def flashed_card_values(
    game: Game,
    *,
    positions: int,
    seed: str = "0",
    advance: Callable[[int], None] = lambda done: None,
) -> dict[str, Estimate]:
    """Estimate the value of knowing the card in each place, in antes per round, over positions drawn from a seed."""
    if positions < 2:
        raise BadInput(
            Problem(code="flashed.positions", where="positions", what="too few", value=positions, allowed="2 …")
        )
    terms, chance = terms_of(game), random.Random(seed)
    found: dict[str, list[float]] = {place: [] for place in FLASHED}
    for _ in range(positions):
        first, second, top, right = (Card(card) for card in chance.sample(range(52), 4))
        for place, worth in values_in_position(
            terms, {"hole": (first, second), "top": (top,), "right": (right,)}
        ).items():
            found[place].append(float(worth))
        advance(1)
    return {place: around(fmean(each), stdev(each) / sqrt(positions), CONFIDENCE) for place, each in found.items()}
