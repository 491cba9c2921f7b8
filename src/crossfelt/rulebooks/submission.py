"""An operator's Rules Submission: reading it, checking it, and filling in the defaults.

A submission is a TOML file of nested tables. Every value in it answers one `Choice` of the rulebook, whose path is
the place in the file; ``settings.*`` chooses another reading where that is allowed, ``pays.*`` raises odds that the
document states as a minimum.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

import msgspec

from crossfelt.errors import BadInput, Problem, require_none
from crossfelt.money import Odds
from crossfelt.rulebooks.choices import OUT_OF_BOUNDS, allowed_text, problems_with_value
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.model import Choice, Must, PayTable, Requirement, Rulebook, SettingValue, Wheel
from crossfelt.rulebooks.settings import setting_rules

ChoiceValue = bool | int | str | tuple[int | str, ...]
UNCITED: Final = Cited()
FROM_WHEEL = "wheel"
"""The default of a wheel's weights: the weights of the chosen pay table."""
SAME_LETTER = "as_paytable"
"""The default of a community pay table or wheel: the letter of the pay table of that stake."""


class Resolved(msgspec.Struct, frozen=True, kw_only=True):
    """A submission with every default filled in."""

    choices: dict[str, ChoiceValue]
    settings: dict[str, SettingValue]
    pays: dict[str, dict[str, Any]]
    illustrative: tuple[str, ...]


def problems(
    book: Rulebook, stated: Mapping[str, Any], *, where: str = "submission", complete: bool = False
) -> Iterator[Problem]:
    """Report every violation with its clause. A complete submission states every value that the regulation requires. A
    submission with the status ``filed`` must be complete and name every approval and filing.
    """
    given, found = _read(book, stated)
    resolved = resolve(book, stated)
    # A number out of the bounds of its choice also breaks a requirement, whose figure says more than the bounds.
    beyond = {it.where: it.value for it in found if it.what == OUT_OF_BOUNDS}
    tried = msgspec.structs.replace(resolved, choices=resolved.choices | beyond)
    breaches = [it for requirement in book.requirements for it in _breaches(requirement, tried)]
    told = {it.where for it in breaches if it.where in beyond}
    found = [it for it in found if it.where not in told]
    broken = {problem.where for problem in found}
    filed = is_filed(resolved)
    unstated = _unstated(book, given) if complete or filed else []
    later = [it for it in unstated if it.where not in told] + breaches
    if filed:
        named = {problem.where for problem in later}
        later += [p for p in _unapproved(book, given, resolved) if p.where not in named]
    found += [p for p in later if p.where not in broken]
    for check in (_without_wheel, _weights, _limits_in_order, _meter_limits):
        found += check(book, resolved)
    yield from (problem.inside(where) for problem in found)


def warnings(book: Rulebook, stated: Mapping[str, Any], *, where: str = "submission") -> Iterator[Problem]:
    """Report illustrative values, and in a draft the approvals and filings that are still to come."""
    given, _ = _read(book, stated)
    resolved = resolve(book, stated)
    for problem in _unapproved(book, given, resolved) if not is_filed(resolved) else ():
        if problem.where in resolved.choices:  # without a value it is a violation
            yield problem.inside(where)
    references = {path for rule in book.requirements for path, must in rule.must.items() if must.stated}
    what = "the value is only a placeholder: no document prints one; state the operator's own"
    for path in resolved.illustrative:
        if path not in references:
            yield Problem.at(path, "choice.illustrative", what).inside(where)


def is_filed(resolved: Resolved) -> bool:
    return resolved.choices.get("status") == "filed"


def resolve(book: Rulebook, stated: Mapping[str, Any]) -> Resolved:
    """Return the choices, settings and odds in force. An invalid value is replaced by its default."""
    given, _ = _read(book, stated)
    in_force = {choice.path: given.choices.get(choice.path, choice.default) for choice in book.choices}
    choices = {path: value for path, value in in_force.items() if value is not None}
    defaults = {choice.path: _default(book, choices, choice) for choice in book.choices}
    for choice in book.choices:
        if choice.kind == "weights" and choices.get(choice.path) == FROM_WHEEL:
            choices[choice.path] = defaults[choice.path]
    settings = {name: setting.value for name, setting in book.settings.items()} | given.settings
    placeholders = (c.path for c in book.choices if c.illustrative and applies(c, choices))
    return Resolved(
        choices=choices,
        settings=settings,
        pays=given.pays,
        illustrative=tuple(path for path in placeholders if choices.get(path) == defaults[path]),
    )


