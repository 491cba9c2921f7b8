"""What is varied in a sweep, as a person types it: ``NAME=VALUE,VALUE``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from crossfelt.analysis.sweeping.asked import Axis, Kind
from crossfelt.analysis.sweeping.sweeping import axis_of
from crossfelt.cli.asking import read_pairs
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.model import Rulebook
from crossfelt.rulebooks.settings import setting_rules

_RANGE: Final = re.compile(r"(\d+)\.\.(\d+)(?::([1-9]\d*))?", re.ASCII)
_WHOLE: Final = re.compile(r"-?\d+", re.ASCII)
_LISTS: Final = re.compile(r"\[[^\[\]]*\]")
MOST_VALUES: Final = 100_000
Read = Callable[[str], list[Any]]
FORMS: Final = "NAME=VALUE,VALUE or NAME=FIRST..LAST"


def pay_axes(given: Sequence[str] | None) -> Iterator[Axis]:
    """``bets.flush=6,7,8``, ``bets.flush=5..9``, ``bets.straight=4,9 to 2``."""
    return _axes("pay", given, "--pay", lambda name: _plain)


def meter_axes(given: Sequence[str] | None) -> Iterator[Axis]:
    """``bonus_spin=1000000..5000000:1000000``, in cents."""
    return _axes("meter", given, "--meter", lambda name: _plain)


def choice_axes(book: Rulebook, given: Sequence[str] | None) -> Iterator[Axis]:
    """``house_way=*``, ``wagers.bonus_spin.weights[8]=1..4``, ``settings.…=true,false``."""
    return _axes("choice", given, "--choose", lambda name: _reader(book, name))


def listed_axes(kind: Kind, text: str) -> Iterator[Axis]:
    """Values of something that has no name but its kind: ``0..5``, ``optimal,simple``."""
    if text:
        yield axis_of(kind, kind, _plain(text))


def _axes(kind: Kind, given: Sequence[str] | None, where: str, reader: Callable[[str], Read]) -> Iterator[Axis]:
    for name, text in read_pairs(given or (), where=where, allowed=FORMS).items():
        yield axis_of(kind, name, reader(name)(text))


def _reader(book: Rulebook, path: str) -> Read:
    """How values of a choice or a setting are written; one that does not exist is told later, with those near it."""
    choice = next((choice for choice in book.choices if choice.path == path), None)
    if choice is not None:
        match choice.kind:
            case "one_of":
                return lambda text: _named(text, {str(value): value for value in choice.of})
            case "flag":
                return lambda text: _named(text, _FLAGS)
            case "weights" | "many_of":
                return _lists
            case "text":
                return lambda text: text.split(",")
            case _:
                return _plain
    setting = path.removeprefix("settings.")
    if setting != path and setting in setting_rules():
        rule = setting_rules()[setting]
        match rule.kind:
            case "flag":
                return lambda text: _named(text, _FLAGS)
            case "choice":
                return lambda text: _named(text, {value: value for value in rule.values})
            case "list":
                return _lists
    return _plain


_FLAGS: Final = {"true": True, "false": False}


def _named(text: str, known: dict[str, Any]) -> list[Any]:
    """Values by their names; a star is all of them."""
    if text == "*":
        return list(known.values())
    return [known.get(part.strip(), part.strip()) for part in text.split(",")]


def _lists(text: str) -> list[Any]:
    """``[1, 2], [3, 4]`` are two values."""
    found = _LISTS.findall(text)
    try:
        lists = [json.loads(one) for one in found]
    except json.JSONDecodeError:
        lists = []
    if not lists or _LISTS.sub("", text).strip(" ,"):
        what, allowed = "no lists", "[1, 2, 3], [2, 2, 2]: each list is one value"
        raise BadInput(Problem(code="sweep.values", where="--choose", what=what, value=text, allowed=allowed))
    return lists


def _plain(text: str) -> list[Any]:
    """Whole numbers, ranges of them, and words.

    >>> _plain("4, 6..8, 10..20:5, 9 to 2")
    [4, 6, 7, 8, 10, 15, 20, '9 to 2']
    """
    values: list[Any] = []
    for part in map(str.strip, text.split(",")):
        if found := _RANGE.fullmatch(part):
            first, last, step = int(found[1]), int(found[2]), int(found[3] or 1)
            stretch = range(first, last + 1, step)
            if not stretch or len(stretch) > MOST_VALUES:
                what = "too many values" if stretch else "begins after its end"
                allowed = f"FIRST..LAST, up to {MOST_VALUES:,} values"
                raise BadInput(Problem(code="sweep.values", where="range", what=what, value=part, allowed=allowed))
            values += stretch
        else:
            values.append(int(part) if _WHOLE.fullmatch(part) else part)
    return values
