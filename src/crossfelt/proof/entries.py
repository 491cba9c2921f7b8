"""Entries at a physical table, for books that are kept a second time: one that is taken back is undone there too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any, Final

FINAL: Final = frozenset(
    (
        *("wager_settled", "coupon_settled", "award_paid", "house_wager_settled", "bank_settled", "fold_collected"),
        *("award_claimed", "award_granted", "inventory_filled", "inventory_credited", "seat_left", "stub_counted"),
        *("irregularity_reported", "floor_ruled", "card_misnamed", "round_voided", "chips_corrected", "round_opened"),
        *("round_closed", "round_abandoned", "deck_removed", "table_closed"),
    )
)
"""Events after which no earlier entry is taken back."""
TAKING_BACK: Final = ("entry_taken_back", "contribution_reversed")


class Entries:
    """The state of some books before each entry that can be taken back."""

    def __init__(self) -> None:
        self._physical = False
        self._last: tuple[str, int] = ("", 0)
        self._before: list[tuple[tuple[str, int], list[dict[str, Any]]]] = []

    def follow(self, event: Mapping[str, Any], *parts: object, keeps: Iterable[object] = ()) -> None:
        """Note an event before some books see it; if it takes an entry back, put their parts back to what they were.

        A part may refer to the others, and to what it `keeps`.
        """
        kind = event["event"]
        if kind == "deck_shuffled":
            self._physical = not event.get("cards")
        if not self._physical:
            return
        if kind == "entry_taken_back":
            self._last, before = self._before.pop()
            for part, held in zip(parts, before, strict=True):
                vars(part).clear()
                vars(part).update(held)
            return
        entry = (event.get("by", ""), event.get("at", 0))
        if kind in FINAL:
            self._before, self._last = [], entry
        elif kind not in TAKING_BACK and entry != self._last:
            shared = {id(it): it for it in (self, *parts, *keeps)}
            self._before.append((self._last, deepcopy([vars(part) for part in parts], shared)))
            self._last = entry