class _Given(msgspec.Struct, frozen=True):
    """The valid values that a file states."""

    choices: dict[str, ChoiceValue]
    settings: dict[str, SettingValue]
    pays: dict[str, dict[str, Any]]


def _read(book: Rulebook, stated: Mapping[str, Any]) -> tuple[_Given, list[Problem]]:
    """Read the file value by value, and report everything that answers no choice."""
    named = stated.get("rulebook", book.id)
    found = [] if named == book.id else [_at("rulebook", "the submission is for another rulebook", named, book.id)]
    rest = {key: value for key, value in stated.items() if key not in ("rulebook", "settings", "pays")}
    choices, of_choices = _read_choices(book, rest)
    settings, of_settings = _read_settings(book, stated.get("settings", {}))
    pays, of_pays = _read_pays(book, choices, stated.get("pays", {}))
    return _Given(choices, settings, pays), found + of_choices + of_settings + of_pays


def _read_choices(book: Rulebook, stated: Mapping[str, Any]) -> tuple[dict[str, ChoiceValue], list[Problem]]:
    known = {choice.path: choice for choice in book.choices}
    found: list[Problem] = []
    choices: dict[str, ChoiceValue] = {}
    foreign = _foreign_wagers(book, stated)
    for wager in sorted(foreign):
        setting = book.settings.get("optional_wagers")
        named = sorted(_wagers_with_choices(book)) if setting is None else setting.value
        allowed = ", ".join(named if isinstance(named, list | tuple) else ()) or "none"
        cited = Cited(clauses=setting.clauses if setting else ())
        found.append(_at(f"wagers.{wager}", f"{book.title} has no such wager", None, allowed, cited=cited))
    for path, value in _flat(stated, known):
        choice = known.get(path)
        if choice is None:
            if not any(path.startswith(f"wagers.{wager}.") for wager in foreign):
                near = difflib.get_close_matches(path, known, n=1)
                what = f"no such choice; did you mean {near[0]}?" if near else "no such choice"
                allowed = "the choices that `crossfelt submission new` lists"
                found.append(_at(path, what, None, allowed, code="choice.unknown"))
            continue
        wrong = list(problems_with_value(choice, value, path))
        found += wrong
        if not wrong:
            choices[path] = tuple(value) if isinstance(value, list) else value
    return choices, found


def _foreign_wagers(book: Rulebook, stated: Mapping[str, Any]) -> set[str]:
    wagers, known = stated.get("wagers", {}), _wagers_with_choices(book)
    return {str(name) for name in wagers if name not in known} if isinstance(wagers, Mapping) else set()


def _wagers_with_choices(book: Rulebook) -> set[str]:
    return {choice.path.split(".")[1] for choice in book.choices if choice.path.startswith("wagers.")}


