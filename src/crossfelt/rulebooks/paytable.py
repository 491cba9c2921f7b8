"""Pay tables with other odds than those that the rulebook prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from crossfelt.errors import BadInput, Problem, require_none
from crossfelt.money import Odds
from crossfelt.rulebooks.model import PayTable


def with_odds(table: PayTable, changes: Mapping[str, Any], where: str) -> PayTable:
    """Return the pay table with other odds for some lines (``{"flush": "7 to 1"}``, or 7 for the same)."""
    changed, problems = try_odds(table, changes, where)
    require_none(problems)
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
