"""A game with changed odds, permitted by the rulebook or not."""

from __future__ import annotations

import copy
import difflib
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

import msgspec

from crossfelt.errors import Problem, require_none
from crossfelt.money import Odds
from crossfelt.money.odds import ALLOWED
from crossfelt.rulebooks.game import Game, problems
from crossfelt.rulebooks.model import PayTable
from crossfelt.rulebooks.submission import try_odds

Pay = Mapping[str, int | str | Fraction | Odds]
"""Odds by pay table and line: ``{"bets.flush": 7}``. A number 7 means 7 to 1; text is printed odds, a number as 7.5 or
3/2, or `LOSE`."""
LOSE: Final = "lose"
"""In place of odds: hands of the line lose, as if it were not printed."""
_NUMBER: Final = re.compile(r"\d{1,9}(\.\d{1,6}|/[1-9]\d{0,8})?", re.ASCII)
_ALLOWED: Final = f'{ALLOWED}, a number above zero such as 7, 7.5 or 3/2, or "{LOSE}"'


def with_pay(game: Game, pay: Pay) -> Game:
    """Return the game with changed odds, permitted or not.

    >>> asked = with_pay(compile_game("nj-criss-cross"), {"bets.flush": 7, "bets.straight": "9 to 2"})
    >>> [str(line.odds) for line in asked.pays["bets"].lines][4:6]
    ['7 to 1', '9 to 2']
    >>> [line.name for line in with_pay(asked, {"bets.pair_6s_through_10s": LOSE}).pays["bets"].lines][-1]
    'pair_jacks_or_better'
    """
    if not pay:
        return game
    changes = _by_table(game, pay)
    tables = tuple(_changed(game, table, changes.get(table.id, {})) for table in game.book.paytables)
    stated = copy.deepcopy(dict(game.stated))
    for name, lines in changes.items():
        for line in lines:
            stated.get("pays", {}).get(name, {}).pop(line, None)
    return Game(msgspec.structs.replace(game.book, paytables=tables), stated)


def as_submission(stated: Mapping[str, Any], pay: Pay) -> dict[str, Any]:
    """Return a submission with the changed odds, permitted or not.

    >>> as_submission({"operator": "Ann"}, {"bets.flush": "7 to 1"})
    {'operator': 'Ann', 'pays': {'bets': {'flush': '7 to 1'}}}
    """
    pays = {table: dict(odds) for table, odds in stated.get("pays", {}).items()}
    for path, odds in pay.items():
        table, _, line = path.partition(".")
        pays.setdefault(table, {})[line] = _as_odds(odds)
    return {**stated, "pays": pays} if pays else dict(stated)


def violations_of(game: Game, pay: Pay) -> tuple[Problem, ...]:
    """List the rules that forbid these odds, with their clauses; empty if a submission may state them.

    >>> [problem.clauses for problem in violations_of(compile_game("nj-criss-cross"), {"bets.flush": 7})]
    [('NJC-51',)]
    >>> violations_of(compile_game("nj-double-cross"), {"raise.flush": 9})
    ()
    """
    paid = {path: odds for path, odds in pay.items() if odds != LOSE}
    against = problems(game.book, as_submission(game.stated, paid))
    return (*against, *(_not_paid(game, path) for path in pay if path not in paid))


def _not_paid(game: Game, path: str) -> Problem:
    name, _, line = path.partition(".")
    table = game.pays[name]
    return Problem(
        code="pays.odds",
        where=f"submission: pays.{path}",
        what="the pay table must pay this line",
        value=LOSE,
        allowed=next((str(printed.odds) for printed in table.lines if printed.name == line), ""),
        clauses=table.clauses,
        readings=table.readings,
        house_rule=table.house_rule,
    )


def pay_texts(asked: Game, pay: Pay) -> dict[str, str]:
    """Format the changed odds as the game prints them, by pay table and line.

    >>> pay = {"bets.flush": 7}
    >>> pay_texts(with_pay(compile_game("nj-criss-cross"), pay), pay)
    {'bets.flush': '7 to 1'}
    """
    lines = {f"{name}.{line.name}": line for name, table in asked.pays.items() for line in table.lines}
    return {path: str(lines[path].odds) if path in lines else LOSE for path in pay}


def _by_table(game: Game, pay: Pay) -> dict[str, dict[str, Any]]:
    """Group the changes by pay table; report all problems at once."""
    changes: dict[str, dict[str, Any]] = {}
    problems: list[Problem] = []
    for path, value in pay.items():
        name, _, line = path.partition(".")
        if name not in game.pays or not line:
            problems.append(_no_table(game, path, name, line))
        else:
            changes.setdefault(name, {})[line] = _as_odds(value)
    if "ante" in changes and game.settings.get("md_antes_at_table"):
        what = "this game pays the antes by the pay table of the bets"
        problems.append(Problem.at("ante", "pay.table", what, allowed="bets.LINE=ODDS"))
    for name, lines in changes.items():
        problems += [
            msgspec.structs.replace(problem, allowed=_ALLOWED) if problem.code == "odds.form" else problem
            for problem in try_odds(game.pays[name], _tried(lines), name)[1]
        ]
    require_none(problems)
    return changes


def _no_table(game: Game, path: str, name: str, line: str) -> Problem:
    if line:
        return Problem.at("", "pay.table", "no such pay table", name, ", ".join(game.pays))
    lines = [f"{table}.{line.name}" for table, pays in game.pays.items() for line in pays.lines]
    near = difflib.get_close_matches(path, [full.partition(".")[2] for full in lines], n=1)
    meant = ", ".join(full for full in lines if near and full.endswith(f".{near[0]}"))
    return Problem.at("", "pay.form", "the pay table is missing", path, meant or "TABLE.LINE, for example bets.flush")


def _as_odds(value: int | str | Fraction | Odds) -> int | str:
    """Convert odds to the form of a submission."""
    if isinstance(value, Fraction):
        return str(Odds.to(value))
    if isinstance(value, str) and _NUMBER.fullmatch(value) and Fraction(value):
        return str(Odds.to(Fraction(value)))
    return value if isinstance(value, int | str) else str(value)


def _changed(game: Game, table: PayTable, lines: Mapping[str, Any]) -> PayTable:
    if not lines or game.pays[table.id].letter != table.letter:
        return table
    changed = try_odds(table, _tried(lines), table.id)[0]
    kept = tuple(line for line in changed.lines if lines.get(line.name) != LOSE)
    return msgspec.structs.replace(changed, lines=kept)


def _tried(lines: Mapping[str, Any]) -> dict[str, Any]:
    """Replace `LOSE` by a push, so that the line is validated."""
    return {name: "push" if odds == LOSE else odds for name, odds in lines.items()}
