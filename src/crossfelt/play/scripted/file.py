"""The file of a scripted round, TOML or JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec
from msgspec import Meta

from crossfelt.cards.notation import parse_cards
from crossfelt.errors import BadInput, Problem
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Decide, SetHands
from crossfelt.table import commands as c
from crossfelt.table.commands import Command
from crossfelt.table.events import Ruling

Decision = int | str | bool | dict[str, str]
"""Cents, a word such as ``fold``, or the setting of a hand."""
Cents = Annotated[int, Meta(ge=0)]
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1)]


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    pass


class SeatScript(_Part, frozen=True, kw_only=True):
    """One player's seat, wagers and decisions."""

    seat: int
    wagers: dict[str, int]
    """Cents by wager, or credits; the name of a group (``ante``) is the amount of each of its wagers."""
    decisions: dict[str, Decision] = {}


class XtremeScript(_Part, frozen=True, kw_only=True):
    """The stops of the two Xtreme wheels, and the seat of the hot spot."""

    community: int | None = None
    hot_spot: int | None = None
    prize: int | None = None


class ChanceScript(_Part, frozen=True, kw_only=True):
    """The outcomes of random devices."""

    wheel: dict[str, int] = {}
    xtreme: XtremeScript | None = None
    magic_card: str | None = None
    """A card, or ``none``."""
    lucky_seat: int | None = None
    """The Lucky Player's seat; 0 for none."""
    lucky_dealer: bool | None = None
    dice: tuple[int, ...] = ()
    number: int | None = None
    """The random number that replaces the dice where the game draws one."""


class IrregularityScript(_Part, frozen=True, kw_only=True):
    """An irregularity, which happens when the round reaches a step."""

    kind: str
    step: str
    seat: int | None = None
    place: str | None = None
    """A place of the layout, an area (``community``) or a device (``shoe``)."""
    count: Annotated[int, Meta(ge=0, le=53)] | None = None
    """The number of cards found face up, or counted."""
    finding: Literal["misdealt", "not_misdealt", "misdealt_and_wrong_total"] | None = None
    """The dealer's finding where a count is wrong; a misdeal without seat or place is at the first seat."""
    ruling: Ruling | None = None
    """The floor's ruling, where one is needed."""


class Script(_Part, frozen=True, kw_only=True):
    """One round."""

    rulebook: str
    """An id, or the path of a file."""
    seed: Seed = 0
    submission: dict[str, Any] = {}
    cards: dict[str, str] = {}
    seats: tuple[SeatScript, ...]
    chance: ChanceScript = ChanceScript()
    meters: dict[str, Cents] = {}
    """Amounts before the round."""
    irregularities: tuple[IrregularityScript, ...] = ()
    bank: int | None = None
    """The seat that banks; its main wager is its last wager against the house, by default the smallest."""
    co_bank: bool = False


SET: Final = "set"
SURRENDER: Final = "surrender"
HOUSE_WAY: Final = "house-way"
SETTINGS_IN_WORDS: Final = f'"{HOUSE_WAY}", {{ low = "two cards" }}, or surrender = true'


class Decided(NamedTuple):
    """The command of a decision, if the script has it."""

    name: str
    """The script's name of the decision."""
    command: type[Command] | None = None
    fields: Mapping[str, Any] = {}


def options_in_words(game: Game, step: Decide | SetHands) -> str:
    """List the possible decisions.

    >>> game = compile_game("nj-criss-cross")
    >>> options_in_words(game, game.steps["decide_across"][1])
    'an amount in cents, fold'
    """
    if isinstance(step, SetHands):
        return SETTINGS_IN_WORDS
    return ", ".join("an amount in cents" if option == "bet" else option for option in game.options(step))


def decided(step: Decide | SetHands, decisions: Mapping[str, Decision]) -> Decided:
    """Return the decision of a seat at a step.

    >>> from crossfelt.rulebooks.script import Action
    >>> decided(SetHands(id="set_hands", who="players"), {"set": "house-way"}).command.__name__
    'SetHouseWay'
    >>> decided(Decide(id="decide_down", actions=(Action(bet="down"),)), {"across": 1000})
    Decided(name='down', command=None, fields={})
    """
    if isinstance(step, SetHands):
        return _set(decisions)
    name = step.name
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


def decision_problems(game: Game, seat: SeatScript, at: str) -> Iterator[Problem]:
    """Yield a problem for each decision that this game does not ask for, or not in this form."""
    steps = {step.name: step for step in game.book.script if isinstance(step, Decide)}
    setting = next((step for step in game.book.script if isinstance(step, SetHands)), None)
    names = [*steps, *((SET, SURRENDER) if setting else ())]
    for name, decision in seat.decisions.items():
        where = f"{at}: decisions.{name}"
        if name not in names:
            yield Problem.at(where, "decision.unknown", "no such decision in this game", allowed=", ".join(names))
        elif name in steps:
            yield from _unfit(game, steps[name], decision, where) if not _fits(game, steps[name], decision) else ()
        elif setting is not None:
            yield from _setting_problems(game, setting, name, decision, where)
    if seat.decisions.get(SET) is not None and seat.decisions.get(SURRENDER) is True and setting is not None:
        what, where = "a hand is set or surrendered, not both", f"{at}: decisions.{SURRENDER}"
        rule = game.book.settings.get("surrender_until")
        yield Problem.at(where, "decision.both", what, True, clauses=rule.clauses if rule else ())


def _setting_problems(game: Game, step: SetHands, name: str, decision: Decision, where: str) -> Iterator[Problem]:
    if name == SURRENDER:
        yield from () if isinstance(decision, bool) else _unfit(game, step, decision, where, "true")
    elif isinstance(decision, dict) and decision.keys() == {"low"}:
        try:
            _two_cards(decision["low"], f"{where}.low")
        except BadInput as bad:
            yield from bad.problems
    elif decision != HOUSE_WAY:
        yield from _unfit(game, step, decision, where)


def _unfit(game: Game, step: Decide | SetHands, decision: Decision, where: str, allowed: str = "") -> Iterator[Problem]:
    value = decision if isinstance(decision, int | str) else str(decision)
    what, allowed = "this decision is not open here", allowed or options_in_words(game, step)
    yield Problem(code="decision.form", what=what, where=where, value=value, allowed=allowed, clauses=step.clauses)


def _fits(game: Game, step: Decide, decision: Decision) -> bool:
    if isinstance(decision, bool):
        return False
    if isinstance(decision, int):
        return "bet" in game.options(step)
    return decision != "bet" and decision in game.options(step)
