"""Loading of rulebooks by id or file; a bad rulebook is refused with every problem."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal, get_origin, get_type_hints

import msgspec

from crossfelt._util.bounded_input import bounded, bounded_toml
from crossfelt.errors import BadInput, Problem, require_none
from crossfelt.money import Odds
from crossfelt.money.odds import ALLOWED
from crossfelt.rulebooks import checks
from crossfelt.rulebooks import clauses as law
from crossfelt.rulebooks.defaults import with_defaults, with_places
from crossfelt.rulebooks.extends import extended
from crossfelt.rulebooks.model import Rulebook
from crossfelt.rulebooks.struct_decoder import shape_problems, sound_part, spelled_right


def rulebook_ids() -> tuple[str, ...]:
    """Return the ids of the rulebooks in the package.

    >>> rulebook_ids()
    ('ma-criss-cross', 'md-criss-cross', 'nj-criss-cross', 'nj-double-cross', 'nj-pai-gow')
    """
    folder = files("crossfelt.rulebooks").joinpath("books")
    return tuple(sorted(book.name.removesuffix(".toml") for book in folder.iterdir() if book.name.endswith(".toml")))


def load(name: str) -> Rulebook:
    """Load a rulebook by the id of one in the package, or by the path of a .toml or .json file.

    >>> load("md-criss-cross").table.seats
    6
    >>> load("nv-criss-cross")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    crossfelt.errors.BadInput: no such rulebook: 'nv-criss-cross' (allowed: ..., or the path of a .toml or .json file)
    """
    if name in rulebook_ids():
        return _shipped(name)
    if not name.lower().endswith((".toml", ".json")):
        raise _unknown(name, _ids_or_path())
    return _from_file(Path(name))


def _from_file(file: Path, extending: tuple[Path, ...] = ()) -> Rulebook:
    """Load a file that other files extend, each the next."""
    return from_data(_whole(read_file(file), file, (*extending, file.resolve())), where=str(file))


def _whole(data: Any, file: Path, extending: tuple[Path, ...]) -> Any:
    """Return the data of a file with those of the rulebook that it extends."""
    if not isinstance(data, dict):
        return data
    where, other = f"{file}: extends", data.get("extends")
    if other is None:
        return data
    if other in rulebook_ids():
        return extended(as_data(_shipped(other)), data, where=str(file))
    if not isinstance(other, str) or not other.lower().endswith((".toml", ".json")):
        raise BadInput.at(where, "extends.unknown", "no such rulebook", str(other), _ids_or_path())
    path = file.parent / other
    if path.resolve() in extending:
        what = "a rulebook cannot extend itself" if path.resolve() == file.resolve() else "the files extend each other"
        raise BadInput.at(where, "extends.itself", what, other)
    if not path.is_file():
        raise BadInput.at(where, "extends.unknown", "no such file", other)
    return extended(as_data(_from_file(path, extending)), data, where=str(file))


def load_shipped(name: str) -> Rulebook:
    """Load a rulebook of the package only: a name from the network must not open a file.

    >>> load_shipped("own.toml")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    crossfelt.errors.BadInput: no such rulebook: 'own.toml' (allowed: ...)
    """
    if name not in rulebook_ids():
        raise _unknown(name, ", ".join(rulebook_ids()))
    return _shipped(name)


def _ids_or_path() -> str:
    return f"{', '.join(rulebook_ids())}, or the path of a .toml or .json file"


def _unknown(name: str, allowed: str) -> BadInput:
    return BadInput.at("", "rulebook.unknown", "no such rulebook", name, allowed)


@cache
def _shipped(name: str) -> Rulebook:
    text = files("crossfelt.rulebooks").joinpath("books", f"{name}.toml").read_text("utf-8")
    return from_data(tomllib.loads(text), where=f"{name}.toml")


def from_data(data: Any, *, where: str) -> Rulebook:
    """Read a rulebook from plain data, and check its shape and its consistency."""
    try:
        book = msgspec.convert(data, Rulebook, strict=True, dec_hook=dec_hook)
    except (ValueError, TypeError):
        # msgspec stops at the first problem of the shape; report all of them.
        wrong = [_named(problem) for problem in shape_problems(Rulebook, data, where=where, dec_hook=dec_hook)]
        book, broken = _sound_sections(data)
        wrong += [problem.inside(where) for problem in checks.problems(book, broken)]
        raise BadInput(*dict.fromkeys(wrong)) from None
    book = with_defaults(book)
    require_none(dict.fromkeys(problem.inside(where) for problem in checks.problems(book)))
    return book


_NO_DRAW = "no form draws or exchanges cards"
NO_FORMS: Final[Mapping[str, str]] = {
    "draw": _NO_DRAW,
    "discards": _NO_DRAW,
    "fee": _NO_DRAW,
    "exchange": _NO_DRAW,
    "by_cards": _NO_DRAW,
    "wild": "no form makes cards wild; deck.cards = 53 adds a joker to the orders joker_five and joker_seven",
    "suited": "a match asks for no suits; an [[order]] of your own may rank the category flush for two cards or more",
    "holds": "a match asks for no single card",
    "award": "no form of this name; a wager names pay tables of awards in also_pays",
    "returns_per_mille": "no form returns a part of a wager at a fold",
    "total": "no form adds up cards",
    "pot": "no form pays a pot among players",
}
"""Keys that designers look for, of forms that the language does not have."""


def _named(problem: Problem) -> Problem:
    """Return the problem of an unknown key with the reason, where the key is of a form that the language lacks."""
    key = re.split(r"[.: ]", problem.where)[-1]
    if problem.code != "key.unknown" or key not in NO_FORMS:
        return problem
    return msgspec.structs.replace(problem, what=NO_FORMS[key], allowed="")


COMPLETED = frozenset({"script", "settings", "irregularities", "choices", "table"})
"""Sections to which defaults are added, if the sections that determine the forms of the game are sound."""
BY_PLACE = ("wheels", "community_pays", "payout_limits", "requirements")
"""Lists whose items problems name by position: without one item the others would be misnamed."""


def _sound_sections(data: Any) -> tuple[Rulebook, frozenset[str]]:
    """Return a rulebook of the sound sections, and the names of the broken ones.

    A broken section is empty, or holds its sound items only: enough for the checks that do not need it whole. A
    misspelled key breaks nothing: the checks go on with the key that it most likely means.
    """
    plain = spelled_right(Rulebook, data) if isinstance(data, dict) else {}
    kinds = get_type_hints(Rulebook, include_extras=True)
    sections: dict[str, Any] = {}
    broken = set()
    for field in msgspec.structs.fields(Rulebook):
        kind = kinds[field.name]
        if field.encode_name not in plain and not field.required:
            continue
        given = plain.get(field.encode_name)
        sections[field.name] = sound_part(kind, given, dec_hook)
        if shape_problems(kind, given, dec_hook=dec_hook):
            broken.add(field.name)
            if sections[field.name] is None or field.name in BY_PLACE:
                sections[field.name] = {} if get_origin(kind) is dict else () if get_origin(kind) is tuple else None
    book = Rulebook(**sections)
    if book.document in law.CODES:
        return book, frozenset(broken)
    if broken & (checks.FORMS | {"document", "table", "opening", "choices"}):
        hands = tuple(with_places(book, hand) for hand in book.hands)
        return msgspec.structs.replace(book, hands=hands), frozenset(broken | COMPLETED)
    return with_defaults(book), frozenset(broken)


def read_file(path: Path) -> Any:
    """Read the plain data of a TOML or JSON file, or raise BadInput."""
    try:
        text = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput.at(str(path), "file.unreadable", f"cannot be read: {reason}") from None
    return read_text(text, "JSON" if path.suffix.lower() == ".json" else "TOML", where=str(path))


def read_text(text: bytes, kind: Literal["TOML", "JSON"], *, where: str) -> Any:
    """Parse the bytes of a TOML or JSON text.

    >>> read_text(b'{"seed": 1, "seed": 2}', "JSON", where="rounds.jsonl:3")
    Traceback (most recent call last):
    crossfelt.errors.BadInput: rounds.jsonl:3: not JSON: the key 'seed' appears twice in one table
    """
    try:
        decoded = text.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput.at(where, "file.unreadable", "cannot be read: not UTF-8 text") from None
    try:
        if kind == "TOML":
            return bounded_toml(decoded)
        bounded(text)
        return json.loads(decoded, object_pairs_hook=_without_doubles, parse_constant=_no_constant)
    except ValueError as error:
        raise BadInput.at(where, "file.syntax", f"not {kind}: {error}") from None


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise ValueError(f"the key {key!r} appears twice in one table")
        table[key] = value
    return table


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number")


def as_data(book: Rulebook) -> dict[str, Any]:
    """Return the plain data of a rulebook, from which `from_data` makes the same rulebook."""
    data: dict[str, Any] = msgspec.to_builtins(book, enc_hook=enc_hook)
    return data


def content_hash(book: Rulebook) -> str:
    """Return the hash of the rulebook's data, independent of the file's comments and layout."""
    return hash_of(as_data(book))


def hash_of(data: dict[str, Any]) -> str:
    """Return the SHA-256 of plain data in canonical JSON."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def dec_hook(kind: type, value: Any) -> Any:
    """Decode odds from text; a hook for msgspec."""
    if kind is Odds:
        if not isinstance(value, str):
            raise BadInput.at("", "odds.form", "not odds", value, ALLOWED)
        return Odds(value)
    raise TypeError(f"not {kind.__name__.lower()}")


def enc_hook(value: Any) -> Any:
    if isinstance(value, Odds):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no text form")


def read_submission(file: Path, of: Rulebook | None = None) -> tuple[Rulebook, dict[str, Any]]:
    """Read a submission file: its rulebook and its stated choices. It must be a submission `of` the rulebook, if given.

    The file names its rulebook by id, or by a path relative to the file.
    """
    stated = read_file(file)
    if not isinstance(stated, Mapping):
        raise BadInput.at(str(file), "submission.form", "a submission must be a table of choices")
    name = stated.get("rulebook")
    if not isinstance(name, str) or not name:
        what = "the submission names no rulebook"
        raise BadInput.at(f"{file}: rulebook", "submission.rulebook", what, allowed=_ids_or_path())
    is_path = name.endswith((".toml", ".json"))
    book = load(str(file.parent / name) if is_path else name)
    if of is not None and of.id != book.id:
        where, what = f"{file}: rulebook", "the submission is for another rulebook"
        raise BadInput.at(where, "submission.other", what, book.id, of.id)
    return book, {key: value for key, value in stated.items() if key != "rulebook"}
