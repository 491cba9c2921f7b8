"""Best play of Double Cross Poker by starting hand, over the open top and right cards."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from crossfelt.analysis.solution import HandValue
from crossfelt.analysis.solver.double_cross.payoffs import CHOICES, FOLD, HORIZONTAL, VERTICAL
from crossfelt.analysis.solver.double_cross.positions import SUIT_WAYS, BestChoices, census
from crossfelt.hands.starting_hands import STARTING_HANDS, StartingHand
from crossfelt.hands.strength import PAIRS


def shares_by_hand(play: BestChoices) -> dict[str, dict[str, Fraction]]:
    """Return the share of each choice with each starting hand, over the open top and right cards.

    >>> from crossfelt.analysis.solver.double_cross.positions import best_play
    >>> from crossfelt.analysis.solver.double_cross.payoffs import terms_of
    >>> from crossfelt.rulebooks.game import compile_game
    >>> shares = shares_by_hand(best_play(terms_of(compile_game("nj-double-cross"))))
    >>> "fold" in shares["AA"], float(round(shares["72o"]["fold"], 4))
    (False, 0.7722)
    """
    positions = census(play.terms).positions
    chosen = [(positions * (play.choices == place)).sum(axis=(0, 1)) for place in range(len(CHOICES))]
    shares = {}
    for hand in STARTING_HANDS:
        counts = {choice: int(chosen[place][_of_hand(hand)].sum()) for place, choice in enumerate(CHOICES)}
        shares[hand.name] = {name: Fraction(count, sum(counts.values())) for name, count in counts.items() if count}
    return shares


def values_by_hand(play: BestChoices) -> dict[str, HandValue]:
    """Return the average value of each starting hand, over the open top and right cards."""
    terms, positions = play.terms, census(play.terms).positions
    best = np.maximum(np.maximum(play.vertical, play.horizontal), terms.folded * terms.deals)
    sums = {VERTICAL: play.vertical, HORIZONTAL: play.horizontal, "": best}
    totals = {choice: (positions * values).sum(axis=(0, 1)) for choice, values in sums.items()}
    counts, found = positions.sum(axis=(0, 1)), {}
    for hand in STARTING_HANDS:
        deals = int(counts[_of_hand(hand)].sum()) * terms.deals * terms.scale
        values = {choice: Fraction(int(total[_of_hand(hand)].sum()), deals) for choice, total in totals.items()}
        of_best = values.pop("")
        found[hand.name] = HandValue(best=of_best, choices={FOLD: Fraction(terms.folded, terms.scale), **values})
    return found


def _of_hand(hand: StartingHand) -> tuple[int, list[int]]:
    """Return the pair of ranks and the patterns of suits of a starting hand."""
    ways = [way for way, (_, _, high, low) in enumerate(SUIT_WAYS) if (high == low) == hand.suited]
    return PAIRS.index((hand.low, hand.high)), ways
