"""The state of a round in the second settlement: the wagers and cards of each seat, and the words of its complaints."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from crossfelt.proof.resettle.hand_rank import UNSEEN
from crossfelt.proof.resettle.plain_game import Data, PlainGame
from crossfelt.proof.resettle.wagers import Due, Position, Spot, WagerSettler


@dataclass
class Seat(Position):
    """One seat in one round."""

    placed: dict[str, int] = field(default_factory=dict)
    layout: dict[str, int] = field(default_factory=dict)
    """The wagers that still lie there."""
    forfeits: list[str] = field(default_factory=list)
    """The wagers that a fold gives up; `collected` is what it has cost."""
    collected: dict[str, int] = field(default_factory=dict)
    folded: bool = False
    surrendered: bool = False
    won: int = 0
    """The winnings that count toward the payout limit."""
    settled: tuple[str, int] = ("", 0)
    """The step in which a wager was settled last, and its place there."""


class Round:
    """The round in progress, as its events tell it."""

    def __init__(self, game: PlainGame) -> None:
        self.game = game
        self.settler = WagerSettler(game)
        self.names: dict[int, str] = {}
        """The players by seat."""
        self.start()

    def start(self) -> None:
        self.seats: dict[int, Seat] = {}
        self.dealer = Position()
        self.shared: dict[str, str] = {}
        """Cards on the layout by place; those of the dealer begin with "dealer_"."""
        self.bank_seat = 0
        self.step = ""
        self.locked = self.void = False
        self.settlements: list[Data] = []
        self.due: Data = {}
        """The fields that the last event should have, where it paid something."""
        self.bonuses: dict[tuple[int, str, str], Due] = {}
        """Bonuses of settled wagers that are not paid yet, by seat, wager and pay table."""

    def seat(self, event: Data) -> Seat:
        return self.seats.setdefault(event["seat"], Seat())

    def spot(self, own: Position) -> Spot:
        return Spot(own, self.dealer, self.seats[self.bank_seat] if self.bank_seat else self.dealer, self.shared)

    def turn_up(self, place: str, card: str) -> Iterator[str]:
        """Note a card on the layout; at a physical table it is known only when it is shown."""
        dealt = self.shared.get(place, UNSEEN)
        if dealt not in (UNSEEN, card):
            yield f"{place} shows {card}, but {dealt} was dealt there"
            return
        self.shared[place] = card
        if place.startswith("dealer_"):
            self.dealer.cards[place.removeprefix("dealer_")] = card

    def show(self, position: Position, cards: Collection[str]) -> Iterator[str]:
        """Note the cards that a player shows."""
        dealt = tuple(position.cards.values())
        if UNSEEN not in dealt and tuple(cards) != dealt:
            yield f"shows {' '.join(cards)}, but {' '.join(dealt)} was dealt"
        else:
            position.cards = dict(zip(position.cards, cards, strict=True))

    def pay(self, wager: str, cents: int, seat: Seat, recorded: int) -> int:
        """Count a payment toward the payout limit; return the cents by which it passes it. The limit cuts the last
        payment.

        If only two bounds of the limit are known, a recorded amount between them counts.
        """
        cut = 0
        for least, most in self.game.limits.get(wager, ()):
            bounds = [min(cents, max(0, seat.won + cents - limit)) for limit in (most, least)]
            cut = max(cut, min(max(recorded, bounds[0]), bounds[1]))
        if self.game.limits.get(wager):
            seat.won += cents - cut
        return cut


def differences(event: Data, what: str, due: Mapping[str, Any]) -> Iterator[str]:
    """Say field by field what was recorded and what should have been."""
    for name, value in due.items():
        recorded = event.get(name, "" if isinstance(value, str) else 0)
        if recorded != value:
            yield f"{what}: {name} is {figure(recorded)}; it should be {figure(value)}"


def figure(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def amounts(wagers: Mapping[str, int]) -> str:
    return ", ".join(f"{wager} {figure(cents)}" for wager, cents in sorted(wagers.items())) or "nothing"


def listed(names: Collection[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"
