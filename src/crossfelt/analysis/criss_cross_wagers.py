"""Each wager of Criss Cross Poker by itself: what it ends in, how often, and what it brings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np

from crossfelt.analysis.criss_cross_tally import Tally
from crossfelt.analysis.criss_cross_terms import ANTES, BETS, terms_of
from crossfelt.analysis.solution import WagerOutcome, WagerOutcomes
from crossfelt.games.criss_cross import CrissCross
from crossfelt.games.settlement import LinePay
from crossfelt.rulebooks.game import Game

_RESULTS: Final = ("win", "push", "lose", "forfeit")


class _End(NamedTuple):
    """How a wager ends: the line that decides, if any, and the stake in antes."""

    line: str
    pays: str
    result: str
    stake: int
    net: Fraction


def outcomes_by_wager(game: Game, tally: Tally) -> dict[str, WagerOutcomes]:
    """Every outcome of the antes and the three bets, in the order in which they are placed.

    >>> from crossfelt.analysis import solve
    >>> solution = solve("nj-criss-cross")
    >>> wagers = solution.by_wager()
    >>> sum(wager.ev for wager in wagers.values()) == solution.ev
    True
    """
    pays = _pays(game)
    counts: dict[str, Counter[_End]] = {wager: Counter() for wager in (*ANTES, *BETS)}
    for bets, count in tally.folded.items():
        for wager, stake in zip((*ANTES, *BETS), (1, 1, *bets), strict=False):
            counts[wager][_End("", "", "forfeit", stake, Fraction(-stake))] += count
    for bets, by_groups in tally.played.items():
        places = np.flatnonzero(by_groups).tolist()
        for wager, stake in zip((*ANTES, *BETS), (1, 1, *bets), strict=True):
            for place in places:
                counts[wager][_end(pays[wager][place], stake)] += int(by_groups[place])
    return {
        wager: WagerOutcomes(
            id=wager, title=game.wager(wager).title, deals=tally.deals, outcomes=_in_order(game, wager, ends)
        )
        for wager, ends in counts.items()
    }


def _pays(game: Game) -> dict[str, Sequence[LinePay]]:
    """What each wager is paid, by the groups of both hands as `Terms` numbers them."""
    rules, hands = CrissCross(game), terms_of(game).hands
    tables = {wager: game.wager(wager).pays or "" for wager in (*ANTES, *BETS)}
    single = {wager: [rules.pay(table, hand) for hand in hands] for wager, table in tables.items()}
    across, down = np.divmod(np.arange(len(hands) ** 2), len(hands))
    paid: dict[str, Sequence[LinePay]] = {}
    for wager, of_hand in single.items():
        if game.wager(wager).better_of:
            paid[wager] = [rules.deciding((one, two)) for one in of_hand for two in of_hand]
        else:
            which = across if game.wager(wager).line == "across" else down
            paid[wager] = [of_hand[group] for group in which.tolist()]
    return paid


def _end(pay: LinePay, stake: int) -> _End:
    result = "win" if pay.wins else "push" if pay.pushes else "lose"
    line = pay.line.name if pay.line else ""
    return _End(line, str(pay.odds) if pay.odds else "", result, stake, pay.profit * stake)


def _in_order(game: Game, wager: str, ends: Counter[_End]) -> tuple[WagerOutcome, ...]:
    """As the pay table has them, then what loses, then what is forfeited; small stakes first."""
    lines = [line.name for line in game.pays[game.wager(wager).pays or ""].table.lines]

    def place(end: _End) -> tuple[int, int, int]:
        return _RESULTS.index(end.result) if not end.line else 0, lines.index(end.line) if end.line else 0, end.stake

    return tuple(
        WagerOutcome(
            line=end.line,
            pays=end.pays,
            result=end.result,
            stake=Fraction(end.stake),
            net=end.net,
            count=ends[end],
        )
        for end in sorted(ends, key=place)
        if ends[end]
    )
