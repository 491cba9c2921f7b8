"""Pay tables in use: the line of a hand, and its odds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from crossfelt.errors import BadInput, Problem
from crossfelt.hands.rank import HandRank
from crossfelt.money import Odds
from crossfelt.rulebooks.model import PayLine, PayTable


class PayTableInUse:
    """One pay table, prepared for lookups.

    >>> from crossfelt.hands import rank_five
    >>> from crossfelt.cards import parse_cards
    >>> from crossfelt.rulebooks.loader import load
    >>> bets = PayTableInUse(next(table for table in load("md-criss-cross").paytables if table.id == "bets"))
    >>> bets.line_for(rank_five(parse_cards("Ks Kd 2c 3h 4s"))).name
    'pair_jacks_or_better'
    >>> bets.odds_for(rank_five(parse_cards("5s 5d 2c 3h 4s"))) is None
    True
    """

    def __init__(self, table: PayTable) -> None:
        self.table = table

    def line_for(self, rank: HandRank) -> PayLine | None:
        """Return the first line that has the hand; None for a losing hand."""
        return next((line for line in self.table.lines if line.fits(rank.category, rank.ranks)), None)

    def odds_for(self, rank: HandRank) -> Odds | None:
        line = self.line_for(rank)
        return line.odds if line else None

    def best_odds(self) -> Odds:
        """Return the highest odds of the table."""
        return max((line.odds for line in self.table.lines if line.odds), default=Odds("push"))


def with_odds(table: PayTable, changes: Mapping[str, Any], where: str) -> PayTable:
    """Return the pay table with other odds for some lines (``{"flush": "7 to 1"}``, or 7 for the same)."""
    changed, problems = try_odds(table, changes, where)
    if problems:
        raise BadInput(*problems)
    return changed


def try_odds(table: PayTable, changes: Mapping[str, Any], where: str) -> tuple[PayTable, list[Problem]]:
    """Return the pay table with every valid change, and the problems of the invalid ones."""
    lines = {line.name: line for line in table.lines}
    problems: list[Problem] = []
    for name, value in changes.items():
        line = lines.get(name)
        if line is None or line.odds is None:
            allowed = ", ".join(name for name, line in lines.items() if line.odds)
            problems.append(Problem.at(f"{where}.{name}", "payline.unknown", "no such pay line", allowed=allowed))
            continue
        try:
            odds = Odds(f"{value} to 1") if isinstance(value, int) and not isinstance(value, bool) else Odds(str(value))
        except BadInput as error:
            problems += [msgspec.structs.replace(p, where=f"{where}.{name}") for p in error.problems]
            continue
        lines[name] = msgspec.structs.replace(line, odds=odds)
    return msgspec.structs.replace(table, lines=tuple(lines.values())), problems
