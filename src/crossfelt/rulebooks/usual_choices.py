"""The choices that follow from the forms of a game: what any game is given, and what it cannot be played without."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec

from crossfelt.errors import Problem
from crossfelt.hands.kinds import KINDS
from crossfelt.rulebooks.choices import COMMUNITY_HAND, house_way_ids, wheels_in_use
from crossfelt.rulebooks.forms import forms_of, timeouts
from crossfelt.rulebooks.model import Choice, Rulebook, Wager
from crossfelt.rulebooks.script import Decide, OpenBets

Form = str
"""A key of ``usual_choices.toml``."""
OPTIONAL: Final = frozenset({"filing", "clock", "optional_wager", "wheel", "fixed_prize"})
"""Forms of choices without which a game can be played; those of wheels have a check of their own."""
OF_ANY_VALUES: Final = frozenset({"house_way"})
"""Forms of choices that may list other values than the usual ones."""


def usual_choices(book: Rulebook) -> Iterator[Choice]:
    """Yield the choices of a game whose file states none."""
    yield from (choice for _, choice in _usual_choices(book))


def choices_needed(book: Rulebook) -> Iterator[Problem]:
    """Report choices that the game reads and that are missing, or of another kind, or without a default."""
    if not book.choices:
        return  # reported as a whole
    choices = {choice.path: choice for choice in book.choices}
    needed = {usual.path: (form, usual) for form, usual in _usual_choices(book) if form not in OPTIONAL}
    for path, (form, usual) in needed.items():
        choice = choices.get(path)
        where, of = f"choice ({path})", () if form in OF_ANY_VALUES else tuple(map(str, usual.of))
        if choice is None:
            kind = f'kind = "{usual.kind}"' + (f", of {', '.join(of)}" if of else "")
            yield Problem.at("choice", "choice.missing", "missing choice", path, kind)
            continue
        if choice.kind != usual.kind:
            yield Problem.at(where, "choice.kind", "wrong kind of choice", choice.kind, usual.kind)
        if choice.default is None:
            yield Problem.at(where, "choice.default", "missing default")
        for value in map(str, choice.of):
            if of and value not in of:
                yield Problem.at(where, "choice.of", "the game does not support this value", value, of)
    unknown_path = any(
        path not in choices and "settings." not in path for rule in book.requirements for path in rule.when
    )
    if not unknown_path and not any("hand" in rule.when.get("dealing.method", ()) for rule in book.requirements):
        what = "no requirement names the shufflers for dealing from the hand"
        yield Problem.at("requirement", "requirement.missing", what)


def words(name: str) -> str:
    """Return an id as a title.

    >>> words("pair_plus")
    'Pair plus'
    """
    return name.replace("_", " ").capitalize()


def is_optional(wager: Wager) -> bool:
    """Say if a wager before the cards may be left out by the operator: it needs another, which plays without it."""
    return not wager.required and bool(wager.needs)


def is_side_bet(book: Rulebook, wager: Wager) -> bool:
    """Say if a wager only goes along with a game: it needs another, or no bet and no decision follows from it."""
    bases = {name for each in book.wagers for name in (each.stake.of, *each.needs) if name}
    bases |= {name for step in book.script if isinstance(step, Decide) for name in (*step.with_, step.wager)}
    opening = next((step.wagers for step in book.script if isinstance(step, OpenBets)), ())
    return bool(wager.needs) or not (wager.required or {wager.id, wager.group} & bases or wager.id in opening[:1])


def _usual_choices(book: Rulebook) -> Iterator[tuple[Form, Choice]]:
    for form in ("filing", "dealing", "clock"):
        yield from _of(form)
    yield from _of("silent_player", timeouts(forms_of(book)))
    for step in book.script:
        if isinstance(step, Decide) and step.shows:
            yield from _of("shown_cards", name=step.wager)
    for name, wager in {wager.stake.posted: wager for wager in reversed(book.wagers) if wager.stake.posted}.items():
        bet = "credits" if wager.unit == "credits" else "side_bet" if is_side_bet(book, wager) else "main_bet"
        yield from _of(bet, name=name, title=wager.title.lower())
    for wager in book.wagers:
        if is_optional(wager):
            yield from _of("optional_wager", name=wager.id, title=wager.title)
    for table, wager in {wager.pays: wager for wager in book.wagers if wager.unit == "credits"}.items():
        yield from _of("credit_price", name=table, title=wager.title.lower())
        for award in (line.hand for other in book.paytables if other.id in wager.also_pays for line in other.lines):
            yield from _of("random_award", name=table, award=award, title=words(award).lower())
    paid_by = {wager.pays for wager in book.wagers}
    for name in dict.fromkeys(table.id for table in book.paytables if table.letter and table.id in paid_by):
        letters = tuple(table.letter for table in book.paytables if table.id == name)
        yield from _of("pay_table", letters, name=name, title=words(name).lower())
    for split in book.splits:
        yield from _of("house_way", house_way_ids(), name=split.house_way)
    yield from _of_wheels(book)
    for meter in book.meters:
        yield from _of("meter", name=meter.id, title=meter.title)


def _of_wheels(book: Rulebook) -> Iterator[tuple[Form, Choice]]:
    titles = {wager.id: wager.title.lower() for wager in book.wagers}
    in_use = wheels_in_use(book)
    for name in dict.fromkeys(wheel.wager for wheel in in_use):
        wheels = [wheel for wheel in in_use if wheel.wager == name]
        title, letters = titles[name], tuple(dict.fromkeys(wheel.letter for wheel in wheels))
        yield from _of("wheel", letters, name=name, title=title)
        for path in dict.fromkeys(wheel.weights_path for wheel in wheels):
            yield from _of("weights", path=path, title=title)
        if any(wheel.ring == "hot_spot" for wheel in wheels):
            yield from _of("hot_spot", KINDS[COMMUNITY_HAND].categories, name=name, title=title)
        if any(wheel.top in ("fixed", "either") for wheel in wheels):
            yield from _of("fixed_prize", name=name, title=title)


def _of(form: Form, of: tuple[str, ...] = (), **names: str | None) -> Iterator[tuple[Form, Choice]]:
    for usual in _templates()[form]:
        named = {field: value.format(**names) if isinstance(value, str) else value for field, value in usual.items()}
        yield form, msgspec.convert({"of": of, **({"default": of[0]} if of else {}), **named}, Choice)


@cache
def _templates() -> Mapping[Form, tuple[dict[str, Any], ...]]:
    text = files("crossfelt.rulebooks").joinpath("usual_choices.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, tuple[dict[str, Any], ...]])