def _flat(data: Mapping[str, Any], known: Collection[str], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value with its path; a table counts as a value if a choice has its path, or if it is empty."""
    for key, value in data.items():
        path = f"{prefix}{key}"
        section = any(choice.startswith(f"{path}.") for choice in known)
        if isinstance(value, Mapping) and path not in known and (value or section):
            yield from _flat(value, known, f"{path}.")
        else:
            yield path, value


def _read_settings(book: Rulebook, stated: Any) -> tuple[dict[str, SettingValue], list[Problem]]:
    if not isinstance(stated, Mapping):
        return {}, [_at("settings", "not a table", str(stated))]
    rules, found = setting_rules(), []
    settings: dict[str, SettingValue] = {}
    for name, value in stated.items():
        path = f"settings.{name}"
        if name not in book.settings:
            allowed = ", ".join(sorted(n for n, setting in book.settings.items() if rules[n].open_in(setting)))
            found.append(_at(path, "no such setting", None, allowed, code="setting.unknown"))
            continue
        setting = book.settings[name]
        found_here = rules[name].problems_with(value, path, [wager.id for wager in book.wagers])
        wrong = [setting.problem(p.where, p.code, p.what, p.value, p.allowed) for p in found_here]
        found += wrong
        value = tuple(value) if isinstance(value, list) else value
        if not wrong and value != setting.value and not rules[name].open_in(setting):
            what = f"the {'regulation' if setting.clauses else 'rulebook'} fixes this setting"
            allowed = _as_written(setting.value)
            found.append(_at(path, what, value, allowed, code="setting.fixed", cited=setting))
        elif not wrong:
            settings[name] = value
    return settings, found


def _read_pays(
    book: Rulebook, given: Mapping[str, ChoiceValue], stated: Any
) -> tuple[dict[str, dict[str, Any]], list[Problem]]:
    if not isinstance(stated, Mapping):
        return {}, [_at("pays", "not a table", str(stated))]
    choices = {c.path: given.get(c.path, c.default) for c in book.choices}
    tables = {table.id: table for table in book.paytables if is_chosen(book, choices, table)}
    pays: dict[str, dict[str, Any]] = {}
    found: list[Problem] = []
    for name, changes in stated.items():
        path = f"pays.{name}"
        if name not in tables or not isinstance(changes, Mapping):
            found.append(_at(path, "no such pay table", None, ", ".join(tables), code="pays.unknown"))
            continue
        wrong = list(_odds_problems(tables[name], changes, book.settings["odds_wording"], path))
        found += wrong
        if not wrong:
            pays[name] = dict(changes)
    return pays, found


def is_chosen(book: Rulebook, choices: Mapping[str, Any], table: PayTable) -> bool:
    """Say if a pay table is in force: it has no letter, or the operator chose its letter."""
    return not table.letter or table.letter in chosen_letters(book, choices, table.id)


def chosen_letters(book: Rulebook, choices: Mapping[str, Any], name: str) -> set[Any]:
    """Return every letter chosen for a pay table or a wager."""
    of_name = [wager for wager in book.wagers if name in (wager.id, *wager.tables, *wager.also_pays)]
    # Wagers that share a pay table share its letter: progressive_player and progressive_dealer.
    prefixes = tuple(f"wagers.{owner}.paytable" for wager in of_name for owner in (wager.id, wager.pays))
    return {value for path, value in choices.items() if path.startswith(prefixes)}


def community_letter(choices: Mapping[str, Any], wager_id: str, stake_cents: int, letter: str) -> str:
    """Return the letter of the community pay table or wheel for a stake whose pay table has a letter: the operator
    may designate another.

    >>> community_letter({"wagers.spin.community_paytable_1": "B"}, "spin", 100, "A")
    'B'
    """
    chosen = choices.get(f"wagers.{wager_id}.community_paytable_{stake_cents // 100}", SAME_LETTER)
    return letter if chosen == SAME_LETTER else str(chosen)


def chosen_wheels(book: Rulebook, choices: Mapping[str, Any]) -> list[Wheel]:
    """Return the wheels that the operator chose, in the order of the rulebook."""
    own = {
        w.name: w for w in book.wheels if w.ring != "community" and w.letter in chosen_letters(book, choices, w.wager)
    }
    shared = {(w.wager, community_letter(choices, w.wager, w.stake_cents, w.letter)) for w in own.values()}
    return [w for w in book.wheels if w.name in own or (w.ring == "community" and (w.wager, w.letter) in shared)]


def with_odds(table: PayTable, changes: Mapping[str, Any], where: str) -> PayTable:
    """Return the pay table with other odds for some lines (``{"flush": "7 to 1"}``, or 7 for the same)."""
    changed, problems = try_odds(table, changes, where)
    require_none(problems)
    return changed


def try_odds(table: PayTable, changes: Mapping[str, Any], where: str) -> tuple[PayTable, list[Problem]]:
    """Return the pay table with every valid change, and the problems of the invalid ones."""
    lines = {line.name: line for line in table.lines}
    problems: list[Problem] = []
    for name, value in changes.items():
        line = lines.get(name)
        if line is None or line.odds is None:
            allowed = ", ".join(name for name, line in lines.items() if line.odds)
            problems.append(Problem.at(f"{where}.{name}", "payline.unknown", "no such pay line", allowed=allowed))
            continue
        try:
            odds = Odds(f"{value} to 1") if isinstance(value, int) and not isinstance(value, bool) else Odds(str(value))
        except BadInput as error:
            problems += [msgspec.structs.replace(p, where=f"{where}.{name}") for p in error.problems]
            continue
        lines[name] = msgspec.structs.replace(line, odds=odds)
    return msgspec.structs.replace(table, lines=tuple(lines.values())), problems


def _odds_problems(table: PayTable, changes: Mapping[str, Any], wording: Cited, where: str) -> Iterator[Problem]:
    """Report odds that are not allowed: only minimum odds may be raised, and odds "for" pay less than they seem to."""
    changed, found = try_odds(table, changes, where)
    yield from found
    for before, after in zip(table.lines, changed.lines, strict=True):
        if before.odds is None or after.odds is None or before.odds == after.odds:
            continue
        said_with_for = not after.odds.returns_stake
        if table.odds_are == "exact" or after.odds < before.odds or said_with_for:
            word = "exactly" if table.odds_are == "exact" else "at least"
            ruled_by = wording.clauses if said_with_for else ()
            what = 'odds must be stated with "to"' if said_with_for else "odds not allowed"
            basis = Cited(clauses=ruled_by + table.clauses, readings=table.readings, house_rule=table.house_rule)
            allowed = f"{word} {before.odds}"
            yield basis.problem(f"{where}.{before.name}", "pays.odds", what, str(after.odds), allowed)


def _unstated(book: Rulebook, given: _Given) -> list[Problem]:
    choices = {c.path: given.choices.get(c.path, c.default) for c in book.choices}
    return [
        choice.problem(choice.path, "choice.unstated", f"must be stated: {choice.title}", allowed=allowed_text(choice))
        for choice in book.choices
        if choice.must_state and choice.path not in given.choices and applies(choice, choices)
    ]


def applies(choice: Choice, choices: Mapping[str, Any]) -> bool:
    """Say if a choice has a meaning beside the others."""
    return all(
        choices.get(path) in (value if isinstance(value, tuple) else (value,)) for path, value in choice.only_if.items()
    )


def _value_at(resolved: Resolved, path: str) -> Any:
    if path.startswith("settings."):
        return resolved.settings.get(path.removeprefix("settings."))
    return resolved.choices.get(path)


def _binds(requirement: Requirement, resolved: Resolved) -> bool:
    met = all(_value_at(resolved, path) in values for path, values in requirement.when.items())
    return met and all(path in resolved.choices for path in requirement.when_stated)


def _breaches(requirement: Requirement, resolved: Resolved) -> Iterator[Problem]:
    for path, must in requirement.must.items() if _binds(requirement, resolved) else ():
        value = _value_at(resolved, path)
        if allowed := _breach(must, value):
            yield _at(path, requirement.says, value, allowed, code="requirement", cited=requirement)


PLACEHOLDER = re.compile(
    r"\W*\w?\W*|none|n/?a|tbd|.*\b(illustrative|placeholder|pending|unapproved|not (yet )?approved|to be \w+)\b.*"
)
REFERENCE = "a reference, and no placeholder"


def _unapproved(book: Rulebook, given: _Given, resolved: Resolved) -> Iterator[Problem]:
    """Report approvals and filings of which a submission states no reference, or only a placeholder, each once."""
    told = set()
    for requirement in book.requirements:
        for path, must in requirement.must.items() if _binds(requirement, resolved) else ():
            value = given.choices.get(path)
            missing = value is None or PLACEHOLDER.fullmatch(str(value).strip().lower())
            if must.stated and missing and path not in told:
                told.add(path)
                yield _at(path, requirement.says, value, REFERENCE, code="requirement", cited=requirement)


def _breach(must: Must, value: Any) -> str:
    """Return the allowed values where a value breaches the requirement; empty where it does not."""
    if must.stated and (value is None or value == ""):
        return REFERENCE
    if must.in_ is not None and value not in must.in_:
        return ", ".join(str(item).lower() if isinstance(item, bool) else str(item) for item in must.in_)
    if must.at_least is not None and (value is None or value < must.at_least):
        return f"at least {must.at_least:,}"
    if must.at_most is not None and (value is None or value > must.at_most):
        return f"at most {must.at_most:,}"
    return ""


def _default(book: Rulebook, choices: Mapping[str, Any], choice: Choice) -> Any:
    if choice.kind != "weights" or choice.default != FROM_WHEEL:
        return choice.default
    wheels = _wheels_for(book, choices, choice.path)
    return wheels[0].illustrative_weights if wheels else ()


def _wheels_for(book: Rulebook, choices: Mapping[str, Any], path: str) -> list[Wheel]:
    return [wheel for wheel in chosen_wheels(book, choices) if wheel.weights_path == path]


def _without_wheel(book: Rulebook, resolved: Resolved) -> Iterator[Problem]:
    """Report wagers paid by a wheel that are offered without a pay table."""
    for wager in book.wagers:
        base = f"wagers.{wager.id}"
        letters = [choice for choice in book.choices if choice.path.startswith(f"{base}.paytable")]
        chosen = {resolved.choices.get(choice.path) for choice in letters}
        known = {wheel.letter for wheel in book.wheels if wheel.wager == wager.id}
        if letters and known and not chosen & known and resolved.choices.get(f"{base}.offered", True):
            what = f"{wager.title} is offered without a pay table"
            allowed = ", ".join(sorted(known))
            yield _at(letters[0].path, what, None, allowed, cited=Cited(clauses=letters[0].clauses))


def _weights(book: Rulebook, resolved: Resolved) -> Iterator[Problem]:
    for choice in book.choices:
        if choice.kind != "weights" or not applies(choice, resolved.choices):
            continue
        chosen = resolved.choices.get(choice.path, ())
        given = chosen if isinstance(chosen, tuple) else ()
        for wheel in _wheels_for(book, resolved.choices, choice.path):
            what, value, allowed = _weights_problem(wheel, given)
            if what:
                yield _at(choice.path, what, value, allowed, code="choice.weights", cited=choice)


def _weights_problem(wheel: Wheel, weights: tuple[int | str, ...]) -> tuple[str, int | str, str]:
    """Return the problem of the weights of a wheel, the value and the allowed values; empty if they are valid."""
    if len(weights) != len(wheel.slices):
        slices = len(wheel.slices)
        return f"wrong number of weights for wheel {wheel.name}", len(weights), str(slices)
    tops = (index for index, slice_ in enumerate(wheel.slices) if slice_.pays_cents is None)
    never = next((index for index in tops if not weights[index]), None)
    if never is None or not any(weights):
        return "", "", ""
    # The contributions to a meter would stay there for good.
    return f"the top prize of wheel {wheel.name} could never be won", 0, f"at least 1 for slice {never}"


def _limits_in_order(book: Rulebook, resolved: Resolved) -> Iterator[Problem]:
    """Report a smallest wager above the largest, and limits that are not multiples of the step."""
    for choice in book.choices:
        base, _, name = choice.path.rpartition(".")
        if name not in ("min_cents", "min_credits"):
            continue
        unit = name.removeprefix("min_")
        low, high, step = (resolved.choices.get(f"{base}.{bound}_{unit}") for bound in ("min", "max", "step"))
        if not (isinstance(low, int) and isinstance(high, int)):
            continue
        if low > high:
            allowed = f"at most {high:,}"
            yield _at(choice.path, "the smallest wager is above the largest", low, allowed, cited=choice)
        if isinstance(step, int) and step and (low % step or high % step):
            what = f"the limits of {base} are not multiples of the step"
            yield _at(f"{base}.step_cents", what, f"{low} to {high}", f"multiples of {step:,}", cited=choice)


def _meter_limits(book: Rulebook, resolved: Resolved) -> Iterator[Problem]:
    """Report a meter's limit below its initial or reset amount."""
    for choice in book.choices:
        base, _, name = choice.path.rpartition(".")
        limit = resolved.choices.get(choice.path)
        if name != "limit_cents" or not isinstance(limit, int) or not applies(choice, resolved.choices):
            continue
        amounts = (resolved.choices.get(f"{base}.{amount}_cents") for amount in ("initial", "reset"))
        least = max(amount for amount in amounts if isinstance(amount, int))
        if limit < least:
            what = "the limit is below the initial or reset amount of the meter"
            yield _at(choice.path, what, limit, f"at least {least:,}", cited=choice)


def _as_written(value: Any) -> str:
    """Return a value as a submission file would have it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list | tuple) else str(value)


def _at(
    path: str, what: str, value: Any = None, allowed: str = "", *, code: str = "choice.value", cited: Cited = UNCITED
) -> Problem:
    """Make a problem at a path, which cites what `cited` cites."""
    shown = value if isinstance(value, str | int | float | bool | None) else _as_written(value)
    return cited.problem(path, code, what, shown, allowed)
