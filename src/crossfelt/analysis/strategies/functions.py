"""Strategies that a user writes: a function of arrays, a plain function hand by hand, or one compiled by Numba.

A function with one parameter gets `Seen`, many rounds at once, and returns an array of places in `seen.options`. One
whose parameters are some of decision, options, cards and stakes is called for each hand, with names and `Card`s, and
returns an option. A Numba function takes decision, cards and stakes of one hand as numbers, and returns a place.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from functools import cache, wraps
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.strategies.seen import Play, Seen
from crossfelt.cards.card import Card
from crossfelt.errors import BadInput, Problem

BY_HAND: Final = frozenset({"decision", "options", "cards", "stakes"})


def read_function(text: str) -> Play:
    """Return the strategy of a file and a function, such as ``mine.py:play``."""
    path, _, name = text.rpartition(":")
    file = Path(path)
    if not file.is_file():
        raise _refused(text, "no such file", allowed="a Python file and one of its functions, such as mine.py:play")
    spec = spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise _refused(text, "not a Python file", allowed="a file such as mine.py")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as failure:
        raise _refused(text, f"the file fails {_words(failure, str(file))}") from failure
    function = getattr(module, name, None)
    if not callable(function):
        own = [key for key, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
        found = ", ".join(key for key in own if callable(getattr(module, key))) or "none"
        raise _refused(text, f"the file has no function {name or '(name missing)'}", allowed=found)
    return strategy_of(function, text)


def strategy_of(function: Callable[..., Any], name: str = "") -> Play:
    """Return a user's function as a strategy whose answers are checked."""
    called = name or getattr(function, "__name__", "strategy")
    compiled = hasattr(function, "py_func")
    parameters = list(inspect.signature(getattr(function, "py_func", function)).parameters)
    if compiled and parameters != ["decision", "cards", "stakes"]:
        raise _refused(called, "a Numba function takes decision, cards and stakes", value=", ".join(parameters))
    if compiled:
        return checked(_each_compiled(function), called)
    if set(parameters) <= BY_HAND:
        return checked(_each(function, parameters), called)
    if len(parameters) != 1:
        allowed = "one parameter, seen, or some of decision, options, cards, stakes"
        raise _refused(called, "the function has other parameters", value=", ".join(parameters), allowed=allowed)
    return checked(function, called)


def checked(play: Play, name: str) -> Play:
    """Return a strategy that refuses answers which are not one allowed choice for each round."""

    source = inspect.unwrap(getattr(play, "py_func", play))
    file = source.__code__.co_filename if inspect.isfunction(source) else ""

    @wraps(play)
    def ask(seen: Seen) -> NDArray[Any]:
        try:
            chosen = np.asarray(play(seen))
        except BadInput:
            raise
        except Exception as failure:
            raise _refused(name, f"the strategy fails at {seen.decision} {_words(failure, file)}") from failure
        allowed = "1 integer" if seen.rounds == 1 else f"{seen.rounds} integers, one for each round"
        if chosen.shape != (seen.rounds,):
            raise _refused(name, f"an answer of another shape at {seen.decision}", str(chosen.shape), allowed)
        if not np.issubdtype(chosen.dtype, np.integer):
            raise _refused(name, f"an answer of another type at {seen.decision}", str(chosen.dtype), allowed)
        wrong = (chosen < 0) | (chosen >= len(seen.options))
        if wrong.any():
            listed = ", ".join(f"{place} {option}" for place, option in enumerate(seen.options))
            raise _refused(name, f"no such choice at {seen.decision}", str(chosen[wrong][0]), listed)
        barred = ~seen.allowed[np.arange(seen.rounds), chosen]
        if barred.any():
            option = seen.options[int(chosen[barred][0])]
            raise _refused(name, f"a choice at {seen.decision} that the hand does not allow; see seen.allowed", option)
        return chosen

    return ask


def _each(function: Callable[..., str], parameters: list[str]) -> Play:
    """Return a plain function, called for each hand, as a strategy."""

    @wraps(function)
    def play(seen: Seen) -> NDArray[np.int64]:
        place = {option: number for number, option in enumerate(seen.options)}
        given: dict[str, Any] = {"decision": seen.decision, "options": seen.options, "stakes": dict(seen.stakes)}
        chosen = np.empty(seen.rounds, dtype=np.int64)
        plain = {name: cards.tolist() for name, cards in seen.cards.items()} if "cards" in parameters else {}
        for row in range(seen.rounds):
            held = {name: _cards(cards[row]) for name, cards in plain.items()}
            answer = function(**{name: held if name == "cards" else given[name] for name in parameters})
            if answer not in place:
                raise _refused(
                    function.__name__, f"no such choice at {seen.decision}", str(answer), ", ".join(seen.options)
                )
            chosen[row] = place[answer]
        return chosen

    return play


def _cards(numbers: int | list[int]) -> Card | tuple[Card, ...]:
    return Card(numbers) if isinstance(numbers, int) else tuple(map(Card, numbers))


def _each_compiled(function: Any) -> Play:
    """Return a Numba function, called for each hand, as a strategy."""

    @wraps(function.py_func)
    def play(seen: Seen) -> NDArray[np.int64]:
        plan = seen.plan
        steps = [step.id for moment in plan.moments for step in moment.decisions]
        order = [place for moment in plan.moments for place in moment.places if place in seen.places]
        cards = np.stack([seen.places[place] for place in order], axis=1)
        stakes = np.array([seen.stakes.get(wager, 0) for wager in plan.main], dtype=np.int64)
        chosen = np.empty(seen.rounds, dtype=np.int64)
        _loop()(function, steps.index(seen.decision), cards, stakes, chosen)
        return chosen

    return play


@cache
def _loop() -> Any:
    import numba

    @numba.njit(nogil=True)
    def loop(function, decision, cards, stakes, chosen):  # type: ignore[no-untyped-def]
        for row in range(cards.shape[0]):
            chosen[row] = function(decision, cards[row], stakes)

    return loop


def _words(failure: BaseException, file: str) -> str:
    """Say in which line of a user's file it fails, and how."""
    lines = [frame.lineno for frame in traceback.extract_tb(failure.__traceback__) if frame.filename == file]
    lines += [failure.lineno] if isinstance(failure, SyntaxError) else []
    said = str(failure).partition("\n")[0]
    return f"in line {lines[-1] if lines else '?'}: {type(failure).__name__}{f': {said}' if said else ''}"


def _refused(name: str, what: str, value: str = "", allowed: str = "") -> BadInput:
    return BadInput(Problem.at(name, "strategy.function", what, value or None, allowed))
