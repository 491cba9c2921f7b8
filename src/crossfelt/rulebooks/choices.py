"""The operator's choices: their allowed values, and the checks of the choices of a rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Any, Final

from crossfelt.errors import Problem, unknown
from crossfelt.rulebooks.model import Choice, Rulebook, Wheel
from crossfelt.rulebooks.settings import setting_rules

LARGEST_CENTS = 10**12
"""Ten billion dollars, for amounts stated or staked; a win at long odds may be larger."""
LARGEST_WEIGHT = 10**9
OUT_OF_BOUNDS = "out of bounds"
UNITS: Final = {"cents": "an amount in cents", "whole": "a whole number", "rate": "a rate in millionths"}
COMMUNITY_HAND: Final = "five_card"
"""The order of the community cards, which spin the wheels of all bettors."""


def problems_with_value(choice: Choice, value: Any, where: str) -> Iterator[Problem]:
    """Report a value that a choice does not allow, with the clauses of the choice.

    >>> ante = Choice(path="wagers.ante.min_cents", title="Smallest ante", kind="cents", min=1, clauses=("MDC-20",))
    >>> [str(problem) for problem in problems_with_value(ante, -5, "wagers.ante.min_cents")]
    ['wagers.ante.min_cents: out of bounds: -5 (allowed: an amount in cents, at least 1) [MDC-20]']
    """
    what = _what_is_wrong(choice, value)
    if what:
        shown = value if isinstance(value, str | int | float | bool) else str(value)
        allowed = allowed_text(choice)
        if what == OUT_OF_BOUNDS and choice.max is None and value > LARGEST_CENTS:
            allowed += f", at most {LARGEST_CENTS:,}"
        yield choice.problem(where, f"choice.{choice.kind}", what, shown, allowed)


def _what_is_wrong(choice: Choice, value: Any) -> str:
    match choice.kind:
        case "flag":
            return "" if isinstance(value, bool) else "not true or false"
        case "cents" | "whole" | "rate":
            if not isinstance(value, int) or isinstance(value, bool):
                return "not a whole number"
            low = 0 if choice.min is None else choice.min
            high = LARGEST_CENTS if choice.max is None else choice.max
            return "" if low <= value <= high else OUT_OF_BOUNDS
        case "one_of":
            right = isinstance(value, str | int) and not isinstance(value, bool) and value in choice.of
            return "" if right else "not one of the choices"
        case "many_of":
            right = isinstance(value, list | tuple)
            right = right and all(isinstance(item, str | int) and item in choice.of for item in value)
            return "" if right and len(set(value)) == len(value) else "not a list of different allowed values"
        case "text":
            return "" if isinstance(value, str) and value.strip() else "not text"
        case "weights":
            right = isinstance(value, list | tuple) and bool(value)
            right = right and all(
                isinstance(w, int) and not isinstance(w, bool) and 0 <= w <= LARGEST_WEIGHT for w in value
            )
            return "" if right and sum(value) > 0 else "not a list of weights"


def allowed_text(choice: Choice) -> str:
    """Return the allowed values of a choice in words."""
    match choice.kind:
        case "flag":
            return "true or false"
        case "cents" | "whole" | "rate":
            unit = UNITS[choice.kind]
            bounds = [f"at least {choice.min:,}"] if choice.min is not None else []
            bounds += [f"at most {choice.max:,}"] if choice.max is not None else []
            return ", ".join([unit, *bounds])
        case "one_of":
            return ", ".join(map(str, choice.of))
        case "many_of":
            return f"a list of any of {', '.join(map(str, choice.of))}"
        case "text":
            return "text"
        case "weights":
            return "whole numbers, one for each slice, not all zero"


def requirements_on(book: Rulebook, choice: Choice) -> tuple[str, ...]:
    """Return the sentences of the requirements that bind a choice, each once."""
    return tuple(dict.fromkeys(rule.says for rule in book.requirements if choice.path in rule.must))


def house_way_ids() -> tuple[str, ...]:
    """Return the ids of the house ways in the package.

    >>> house_way_ids()
    ('casino_real', 'flamingo', 'foxwoods', 'mgm', 'trump_plaza')
    """
    folder = files("crossfelt.rulebooks").joinpath("house_ways")
    return tuple(sorted(way.name.removesuffix(".toml") for way in folder.iterdir() if way.name.endswith(".toml")))


# --- checks of a rulebook's choices

NUMBERS: Final = ("cents", "whole", "rate")
NO_CHOICES: Final = ("rulebook", "settings", "pays")
"""Tables of a submission that hold no choices."""


def choice_problems(book: Rulebook) -> Iterator[Problem]:
    for choice in book.choices:
        where = f"choice ({choice.path})"
        from_wheel = choice.kind == "weights" and choice.default == "wheel"
        if choice.default is not None and not from_wheel:
            yield from problems_with_value(choice, choice.default, where)
        if choice.kind in ("one_of", "many_of") and not choice.of:
            yield Problem.at(f"{where}.of", "choice.of", "lists nothing to choose from")
        if choice.path.partition(".")[0] in NO_CHOICES:
            yield Problem.at(where, "choice.path", "a choice cannot have this path", choice.path)
        if choice.path.endswith(".offered") and choice.kind != "flag":
            yield Problem.at(where, "choice.kind", "must be of kind flag", choice.kind, "flag")
        for other in book.choices:
            if other.path.startswith(f"{choice.path}."):
                yield Problem.at(where, "choice.path", "contains another choice", other.path)


def weight_problems(book: Rulebook) -> Iterator[Problem]:
    """Report choices of weights whose path names no wheel."""
    known = {wheel.weights_path for wheel in book.wheels}
    for choice in book.choices:
        if choice.kind == "weights":
            yield from unknown(
                [choice.path], known, f"choice ({choice.path})", "choice.path", "no wheel has these weights"
            )


def requirement_problems(book: Rulebook) -> Iterator[Problem]:
    """Report conditions of choices and requirements that name an unknown path or a value it cannot have."""
    is_number = {choice.path: choice.kind in NUMBERS for choice in book.choices}
    is_number |= {f"settings.{rule.id}": rule.kind == "number" for rule in setting_rules().values()}
    for choice in book.choices:
        for path, value in choice.only_if.items():
            values = value if isinstance(value, tuple) else (value,)
            yield from _fits(book, path, values, f"choice ({choice.path})", "choice.only_if")
    for place, requirement in enumerate(book.requirements):
        where = f"requirement[{place}]"
        for path, values in (*requirement.when.items(), *((path, ()) for path in requirement.when_stated)):
            yield from _fits(book, path, values, where, "requirement.path")
        for path, must in requirement.must.items():
            yield from _fits(book, path, must.in_ or (), where, "requirement.path")
            bounded = must.at_least is not None or must.at_most is not None
            if bounded and not is_number.get(path, True):  # an unknown path is reported already
                yield Problem.at(where, "requirement.value", "at_least and at_most apply to numbers only", path)


def _fits(book: Rulebook, path: str, values: tuple[Any, ...], where: str, code: str) -> Iterator[Problem]:
    choices = {choice.path: choice for choice in book.choices}
    name = path.removeprefix("settings.")
    if path in choices:
        for value in values:
            yield from problems_with_value(choices[path], value, f"{where}.{path}")
    elif path.startswith("settings.") and name in book.settings:
        wagers = [wager.id for wager in book.wagers]
        if name in setting_rules():
            for value in values:
                yield from setting_rules()[name].problems_with(value, f"{where}.{path}", wagers)
    else:
        known = {*choices, *(f"settings.{setting}" for setting in book.settings)}
        yield Problem.at(where, code, "no such choice", path, known)


def wheels_in_use(book: Rulebook) -> list[Wheel]:
    """Return the wheels that pay a wager; any other wheel is reported elsewhere."""
    paid = {wager.id for wager in book.wagers if wager.spins}
    return [wheel for wheel in book.wheels if wheel.wager in paid]


def wheels_chosen(book: Rulebook) -> Iterator[Problem]:
    """Report choices of a wheel's pay table that name no wheel."""
    if len(wheels_in_use(book)) < len(book.wheels):
        return  # a wheel that pays no wager may be the missing one
    for name in dict.fromkeys(wheel.wager for wheel in book.wheels):
        letters = {wheel.letter for wheel in book.wheels if wheel.wager == name}
        choosing = [choice for choice in book.choices if choice.path.startswith(f"wagers.{name}.paytable")]
        if not choosing:
            yield Problem.at("choice", "choice.missing", "missing choice", f"wagers.{name}.paytable")
        for choice in choosing:
            named = [str(letter) for letter in choice.of if letter != "none"]
            yield from unknown(named, letters, f"choice ({choice.path})", "choice.of", "no such wheel")
        yield from _community_chosen(book, name)


def _community_chosen(book: Rulebook, name: str) -> Iterator[Problem]:
    """Report choices of a community pay table or wheel that name none of its stake, or one with other slices."""
    start = f"wagers.{name}.community_paytable_"
    for choice in book.choices:
        if not choice.path.startswith(start):
            continue
        stake = choice.path.removeprefix(start)
        pays = {
            p.letter: len(p.amounts_cents)
            for p in book.community_pays
            if (p.wager, str(p.stake_cents // 100)) == (name, stake)
        }
        rings = {
            w.letter: len(w.slices)
            for w in book.wheels
            if (w.wager, w.ring, str(w.stake_cents // 100)) == (name, "community", stake)
        }
        where, known = f"choice ({choice.path})", pays | rings
        letters = {*known, "as_paytable"}
        yield from unknown(map(str, choice.of), letters, where, "choice.of", "no such community pay table")
        if len(set(known.values())) > 1:
            what = "the community pay tables differ in their number of amounts"
            yield Problem.at(where, "choice.of", what, str(known))
