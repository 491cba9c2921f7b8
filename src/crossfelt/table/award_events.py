"""What happens between a table and a meter, and when a wheel is spun.

A table never reads a meter. It says what its wagers add, and claims what a player has won; what the meter answers
enters the table as chance does.
"""

from __future__ import annotations

from typing import Literal

from crossfelt.cards.card import Card
from crossfelt.progressive.sharing import BySeat, ShareMethod
from crossfelt.table.event import Event


class ContributionMade(Event, frozen=True, kw_only=True):
    """What the wagers of a round add to a meter, once they are locked."""

    meter: str
    stake_cents: int
    micros: int
    """Millionths of a cent, exactly."""
    cents: int
    """Whole cents that the ledger moves for it; the rest waits as residue."""


class ContributionReversed(Event, frozen=True, kw_only=True):
    """A void round takes its contribution back."""

    meter: str
    micros: int
    cents: int


class WheelSpun(Event, frozen=True, kw_only=True):
    """The wheel has stopped for a player, who showed what set it spinning."""

    seat: int
    wager: str
    wheel: str
    cards: tuple[Card, ...]
    index: int
    place: int
    """The slice as people name it: its printed position, or its index."""
    prize_cents: int = 0
    meter: str = ""
    """The meter that is the prize, where one is."""
    community: int = 0
    """1, 2 or 3 where other bettors are paid too."""


class XtremeSpun(Event, frozen=True, kw_only=True):
    """The wheels have stopped for everybody with the wager: by index, with the seat that is the hot spot."""

    wager: str
    community: int
    hot_spot: int
    prize: int
    meter: str = ""


class AwardsDrawn(Event, frozen=True, kw_only=True):
    """What the progressive system shows after its start button: for everybody to see."""

    magic_card: Card | None = None
    lucky_seat: int = 0
    """The Lucky Player; 0 where there is none."""
    lucky_dealer: bool = False


class AwardWon(Event, frozen=True, kw_only=True):
    """A random award that falls to a player: announced when the hands are exposed, paid in the player's turn."""

    seat: int
    wager: str
    award: str
    cents: int
    hand: str = ""


class AwardVerified(Event, frozen=True, kw_only=True):
    """The dealer has verified what a seat has won on a wager; a supervisor must validate it before it is paid."""

    seat: int
    wager: str
    hand: str = ""
    awards: tuple[str, ...] = ()


class AwardValidated(Event, frozen=True, kw_only=True):
    """A supervisor has validated it, under the internal controls."""

    seat: int
    wager: str


class DocumentsCompleted(Event, frozen=True, kw_only=True):
    """The documents of what was not paid from the tray are done: the player's cards may go."""

    seat: int
    document: str


class AwardClaimed(Event, frozen=True, kw_only=True):
    """A player has won something out of a meter: a percentage of it, or an amount that its pool pays."""

    claim: int
    """Claims of a table are numbered."""
    meter: str
    wager: str
    percent: int = 0
    cents: int = 0
    winners: BySeat
    """Seats with what each staked."""
    method: ShareMethod = "equally"
    at_most_cents: int | None = None
    """What a payout limit leaves, where it covers the meter."""
    award: str = ""
    """The random award that it is for; nothing where it is for the wager's own hand or wheel."""


class AwardGranted(Event, frozen=True, kw_only=True):
    """The meter's answer."""

    claim: int
    meter: str
    wager: str
    number: int
    """The meter's own number of the award: the order in which it paid, over all its tables."""
    shares: BySeat
    """Seats with their cents."""
    before_micros: int
    """The pool before and after."""
    after_micros: int
    seeded_micros: int = 0
    """What the house put into the pool: the reset amount, and what the pool could not cover."""
    cents: int = 0
    """Whole cents that the ledger moves for that."""
    odd_cents: int = 0
    odd_cents_to: int = 0
    award: str = ""


class AwardPaid(Event, frozen=True, kw_only=True):
    """An award beside a wager's own payment: envy for another player's hand, community pay, lucky and magic awards."""

    seat: int
    award: str
    cents: int
    hand: str = ""
    of_seat: int | None = None
    """The seat whose hand brought it."""
    illustrative: bool = False
    """No source prints the amount."""
    limited: int = 0
    """Cents by which a payout limit cut it."""
    wager: str = ""
    """The wager that it belongs to, where that counts toward a payout limit or has a meter."""
    source: Literal["", "meter"] = ""
