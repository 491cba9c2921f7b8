"""Exact outcomes of wagers without decisions, counted over every hand of the deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import comb, prod

from crossfelt.analysis.solution import PayOutcome, SideBet
from crossfelt.cards.card import SUITS, Card
from crossfelt.hands.poker import rank_three
from crossfelt.hands.rank import HandRank
from crossfelt.hands.strength import TRIPLES, hands_by_ranks
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import PayLine, Wager

LOST = Fraction(-1)


def paid_on_a_hand(game: Game, wager: Wager, hands: Mapping[HandRank, int]) -> SideBet:
    """Count the outcomes of a wager that a pay table settles on one hand, given the number of deals by hand.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> game = compile_game("nj-criss-cross")
    >>> bonus = paid_on_a_hand(game, game.wager("five_card_bonus"), five_card_hands())
    >>> bonus.outcomes[0].line, bonus.outcomes[0].count, bonus.deals
    ('royal_flush', 4, 2598960)
    """
    assert wager.pays is not None
    pays = game.pays[wager.pays]
    counts: Counter[str] = Counter()
    for rank, count in hands.items():
        line = pays.line_for(rank)
        counts[line.name if line else ""] += count
    outcomes = [_outcome(line, counts[line.name]) for line in pays.table.lines]
    lost = PayOutcome(line="", pays="", net=LOST, count=counts[""])
    return SideBet(id=wager.id, title=wager.title, outcomes=(*outcomes, lost))


def _outcome(line: PayLine, count: int) -> PayOutcome:
    assert line.odds is not None
    return PayOutcome(line=line.name, pays=str(line.odds), net=line.odds.profit, count=count)


@cache
def five_card_hands(*, ace_low_straight: bool = True) -> Mapping[HandRank, int]:
    """Count the 2,598,960 five-card hands by category and first rank, which is all that pay tables distinguish.

    The count enumerates ranks and multiplies by their suits: of five different ranks, four hands are suited.

    >>> sum(five_card_hands().values()), len(five_card_hands())
    (2598960, 100)
    """
    plain, flush = hands_by_ranks(ace_low_straight)
    suits = len(SUITS)
    counts: Counter[HandRank] = Counter()
    for rank in flush.values():
        counts[_decisive(rank)] += suits
    for ranks, rank in plain.items():
        ways = prod(comb(suits, size) for size in Counter(ranks).values())
        counts[_decisive(rank)] += ways - suits if ranks in flush else ways
    return counts


def _decisive(rank: HandRank) -> HandRank:
    return HandRank(rank.order, rank.category, rank.ranks[:1])


@cache
def three_card_hands() -> Mapping[HandRank, int]:
    """Count the 22,100 three-card hands by rank, from their ranks and suits.

    >>> sum(three_card_hands().values())
    22100
    """
    suits = len(SUITS)
    counts: Counter[HandRank] = Counter()
    for ranks in TRIPLES:
        ways = prod(comb(suits, size) for size in Counter(ranks).values())
        if len(set(ranks)) == len(ranks):
            counts[rank_three([Card(suits * rank) for rank in ranks])] += suits
            ways -= suits
        counts[rank_three([Card(suits * rank + suit) for suit, rank in enumerate(ranks)])] += ways
    return counts
