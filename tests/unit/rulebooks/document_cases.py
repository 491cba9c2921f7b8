"""Test cases written from the documents, and the data of a rulebook in a comparable form.

`said` and `shown` make a case and mark it with its clauses. The other functions load the rulebook when they are
called, not when the tests are collected, so that an altered rulebook can replace it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import pytest

from crossfelt.cards.card import RANKS
from crossfelt.hands.strength import hand_classes
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.loader import enc_hook, load
from crossfelt.rulebooks.model import PayLine, Setting, Wheel
from crossfelt.rulebooks.submission import problems

Case = Any
"""The type that `pytest.param` returns; pytest does not export it."""


def is_word(field: str) -> bool:
    """Say if a field is a text or a citation; every other field of a rulebook is a datum."""
    words = ("title", "says", "clauses", "readings", "topic")
    return field in words or field.endswith(("_readings", "_rule"))


def said(clauses: str, *values: object, name: str = "") -> Case:
    """Make a case that compares data with the words of clauses; without any, if no document has the rule."""
    return _case(pytest.mark.clause_data, clauses, values, name)


def shown(clauses: str, *values: object, name: str = "") -> Case:
    """Make a case that looks at what the software computes or refuses, with the clauses that it proves."""
    return _case(pytest.mark.clause, clauses, values, name)


def _case(mark: pytest.MarkDecorator, clauses: str, values: tuple[object, ...], name: str) -> Case:
    name = name or next(value for value in values if isinstance(value, str))
    return pytest.param(*values, id=name, marks=[mark(*clauses.split())] if clauses else [])


def unsaid(*values: object) -> Case:
    """Make a case on which the document is silent: a reading or a house rule."""
    return said("", *values)


# --- parts of a rulebook ---


def part(book: str, kind: str, name: str | int = "") -> Any:
    """Return one table of a rulebook as plain data, without defaults, texts and citations.

    >>> part("md-criss-cross", "hand", "better")["highest_of"]
    ['across', 'down']
    """
    value = next(v for key, v in _fields(load(book)) if key == kind)
    if isinstance(value, dict):
        value = value[name]
    elif isinstance(value, tuple):
        value = value[name] if isinstance(name, int) else _named(value, name)
    return plain(value)


def parts(book: str, kind: str) -> list[Any]:
    """Return all tables of one kind; their order does not matter."""
    return [part(book, kind, place) for place in range(len(names(book, kind)))]


def names(book: str, kind: str) -> list[str]:
    """Return the names of the tables of one kind, in the order of the rulebook.

    >>> names("ma-criss-cross", "paytable")
    ['ante', 'bets', 'five_card_bonus']
    """
    value = next(v for key, v in _fields(load(book)) if key == kind)
    return list(value) if isinstance(value, dict) else [_name(item) for item in value]


def plain(value: Any) -> Any:
    """Return plain data without texts and citations."""
    return _bare(msgspec.to_builtins(value, enc_hook=enc_hook))


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _bare(item) for key, item in value.items() if not is_word(key)}
    return [_bare(item) for item in value] if isinstance(value, list | tuple) else value


def _fields(struct: msgspec.Struct) -> Iterator[tuple[str, Any]]:
    for name, key in zip(struct.__struct_fields__, struct.__struct_encode_fields__, strict=True):
        yield key, getattr(struct, name)


def _named(items: Iterable[Any], name: str) -> Any:
    return next(item for item in items if _name(item) == name)


def _name(item: Any) -> str:
    return str(getattr(item, "path", None) or getattr(item, "name", None) or getattr(item, "id", ""))


def binds(book: str, when: dict[str, Any], must: dict[str, Any]) -> bool:
    """Say if a rulebook has this requirement; without `when` it always applies."""
    return ({"when": when} if when else {}) | {"must": must} in parts(book, "requirement")


# --- hands and settlement ---


def paid(table: str, hand: str) -> dict[str, Any]:
    """Return the settlement by one pay table, as a rulebook states it."""
    return {"settle": [{"pay": table, "on": hand}]}


def bet_or_fold(wager: str, forfeits: list[str], keeps: list[str]) -> list[dict[str, Any]]:
    """Return the actions of a decision between a bet and a fold, as a rulebook states them."""
    return [{"bet": wager}, {"fold": True, "forfeits": forfeits, "keeps": keeps}]


# --- settings ---


def settled(book: str, name: str) -> Any:
    """Return the value of a setting that the document settles; fail for any other."""
    found: Setting = load(book).settings[name]
    assert not found.silent, f"{name} is marked as left open"
    assert not found.illustrative
    return found.value


def left_open(book: str, name: str) -> Any:
    """Return the value of a setting on which the document is silent; fail for any other."""
    found: Setting = load(book).settings[name]
    assert found.silent, f"{name} is not marked as left open"
    assert not found.illustrative
    return found.value


# --- pay tables and wheels ---


def pay_lines(book: str, table: str) -> list[tuple[str, str]]:
    """Return each line of a pay table and its pay, in order.

    >>> pay_lines("nj-criss-cross", "bets")[-2:]
    [('pair_jacks_or_better', 'J to A: 1 to 1'), ('pair_6s_through_10s', '6 to T: push')]
    """
    return [(line.name, _pays(line)) for line in _named(load(book).paytables, table).lines]


def _pays(line: PayLine) -> str:
    pays = str(line.odds) if line.odds else ""
    pays += f"{line.meter_percent} % of the meter" if line.meter_percent else ""
    pays += f"${line.amount_cents / 100:g}" if line.amount_cents else ""
    return f"{line.low} to {line.high}: {pays}" if line.low or line.high else pays


def every_hand(book: str, table: str) -> dict[str, str]:
    """Return the pay of all 7,462 classes of five-card hands, pairs by rank.

    >>> every_hand("nj-criss-cross", "bets")["pair of 5"]
    'lose'
    """
    pays = compile_game(book).pays[table]
    found: dict[str, set[str]] = {}
    for rank in hand_classes():
        name = f"pair of {RANKS[rank.ranks[0]]}" if rank.category == "pair" else rank.category
        odds = pays.odds_for(rank)
        found.setdefault(name, set()).add("lose" if odds is None else str(odds))
    return {name: " or ".join(sorted(outcomes)) for name, outcomes in found.items()}


def pairs(ranks: str, outcome: str) -> dict[str, str]:
    """Return the same outcome for the pairs of these ranks."""
    return {f"pair of {rank}": outcome for rank in ranks}


def wheel(book: str, name: str) -> Wheel:
    """Return a wheel; the document prints its amounts, if not its weights."""
    found: Wheel = _named(load(book).wheels, name)
    assert not found.illustrative
    return found


def printed_wheel(book: str, name: str) -> list[tuple[float | str, float | None, int | None]]:
    """Return a wheel as a regulation prints it: player pay, community pay, wheel position; dollars.

    >>> printed_wheel("nj-criss-cross", "bonus_spin.4")[:4]
    [('top', None, 0), (500.0, None, 2), (200.0, None, 8), (100.0, 20.0, 3)]
    """
    found = wheel(book, name)
    shared = [
        [amount / 100 for _, amount in pay.amounts_cents]
        for pay in load(book).community_pays
        if (pay.wager, pay.letter) == (found.wager, found.letter)
    ]
    return [
        (
            "top" if each.pays_cents is None else each.pays_cents / 100,
            shared[0][each.community - 1] if each.community else None,
            each.position,
        )
        for each in found.slices
    ]


def dollars_on(book: str, name: str) -> list[float | str]:
    """Return the pay of each slice of a wheel, in dollars, in order."""
    return [pays for pays, _, _ in printed_wheel(book, name)]


# --- submissions ---


def nested(**choices: object) -> dict[str, Any]:
    """Make a submission from its paths, with two underscores for each dot.

    >>> nested(wagers__ante__min_cents=100, operator="Anybody")
    {'wagers': {'ante': {'min_cents': 100}}, 'operator': 'Anybody'}
    """
    return tree({path.replace("__", "."): value for path, value in choices.items()})


def tree(choices: dict[str, Any]) -> dict[str, Any]:
    """Make a submission from its dotted paths."""
    stated: dict[str, Any] = {}
    for path, value in choices.items():
        *tables, key = path.split(".")
        inner = stated
        for name in tables:
            inner = inner.setdefault(name, {})
        inner[key] = value
    return stated


def complaints(book: str, stated: dict[str, Any], *, complete: bool = False) -> list[tuple[str, tuple[str, ...]]]:
    """Return the places of problems of a submission, with the clauses; payout limits are not checked."""
    found = problems(load(book), stated, where="", complete=complete)
    return [(problem.where.removeprefix(": "), problem.clauses) for problem in found]


def game(book: str, **choices: object) -> Game:
    """Compile a submission given by its paths, with two underscores for each dot."""
    return compile_game(book, nested(**choices))
