"""What each way of setting a hand is worth."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from crossfelt.analysis.advice import Advice
from crossfelt.analysis.simulation.estimates import Estimate
from crossfelt.cards.card import Card
from crossfelt.cards.notation import format_cards


class SettingValue(msgspec.Struct, frozen=True, kw_only=True):
    """One way to set the cards."""

    low: tuple[Card, Card]
    high: tuple[Card, ...]
    hands: str
    """Both hands as a dealer names them."""
    win: Fraction
    push: Fraction
    lose: Fraction
    ev: Fraction
    """For each unit of the main wager, after commission."""
    interval: Estimate | None
    """Where the dealer's hands were drawn."""
    house_way: bool


class SettingAdvice(Advice, frozen=True, kw_only=True):
    """Every lawful setting, the best first."""

    settings: tuple[SettingValue, ...]
    house_rule: str
    """The rule of the house way that sets these cards."""
    method: str
    dealer_hands: int

    def as_data(self) -> dict[str, Any]:
        told = Advice.as_data(self)
        told["unit"], told["method"], told["dealer_hands"] = "one main wager", self.method, self.dealer_hands
        told["house_way_rule"] = self.house_rule
        for setting in self.settings:
            action = told["actions"][format_cards(setting.low)]
            action["high_cards"], action["hands"] = format_cards(setting.high), setting.hands
            action |= {name: float(getattr(setting, name)) for name in ("win", "push", "lose")}
            action["house_way"] = setting.house_way
            if setting.interval is not None:
                del action["exact"]
                action["interval"] = msgspec.to_builtins(setting.interval)
        return told
