"""What a scripted round says: the shape of the file, TOML or JSON."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

Decision = int | str | bool | dict[str, str]
"""Cents, a word such as ``fold``, or how a hand is set."""
Cents = Annotated[int, Meta(ge=0)]
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1)]


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    pass


class SeatScript(_Part, frozen=True, kw_only=True):
    """What one player does."""

    seat: int
    wagers: dict[str, int]
    """Cents by wager, or credits; the name of a group (``ante``) is the amount of each of its wagers."""
    decisions: dict[str, Decision] = {}


class XtremeScript(_Part, frozen=True, kw_only=True):
    """Where the two Xtreme wheels stop, and at which seat the hot spot is."""

    community: int | None = None
    hot_spot: int | None = None
    prize: int | None = None


class ChanceScript(_Part, frozen=True, kw_only=True):
    """What random devices give."""

    wheel: dict[str, int] = {}
    xtreme: XtremeScript | None = None
    magic_card: str | None = None
    """A card, or ``none``."""
    lucky_seat: int | None = None
    """The Lucky Player's seat; 0 for none."""
    lucky_dealer: bool | None = None
    dice: tuple[int, ...] = ()
    number: int | None = None
    """The random number that stands for the dice where the first hand is chosen by one."""


class MetersScript(_Part, frozen=True, kw_only=True):
    """Amounts before the round."""

    bonus_spin: Cents | None = None
    xtreme: Cents | None = None
    pai_gow: Cents | None = None


class GoesWrong(_Part, frozen=True, kw_only=True):
    """An irregularity, which happens when the round stands at a step."""

    kind: str
    step: str
    seat: int | None = None
    place: str | None = None
    """A place of the layout, an area (``community``) or a device (``shoe``)."""
    count: Annotated[int, Meta(ge=0, le=53)] | None = None
    """How many cards: found face up, or counted."""
    finding: Literal["misdealt", "not_misdealt", "misdealt_and_wrong_total"] | None = None
    """What the dealer found where a count is wrong; a misdeal is at the first seat where neither seat nor place is."""
    ruling: Literal["continue", "void", "abandon", "fold", "house_way", "vertical", "horizontal"] | None = None
    """What the floor decides, where it has to."""


class Script(_Part, frozen=True, kw_only=True):
    """One round."""

    rulebook: str
    """An id, or the path of a file."""
    seed: Seed = 0
    submission: dict[str, Any] = {}
    cards: dict[str, str] = {}
    seats: tuple[SeatScript, ...]
    chance: ChanceScript = ChanceScript()
    meters: MetersScript = MetersScript()
    irregularities: tuple[GoesWrong, ...] = ()
    bank: int | None = None
    """The seat that banks; its main wager is what it last wagered against the house, or else the least there is."""
    co_bank: bool = False
