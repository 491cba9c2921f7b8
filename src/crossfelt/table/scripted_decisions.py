"""What players decide in a scripted round: the words of the script, and the commands they become.

A bet is cents, a fold or a choice is its word. Hands are set by ``set = "house-way"`` or ``set = { low = "Kd Qs" }``,
and given up by ``surrender = true``. Whoever writes a foul into a script has been warned: it is set, and loses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from crossfelt.cards.notation import parse_cards
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Decide, SetHands
from crossfelt.table import commands as c
from crossfelt.table.commands import Command
from crossfelt.table.scripted_file import Decision, SeatScript

SET: Final = "set"
SURRENDER: Final = "surrender"
HOUSE_WAY: Final = "house-way"
SETTINGS_IN_WORDS: Final = f'"{HOUSE_WAY}", {{ low = "two cards" }}, or surrender = true'


class Decided(NamedTuple):
    """The command that a decision becomes, as far as the script has one."""

    name: str
    """What the script calls the decision."""
    command: type[Command] | None = None
    fields: Mapping[str, Any] = {}


def decision_name(step: Decide) -> str:
    """What a script calls the decision of a step.

    >>> decision_name(Decide(id="decide_across", wager="across"))
    'across'
    """
    return step.id.removeprefix("decide_")


def options_in_words(step: Decide | SetHands) -> str:
    """What may be decided.

    >>> options_in_words(Decide(id="decide_across", wager="across"))
    'an amount in cents, fold'
    """
    if isinstance(step, SetHands):
        return SETTINGS_IN_WORDS
    return ", ".join("an amount in cents" if option == "bet" else option for option in step.options)


def decided(step: Decide | SetHands, decisions: Mapping[str, Decision]) -> Decided:
    """What a seat does at a step.

    >>> decided(SetHands(id="set_hands", who="players"), {"set": "house-way"}).command.__name__
    'SetHouseWay'
    >>> decided(Decide(id="decide_down", wager="down"), {"across": 1000})
    Decided(name='down', command=None, fields={})
    """
    if isinstance(step, SetHands):
        return _set(decisions)
    name = decision_name(step)
    match decisions.get(name):
        case None:
            return Decided(name)
        case int(cents):
            return Decided(name, c.Bet, {"cents": cents})
        case "fold":
            return Decided(name, c.Fold)
        case choice:
            return Decided(name, c.Choose, {"choice": str(choice)})


def _set(decisions: Mapping[str, Decision]) -> Decided:
    if decisions.get(SURRENDER):
        return Decided(SURRENDER, c.Surrender)
    match decisions.get(SET):
        case {"low": low}:
            return Decided(f"{SET}.low", c.SetHand, {"low": _two_cards(low), "insists": True})
        case None:
            return Decided(SET)
        case _:
            return Decided(SET, c.SetHouseWay)


def _two_cards(text: str, where: str = "") -> tuple[Any, ...]:
    return parse_cards(text, count=2, joker=True, where=where)


# --- before anything is played ----------------------------------------------------------------------------------------


def decision_problems(game: Game, seat: SeatScript, at: str) -> Iterator[Problem]:
    """Decisions that this game does not ask for, or not like that."""
    steps = {decision_name(step): step for step in game.book.script if isinstance(step, Decide)}
    setting = next((step for step in game.book.script if isinstance(step, SetHands)), None)
    names = [*steps, *((SET, SURRENDER) if setting else ())]
    for name, decision in seat.decisions.items():
        where = f"{at}: decisions.{name}"
        if name not in names:
            what, allowed = "no such decision in this game", ", ".join(names)
            yield Problem(code="decision.unknown", what=what, where=where, allowed=allowed)
        elif name in steps:
            yield from _unfit(steps[name], decision, where) if not _fits(steps[name], decision) else ()
        elif setting is not None:
            yield from _setting_problems(setting, name, decision, where)
    if seat.decisions.get(SET) is not None and seat.decisions.get(SURRENDER) is True and setting is not None:
        what, where = "a hand is set or surrendered, not both", f"{at}: decisions.{SURRENDER}"
        yield Problem(code="decision.both", what=what, where=where, value=True, clauses=setting.clauses)


def _setting_problems(step: SetHands, name: str, decision: Decision, where: str) -> Iterator[Problem]:
    if name == SURRENDER:
        yield from () if isinstance(decision, bool) else _unfit(step, decision, where, "true")
    elif isinstance(decision, dict) and decision.keys() == {"low"}:
        try:
            _two_cards(decision["low"], f"{where}.low")
        except BadInput as bad:
            yield from bad.problems
    elif decision != HOUSE_WAY:
        yield from _unfit(step, decision, where)


def _unfit(step: Decide | SetHands, decision: Decision, where: str, allowed: str = "") -> Iterator[Problem]:
    value = decision if isinstance(decision, int | str) else str(decision)
    what, allowed = "not a decision that is open here", allowed or options_in_words(step)
    yield Problem(code="decision.form", what=what, where=where, value=value, allowed=allowed, clauses=step.clauses)


def _fits(step: Decide, decision: Decision) -> bool:
    if isinstance(decision, bool):
        return False
    if isinstance(decision, int):
        return "bet" in step.options
    return decision != "bet" and decision in step.options
