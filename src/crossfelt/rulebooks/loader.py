"""Finds a rulebook by its id or its file, reads it, and refuses it with every problem it has."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, get_origin, get_type_hints

import msgspec

from crossfelt._util.bounded_input import bounded, bounded_toml
from crossfelt.errors import BadInput, Problem
from crossfelt.money import Odds
from crossfelt.rulebooks import checks
from crossfelt.rulebooks.decode import shape_problems, sound_part
from crossfelt.rulebooks.model import Rulebook


def rulebook_ids() -> tuple[str, ...]:
    """The rulebooks that come with the package.

    >>> rulebook_ids()
    ('ma-criss-cross', 'md-criss-cross', 'nj-criss-cross', 'nj-double-cross', 'nj-pai-gow')
    """
    folder = files("crossfelt.rulebooks").joinpath("books")
    return tuple(sorted(book.name.removesuffix(".toml") for book in folder.iterdir() if book.name.endswith(".toml")))


def load(name: str) -> Rulebook:
    """A rulebook by the id of one that comes with the package, or by the path of a .toml or .json file.

    >>> load("md-criss-cross").table.seats
    6
    >>> load("nv-criss-cross")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    crossfelt.errors.BadInput: no such rulebook: 'nv-criss-cross' (allowed: ..., or the path of a .toml or .json file)
    """
    if name in rulebook_ids():
        return _shipped(name)
    if not name.lower().endswith((".toml", ".json")):
        raise _unknown(name, f"{', '.join(rulebook_ids())}, or the path of a .toml or .json file")
    return from_data(read_file(Path(name)), where=name)


def load_shipped(name: str) -> Rulebook:
    """A rulebook that comes with the package: names from outside the machine must not reach its files.

    >>> load_shipped("own.toml")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    crossfelt.errors.BadInput: no such rulebook: 'own.toml' (allowed: ...)
    """
    if name not in rulebook_ids():
        raise _unknown(name, ", ".join(rulebook_ids()))
    return _shipped(name)


def _unknown(name: str, allowed: str) -> BadInput:
    return BadInput(Problem(code="rulebook.unknown", what="no such rulebook", value=name, allowed=allowed))


@cache
def _shipped(name: str) -> Rulebook:
    text = files("crossfelt.rulebooks").joinpath("books", f"{name}.toml").read_text("utf-8")
    return from_data(tomllib.loads(text), where=f"{name}.toml")


def from_data(data: Any, *, where: str) -> Rulebook:
    """A rulebook from plain data, shape and sense checked."""
    try:
        book = msgspec.convert(data, Rulebook, strict=True, dec_hook=dec_hook)
    except (ValueError, TypeError):
        # msgspec has stopped at the first problem of its shape: all of them are told.
        wrong = shape_problems(Rulebook, data, where=where, dec_hook=dec_hook)
        book, broken = _sound_sections(data)
        raise BadInput(*wrong, *(_at(where, problem) for problem in checks.problems(book, broken))) from None
    found = [_at(where, problem) for problem in checks.problems(book)]
    if found:
        raise BadInput(*found)
    return book


BY_PLACE = ("wheels", "community_pays", "payout_limits", "requirements")
"""Lists whose items problems name by place: with one item gone the others would be misnamed."""


def _sound_sections(data: Any) -> tuple[Rulebook, frozenset[str]]:
    """A rulebook of the sections that have the right shape, and the names of those that have not, or not wholly.

    What is broken is empty in it, or holds only its sound items: enough for the checks that ask for nothing more.
    """
    plain = data if isinstance(data, dict) else {}
    kinds = get_type_hints(Rulebook, include_extras=True)
    sections: dict[str, Any] = {}
    broken = set()
    for field in msgspec.structs.fields(Rulebook):
        kind = kinds[field.name]
        if field.encode_name not in plain and not field.required:
            sections[field.name] = field.default
            continue
        given = plain.get(field.encode_name)
        sections[field.name] = sound_part(kind, given, dec_hook)
        if shape_problems(kind, given, dec_hook=dec_hook):
            broken.add(field.name)
            if sections[field.name] is None or field.name in BY_PLACE:
                sections[field.name] = {} if get_origin(kind) is dict else () if get_origin(kind) is tuple else None
    return Rulebook(**sections), frozenset(broken)


def _at(where: str, problem: Problem) -> Problem:
    return msgspec.structs.replace(problem, where=f"{where}: {problem.where}" if problem.where else where)


def read_file(path: Path) -> Any:
    """The plain data of a TOML or JSON file; a file that cannot be read or parsed is refused in one line."""
    try:
        text = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput(Problem(code="file.unreadable", what=f"cannot be read: {reason}", where=str(path))) from None
    return read_text(text, "JSON" if path.suffix.lower() == ".json" else "TOML", where=str(path))


def read_text(text: bytes, kind: Literal["TOML", "JSON"], *, where: str) -> Any:
    """Plain data from the bytes of a TOML or JSON text.

    >>> read_text(b'{"seed": 1, "seed": 2}', "JSON", where="rounds.jsonl:3")
    Traceback (most recent call last):
    crossfelt.errors.BadInput: rounds.jsonl:3: not JSON: the key 'seed' stands twice in one table
    """
    try:
        decoded = text.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(Problem(code="file.unreadable", what="cannot be read: not UTF-8 text", where=where)) from None
    try:
        if kind == "TOML":
            return bounded_toml(decoded)
        bounded(text)
        return _json(decoded)
    except ValueError as error:
        raise BadInput(Problem(code="file.syntax", what=f"not {kind}: {error}", where=where)) from None


def _json(text: str) -> Any:
    """JSON as the standard has it: no key twice in one table, no NaN and no Infinity."""
    return json.loads(text, object_pairs_hook=_without_doubles, parse_constant=_no_constant)


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise ValueError(f"the key {key!r} stands twice in one table")
        table[key] = value
    return table


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def as_data(book: Rulebook) -> dict[str, Any]:
    """The plain data of a rulebook; reading it again gives the same rulebook."""
    data: dict[str, Any] = msgspec.to_builtins(book, enc_hook=enc_hook)
    return data


def content_hash(book: Rulebook) -> str:
    """SHA-256 over the rulebook's data in canonical JSON: comments and layout of the file do not count."""
    text = json.dumps(as_data(book), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def dec_hook(kind: type, value: Any) -> Any:
    """Odds travel as text."""
    if kind is Odds and isinstance(value, str):
        return Odds(value)
    raise TypeError(f"not {kind.__name__.lower()}")


def enc_hook(value: Any) -> Any:
    if isinstance(value, Odds):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no text form")


def read_submission(file: Path, of: Rulebook | None = None) -> tuple[Rulebook, dict[str, Any]]:
    """Read a submission file: its rulebook, and the choices it states; BadInput where it is not one `of` a rulebook.

    The file names its rulebook by id, or by a path relative to the file.
    """
    stated = read_file(file)
    if not isinstance(stated, Mapping):
        raise BadInput(Problem(code="submission.form", where=str(file), what="not a table of choices"))
    name = stated.get("rulebook")
    if not isinstance(name, str) or not name:
        allowed = f"{', '.join(rulebook_ids())}, or the path of a .toml or .json file"
        what = "names no rulebook"
        raise BadInput(Problem(code="submission.rulebook", where=f"{file}: rulebook", what=what, allowed=allowed))
    is_path = name.endswith((".toml", ".json"))
    book = load(str(file.parent / name) if is_path else name)
    if of is not None and of.id != book.id:
        where, what = f"{file}: rulebook", "is a submission for another rulebook"
        raise BadInput(Problem(code="submission.other", where=where, what=what, value=book.id, allowed=of.id))
    return book, {key: value for key, value in stated.items() if key != "rulebook"}
