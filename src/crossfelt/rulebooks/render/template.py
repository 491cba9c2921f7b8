"""Writes a commented submission file: every choice the regulation leaves open, its default and its bounds."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from crossfelt.money import dollars
from crossfelt.rulebooks.choices import allowed_text
from crossfelt.rulebooks.citations import citation_text
from crossfelt.rulebooks.model import Choice, PayoutLimit, Rulebook
from crossfelt.rulebooks.settings import setting_rules
from crossfelt.rulebooks.submission import ChoiceValue, resolve

WIDTH = 108


def template(book: Rulebook) -> str:
    """The file as text; it passes the check as it stands, with a warning for each illustrative figure.

    >>> from crossfelt.rulebooks.loader import load
    >>> print(template(load("ma-criss-cross")).splitlines()[0])
    # Rules Submission for Criss-Cross Poker, Massachusetts
    """
    return "\n".join([*_head(book), *_choices(book), *_settings(book), *_pays(book)]) + "\n"


def _head(book: Rulebook) -> Iterator[str]:
    yield f"# Rules Submission for {book.title}"
    yield "# Amounts are cents; rates are millionths. A line that begins with # states nothing: the default holds."
    yield ""
    yield f'rulebook = "{book.id}"'


def _choices(book: Rulebook) -> Iterator[str]:
    values = resolve(book, {}).choices
    section = ""
    for choice in sorted(book.choices, key=lambda c: c.path.count(".") > 0):
        table, _, key = choice.path.rpartition(".")
        if table != section:
            section = table
            yield f"\n[{table}]"
        yield from _comment(book, choice)
        value = values.get(choice.path)
        yield f"{key} = {_toml(value)}" if value is not None else f"# {key} ="


def _comment(book: Rulebook, choice: Choice) -> Iterator[str]:
    notes = [allowed_text(choice)]
    notes += [requirement.says for requirement in book.requirements if choice.path in requirement.must]
    if choice.path == "payout_limit.amount_cents":
        notes += [_limit(limit) for limit in book.payout_limits]
    if choice.must_state:
        notes.append("must be stated")
    if choice.illustrative:
        notes.append("ILLUSTRATIVE: no document prints this figure")
    yield ""
    yield from textwrap.wrap(
        f"{choice.title}: {'; '.join(notes)}. [{citation_text(choice)}]",
        WIDTH,
        initial_indent="# ",
        subsequent_indent="# ",
    )


def _limit(limit: PayoutLimit) -> str:
    word = {"exactly": "exactly", "at_least": "at least", "at_most": "at most"}[limit.rule]
    figure = dollars(limit.amount_cents)
    return f"{word} the greater of {figure} and the most one patron could win in a round at the minimum wager"


def _settings(book: Rulebook) -> Iterator[str]:
    yield "\n# Readings: where the document leaves a question open, another answer may be chosen."
    yield "[settings]"
    for name, setting in book.settings.items():
        rule = setting_rules()[name]
        if rule.open_in(setting):
            title = f"{rule.title}: {rule.meaning(setting.value)}. Allowed: {rule.allowed}. [{citation_text(setting)}]"
            yield ""
            yield from textwrap.wrap(title, WIDTH, initial_indent="# ", subsequent_indent="# ")
            yield f"# {name} = {_toml(setting.value)}"


def _pays(book: Rulebook) -> Iterator[str]:
    for table in book.paytables:
        if table.odds_are == "minimum":
            yield f"\n# {table.title}: these odds may be bettered, never lowered. [{citation_text(table)}]"
            yield f"[pays.{table.id}]"
            yield from (f'# {line.name} = "{line.odds}"' for line in table.lines)


def _toml(value: ChoiceValue) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int():
            return f"{value:_}"
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case _:
            return "[" + ", ".join(map(_toml, value)) + "]"
