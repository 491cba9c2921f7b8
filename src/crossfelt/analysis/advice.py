"""The value of each choice at a decision."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from crossfelt.analysis.solution import RulesIdentity, exact, identity_data
from crossfelt.cards.card import Card
from crossfelt.cards.notation import format_cards
from crossfelt.tabular import Record, Tabular


class Chances(msgspec.Struct, frozen=True, kw_only=True):
    """The shares of the deals in which a hand wins, pushes and loses."""

    win: Fraction
    push: Fraction
    lose: Fraction


class Advice(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """The choices of one decision, each with the expected net result of the round under best play afterwards."""

    rules: RulesIdentity
    decision: str
    """The id of the decision in the script of the round."""
    best: str
    actions: Mapping[str, Fraction]
    """Expected values by choice (``fold``, ``1x`` …), in antes."""
    chances: Mapping[str, Chances] = {}
    """Results by choice, where a choice names the hand."""

    def cost(self, action: str) -> Fraction:
        """Return the loss of a choice against the best, in antes."""
        return self.actions[self.best] - self.actions[action]

    def headline(self) -> str:
        return f"{self.decision}: {self.best}, worth {float(self.actions[self.best]):+.4f}"

    def records(self) -> list[Record]:
        ranked = sorted(self.actions.items(), key=lambda action: -action[1])
        return [{"choice": name, "ev": ev, "cost": self.cost(name)} for name, ev in ranked]

    def as_data(self) -> dict[str, Any]:
        """Return plain data for ``crossfelt advise --json``."""
        return {
            **identity_data(self.rules),
            "decision": self.decision,
            "best": self.best,
            "actions": {
                name: {"ev": float(ev), "cost": float(self.cost(name)), "exact": exact(ev)}
                for name, ev in self.actions.items()
            },
        }


# --- settings of a hand ---


class SettingValue(msgspec.Struct, frozen=True, kw_only=True):
    """One way to set the cards."""

    low: tuple[Card, Card]
    high: tuple[Card, ...]
    hands: str
    """Names of both hands."""
    win: Fraction
    push: Fraction
    lose: Fraction
    ev: Fraction
    """Expected value per unit of the main wager, after commission."""
    house_way: bool


class SettingAdvice(Advice, frozen=True, kw_only=True):
    """Every lawful setting in descending order of value."""

    settings: tuple[SettingValue, ...]
    house_rule: str
    """The rule of the house way that sets these cards."""
    method: str
    dealer_hands: int

    @property
    def different(self) -> tuple[SettingValue, ...]:
        """The settings without those that make the same hands as an earlier one, of other suits."""
        return tuple({setting.hands: setting for setting in reversed(self.settings)}.values())[::-1]

    def records(self) -> list[Record]:
        return [
            msgspec.structs.asdict(each) | {"low": format_cards(each.low), "high": format_cards(each.high)}
            for each in self.settings
        ]

    def as_data(self) -> dict[str, Any]:
        data = Advice.as_data(self)
        data["unit"], data["method"], data["dealer_hands"] = "one main wager", self.method, self.dealer_hands
        data["house_way_rule"] = self.house_rule
        for setting in self.settings:
            action = data["actions"][format_cards(setting.low)]
            action["high_cards"], action["hands"] = format_cards(setting.high), setting.hands
            action |= {name: float(getattr(setting, name)) for name in ("win", "push", "lose")}
            action["house_way"] = setting.house_way
        return data
