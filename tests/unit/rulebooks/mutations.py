"""Mutants of a rulebook, altered in one datum each, to find data that no test covers.

Every value except titles and citations is a datum: pay lines, slices, bounds, settings, outcomes, steps and their
order, choices and requirements. Each becomes one or more mutants. A mutant has the clauses that its datum cites:
those of the nearest enclosing table with citations.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import inspect

from crossfelt.cards.card import RANKS
from crossfelt.money import Odds
from crossfelt.rulebooks.loader import as_data
from crossfelt.rulebooks.model import Choice, Rulebook, Setting
from crossfelt.rulebooks.settings import setting_rules
from unit.rulebooks.document_cases import is_word

Key = str | int
Keys = tuple[Key, ...]

IDENTITY: Final = frozenset(("schema", "id", "version", "game", "extends", "document", "clause", "methods"))
"""Fields that identify the rulebook, or only cite; names of wagers, hands and steps are data."""

ORDERED: Final = frozenset(("script", "steps", "deliver", "lines", "settle", "slices"))
"""Lists of tables whose order matters."""

NOT_PRINTED: Final = frozenset(("illustrative_weights",))
"""Figures that no document prints, even if the enclosing table cites one."""

MISSING: Final = object()
"""The value of a removed key."""


class Mutant(msgspec.Struct, frozen=True, kw_only=True):
    """One alteration: the value at `keys` of the plain data becomes another."""

    book: str
    path: str
    change: str
    clauses: tuple[str, ...]
    """The citations of the altered datum; empty for a reading or a house rule alone."""
    keys: Keys
    value: Any

    def applied_to(self, data: Any) -> Any:
        """Return the plain data with the alteration; unchanged parts are shared."""
        return changed_at(data, self.keys, self.value)


def mutants(book: Rulebook) -> list[Mutant]:
    """Return every mutant of a rulebook that differs from it."""
    data = full_data(as_data(book))
    found = _Walk(book).mutants()
    return [mutant for mutant in found if mutant.applied_to(data) != data]


def full_data(value: Any) -> Any:
    """Return plain data with every field, defaults included, except None."""
    if isinstance(value, msgspec.Struct):
        config = value.__struct_config__
        tag = {str(config.tag_field): config.tag} if config.tag is not None else {}
        keys = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        fields = {key: getattr(value, name) for key, name in keys}
        return tag | {key: full_data(field) for key, field in fields.items() if field is not None}
    if isinstance(value, dict):
        return {key: full_data(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [full_data(item) for item in value]
    return str(value) if isinstance(value, Odds) else value


def sample(found: Sequence[Mutant], count: int, seed: int) -> list[Mutant]:
    """Return a random selection in the original order; the same for the same seed."""
    places = sorted(random.Random(seed).sample(range(len(found)), min(count, len(found))))
    return [found[place] for place in places]


def changed_at(data: Any, keys: Keys, value: Any) -> Any:
    """Return plain data with another value at a place, or without it (`MISSING`); the rest is shared.

    >>> changed_at({"a": [1, 2]}, ("a", 0), MISSING)
    {'a': [2]}
    """
    first, rest = keys[0], keys[1:]
    changed: Any = dict(data) if isinstance(data, dict) else list(data)
    if rest:
        changed[first] = changed_at(data[first], rest, value)
    elif value is not MISSING:
        changed[first] = value
    elif not isinstance(data, dict) or first in data:
        del changed[first]
    return changed


def places_of(data: Any) -> list[Keys]:
    """Return the place of every value in plain data, including tables and lists.

    >>> places_of({"a": [1]})
    [('a',), ('a', 0)]
    """
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [keys for key, item in items for keys in [(key,), *((key, *rest) for rest in places_of(item))]]


class _Spot(NamedTuple):
    """The position of the walk: the place in the data, its name, and its clauses."""

    keys: Keys
    path: str
    name: str
    """The field, or the key of a table."""
    clauses: tuple[str, ...]

    def field(self, name: str) -> _Spot:
        return _Spot((*self.keys, name), f"{self.path}.{name}" if self.path else name, name, self.clauses)

    def item(self, place: int, label: str | int) -> _Spot:
        return self._replace(keys=(*self.keys, place), path=f"{self.path}[{label}]")

    def citing(self, table: Any) -> _Spot:
        return self._replace(clauses=_cites(table, self.clauses))


class _Walk:
    def __init__(self, book: Rulebook) -> None:
        self._book = book
        self._options: dict[str, tuple[Any, ...]] = {c.path: c.of for c in book.choices}
        self._pools: dict[str, list[str]] = {}
        _collect_names(full_data(book), "", self._pools)

    def mutants(self) -> Iterator[Mutant]:
        for name, kind, value in _fields(self._book):
            if name not in IDENTITY:
                yield from self._value(value, kind, _Spot((), "", "", ()).field(name))

    # --- by shape ---

    def _value(self, value: Any, kind: inspect.Type, spot: _Spot) -> Iterator[Mutant]:
        kind = _unwrapped(kind, value)
        match value:
            case msgspec.Struct():
                yield from self._struct(value, spot.citing(value))
            case dict():
                yield from self._table(value, kind, spot)
            case tuple() if value and isinstance(value[0], msgspec.Struct):
                yield from self._structs(value, kind, spot)
            case tuple():
                yield from self._list(value, kind, spot)
            case _:
                yield from self._instead(spot, value, self._others(value, kind, spot.name))

    def _struct(self, struct: msgspec.Struct, spot: _Spot) -> Iterator[Mutant]:
        for name, kind, value in _fields(struct):
            inner = spot.field(name)
            if name in NOT_PRINTED or _is_illustrative(struct, name):
                inner = inner._replace(clauses=())
            if isinstance(struct, Setting) and name == "value":
                yield from self._instead(inner, value, _other_settings(spot.name, value))
            elif isinstance(struct, Choice) and name == "default":
                yield from self._instead(inner, value, _other_defaults(struct))
            else:
                yield from self._value(value, kind, inner)

    def _structs(self, items: tuple[Any, ...], kind: inspect.Type, spot: _Spot) -> Iterator[Mutant]:
        spots = [spot.item(place, _label(item, place)) for place, item in enumerate(items)]
        for place, item in enumerate(items):
            yield from self._value(item, _item_kind(kind), spots[place])
            yield self._mutant(spots[place].citing(item), "taken out", MISSING)
            if spot.name in ORDERED and place:
                before = spots[place - 1].citing(items[place - 1])
                both = tuple(dict.fromkeys((*before.clauses, *spots[place].citing(item).clauses)))
                whole = spot._replace(path=spots[place].path, clauses=both)
                yield self._mutant(whole, f"before {before.path.removeprefix(spot.path)}", _swapped(items, place))

    def _table(self, table: dict[str, Any], kind: inspect.Type, spot: _Spot) -> Iterator[Mutant]:
        assert isinstance(kind, inspect.DictType)
        for key, item in table.items():
            yield self._mutant(spot.field(key).citing(item), "taken out", MISSING)
            yield from self._value(item, kind.value_type, spot.field(key))

    def _list(self, items: tuple[Any, ...], kind: inspect.Type, spot: _Spot) -> Iterator[Mutant]:
        """Each item replaced, taken out and moved, and one more added; as whole lists, for they may be defaults."""
        for place, item in enumerate(items):
            whole = spot._replace(path=f"{spot.path}[{place}]")
            if isinstance(item, tuple):
                yield from self._value(item, _item_kind(kind), spot.item(place, place))
            for other in islice(self._others(item, _unwrapped(_item_kind(kind), item), spot.name), 1):
                changed = [*items[:place], other, *items[place + 1 :]]
                yield self._mutant(whole, f"{_shown(item)} -> {_shown(other)}", changed)
            if not isinstance(kind, inspect.TupleType):
                yield self._mutant(whole, f"{_shown(item)} taken out", [*items[:place], *items[place + 1 :]])
            if place:
                yield self._mutant(whole, f"before {_shown(items[place - 1])}", _swapped(items, place))
        if isinstance(kind, inspect.VarTupleType):
            for more in self._more(items, kind.item_type, spot.name):
                yield self._mutant(spot, f"{_shown(more)} added", [*items, more])

    def _instead(self, spot: _Spot, value: Any, others: Iterable[Any]) -> Iterator[Mutant]:
        for other in others:
            yield self._mutant(spot, f"{_shown(value)} -> {_shown(other)}", other)

    def _mutant(self, spot: _Spot, change: str, value: Any) -> Mutant:
        return Mutant(
            book=self._book.id,
            path=spot.path,
            change=change,
            clauses=spot.clauses,
            keys=spot.keys,
            value=value if value is MISSING else full_data(value),
        )

    # --- by meaning ---

    def _others(self, value: Any, kind: inspect.Type, name: str) -> Iterator[Any]:
        """Other values that a reader of the document might have put there by mistake."""
        if isinstance(kind, inspect.LiteralType):
            yield from [other for other in kind.values if other != value]
        elif isinstance(value, bool) or isinstance(kind, inspect.BoolType):
            yield not value
        elif isinstance(value, int):
            yield value + 1
            yield value - 1
        elif isinstance(value, Odds):
            yield from _other_odds(value)
        elif isinstance(value, str):
            yield self._other_name(value, name)
        elif value is None:
            yield from self._something(kind, name)

    def _other_name(self, value: str, name: str) -> str:
        if name in ("low", "high"):
            return RANKS[(RANKS.index(value) + 1) % len(RANKS)]
        pool = [*self._options.get(name, ()), *self._pools.get(name, ())]
        others = [other for other in pool if isinstance(other, str) and other != value]
        later = [other for other in others if other > value]
        return min(later or others or [f"{value}_x"])

    def _something(self, kind: inspect.Type, name: str) -> Iterator[Any]:
        """A value where there is none."""
        match kind:
            case inspect.IntType():
                yield max(kind.ge or 0, 1)
            case inspect.StrType():
                yield from self._pools.get(name, ["something"])[:1]
            case inspect.CustomType():
                yield "1 to 1"
            case inspect.TupleType():
                yield [1, 2]

    def _more(self, items: tuple[Any, ...], kind: inspect.Type, name: str) -> Iterator[Any]:
        """One more item for a list."""
        kind = _unwrapped(kind, None)
        match kind:
            case inspect.LiteralType():
                yield from [value for value in kind.values if value not in items][:1]
            case inspect.StrType():
                yield next((other for other in self._pools.get(name, []) if other not in items), "extra")
            case inspect.IntType():
                yield 7
            case inspect.UnionType() if name in self._options:
                yield from [value for value in self._options[name] if value not in items][:1]
            case _:
                return


def _other_settings(setting: str, value: Any) -> list[Any]:
    """Other values the setting may have."""
    rule = setting_rules()[setting]
    match rule.kind:
        case "flag":
            return [not value]
        case "choice":
            return [other for other in rule.values if other != value]
        case "number":
            return [n for n in rule.numbers if n != value] or [value + 1, max(value - 1, 0)]
        case "list":
            fewer = [[v for v in value if v != item] for item in value]
            return fewer + [[*value, item] for item in rule.values if item not in value][:2]
        case "wagers":
            return [[v for v in value if v != item] for item in value]
        case "text":
            return [f"{value} x"]


def _other_defaults(choice: Choice) -> list[Any]:
    value: Any = choice.default
    gone = [] if value is None else [MISSING]
    match choice.kind:
        case "flag":
            return [not value, *gone]
        case "cents" | "whole" | "rate":
            return [1] if value is None else [value + 1, value - 1, *gone]
        case "one_of":
            return [*(option for option in choice.of if option != value), *gone]
        case _:
            return ["somebody" if value is None else f"{value} x", *gone]


def _other_odds(odds: Odds) -> Iterator[str]:
    if odds.is_push:
        yield "1 to 1"
        return
    first, last = odds.ratio.numerator, odds.ratio.denominator
    yield f"{first + 1} to {last}"
    yield f"{first - 1} to {last}" if first > 1 else "push"
    yield f"{first} for {last}"


def _cites(value: Any, inherited: tuple[str, ...]) -> tuple[str, ...]:
    """Return the clauses a table cites, or the inherited ones if it cites none or only adds a reading."""
    clauses: tuple[str, ...] = getattr(value, "clauses", ())
    if clauses or not hasattr(value, "clauses"):
        return clauses or inherited
    alone = getattr(value, "house_rule", "") or getattr(value, "readings", ())
    return () if alone and hasattr(value, "house_rule") else inherited


def _is_illustrative(struct: msgspec.Struct, field: str) -> bool:
    return field == "default" and bool(getattr(struct, "illustrative", False))


def _label(item: Any, place: int) -> str:
    return str(getattr(item, "path", None) or getattr(item, "name", None) or getattr(item, "id", None) or place)


def _unwrapped(kind: inspect.Type, value: Any) -> inspect.Type:
    """Return the type of a value among the allowed types of its place."""
    if isinstance(kind, inspect.Metadata):
        return _unwrapped(kind.type, value)
    if isinstance(kind, inspect.UnionType):
        options = [option for option in kind.types if not isinstance(option, inspect.NoneType)]
        if isinstance(value, tuple):
            options = [option for option in options if isinstance(option, inspect.VarTupleType | inspect.TupleType)]
        if len(options) == 1:
            return _unwrapped(options[0], value)
    return kind


def _fields(struct: msgspec.Struct) -> Iterator[tuple[str, inspect.Type, Any]]:
    """Yield the fields of a table that are data: name in the file, type, value."""
    info = _info(type(struct))
    for field in info.fields:
        if not is_word(field.encode_name):
            yield field.encode_name, field.type, getattr(struct, field.name)


@cache
def _info(kind: type[msgspec.Struct]) -> inspect.StructType:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return info


def _swapped(items: Sequence[Any], place: int) -> list[Any]:
    """Return the items with one exchanged with its predecessor."""
    return [*items[: place - 1], items[place], items[place - 1], *items[place + 1 :]]


def _item_kind(kind: inspect.Type) -> inspect.Type:
    if isinstance(kind, inspect.VarTupleType):
        return kind.item_type
    assert isinstance(kind, inspect.TupleType)
    return kind.item_types[0]


def _collect_names(data: Any, name: str, pools: dict[str, list[str]]) -> None:
    """Collect every text of the data by the name of its field."""
    if isinstance(data, dict):
        for key, value in data.items():
            if not is_word(key):
                _collect_names(value, key, pools)
    elif isinstance(data, list | tuple):
        for value in data:
            _collect_names(value, name, pools)
    elif isinstance(data, str) and data not in pools.setdefault(name, []):
        pools[name].append(data)


def _shown(value: Any) -> str:
    if value is MISSING:
        return "nothing"
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."
