"""A decoder of plain data (TOML or JSON) into typed structs that reports every problem.

msgspec stops at the first error. This walk follows the same types and collects every problem with its path. When
there is none, msgspec converts the data.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar, get_args

import msgspec
from msgspec import inspect

from crossfelt.errors import BadInput, Problem, require_none

T = TypeVar("T")
DecHook = Callable[[type, Any], Any]


def decode(kind: type[T], data: Any, *, where: str = "", dec_hook: DecHook | None = None) -> T:
    """Convert `data` to a `kind`, or raise BadInput with every problem.

    >>> class Chip(msgspec.Struct, forbid_unknown_fields=True):
    ...     cents: int
    ...     colour: str
    >>> decode(Chip, {"cents": "5", "color": "red"}, where="chips.toml")
    Traceback (most recent call last):
    crossfelt.errors.BadInput: chips.toml: cents: not a whole number: '5'
    chips.toml: colour: missing
    chips.toml: color: unknown key; did you mean colour? (allowed: cents, colour)
    """
    require_none(shape_problems(kind, data, where=where, dec_hook=dec_hook))
    return msgspec.convert(data, kind, strict=True, dec_hook=dec_hook)


def shape_problems(kind: type, data: Any, *, where: str = "", dec_hook: DecHook | None = None) -> list[Problem]:
    """Return every problem that keeps `data` from being a `kind`."""
    return [problem.inside(where) for problem in _Walk(dec_hook).walk(_shape_of(kind), data, "")]


def sound_part(kind: Any, data: Any, dec_hook: DecHook | None = None) -> Any:
    """Return the part of a value that has the right shape: all, the sound items of a list or table, or None.

    >>> sound_part(tuple[int, ...], [1, "2", 3])
    (1, 3)
    """
    try:
        return msgspec.convert(data, kind, strict=True, dec_hook=dec_hook)
    except (ValueError, TypeError):
        pass
    shape = _shape_of(kind)
    if isinstance(shape, inspect.VarTupleType) and isinstance(data, list | tuple):
        item = get_args(kind)[0]
        return tuple(part for value in data if (part := sound_part(item, value, dec_hook)) is not None)
    if isinstance(shape, inspect.DictType) and isinstance(data, dict):
        item = get_args(kind)[1]
        parts = {key: sound_part(item, value, dec_hook) for key, value in data.items() if isinstance(key, str)}
        return {key: part for key, part in parts.items() if part is not None}
    return None


def spelled_right(kind: Any, data: Any) -> Any:
    """Return plain data with each misspelled key replaced by the key that it clearly means.

    >>> class Chip(msgspec.Struct):
    ...     colour: str
    >>> spelled_right(tuple[Chip, ...], [{"color": "red"}])
    [{'colour': 'red'}]
    """
    return _spelled_right(_shape_of(kind), data)


def _spelled_right(kind: inspect.Type, data: Any) -> Any:
    if isinstance(kind, inspect.Metadata):
        return _spelled_right(kind.type, data)
    if isinstance(kind, inspect.VarTupleType | inspect.ListType) and isinstance(data, list):
        return [_spelled_right(kind.item_type, item) for item in data]
    if not isinstance(data, dict):
        return data
    if isinstance(kind, inspect.DictType):
        return {key: _spelled_right(kind.value_type, item) for key, item in data.items()}
    options = [it for it in getattr(kind, "types", (kind,)) if isinstance(it, inspect.StructType)]
    struct = next((it for it in options if len(options) == 1 or it.tag == data.get(str(it.tag_field))), None)
    if struct is None:
        return data
    fields = {field.encode_name: field.type for field in struct.fields}
    spelled = {}
    for key, item in data.items():
        near = key if key in fields or key == struct.tag_field else _meant(str(key), fields, least=_CLEAR)
        name = near if near and (near == key or near not in data) else key
        spelled[name] = _spelled_right(fields[name], item) if name in fields else item
    return spelled


@lru_cache
def _shape_of(kind: Any) -> inspect.Type:
    """Inspect a type once: for a rulebook that takes longer than the walk through one."""
    return inspect.type_info(kind)


class _Walk:
    def __init__(self, dec_hook: DecHook | None) -> None:
        self._dec_hook = dec_hook

    def walk(self, kind: inspect.Type, data: Any, path: str) -> Iterator[Problem]:
        match kind:
            case inspect.Metadata():
                yield from self._in_words(kind, self.walk(kind.type, data, path))
            case inspect.StructType():
                yield from self._struct(kind, data, path)
            case inspect.UnionType():
                yield from self._union(kind, data, path)
            case inspect.VarTupleType() | inspect.ListType():
                if not isinstance(data, list | tuple):
                    yield _problem("type.list", path, "not a list", data)
                else:
                    if kind.min_length and len(data) < kind.min_length:
                        yield _problem("value.empty", path, "empty list", None, f"at least {kind.min_length}")
                    for label, item in zip(_labels(data), data, strict=True):
                        yield from self.walk(kind.item_type, item, f"{path}{label}")
            case inspect.TupleType():
                yield from self._tuple(kind, data, path)
            case inspect.DictType():
                if not isinstance(data, dict):
                    yield _problem("type.table", path, "not a table", data)
                else:
                    for key, item in data.items():
                        yield from self.walk(kind.key_type, key, path)
                        yield from self.walk(kind.value_type, item, _join(path, key))
            case _:
                yield from self._plain(kind, data, path)

    @staticmethod
    def _in_words(kind: inspect.Metadata, found: Iterator[Problem]) -> Iterator[Problem]:
        """Yield problems; the words of an annotated type replace its pattern."""
        words = (kind.extra or {}).get("words")
        for problem in found:
            is_form = words and problem.code == "value.form"
            yield msgspec.structs.replace(problem, what="not allowed", allowed=words) if is_form else problem

    def _struct(self, kind: inspect.StructType, data: Any, path: str) -> Iterator[Problem]:
        if not isinstance(data, dict):
            yield _problem("type.table", path, "not a table", data, _words(kind).replace("a table", ""))
            return
        fields = {field.encode_name: field for field in kind.fields}
        for name, field in fields.items():
            if name in data:
                yield from self.walk(field.type, data[name], _join(path, name))
            elif field.required:
                yield _problem("key.missing", _join(path, name), "missing", None, _values(field.type))
        for key in data:
            if key not in fields and key != kind.tag_field:
                near = _meant(str(key), fields)
                what = f"unknown key; did you mean {near}?" if near else "unknown key"
                own_first = sorted(fields, key=lambda name: name in _inherited(kind.cls))
                yield _problem("key.unknown", _join(path, str(key)), what, None, ", ".join(own_first))

    def _union(self, kind: inspect.UnionType, data: Any, path: str) -> Iterator[Problem]:
        structs = [option for option in kind.types if isinstance(option, inspect.StructType)]
        if structs and isinstance(data, dict):
            yield from self._tagged(structs, data, path)
            return
        if any(not list(self.walk(option, data, path)) for option in kind.types):
            return
        wanted = [option for option in kind.types if not isinstance(option, inspect.NoneType)]
        if len(wanted) == 1:
            yield from self.walk(wanted[0], data, path)
        else:
            allowed = ", or ".join(dict.fromkeys(map(_words, wanted)))
            yield _problem("type.union", path, "not allowed", data, allowed)

    def _tagged(self, structs: list[inspect.StructType], data: dict[str, Any], path: str) -> Iterator[Problem]:
        if len(structs) == 1:
            yield from self._struct(structs[0], data, path)
            return
        tag_field = str(structs[0].tag_field)
        by_tag = {str(option.tag): option for option in structs}
        if tag_field not in data:
            yield _problem("key.missing", _join(path, tag_field), "missing", None, ", ".join(by_tag))
        elif (chosen := by_tag.get(str(data[tag_field]))) is None:
            yield _problem("value.unknown", _join(path, tag_field), "unknown value", data[tag_field], ", ".join(by_tag))
        else:
            yield from self._struct(chosen, data, path)

    def _tuple(self, kind: inspect.TupleType, data: Any, path: str) -> Iterator[Problem]:
        if not isinstance(data, list | tuple):
            yield _problem("type.list", path, "not a list", data)
        elif len(data) != len(kind.item_types):
            wanted = str(len(kind.item_types))
            yield _problem("type.length", path, "wrong number of values", len(data), wanted)
        else:
            for place, (option, item) in enumerate(zip(kind.item_types, data, strict=True)):
                yield from self.walk(option, item, f"{path}[{place}]")

    def _plain(self, kind: inspect.Type, data: Any, path: str) -> Iterator[Problem]:
        match kind:
            case inspect.BoolType():
                if not isinstance(data, bool):
                    yield _problem("type.flag", path, "not true or false", data)
            case inspect.IntType():
                if not isinstance(data, int) or isinstance(data, bool):
                    yield _problem("type.whole", path, "not a whole number", data)
                else:
                    yield from self._bounds(kind, data, path)
            case inspect.StrType():
                yield from self._text(kind, data, path)
            case inspect.LiteralType():
                if not any(type(data) is type(value) and data == value for value in kind.values):
                    allowed = ", ".join(map(str, kind.values))
                    yield _problem("value.unknown", path, "unknown value", data, allowed)
            case inspect.NoneType():
                if data is not None:
                    yield _problem("type.none", path, "must be absent", data)
            case inspect.AnyType():
                pass
            case inspect.CustomType():
                yield from self._custom(kind, data, path)
            case _:
                raise NotImplementedError(f"{kind} is not supported")

    def _bounds(self, kind: inspect.IntType, data: int, path: str) -> Iterator[Problem]:
        if kind.ge is not None and data < kind.ge:
            yield _problem("value.low", path, "too small", data, f"at least {kind.ge}")
        if kind.le is not None and data > kind.le:
            yield _problem("value.high", path, "too large", data, f"at most {kind.le}")

    def _text(self, kind: inspect.StrType, data: Any, path: str) -> Iterator[Problem]:
        if not isinstance(data, str):
            yield _problem("type.text", path, "not text", data)
        elif kind.min_length and len(data) < kind.min_length:
            yield _problem("value.empty", path, "empty text")
        elif kind.pattern and not re.search(kind.pattern, data):
            yield _problem("value.form", path, "does not match the pattern", data, kind.pattern)

    def _custom(self, kind: inspect.CustomType, data: Any, path: str) -> Iterator[Problem]:
        assert self._dec_hook is not None, f"no hook decodes {kind.cls}"
        try:
            self._dec_hook(kind.cls, data)
        except BadInput as error:
            for problem in error.problems:
                yield _problem(problem.code, path, problem.what, problem.value, problem.allowed)
        except (ValueError, TypeError) as error:
            yield _problem("value.form", path, str(error), data)


def _labels(items: Sequence[Any]) -> list[str]:
    """Return the words that tell the items of a list apart: their ids, or their positions from 0.

    >>> _labels([{"id": "ante"}, {"id": "raise"}]), _labels([{"odds": "push"}])
    ([' (ante)', ' (raise)'], ['[0]'])
    """
    ids = [item.get("id") if isinstance(item, dict) else None for item in items]
    named = (isinstance(name, str) and name and ids.count(name) == 1 for name in ids)
    return [f" ({ids[place]})" if has_name else f"[{place}]" for place, has_name in enumerate(named)]


_CLEAR: Final = 0.8
"""Likeness from which a key is taken for another: `requierd` for `required`, but not `ranks` for `readings`."""


def _meant(key: str, fields: Iterable[str], least: float = 0.6) -> str:
    """Return the field that is spelled most like an unknown key; nothing if none is near."""
    return next(iter(difflib.get_close_matches(key, fields, n=1, cutoff=least)), "")


def _inherited(kind: type) -> Collection[str]:
    """Return the fields that a struct has from its base, such as its citations."""
    return getattr(kind.__base__, "__struct_encode_fields__", ())


def _words(kind: inspect.Type) -> str:
    match kind:
        case inspect.Metadata():
            return str((kind.extra or {}).get("words") or _words(kind.type))
        case inspect.StructType():
            all_needed = [field.encode_name for field in kind.fields if field.required]
            needed = [str(kind.tag_field)] if kind.tag else all_needed
            return f"{{ {', '.join(f'{name} = …' for name in needed)} }}" if needed else "a table"
        case inspect.LiteralType():
            return _values(kind)
        case inspect.VarTupleType() | inspect.ListType() | inspect.TupleType():
            return "a list"
    plain = {inspect.StrType: "text", inspect.IntType: "a whole number", inspect.BoolType: "true or false"}
    return plain.get(type(kind), "another value")


def _values(kind: inspect.Type) -> str:
    """Return the values of a closed list; nothing for any other type."""
    return ", ".join(map(str, kind.values)) if isinstance(kind, inspect.LiteralType) else ""


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _problem(code: str, path: str, what: str, value: Any = None, allowed: str = "") -> Problem:
    if not isinstance(value, str | int | float | bool | None):
        text = str(value)
        value = text if len(text) <= 60 else text[:57] + "..."
    return Problem.at(path, code, what, value, allowed)
