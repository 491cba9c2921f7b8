"""Parses a line that the dealer types: cards, a count, the act of a seat, or the key of an act.

A line becomes a command, an unfinished entry, or a refusal with its reason. The parser guesses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from crossfelt.cards.card import CARD_PATTERN, Card, enc_hook
from crossfelt.cards.notation import parse_cards
from crossfelt.errors import BadInput, Problem, Value
from crossfelt.games.house_way import house_way_of
from crossfelt.games.rules import rules_of
from crossfelt.play.command_parser import DEAL, PASS, TypedQuestion, cents_of, moves_in_words, parse_command
from crossfelt.play.player_view import PlayerView, player_view_of
from crossfelt.play.text import card_sign, card_words, rule_words
from crossfelt.server.dealer_desk.acts import KEYS, DealerAct, Need, stop_words
from crossfelt.table.acts.dealing import lies_at
from crossfelt.table.acts.wheel import wheel_due
from crossfelt.table.decks import deck_names
from crossfelt.table.state import TableState

_SEAT: Final = re.compile(r"(?:seat )?([1-9])[ :]+(\S.*)")
_SITS: Final = re.compile(r"(?:sit |sits )?(?P<name>.*\S) \$?(?P<chips>\d{1,9}(?:\.\d{1,2})?)")
_BEGUN: Final = re.compile(r"10?|[2-9tjqka]", re.IGNORECASE)
"""A card with only its rank typed."""
_SET: Final = ("set", "done", "ready")
_AWARDS: Final = re.compile(
    r"(?:magic (?P<magic>\S+))? *(?:(?:lucky )?seat (?P<seat>\d))? *(?P<dealer>(?:lucky )?dealer)?"
)


class TypedLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The meaning of a line so far."""

    command: dict[str, Any] | None = None
    """The command to send; None if the line is unfinished or refused."""
    act: str = ""
    cards: tuple[str, ...] = ()
    missing: int = 0
    says: str = ""
    """The effect of the command, or the input that is missing."""
    problem: Problem | None = None


def read_line(
    text: str,
    table: TableState,
    acts: tuple[DealerAct, ...],
    *,
    chosen: str = "",
    last: Mapping[int, Mapping[str, int]],
) -> TypedLine:
    """Read a line. `chosen` is the id of the act that waits for input; the default is the next regular act.

    `last` holds the wagers of each seat in its last round.
    """
    words = " ".join(text.split())
    act = next((act for act in acts if act.id == chosen), None) or next((act for act in acts if act.regular), None)
    if not words:
        return _nothing(act)
    by_cards = act is not None and bool(act.needs) and act.needs[0].field == "cards"
    if not (by_cards and _BEGUN.fullmatch(words)) and (named := _by_key(words, table, acts)) is not None:
        return named
    if act is not None and act.needs and (entered := _inputs(words, table, act)) is not None:
        return entered
    if act is not None and act.command["command"] == "draw_awards" and (match := _AWARDS.fullmatch(words.lower())):
        return _drawn(match, act)
    if match := _SEAT.fullmatch(words):
        return _of_seat(int(match[1]), match[2], table, acts, last)
    if act is not None and by_cards:
        return _cards(words, table, act, act.needs[0])
    return _not_understood(words, act)


def _nothing(act: DealerAct | None) -> TypedLine:
    """Return the meaning of Enter alone: the next regular act, if it needs no input."""
    if act is None:
        return _refused("desk.waits", "the dealer has nothing to do now: wait for the players or the floor")
    return _unfinished(act) if act.needs else TypedLine(command=act.command, says=act.label)


def _refused(code: str, what: str, value: Value = None, allowed: str = "", act: str = "") -> TypedLine:
    return TypedLine(act=act, problem=Problem(code=code, what=what, value=value, allowed=allowed))


def _unfinished(act: DealerAct) -> TypedLine:
    return TypedLine(act=act.id, missing=act.needs[0].count, says=_asks(act))


def _asks(act: DealerAct) -> str:
    return f"{act.label}: {'; '.join(need.asks for need in act.needs)}"


def _not_understood(words: str, act: DealerAct | None) -> TypedLine:
    allowed = f"{_asks(act)}; " if act is not None and act.needs else ""
    allowed += "a key, or a seat and what its player does: 2 fold"
    return _refused("typed.unknown", "not understood", words, allowed)


# --- keys and words ---------------------------------------------------------------------------------------------------


def _by_key(words: str, table: TableState, acts: tuple[DealerAct, ...]) -> TypedLine | None:
    """Return an act by its key or its name. An act out of turn is sent too, and the table says why it refuses it."""
    wanted = words.lower()
    for act in acts:
        names = (act.key, act.label.lower(), act.command["command"].replace("_", " "))
        if wanted in names:
            return _unfinished(act) if act.needs else _done(act)
    for command, key in KEYS.items():
        if wanted in (key, command.replace("_", " ")):
            return TypedLine(command=out_of_turn(command, table), says=command.replace("_", " "))
    return None


