"""One datum of a rulebook as its file prints it: a line of a pay table, a setting, a step."""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec

from crossfelt.rulebooks.loader import enc_hook
from crossfelt.rulebooks.render.flatten import CITING, Item

IN_ONE_LINE: Final = ("settings", "irregularities", "opening")
"""Sections whose data the file prints in one line each."""


ROWS: Final = frozenset({"lines", "slices", "deliver"})
"""Lists whose lines are data of their own."""


def toml_of(item: Item) -> str:
    """Return an item in TOML, without the lists of its lines, slices and deliveries.

    >>> from crossfelt.rulebooks.render.flatten import flatten
    >>> from crossfelt.rulebooks.loader import load
    >>> items = {item.key: item for item in flatten(load("nj-criss-cross"))}
    >>> print(toml_of(items["settings.cut_min_cards"]))
    cut_min_cards = { value = 10, clauses = ["NJC-22"] }
    >>> print(toml_of(items["wager.middle"]))
    [[wager]]
    id = "middle"
    title = "Middle bet"
    stake = { of = "ante", max = 3 }
    settle = [
        { clauses = ["NJC-46"], pay = "bets", on = "better", else = "next" },
        { clauses = ["NJC-46"], pay = "bets", on = "across", else = "next", only = "push" },
        { clauses = ["NJC-46"], pay = "bets", on = "down", only = "push" },
    ]
    clauses = ["NJC-11", "NJC-26", "NJC-43"]
    """
    table, _, name = item.key.partition(".")
    if item.section in IN_ONE_LINE:
        line = inline(item.source)
        return line if item.section == "opening" else f"{name} = {line}"
    listed = {"choices": "[[choice]]", "requirements": "[[requirement]]", "limits": "[[payout_limit]]"}
    head = listed.get(item.section) or (f"[[{table}]]" if name else f"[{table}]")
    fields = {key: value for key, value in _fields(item.source).items() if key not in ROWS}
    return "\n".join([head, *(f"{key} = {_rows(key, value)}" for key, value in fields.items())])


def inline(datum: msgspec.Struct) -> str:
    """Return a datum in one line.

    >>> from crossfelt.money import Odds
    >>> from crossfelt.rulebooks.model import PayLine
    >>> inline(PayLine(hand="pair", id="pair_jacks_or_better", low="J", high="A", odds=Odds("1 to 1")))
    '{ id = "pair_jacks_or_better", hand = "pair", low = "J", high = "A", odds = "1 to 1" }'
    """
    return _value("", _fields(datum))


def _fields(datum: msgspec.Struct) -> dict[str, Any]:
    """Return the stated fields: names first, citations last."""
    data: dict[str, Any] = msgspec.to_builtins(datum, enc_hook=enc_hook)
    return dict(sorted(data.items(), key=lambda field: (field[0] in CITING) - (field[0] in ("step", "id"))))


def _rows(key: str, value: Any) -> str:
    """Return a value, a list of several tables with one table to a line."""
    if isinstance(value, (list, tuple)) and len(value) > 1 and all(isinstance(row, dict) for row in value):
        return "\n".join(["[", *(f"    {_value(key, row)}," for row in value), "]"])
    return _value(key, value)


def toml_text(text: str) -> str:
    """Quote a TOML string: escaped as in JSON, plus the one further control character that TOML forbids.

    >>> print(toml_text('a"b.json'))
    "a\\"b.json"
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(key: str, value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int() if key.endswith("_cents"):
            return f"{value // 100:_}_{value % 100:02d}"
        case str():
            return toml_text(value)
        case list() | tuple():
            return f"[{', '.join(_value(key, one) for one in value)}]"
        case dict():
            return f"{{ {', '.join(f'{name} = {_value(name, one)}' for name, one in value.items())} }}"
        case _:
            return str(value)
