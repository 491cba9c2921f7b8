"""The results of one wager over every deal of the cards that are still to come."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np

from crossfelt.analysis.advice import Chances
from crossfelt.analysis.solver.advise import tree_at
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.played_out import shares_a_board
from crossfelt.analysis.solver.position import Position
from crossfelt.kernels.solver.branches import spread
from crossfelt.rulebooks.model import Wager


def chances_of(payoffs: Payoffs, position: Position, wager: Wager) -> Chances | None:
    """Return how often a wager wins, pushes and loses if the round is dealt to the end; None beside a shared board, or
    if it is never open at the end."""
    if shares_a_board(payoffs) or (wager.id, "") not in payoffs.columns:
        return None
    hands = [hand for hand in payoffs.plan.hands_of([wager.id]) if not hand.of_dealer]
    tree = tree_at(payoffs, position, only={place for hand in hands for place in hand.places})
    reached = np.ones((1, 1), dtype=np.int64)
    for place, level in enumerate(tree.levels):
        last = place + 1 == len(tree.levels)
        reached = spread(*level, reached, payoffs.results if last else len(tree.levels[place + 1].start) - 1)
    if not tree.levels:
        reached = np.zeros((1, payoffs.results), dtype=np.int64)
        reached[0, tree.root] = 1
    counts: Counter[str] = Counter()
    for settled, _, count in payoffs.outcomes(wager.id, "", reached[0]):
        counts[settled.result] += count
    deals = counts.total()
    return Chances(**{result: Fraction(counts[result], deals) for result in ("win", "push", "lose")})
