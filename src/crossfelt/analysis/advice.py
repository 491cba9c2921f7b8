"""What each choice is worth, here and now."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from crossfelt.analysis.solution import Rules, exact, identity_data


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """The choices of one decision, each with the expected net of the whole round if it is followed by best play."""

    rules: Rules
    decision: str
    """The wager that is asked for: ``across``, ``down``, ``middle``, ``play`` …"""
    best: str
    actions: Mapping[str, Fraction]
    """By choice (``fold``, ``1x`` …), in antes."""

    def cost(self, action: str) -> Fraction:
        """What a choice gives away, in antes."""
        return self.actions[self.best] - self.actions[action]

    def as_data(self) -> dict[str, Any]:
        """Plain data, as ``crossfelt advise --json`` prints it."""
        return {
            **identity_data(self.rules),
            "decision": self.decision,
            "best": self.best,
            "actions": {
                name: {"ev": float(ev), "cost": float(self.cost(name)), "exact": exact(ev)}
                for name, ev in self.actions.items()
            },
        }
