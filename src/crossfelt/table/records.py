"""Records of a table that no round shows: the check of its fittings, and the life of each deck; no card is named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from crossfelt._util.shared_fields import shared_fields
from crossfelt.table.state import Deck, DeckAct, Fittings, TableState

DONE: Final[Mapping[str, str]] = {
    "receive": "received",
    "inspect": "inspected",
    "verify": "verified",
    "spread": "spread",
    "show": "shown",
    "wash": "washed",
    "stack": "stacked",
    "use": "first used",
    "idle": "spread at the idle table",
    "remove": "removed",
    "manual": "shuffled by hand",
    "device": "mixed by the shuffler",
    "preshuffled": "arrived shuffled",
    "manual_shoe": "put into the shoe",
    "automated_shoe": "put into the automated shoe",
    "hand": "taken in hand",
}
"""Every act in the life of a deck, in words."""


class RecordedAct(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One act in the life of a deck, in words."""

    did: str
    by: str
    at: int
    note: str = ""

    @classmethod
    def of(cls, act: DeckAct) -> RecordedAct:
        return cls(did=DONE[act.act], by=act.by, at=act.at, note=act.note)


class DeckRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One deck, from its arrival to its removal."""

    id: str
    back: str
    cover: str = ""
    life: tuple[RecordedAct, ...]
    in_use_since: int | None = None
    shuffles: int = 0
    last: tuple[RecordedAct, ...] = ()
    """Its last shuffle and its last loading."""

    @classmethod
    def of(cls, deck: Deck) -> DeckRecord:
        life = tuple(map(RecordedAct.of, deck.life))
        last = tuple(RecordedAct.of(act) for act in (deck.shuffled, deck.loaded) if act is not None)
        return cls(**shared_fields(deck, cls) | {"life": life, "in_use_since": deck.since, "last": last})


class TableRecords(msgspec.Struct, frozen=True, kw_only=True):
    """The check of the fittings, and decks."""

    fittings: Fittings | None
    decks: tuple[DeckRecord, ...]


def records_of(table: TableState) -> TableRecords:
    """Return the records of a table: its decks, and before them those that left it last."""
    decks = (*table.decks_removed, *table.decks.values())
    return TableRecords(fittings=table.fittings, decks=tuple(map(DeckRecord.of, decks)))


def records_in_play(table: TableState) -> TableRecords:
    """Return the records of the present round: the fittings, and the deck in play."""
    deck = table.decks.get(table.in_play)
    return TableRecords(fittings=table.fittings, decks=() if deck is None else (DeckRecord.of(deck),))
