"""A commented submission file: every choice the regulation leaves open, with its default and bounds."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from crossfelt.rulebooks.choices import allowed_text, requirements_on
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.defaults import BY_DEFAULT
from crossfelt.rulebooks.model import Rulebook
from crossfelt.rulebooks.render.phrases import limit_words
from crossfelt.rulebooks.render.toml_lines import toml_text
from crossfelt.rulebooks.settings import setting_rules
from crossfelt.rulebooks.submission import ChoiceValue, resolve

WIDTH = 108


def template(book: Rulebook, named: str = "") -> str:
    """Return the text of the file; it passes the check unchanged, with a warning for each illustrative value.

    It names its rulebook by id, or as `named`.

    >>> from crossfelt.rulebooks.loader import load
    >>> print(template(load("ma-criss-cross")).splitlines()[0])
    # Rules Submission for Criss-Cross Poker, Massachusetts
    """
    return "\n".join([*_head(book, named or book.id), *_choices(book), *_settings(book), *_pays(book)]) + "\n"


def _head(book: Rulebook, named: str) -> Iterator[str]:
    yield f"# Rules Submission for {book.title}"
    yield "# Amounts are in cents and rates in millionths. A choice whose line begins with # keeps its default."
    yield ""
    yield f"rulebook = {toml_text(named)}"


def _choices(book: Rulebook) -> Iterator[str]:
    values = resolve(book, {}).choices
    section = ""
    tables = list(dict.fromkeys(["", *(choice.path.rpartition(".")[0] for choice in book.choices)]))
    for choice in sorted(book.choices, key=lambda choice: tables.index(choice.path.rpartition(".")[0])):
        table, _, key = choice.path.rpartition(".")
        if table != section:
            section = table
            yield f"\n[{table}]"
        notes = [choice.title, f"Allowed: {allowed_text(choice)}", *requirements_on(book, choice)]
        if choice.path == "payout_limit.amount_cents":
            notes += [f"The limit is {limit_words(limit)}" for limit in book.payout_limits]
        if choice.must_state:
            notes.append("Must be stated")
        if choice.illustrative:
            notes.append("ILLUSTRATIVE: a placeholder, as no document prints a value")
        yield from _paragraph(f"{'. '.join(note[:1].upper() + note[1:] for note in notes)}.{_basis(choice)}")
        value = values.get(choice.path)
        yield f"{key} = {_toml(value)}" if value is not None else f"# {key} ="


def _basis(datum: Cited) -> str:
    """Return what a datum rests on, in brackets; a default goes without saying."""
    return "" if datum.house_rule == BY_DEFAULT else f" [{datum.basis}]"


def _paragraph(text: str) -> list[str]:
    return ["", *textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ")]


def _settings(book: Rulebook) -> Iterator[str]:
    yield "\n# Readings: where the document leaves a question open, the submission may choose another answer."
    yield "[settings]"
    for name, setting in book.settings.items():
        rule = setting_rules()[name]
        if rule.open_in(setting):
            meaning = f"{rule.title}: {rule.meaning(setting.value)}"
            yield from _paragraph(f"{meaning}. Allowed: {rule.allowed}.{_basis(setting)}")
            yield f"# {name} = {_toml(setting.value)}"


def _pays(book: Rulebook) -> Iterator[str]:
    for table in book.paytables:
        if table.odds_are == "minimum":
            yield f"\n# {table.title}: these are minimum odds; they may be raised, not lowered.{_basis(table)}"
            yield f"[pays.{table.id}]"
            yield from (f'# {line.name} = "{line.odds}"' for line in table.lines)


def _toml(value: ChoiceValue) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int():
            return f"{value:_}"
        case str():
            return toml_text(value)
        case _:
            return "[" + ", ".join(map(_toml, value)) + "]"
