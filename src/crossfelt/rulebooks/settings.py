"""The named settings of a rulebook: their meaning and their allowed values."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Literal

import msgspec

from crossfelt.errors import Problem, unknown
from crossfelt.rulebooks.forms import Form
from crossfelt.rulebooks.model import Setting, SettingValue


class SettingRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One setting: its question, and the meaning of each answer."""

    id: str
    title: str
    kind: Literal["flag", "choice", "number", "list", "wagers", "text"]
    values: dict[str, str] = msgspec.field(default_factory=dict)
    topic: str = ""
    unit: str = ""
    numbers: tuple[int, ...] = ()
    """The allowed numbers; empty for any."""
    most: int | None = None
    """The largest allowed number, if there is one."""
    selectable: bool = False
    """A submission may choose another answer where the document leaves the question open."""
    licensee: bool = False
    """The document itself leaves the choice to the operator."""
    forms: tuple[Form, ...] = ()
    """The forms that have the setting: a game with one of them; every game if empty."""
    default: SettingValue | None = None
    """The value where a rulebook is silent; without one the setting stands only where a rulebook states it."""

    def belongs_to(self, forms: Collection[str]) -> bool:
        return not self.forms or any(form in forms for form in self.forms)

    def problems_with(self, value: Any, where: str, wagers: Collection[str]) -> Iterator[Problem]:
        """Report a value that the setting does not allow in a game with these wagers.

        >>> [str(p) for p in setting_rules()["cut_method"].problems_with("riffle", "cut_method", ())]
        ["cut_method: value not allowed: 'riffle' (allowed: lift_onto_cover_card, insert_cover_card)"]
        """
        match self.kind:
            case "flag":
                right = isinstance(value, bool)
            case "choice":
                right = isinstance(value, str) and value in self.values
            case "number":
                right = isinstance(value, int) and not isinstance(value, bool) and value >= 0
                right = right and (not self.numbers or value in self.numbers)
                right = right and (self.most is None or value <= self.most)
            case "list" | "wagers":
                right = isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)
                right = right and len(set(value)) == len(value)
                right = right and (self.kind == "wagers" or self.values.keys() >= set(value))
            case "text":
                right = isinstance(value, str) and bool(value)
        if not right:
            shown = value if isinstance(value, str | int) else str(value)
            yield Problem.at(where, "setting.value", "value not allowed", shown, self.allowed)
        elif self.kind == "wagers":
            yield from unknown(value, set(wagers), where, "setting.value", "no such wager")

    def open_in(self, setting: Setting) -> bool:
        """Say if a submission may choose another value: the document is silent, or its value is a reading."""
        return self.licensee or (self.selectable and bool(setting.silent or setting.readings or setting.house_rule))

    @property
    def allowed(self) -> str:
        match self.kind:
            case "flag":
                return "true, false"
            case "choice":
                return ", ".join(self.values)
            case "number":
                whole = f"a whole number of {self.unit}" + (f", at most {self.most:,}" if self.most is not None else "")
                return ", ".join(map(str, self.numbers)) or whole
            case "list":
                return f"a list of any of {', '.join(self.values)}"
            case "wagers":
                return "a list of wagers"
            case "text":
                return "text"

    def meaning(self, value: Any) -> str:
        """Return a value in words.

        >>> setting_rules()["cut_min_cards"].meaning(10)
        '10 cards'
        >>> setting_rules()["verbal_cash_refused"].meaning(True)
        'yes (refused)'
        """
        match self.kind:
            case "flag":
                word = "yes" if value else "no"
                return f"{word} ({self.values[word]})"
            case "choice":
                return self.values[value]
            case "number":
                unit = self.unit.partition(";")[0]
                return f"{value:,} {unit.removesuffix('s') if value == 1 else unit}"
            case "list":
                return ", ".join(self.values[item] for item in value) or "none"
            case "wagers":
                return ", ".join(item.replace("_", " ") for item in value) or "none"
            case "text":
                return str(value)


@cache
def setting_rules() -> Mapping[str, SettingRule]:
    """Return every setting by its id."""
    data = tomllib.loads(files("crossfelt.rulebooks").joinpath("settings.toml").read_text("utf-8"))
    return MappingProxyType({rule.id: rule for rule in msgspec.convert(data["setting"], tuple[SettingRule, ...])})
