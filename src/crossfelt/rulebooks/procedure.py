"""The procedure of a table: the opening and the script for one way of dealing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.model import Rulebook
from crossfelt.rulebooks.script import Deal, OpeningStep, Step

C = TypeVar("C", bound=Cited)


class Procedure(msgspec.Struct, frozen=True, kw_only=True):
    """The opening and the script for one way of dealing; no step cites a clause about another way."""

    opening: Mapping[str, OpeningStep]
    """Opening steps by act: ``shuffle``, ``load``."""
    script: tuple[Step, ...]
    steps: Mapping[str, Step]
    """The steps of the script by id."""


def procedure_of(book: Rulebook, method: str) -> Procedure:
    """Return the procedure for one way of dealing.

    >>> from crossfelt.rulebooks.loader import load
    >>> book = load("md-criss-cross")
    >>> [procedure_of(book, method).opening["load"].clauses for method in ("manual_shoe", "hand", "automated_shoe")]
    [('MDC-24',), ('MDC-26',), ('MDC-27',)]
    """
    own = {clause for name, cited in book.methods.items() if name == method for clause in cited.clauses}
    foreign = {clause for cited in book.methods.values() for clause in cited.clauses} - own
    script = tuple(_step(step, foreign) for step in book.script)
    return Procedure(
        opening={step.step: _without(step, foreign) for step in book.opening.steps},
        script=script,
        steps={step.id: step for step in script},
    )


def _step(step: Step, foreign: set[str]) -> Step:
    if isinstance(step, Deal):
        step = replace(step, deliver=tuple(_without(delivery, foreign) for delivery in step.deliver))
    return _without(step, foreign)


def _without(cited: C, foreign: set[str]) -> C:
    parts = {name: value for name in cited.__struct_fields__ if isinstance(value := getattr(cited, name), Cited)}
    own = tuple(clause for clause in cited.clauses if clause not in foreign)
    return replace(cited, clauses=own, **{name: _without(value, foreign) for name, value in parts.items()})
