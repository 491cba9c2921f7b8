"""The imperial bonus of Pai Gow Poker: two chances in one wager, the player's hand and the dealer's, from one deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Final

from crossfelt.analysis.solution import PayOutcome, SideBet
from crossfelt.cards.card import RANK_NAMES
from crossfelt.kernels.census import by_category, counted
from crossfelt.kernels.seven_card import KINDS
from crossfelt.kernels.two_hands import kinds_beside
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import PayLine

DECK: Final = 53
CARDS: Final = 7


def imperial(game: Game) -> SideBet:
    """Every outcome, by what both hands hold, over all pairs of hands."""
    wager = game.wager("imperial")
    player = {line.hand: line for line in game.pays["imperial_player"].table.lines}
    dealer = {line.hand: line for line in game.pays["imperial_banker"].table.lines}
    both = {high_card: _player_hands(high_card) for high_card in dealer}
    others = comb(DECK - CARDS, CARDS)
    alone = {hand: count * others for hand, count in by_category(counted(), "pai_gow_five").items()}
    for hands in both.values():
        for hand, count in hands.items():
            alone[hand] -= count
    outcomes = [_outcome(line, None, alone[hand]) for hand, line in player.items()]
    for high_card, of_dealer in dealer.items():
        outcomes += [_outcome(line, of_dealer, both[high_card][hand]) for hand, line in player.items()]
        outcomes.append(_outcome(None, of_dealer, _not_paid(both[high_card], player)))
    outcomes.sort(key=lambda outcome: outcome.net, reverse=True)
    outcomes.append(PayOutcome(line="", pays="", net=Fraction(-1), count=_not_paid(alone, player)))
    return SideBet(id=wager.id, title=wager.title, outcomes=tuple(outcome for outcome in outcomes if outcome.count))


def _player_hands(high_card: str) -> Counter[str]:
    """How many pairs of hands there are in which the dealer has this high card, by what the player holds."""
    rank = RANK_NAMES.index(high_card.removesuffix("_high"))
    hands: Counter[str] = Counter()
    for kind, count in zip(KINDS, kinds_beside(rank).tolist(), strict=True):
        hands[kind.pai_gow_five] += count
    return hands


def _not_paid(hands: Mapping[str, int], paid: Mapping[str, PayLine]) -> int:
    return sum(count for hand, count in hands.items() if hand not in paid)


def _outcome(player: PayLine | None, dealer: PayLine | None, count: int) -> PayOutcome:
    """The stake comes back once, whoever wins it."""
    won = [line for line in (player, dealer) if line is not None]
    odds = [line.odds for line in won if line.odds is not None]
    return PayOutcome(
        line=", ".join(line.name for line in won),
        pays=", ".join(map(str, odds)),
        net=sum((each.ratio for each in odds), Fraction(0)),
        count=count,
    )
