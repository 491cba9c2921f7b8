"""A Rules Submission as a form: every open choice with its bounds, its clauses and the value in force."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from crossfelt._util.shared_fields import shared_fields
from crossfelt.errors import Problem
from crossfelt.money import dollars
from crossfelt.rulebooks import payout_limit
from crossfelt.rulebooks.choices import allowed_text, requirements_on
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.settings import SettingRule, setting_rules

SECTIONS: Final = {
    "operator": "Operator",
    "approvals": "Approvals",
    "dealing": "Dealing",
    "layout": "Layout",
    "play": "Play",
    "bank": "Bank",
    "house_way": "House way",
    "payout_limit": "Payout limit",
}
READINGS: Final = "Readings"
SETTING_KINDS: Final = {
    "flag": "flag",
    "choice": "one_of",
    "number": "whole",
    "list": "many_of",
    "wagers": "many_of",
    "text": "text",
}
MILLION: Final = 1_000_000
_NUMBER: Final = re.compile(r"\d[\d,]*")


class Permitted(msgspec.Struct, frozen=True, kw_only=True):
    """An allowed value and its meaning."""

    value: bool | int | str
    title: str


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One field of the form."""

    path: str
    title: str
    kind: str
    """The kind of the choice; ``odds`` for a line of a pay table."""
    section: str
    allowed: str
    value: Any
    """The value in force, or None."""
    words: str
    """The value in words."""
    stated: bool
    """The form states it from the start."""
    default: Any
    permitted: tuple[Permitted, ...] = ()
    min: int | None = None
    max: int | None = None
    must_state: bool = False
    only_if: Mapping[str, Any] = {}
    notes: tuple[str, ...] = ()
    illustrative: bool = False
    clauses: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    house_rule: str = ""


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A value that differs between two submissions."""

    path: str
    title: str
    before: str
    after: str


def form(game: Game) -> tuple[Field, ...]:
    """Return every field in the order of the rulebook, with the value in force at a table.

    >>> ante = next(field for field in form(compile_game("nj-criss-cross")) if field.path == "wagers.ante.min_cents")
    >>> ante.words, ante.allowed, ante.clauses
    ('$5', 'an amount, at least $0.01', ('NJC-25',))
    """
    return (*_choices(game), *_settings(game), *_pays(game))


def changes(before: Game, after: Game) -> tuple[Change, ...]:
    """Return the differences between two games of one rulebook, in words.

    >>> other = compile_game("nj-criss-cross", {"wagers": {"ante": {"min_cents": 1000}}})
    >>> [(change.path, change.before, change.after) for change in changes(compile_game("nj-criss-cross"), other)]
    [('wagers.ante.min_cents', '$5', '$10')]
    """
    games = [{field.path: field for field in form(game)} for game in (before, after)]
    found = []
    for path, field in {**games[1], **games[0]}.items():
        was, now = (fields[path].value if path in fields else None for fields in games)
        if was != now:
            said = [fields[path].words if path in fields else "not offered" for fields in games]
            found.append(Change(path=path, title=f"{field.section}: {field.title}", before=said[0], after=said[1]))
    return tuple(found)


def problem_in_field_units(problem: Problem, kind: str) -> Problem:
    """Return a problem with a field's value in the unit in which the field is typed.

    >>> wrong = Problem(code="choice.value", what="above the maximum", value=90000, allowed="at most 50,000")
    >>> print(problem_in_field_units(wrong, "cents"))
    above the maximum: '$900' (allowed: at most $500)
    """
    if kind not in ("cents", "rate"):
        return problem
    value = problem.value
    shown = _typed(kind, str(value)) if isinstance(value, int | str) and not isinstance(value, bool) else value
    return msgspec.structs.replace(problem, value=shown, allowed=_typed(kind, problem.allowed))


def _typed(kind: str, text: str) -> str:
    """Return the bounds of an amount in dollars, of a rate in percent."""
    if kind == "flag":
        return "yes or no"
    if kind not in ("cents", "rate"):
        return text
    unit = " in cents" if kind == "cents" else " in millionths"
    return _NUMBER.sub(lambda found: _words(kind, int(found[0].replace(",", ""))), text).replace(unit, "", 1)


def with_previous_limit(before: Game, stated: Mapping[str, Any]) -> dict[str, Any]:
    """Return a submission that follows a game of the same rulebook. Where it lowers the payout limit, it states the
    previous limit and requires a notice.

    >>> before = compile_game("nj-double-cross", {"payout_limit": {"amount_cents": 100_000_00, "approval": "2026-7"}})
    >>> after = {"payout_limit": {"amount_cents": 60_000_00, "approval": "2026-9"}}
    >>> with_previous_limit(before, after)["payout_limit"]
    {'amount_cents': 6000000, 'approval': '2026-9', 'previous_amount_cents': 10000000}
    """
    section, _, name = payout_limit.PREVIOUS.partition(".")
    own = stated.get(section, {})
    if not isinstance(own, Mapping) or all(choice.path != payout_limit.PREVIOUS for choice in before.book.choices):
        return dict(stated)
    after = Game(before.book, stated)
    for limit in before.book.payout_limits:
        was, is_now = before.limit_cents(limit), after.limit_cents(limit)
        if limit.notice_of_decrease and was is not None and is_now is not None and is_now < was:
            return {**stated, section: {**own, name: was}}
    return dict(stated)


def _choices(game: Game) -> Iterator[Field]:
    for choice in game.book.choices:
        value = game.choices.get(choice.path)
        yield Field(
            **shared_fields(choice, Field) | {"illustrative": choice.path in game.illustrative},
            section=_section(game, choice.path),
            allowed=_typed(choice.kind, allowed_text(choice)),
            value=value,
            words=_words(choice.kind, value),
            stated=value is not None,
            permitted=tuple(Permitted(value=one, title=str(one)) for one in choice.of),
            notes=requirements_on(game.book, choice),
        )


def _settings(game: Game) -> Iterator[Field]:
    for name, setting in game.book.settings.items():
        rule, value = setting_rules()[name], game.settings[name]
        if rule.open_in(setting):
            yield Field(
                path=f"settings.{name}",
                title=rule.title,
                kind=SETTING_KINDS[rule.kind],
                section=READINGS,
                allowed=_typed(SETTING_KINDS[rule.kind], rule.allowed),
                value=value,
                words=rule.meaning(value),
                stated=name in game.stated.get("settings", {}),
                default=setting.value,
                permitted=_permitted(game, rule),
                max=rule.most,
                clauses=setting.clauses,
                readings=setting.readings,
                house_rule=setting.house_rule,
            )


def _permitted(game: Game, rule: SettingRule) -> tuple[Permitted, ...]:
    if rule.kind == "wagers":
        return tuple(Permitted(value=wager.id, title=wager.title) for wager in game.book.wagers if not wager.required)
    if rule.kind in ("choice", "list"):
        return tuple(Permitted(value=value, title=meaning) for value, meaning in rule.values.items())
    return tuple(Permitted(value=number, title=rule.meaning(number)) for number in rule.numbers)


def _pays(game: Game) -> Iterator[Field]:
    """Yield the fields of odds that the document states as a minimum; they may be raised."""
    for table in game.book.paytables:
        stated = game.stated.get("pays", {}).get(table.id, {})
        in_force = game.pays[table.id].lines if table.odds_are == "minimum" and table.id in game.pays else ()
        for printed, line in zip(table.lines, in_force, strict=False):
            if printed.odds is not None:
                yield Field(
                    path=f"pays.{table.id}.{line.name}",
                    title=line.name.replace("_", " ").capitalize(),
                    kind="odds",
                    section=table.title,
                    allowed=f"at least {printed.odds}",
                    value=str(line.odds),
                    words=str(line.odds),
                    stated=line.name in stated,
                    default=str(printed.odds),
                    clauses=table.clauses,
                    readings=table.readings,
                    house_rule=table.house_rule,
                )


def _section(game: Game, path: str) -> str:
    """Return the heading of a choice: the title of its wager or meter, or its subject."""
    kind, _, rest = path.partition(".")
    name = rest.partition(".")[0]
    titles = {wager.id: wager.title for wager in game.book.wagers}
    if kind == "wagers":
        return titles.get(name) or name.replace("_", " ").capitalize()
    if kind == "meters":
        return f"Meter: {game.meter(name).title}"
    return SECTIONS.get(kind, kind.replace("_", " ").capitalize())


def _words(kind: str, value: Any) -> str:
    match kind, value:
        case _, None:
            return "not stated"
        case "cents", int():
            return dollars(value)
        case "rate", int():
            return f"{100 * value / MILLION:g} %"
        case _, bool():
            return "yes" if value else "no"
        case _, tuple() | list():
            return ", ".join(map(str, value)) or "none"
        case _, int():
            return f"{value:,}"
        case _:
            return str(value)
