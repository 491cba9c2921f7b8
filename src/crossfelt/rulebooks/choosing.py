"""Values of an operator's choices: whether they fit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crossfelt.problems import Problem
from crossfelt.rulebooks.model import Choice

LARGEST_CENTS = 10**12
"""Ten billion dollars, for what is stated or put down; what that wins at long odds may be more."""
LARGEST_WEIGHT = 10**9


def problems_with_value(choice: Choice, value: Any, where: str) -> Iterator[Problem]:
    """What is wrong with the value an operator gave, with the clauses of the choice.

    >>> ante = Choice(path="wagers.ante.min_cents", title="Smallest ante", kind="cents", min=1, clauses=("MDC-20",))
    >>> [str(problem) for problem in problems_with_value(ante, -5, "wagers.ante.min_cents")]
    ['wagers.ante.min_cents: out of bounds: -5 (allowed: cents, at least 1) [MDC-20]']
    """
    what = _what_is_wrong(choice, value)
    if what:
        shown = value if isinstance(value, str | int | float | bool) else str(value)
        yield Problem(
            code=f"choice.{choice.kind}",
            where=where,
            what=what,
            value=shown,
            allowed=allowed(choice),
            clauses=choice.clauses,
            readings=choice.readings,
            house_rule=choice.house_rule,
        )


def _what_is_wrong(choice: Choice, value: Any) -> str:
    match choice.kind:
        case "flag":
            return "" if isinstance(value, bool) else "not true or false"
        case "cents" | "whole" | "rate":
            if not isinstance(value, int) or isinstance(value, bool):
                return "not a whole number"
            low = 0 if choice.min is None else choice.min
            high = LARGEST_CENTS if choice.max is None else choice.max
            return "" if low <= value <= high else "out of bounds"
        case "one_of":
            right = isinstance(value, str | int) and not isinstance(value, bool) and value in choice.of
            return "" if right else "not one of the choices"
        case "many_of":
            right = isinstance(value, list | tuple)
            right = right and all(isinstance(item, str | int) and item in choice.of for item in value)
            return "" if right and len(set(value)) == len(value) else "not a list of the choices"
        case "text":
            return "" if isinstance(value, str) and value.strip() else "not text"
        case "weights":
            right = isinstance(value, list | tuple) and bool(value)
            right = right and all(
                isinstance(w, int) and not isinstance(w, bool) and 0 <= w <= LARGEST_WEIGHT for w in value
            )
            return "" if right and sum(value) > 0 else "not a list of weights"


def allowed(choice: Choice) -> str:
    """What may be chosen, in words."""
    match choice.kind:
        case "flag":
            return "true or false"
        case "cents" | "whole" | "rate":
            unit = {"cents": "cents", "whole": "a whole number", "rate": "millionths"}[choice.kind]
            bounds = [f"at least {choice.min:,}"] if choice.min is not None else []
            bounds += [f"at most {choice.max:,}"] if choice.max is not None else []
            return ", ".join([unit, *bounds])
        case "one_of":
            return ", ".join(map(str, choice.of))
        case "many_of":
            return f"a list of {', '.join(map(str, choice.of))}"
        case "text":
            return "text"
        case "weights":
            return "whole numbers, one for each slice, not all zero"