def _done(act: DealerAct, **inputs: Any) -> TypedLine:
    return TypedLine(command={**act.command, **inputs}, act=act.id, says=act.label)


def out_of_turn(command: str, table: TableState) -> dict[str, Any]:
    """Return a command that is not possible now, with plausible fields: the refusal names the clause."""
    seat, deck = table.turn[0] if table.turn else 1, table.in_play or deck_names(table)[0]
    fields: Mapping[str, Mapping[str, Any]] = {
        "prepare_deck": {"deck": deck, "act": "receive"},
        "shuffle_deck": {"deck": deck, "method": table.shuffling},
        "cut_deck": {"deck": deck, "depth": table.game.book.deck.cards // 2},
        "load_deck": {"deck": deck, "hand": "right" if table.dealing == "hand" else ""},
        "count_stub": {"count": 0},
        "spin_wheel": {"seat": seat, "stop": 0},
        "spin_xtreme": {"community": 0, "hot_spot": seat, "prize": 0},
        **{name: {"seat": seat} for name in ("expose_seat", "settle_seat", "pass_spin", "pay_spin", "time_out")},
    }
    return {"command": command, **fields.get(command, {})}


# --- inputs of an act ------------------------------------------------------------------------------------------------


def _inputs(words: str, table: TableState, act: DealerAct) -> TypedLine | None:
    """Return the inputs of an act: cards, numbers, or cards then numbers; None if the line is something else."""
    inputs: dict[str, Any] = {}
    rest = words
    for need in act.needs:
        if need.field == "cards":
            cards, rest = _split_cards(rest, numbers_follow=len(act.needs) > 1)
            if not cards:
                return None
            line = _cards(cards, table, act, need)
            if line.command is None:
                return line
            inputs |= {name: line.command[name] for name in ("cards", "low") if name in line.command}
            continue
        found = re.match(r"(?:\d+[ ,]*)+", rest) if need.count > 1 else _one_reading(rest, need)
        if found is None:
            return None if not inputs and rest == words else TypedLine(act=act.id, missing=need.count, says=need.asks)
        value = _number(found[0], need, act)
        if isinstance(value, TypedLine):
            return value
        inputs[need.field], rest = value, rest[found.end() :]
    if rest.strip():
        return None
    done = _done(act, **inputs)
    wheel = wheel_due(table) if "stop" in inputs else None
    return done if wheel is None else replace(done, says=f"{done.says}: {stop_words(table, wheel, inputs['stop'])}")


def _one_reading(text: str, need: Need) -> re.Match[str] | None:
    """Return a number at the beginning of a line, or a reading as it is printed."""
    printed = "|".join(map(re.escape, sorted(need.stops, key=len, reverse=True)))
    return (re.match(rf"\$?(?:{printed})(?![\w.])\s*", text, re.IGNORECASE) if printed else None) or re.match(
        r"\d+\s*", text
    )


def _split_cards(text: str, *, numbers_follow: bool) -> tuple[str, str]:
    """Return the cards at the beginning of a line, and the rest."""
    if not numbers_follow:
        return (text, "") if CARD_PATTERN.match(text) or _BEGUN.fullmatch(text) else ("", text)
    found = re.match(rf"(?:(?:{CARD_PATTERN.pattern})[ ,]*)+", text, re.IGNORECASE)
    return (found[0], text[found.end() :]) if found else ("", text)


def _number(text: str, need: Need, act: DealerAct) -> int | list[int] | TypedLine:
    if (printed := text.strip().lower().removeprefix("$")) in need.stops:
        return need.stops[printed]
    numbers = [int(part) for part in re.findall(r"\d+", text[:40])]
    if need.field == "dice":
        # Three dice may be typed without spaces.
        dice = numbers if len(numbers) > 1 else [int(digit) for digit in str(numbers[0])]
        if len(dice) > need.count or any(not 1 <= die <= 6 for die in dice):
            return _refused("desk.dice", "not three dice", text, "three numbers from 1 to 6", act.id)
        missing = need.count - len(dice)
        return TypedLine(act=act.id, missing=missing, says=need.asks) if missing else dice
    if need.stops and str(numbers[0]) not in need.stops:
        return _refused("desk.stop", "no such stop", text.strip(), ", ".join(need.stops), act.id)
    return need.stops.get(str(numbers[0]), numbers[0])


def _cards(text: str, table: TableState, act: DealerAct, need: Need) -> TypedLine:
    """Read cards. An impossible card is refused at once, before the last card is typed."""
    rest = CARD_PATTERN.sub("", text).strip(" ,")
    whole = text.removesuffix(rest) if _BEGUN.fullmatch(rest) else text
    try:
        given = parse_cards(whole, joker=table.game.book.deck.cards > 52) if whole.strip(" ,") else ()
    except BadInput as bad:
        return TypedLine(act=act.id, problem=bad.problems[0], missing=need.count)
    texts = tuple(card.text for card in given)
    missing = need.count - len(given)
    for card in given:
        if (where := lies_at(table, card)) is not None:
            what = f"{card_sign(card)} {where}"
            problem = Problem(code="cards.repeated", what=what, where="cards", value=card.text, clauses=act.clauses)
            return TypedLine(act=act.id, cards=texts, missing=missing, problem=problem)
    if missing < 0:
        what = f"only {need.count} card{'s are' if need.count > 1 else ' is'} turned up here"
        problem = Problem(code="cards.count", what=what, where="cards", value=len(given), clauses=act.clauses)
        return TypedLine(act=act.id, cards=texts, problem=problem)
    if missing or whole != text:
        says = f"next: {need.places[len(given)]}" if missing else ""
        return TypedLine(act=act.id, cards=texts, missing=missing, says=says)
    entered: dict[str, Any] = {"cards": texts}
    if need.front:
        entered["low"] = texts[: need.front]
    says = "; ".join((act.label, *_set_words(table, act, given)))
    return TypedLine(command={**act.command, **entered}, act=act.id, cards=texts, says=says)


def _set_words(table: TableState, act: DealerAct, cards: tuple[Card, ...]) -> Iterator[str]:
    """Yield the words for how the house way sets the dealer's seven cards."""
    if act.command["command"] == "set_dealer_hand":
        setting = house_way_of(table.game).set(cards)
        made = rules_of(table.game).set(cards, setting.low)
        yield f"{card_words(setting.low)} in front ({made.low.name}), {made.high.name} behind"
        yield rule_words(setting.rule, table.game)


def _drawn(match: re.Match[str], act: DealerAct) -> TypedLine:
    """Read the draws of the progressive system: `magic Kd`, `seat 3`, `dealer`."""
    magic = match["magic"]
    if magic and not CARD_PATTERN.fullmatch(magic):
        return _refused("card.unknown", "not a card", magic, act=act.id)
    return _done(
        act,
        magic_card=Card(magic).text if magic else None,
        lucky_seat=int(match["seat"] or 0),
        lucky_dealer=bool(match["dealer"]),
    )


# --- acts of a seat ---------------------------------------------------------------------------------------------------


def _of_seat(
    seat: int, words: str, table: TableState, acts: tuple[DealerAct, ...], last: Mapping[int, Mapping[str, int]]
) -> TypedLine:
    if not 1 <= seat <= len(table.seats):
        return _refused("seat.unknown", "no such seat", seat, f"1 to {len(table.seats)}")
    if not table.seat(seat).player:
        return _sits(seat, words)
    own = [act for act in acts if act.seat == seat and act.command["command"] not in KEYS]
    if words.lower() in _SET:
        found = next((act for act in own if act.command["command"] == "set_hand"), None)
        return _done(found) if found else _not_understood(words, None)
    for act in own:
        if act.needs and words.lower() in (act.key, str(act.command.get("choice"))):
            return _unfinished(act)
    view = player_view_of(table, seat)
    wagers = last.get(seat, {})
    meant = parse_command(words, view, wagers)
    if isinstance(meant, Problem):
        if (what := _AT_THE_DESK.get(meant.code)) is not None:
            meant = replace(meant, what=what.format(seat=seat), allowed=_lines_of(view, wagers))
        return TypedLine(problem=meant)
    if isinstance(meant, TypedQuestion):
        return TypedLine(says=f"You may type: {_lines_of(view, wagers)}")
    fields = msgspec.to_builtins(dict(meant.fields), enc_hook=enc_hook)
    return TypedLine(command={"command": meant.name, **fields}, says=f"Seat {seat}: {words}")


_AT_THE_DESK: Final[Mapping[str, str]] = {
    "typed.unknown": "not understood",
    "typed.not_now": "seat {seat} cannot do this now",
    "typed.balance": "the chips of seat {seat} do not cover a bet",
}
"""Problems that a player at a terminal reads with a list of the terminal's commands, in words for the dealer."""


def _lines_of(view: PlayerView, last: Mapping[str, int]) -> str:
    """Return the lines that the dealer may type for a seat now."""
    moves = (move for move in moves_in_words(view, last) if move not in (DEAL, PASS))
    return ", ".join(f"{view.seat} {move}" for move in moves)


def _sits(seat: int, words: str) -> TypedLine:
    match = _SITS.fullmatch(words)
    if match is None:
        return TypedLine(says=f"Seat {seat} is free. Enter the player and the chips: {seat} Ann 500")
    cents = cents_of(match["chips"])
    name = match["name"].strip()
    command = {"command": "take_seat", "seat": seat, "player": name, "chips_cents": cents}
    return TypedLine(command=command, says=f"{name} sits down in seat {seat} with ${match['chips']}")
