"""The defaults of a rulebook: what stands where its file is silent, so that a game of a hundred lines stays one.

A document of the package states everything itself. To any other rulebook ``defaults.toml`` and ``settings.toml`` add
what its forms need; whatever rests on a default says so.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from crossfelt.rulebooks import clauses as law
from crossfelt.rulebooks import model
from crossfelt.rulebooks.citations import Cited, inherits
from crossfelt.rulebooks.extends import inherited_from
from crossfelt.rulebooks.forms import Form, forms_of
from crossfelt.rulebooks.hand_forms import Hand
from crossfelt.rulebooks.irregularities import cases_of
from crossfelt.rulebooks.rulebook_law import own_rules
from crossfelt.rulebooks.script import Deal, Discard, Lock, OpenBets, Reveal, Shuffle, Step, Stub
from crossfelt.rulebooks.settings import SettingRule, setting_rules
from crossfelt.rulebooks.usual_choices import is_optional, is_side_bet, usual_choices, words

BY_DEFAULT: Final = "default, as the rules do not say"
"""The basis of what no rule of the document states."""


class _Defaults(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    opening: model.Opening
    irregularities: dict[str, dict[str, model.Irregularity]]
    script: tuple[Step, ...]
    requirement: tuple[model.Requirement, ...]


FOLLOWED: Final[Mapping[type[Step], type[Step]]] = {OpenBets: Lock, Deal: Stub}
"""Steps with the usual step that follows the first of them."""


@cache
def _defaults() -> _Defaults:
    text = files("crossfelt.rulebooks").joinpath("defaults.toml").read_text("utf-8")
    found: _Defaults = _cited(msgspec.convert(tomllib.loads(text), _Defaults), BY_DEFAULT)
    return found


def with_defaults(book: model.Rulebook) -> model.Rulebook:
    """Add what the file of a rulebook leaves out. A document of the package leaves out nothing."""
    if isinstance(book.document, str):
        if book.document in law.CODES:
            return book
        book = replace(book, document=model.OwnDocument(title=book.document or book.title))
    if book.game == model.OF_NO_FAMILY and book.id:  # a lobby shows the games of one label together
        book = replace(book, game=book.id.replace("-", "_"))
    book = replace(book, script=tuple(_whole_script(book)))
    titles = {wager.id: wager.title for wager in book.wagers}
    book = replace(
        book,
        wagers=tuple(_titled(wager) for wager in book.wagers),
        paytables=tuple(_titled(table, titles) for table in book.paytables),
        meters=tuple(_titled(meter) for meter in book.meters),
        hands=tuple(_titled(with_places(book, hand)) for hand in book.hands),
        table=replace(book.table, layout=_layout(book)),
        opening=book.opening if book.opening.steps else _defaults().opening,
    )
    forms = forms_of(book)
    book = replace(book, settings=_settings_in_use(book, forms))
    stated = {choice.path for choice in book.choices}
    book = replace(
        book,
        settings=book.settings
        | {
            rule.id: _setting(book, rule, forms)
            for rule in setting_rules().values()
            if rule.id not in book.settings and rule.default is not None and rule.belongs_to(forms)
        },
        choices=(*book.choices, *_cited(tuple(it for it in usual_choices(book) if it.path not in stated), BY_DEFAULT)),
        requirements=book.requirements or _defaults().requirement,
    )
    whole: model.Rulebook = _cited(replace(book, irregularities=_irregularities(book)), own_rules(book))
    return whole


def _titled(datum: Any, titles: Mapping[str, str] = MappingProxyType({})) -> Any:
    """Return a datum with a title: its own, that of the wager of the same id, or the words of its id."""
    return datum if datum.title else replace(datum, title=titles.get(datum.id) or words(datum.id))


# --- the round ----------------------------------------------------------------------------------------------------


def _whole_script(book: model.Rulebook) -> Iterator[Step]:
    """Yield the steps with those that every round has, and the places of each reveal by name."""
    stated = {type(step) for step in book.script}
    usual = {type(step): step for step in _defaults().script}
    shown: set[str] = set()
    for step in book.script:
        if isinstance(step, Reveal):
            step = _by_place(book, step, shown)
            shown.update(step.cards)
        yield step
        for kind, follows in FOLLOWED.items():
            if isinstance(step, kind) and follows not in stated:
                stated.add(follows)
                yield usual[follows]
    for kind in (Discard, Shuffle):
        if kind not in stated:
            yield usual[kind]


def _by_place(book: model.Rulebook, step: Reveal, shown: Collection[str]) -> Reveal:
    """Return a reveal with the names of its places; of a whole group, those that do not lie open yet."""
    groups = {group.id: group for group in book.groups}
    places: list[str] = []
    for name in step.cards:
        numbered = _numbered(book, name)
        side, _, own = numbered.rpartition(".")
        if own.isdigit():
            places.append(name)
            continue
        group = groups.get(own) or next((group for group in book.groups if own in group.names), None)
        named = group.names if group is not None and own == group.id else (own,)
        of_dealer = bool(side) or (group is not None and group.owner == "dealer")
        names = [f"dealer_{place}" if of_dealer else place for place in named]
        places += [place for place in names if len(names) == 1 or place not in shown]
    return replace(step, cards=tuple(places))


def with_places(book: model.Rulebook, hand: Hand) -> Hand:
    """Return a hand whose single cards have the names of their places."""
    return replace(hand, of=tuple(_numbered(book, name) for name in hand.of))


def _numbered(book: model.Rulebook, name: str) -> str:
    """Return the name of a place where a card is named by its number in a group: ``street.1``."""
    start, _, number = name.rpartition(".")
    if not number.isdigit():
        return name
    side, _, own = start.rpartition(".")
    names = next((group.names for group in book.groups if group.id == own), ())
    if int(number) > len(names):
        return name  # refused by the checks
    return f"{side}.{names[int(number) - 1]}" if side else names[int(number) - 1]


def _layout(book: model.Rulebook) -> model.Layout:
    """Return the betting areas: side bets nearest the dealer, then the first wagers, then the bets of decisions."""
    layout = book.table.layout
    if layout.rows:
        return layout
    opening = [wager for step in book.script if isinstance(step, OpenBets) for wager in step.wagers]
    side = [wager.id for wager in book.wagers if wager.id in opening and is_side_bet(book, wager)]
    first = [wager for wager in opening if wager not in side]
    later = [wager.id for wager in book.wagers if wager.id not in opening]
    return replace(layout, rows=tuple(tuple(row) for row in (side, first, later) if row))


# --- settings, choices, irregularities ----------------------------------------------------------------------------


def _settings_in_use(book: model.Rulebook, forms: frozenset[Form]) -> dict[str, model.Setting]:
    """Return the settings without those that were inherited for a form that was dropped."""
    rules = setting_rules()
    return {
        name: setting
        for name, setting in book.settings.items()
        if not inherited_from(setting.house_rule) or name not in rules or rules[name].belongs_to(forms)
    }


def _setting(book: model.Rulebook, rule: SettingRule, forms: frozenset[Form]) -> model.Setting:
    value: model.SettingValue | None = rule.default
    if rule.id == "optional_wagers":
        value = tuple(wager.id for wager in book.wagers if is_optional(wager))
    elif rule.id == "misdeal_areas":
        value = tuple(area for area in ("player", "community", "dealer") if area == "player" or area in forms)
    assert value is not None
    return model.Setting(value=value, silent=True, house_rule=BY_DEFAULT)


def _irregularities(book: model.Rulebook) -> dict[str, dict[str, model.Irregularity]]:
    usual, stated = _defaults().irregularities, book.irregularities
    known = cases_of(book)
    needed = {kind: {case: replace(usual[kind][case], silent=True) for case in cases} for kind, cases in known.items()}
    return {kind: needed.get(kind, {}) | stated.get(kind, {}) for kind in dict.fromkeys((*needed, *stated))}


# --- citations ----------------------------------------------------------------------------------------------------


def _cited(value: Any, house_rule: str, path: str = "") -> Any:
    """Give every datum without a citation a house rule."""
    if isinstance(value, msgspec.Struct):
        changed = {}
        for name, key in zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True):
            before = getattr(value, name)
            after = _cited(before, house_rule, f"{path}.{key}" if path else key)
            if after is not before:
                changed[name] = after
        if isinstance(value, Cited) and not (value.basis or inherits(path)):
            changed["house_rule"] = house_rule
        return replace(value, **changed) if changed else value
    if isinstance(value, dict):
        return {key: _cited(item, house_rule, f"{path}.{key}") for key, item in value.items()}
    if isinstance(value, tuple):
        items = tuple(_cited(item, house_rule, f"{path}[{place}]") for place, item in enumerate(value))
        return value if all(new is old for new, old in zip(items, value, strict=True)) else items
    return value
