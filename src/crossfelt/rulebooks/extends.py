"""A rulebook that extends another: its file states only what differs.

Tables of a list merge by id, and other lists are replaced; ``drop`` removes, and ``before`` puts a new step in its
place. Inherited data cite the other rulebook and none of its clauses: the law of one state is not that of another.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any, Final

from crossfelt.errors import BadInput, Problem, require_none
from crossfelt.rulebooks.citations import Cited, data_of
from crossfelt.rulebooks.model import Rulebook

Data = dict[str, Any]

INHERITED: Final = "as in "
"""The beginning of the house rule that inherited data cite."""
OWN: Final = ("id", "version", "title", "document", "clause", "reading", "topic", "methods")
"""Sections that are never inherited: they speak of the other document."""
NAMES: Final = {"choice": ("path",), "paytable": ("id", "letter"), "wheel": ("wager", "ring", "letter"),
                "community_pay": ("wager", "letter"), "requirement": ("says",), "payout_limit": ("rule",)}  # fmt: skip
"""The fields that name the items of a list; an id, where none are given."""
CITATIONS: Final = ("clauses", "readings", "tie_readings", "house_rule")
UNCITED: Final = frozenset({"lines", "slices"})
"""Lists whose items rest on the table that holds them."""
OF_WAGERS: Final = (
    *("wagers", "covers", "outside", "forfeits", "keeps", "optional", "with", "without", "needs", "fed_by"),
    "value",
)
"""Lists of wagers, and values of settings: a wager that is dropped leaves each of them."""


def base_of(book: Rulebook) -> str:
    """Return the id of the rulebook that another extends; empty where it extends none.

    >>> from crossfelt.rulebooks.loader import load
    >>> base_of(load("nj-criss-cross"))
    ''
    """
    rules = (datum.house_rule for _, datum in data_of(book) if isinstance(datum, Cited))
    return next(filter(None, map(inherited_from, rules)), "")


def inherited_from(house_rule: str) -> str:
    """Return the id of the rulebook that a datum is inherited from; empty where it is not.

    >>> inherited_from("as in nj-criss-cross"), inherited_from("as in most casinos")
    ('nj-criss-cross', '')
    """
    name = house_rule.removeprefix(INHERITED)
    return name if name != house_rule and " " not in name else ""


def extended(base: Data, own: Data, *, where: str) -> Data:
    """Return the data of a rulebook that extends another."""
    basis = f"{INHERITED}{base['id']}"
    data: Data = _without_law({key: copy.deepcopy(value) for key, value in base.items() if key not in OWN}, basis)
    dropped = own.get("drop", {})
    if not isinstance(dropped, Mapping):
        raise BadInput.at(f"{where}: drop", "type.table", "not a table", str(dropped))
    require_none(_drop(data, dropped, where))
    for key, value in own.items():
        if key not in ("extends", "drop"):
            data[key] = _merged(key, data.get(key), value)
    return data


def _without_law(value: Any, basis: str) -> Any:
    """Replace the citations of the other rulebook with a house rule that names it."""
    if isinstance(value, list | tuple):
        return [_without_law(item, basis) for item in value]
    if not isinstance(value, dict):
        return value
    plain = {key: _without_law(item, basis) for key, item in value.items() if key not in (*CITATIONS, "topic")}
    for part in UNCITED.intersection(plain):
        plain[part] = [{key: item for key, item in one.items() if key != "house_rule"} for one in plain[part]]
    return plain | {"house_rule": basis} if any(key in value for key in CITATIONS) else plain


def _drop(data: Data, dropped: Mapping[str, Any], where: str) -> Iterator[Problem]:
    # Taken before the first drop, which may take others with it.
    names = {
        section: [_name(section, item) for item in held] if isinstance(held := data.get(section), list | dict) else []
        for section in dropped
    }
    for section, given in dropped.items():
        for name in given if isinstance(given, list) else [given]:
            held = data.get(section)
            if name not in (known := names[section]):
                what = "the other rulebook has no such item"
                yield Problem.at(f"{where}: drop.{section}", "drop.unknown", what, str(name), ", ".join(known))
            elif isinstance(held, dict):
                held.pop(name, None)
            elif isinstance(held, list):
                held[:] = [item for item in held if _name(section, item) != name]
            if section == "wager":
                _forget(data, str(name))


def _forget(data: Data, wager: str) -> None:
    """Take a dropped wager out of every list, with its wheels, meters, choices and steps."""
    _leave_lists(data, wager)
    for section in ("wheel", "community_pay"):
        data[section] = [item for item in data.get(section, []) if item["wager"] != wager]
    data["meter"] = [item for item in data.get("meter", []) if item["fed_by"]]
    left = {meter["id"] for meter in data["meter"]}
    paths = (item["path"].split(".") for item in data.get("choice", []))
    meters = {path[1] for path in paths if path[0] == "meters"}
    prefixes = (f"wagers.{wager}.", *(f"meters.{name}." for name in meters - left))
    data["choice"] = [item for item in data.get("choice", []) if not item["path"].startswith(prefixes)]
    known = {item["path"] for item in data["choice"]} | {f"settings.{name}" for name in data.get("settings", {})}
    data["requirement"] = [
        item for item in data.get("requirement", []) if known.issuperset((*item.get("when", {}), *item["must"]))
    ]
    data["script"] = [step for step in data["script"] if step.get("wagers", True)]


def _leave_lists(value: Any, wager: str) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            if key in OF_WAGERS and isinstance(item, list):
                item[:] = [name for name in item if name != wager]
            elif key == "rows":
                item[:] = [row for row in ([name for name in row if name != wager] for row in item) if row]
            else:
                _leave_lists(item, wager)
    elif isinstance(value, list):
        for item in value:
            _leave_lists(item, wager)


def _merged(section: str, base: Any, own: Any) -> Any:
    if isinstance(base, dict) and isinstance(own, dict):
        base = _changed(base)
        return {key: _merged(key, base.get(key), own[key]) if key in own else base[key] for key in (base | own)}
    if isinstance(base, list) and isinstance(own, list) and _are_items(base) and _are_items(own):
        return _merged_items(section, base, own)
    return own


def _changed(datum: Data) -> Data:
    """Return a datum that the file changes: it no longer rests on the other rulebook."""
    inherited = inherited_from(str(datum.get("house_rule", "")))
    return {key: value for key, value in datum.items() if not (inherited and key == "house_rule")}


def _are_items(values: list[Any]) -> bool:
    return all(isinstance(item, dict) for item in values) and any(
        set(item) & {"id", "path", "wager", "says", "rule"} for item in values
    )


def _merged_items(section: str, base: list[Data], own: list[Data]) -> list[Data]:
    items = list(base)
    for change in own:
        name, before = _name(section, change), change.get("before")
        plain = {key: value for key, value in change.items() if key != "before"}
        place = next((place for place, item in enumerate(items) if _name(section, item) == name), None)
        if place is not None:
            items[place] = _changed(items[place]) | plain
        elif before is not None:
            at = next((place for place, item in enumerate(items) if _name(section, item) == before), len(items))
            items.insert(at, plain)
        else:
            items.append(plain)
    return items


def _name(section: str, item: Data | str) -> str:
    """Return the name of an item of a list; a table of tables has its items by name already."""
    if isinstance(item, str):
        return item
    named = (item.get(field) for field in NAMES.get(section, ("id",)))
    return ".".join(str(part) for part in named if part)
