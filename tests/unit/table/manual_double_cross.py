"""A Double Cross table in a test's hands.

    play = Double(cards=dealt(vertical="As Ks Qs", horizontal="2c Ks 3d", dealer="4h 5h", seats={1: "Js Ts"}))
    play.round(1, ante=10_00, three=5_00, choose={(1, "raise"): "horizontal"})

What a test does not do itself is done by the automated dealer and by players who show their three-card hand and play
the vertical line. The order of the deal is written here from the regulation, not taken from the engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from crossfelt.cards.card import Card
from crossfelt.cards.deck import standard_deck
from crossfelt.rulebooks.script import Decide
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.state import step_of
from unit.table.manual_table import Play, parse

BOOK = "nj-double-cross"
METHODS: Mapping[str, dict[str, Any]] = {
    "manual_shoe": {},
    "hand": {"dealing": {"method": "hand", "shuffler": "automatic"}},
    "automated_shoe": {"dealing": {"method": "automated_shoe"}, "approvals": {"automated_shoe": "AS-1"}},
}
"""The submission of each way of dealing."""
CROSS = ("across_left", "middle", "across_right", "down_far", "down_near")
"""The cross in the order of the deal: the dealer's left to right, then top and bottom."""
Choices = Mapping[tuple[int, str], str]


def dealt(
    *, vertical: str = "", horizontal: str = "", dealer: str = "", seats: Mapping[int, str] | None = None
) -> tuple[Card, ...]:
    """A deck from which these cards are dealt: top, centre and bottom; the dealer's left, centre and right.

    >>> deck = dealt(vertical="As Kd Qs", horizontal="2c Kd 3d", dealer="4h 5h", seats={2: "Js Ts"})
    >>> " ".join(map(str, deck[:9]))
    'Js Ts 4h 5h 2c Kd 3d As Qs'
    """
    hands = {number: parse(text) for number, text in sorted((seats or {}).items())}
    down, across, own = parse(vertical), parse(horizontal), parse(dealer)
    taken = {card for cards in (down, across, own, *hands.values()) for card in cards}
    rest = iter([card for card in sorted(standard_deck()) if card not in taken])

    def fill(cards: Sequence[Card], count: int) -> list[Card]:
        return [*cards, *(next(rest) for _ in range(count - len(cards)))]

    (centre,) = fill(down[1:2] or across[1:2], 1)
    top, bottom = fill(down[::2], 2)
    left, right = fill(across[::2], 2)
    order = [card for cards in hands.values() for card in fill(cards, 2)]
    order += [*fill(own, 2), left, centre, right, top, bottom]
    return (*order, *rest)


class Double(Play):
    """A table of Double Cross Poker."""

    def __init__(self, stated: Mapping[str, Any] | None = None, *, cards: Sequence[Card] = ()) -> None:
        super().__init__(BOOK, stated, cards=cards)

    def open_for_bets(self, *seats: int, chips: int = 100_000_00, tray: int = 1_000_000_00) -> Double:
        super().open_for_bets(*seats, chips=chips, tray=tray)
        return self

    def bet(self, *seats: int, ante: int = 10_00, three: int = 0, **fields: Any) -> None:
        """Seats place their antes and, with `three`, the three-card wager."""
        wagers = {"ante": ante} | ({"three_card": three} if three else {})
        for seat in seats:
            self.do(c.PlaceWagers, seat=seat, wagers=wagers, **fields)

    def decide(self, choose: Mapping[tuple[int, str], int | str]) -> None:
        """The player in turn decides: by name, or "fold"."""
        step = step_of(self.table)
        assert isinstance(step, Decide), f"nobody acts at {self.table.step or 'no step'}"
        seat = self.table.turn[0]
        usual = "expose" if step.wager == "three_card" else "vertical"
        wanted = choose.get((seat, step.wager), usual)
        if wanted == "fold":
            self.do(c.Fold, seat=seat)
        else:
            self.do(c.Choose, seat=seat, choice=wanted)

    def to(self, step: str, *seats: int, ante: int = 10_00, three: int = 0, choose: Choices | None = None) -> Double:
        """A table at which these seats have bet, at a step of its first round."""
        self.open_for_bets(*seats)
        self.bet(*seats, ante=ante, three=three)
        self.advance(until=step, choose=choose)
        return self

    def round(self, *seats: int, ante: int = 10_00, three: int = 0, choose: Choices | None = None) -> Double:
        """A whole round, until the cards are in the discard rack."""
        return self.to("shuffle", *seats, ante=ante, three=three, choose=choose)

    def settled(self, seat: int, wager: str) -> e.WagerSettled:
        (event,) = [event for event in self.all(e.WagerSettled) if (event.seat, event.wager) == (seat, wager)]
        return event

    def report(self, kind: str, **fields: Any) -> tuple[e.Event, ...]:
        return self.do(c.ReportIrregularity, kind=kind, **fields)


def names(events: Sequence[e.Event]) -> list[str]:
    """The events as files call them."""
    return [str(event.__struct_config__.tag) for event in events]
