"""Ante and raise of Double Cross Poker by themselves: what they end in, how often, and what they bring."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import NamedTuple

from crossfelt.analysis.double_cross_census import Tally
from crossfelt.analysis.double_cross_terms import ANTE, RAISE, Terms
from crossfelt.analysis.solution import WagerOutcome, WagerOutcomes
from crossfelt.hands.rank import HandRank
from crossfelt.money import Odds
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager


class _Won(NamedTuple):
    """What a hand that beats the dealer's brings a wager."""

    line: str
    odds: Odds | None


def outcomes_by_wager(game: Game, terms: Terms, tally: Tally) -> dict[str, WagerOutcomes]:
    """Every outcome of ante and raise.

    >>> from crossfelt.analysis import solve
    >>> solution = solve("nj-double-cross")
    >>> sum(wager.ev for wager in solution.by_wager().values()) == solution.ev
    True
    """
    return {
        wager: WagerOutcomes(
            id=wager,
            title=game.wager(wager).title,
            deals=terms.deals * terms.positions,
            outcomes=tuple(_outcomes(game, game.wager(wager), Fraction(stake), terms, tally)),
        )
        for wager, stake in ((ANTE, 1), (RAISE, terms.raise_times))
    }


def _outcomes(game: Game, wager: Wager, stake: Fraction, terms: Terms, tally: Tally) -> list[WagerOutcome]:
    won: Counter[_Won] = Counter()
    for hand, count in zip(terms.hands, tally.won, strict=True):
        won[_paid(game, wager, hand)] += count
    found = [
        WagerOutcome(
            line=line,
            pays=str(odds) if odds else "",
            result="win" if odds else "lose",
            stake=stake,
            net=stake * (odds.profit if odds else -1),
            count=count,
        )
        for (line, odds), count in sorted(won.items(), key=lambda item: _place(game, wager, item[0].line))
    ]
    rest = [("push", Fraction(0), tally.tied), ("lose", -stake, tally.lost)]
    if wager.id == ANTE:
        rest.append(("forfeit", -stake, tally.folded))
    for result, net, count in rest:
        found.append(WagerOutcome(line="", pays="", result=result, stake=stake, net=net, count=count))
    return [outcome for outcome in found if outcome.count]


def _paid(game: Game, wager: Wager, hand: HandRank) -> _Won:
    if wager.odds is not None:
        return _Won("", wager.odds)
    line = game.pays[wager.pays or wager.id].line_for(hand)
    return _Won(line.name, line.odds) if line else _Won("", None)


def _place(game: Game, wager: Wager, line: str) -> int:
    """As the pay table has them; what has no line comes last."""
    names = [each.name for each in game.pays[wager.pays].table.lines] if wager.pays else []
    return names.index(line) if line in names else len(names)
