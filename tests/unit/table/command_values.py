"""Plausible values for the fields of a command, good and bad."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.cards.deck import standard_deck
from crossfelt.cards.player_seeds import seed_hash
from crossfelt.table import commands as c
from crossfelt.table.commands import Command
from unit.table.manual_table import FACE_DOWN

SEED: Final = "sixteen letters!"
CENTS: Final = (-1, 0, 1, 4_99, 5_00, 10_00, 15_00, 15_50, 30_00, 500_00, 501_00, 10**15 + 1)
WAGERS: Final = (
    *("ante_across", "ante_down", "five_card_bonus", "across", "bonus_spin", "ante", "three_card", "raise"),
    *("main", "main", "imperial", "seven_card", "queens_dragon", "progressive_player", "progressive_dealer"),
)
VALUES: Final[Mapping[str, Sequence[Any]]] = {
    "inventory_cents": CENTS,
    "chips_cents": CENTS,
    "cents": CENTS,
    "seat": range(8),
    "deck": ("A-1", "B-1", "A-2", "C-1"),
    "act": ("receive", "inspect", "verify", "spread", "show", "wash", "stack"),
    "back": ("", "red", "blue", "green"),
    "cover": ("", "red", "yellow"),
    "items": ((), ("drop_box", "tip_box"), ("drop_box", "tip_box", "discard_rack"), ("moon",)),
    "shoe": ("", "shoe-7"),
    "shoe_place": ("", "left"),
    "shuffler": ("", "shuffler-7"),
    "shuffler_place": ("", "right"),
    "variance": ("", "A-12"),
    "loader": ("dealer", "dealer", "shuffler"),
    "method": ("manual", "device", "preshuffled"),
    "cards": (
        (),
        standard_deck(),
        standard_deck()[:51],
        (*standard_deck()[:51], Card("2c")),
        (Card("As"), Card("Ks")),
        (Card("Qh"),),
        (Card("Qh"), Card("Qh")),
        (Card("Jk"), Card("2d")),
    ),
    "counted": (None, None, 51, 52, 53, -1),
    "dice": (None, (1, 2, 3)),
    "number": (None, 1, 6),
    "low": ((), (Card("As"), Card("Ks"))),
    "insists": (False, True),
    "co_bank": (False, True),
    "stop": (-1, 0, 3, 11, 12),
    "community": (-1, 0, 7, 8),
    "hot_spot": (0, 1, 4, 7),
    "prize": (-1, 0, 8, 9),
    "claim": (0, 1, 2),
    "magic_card": (None, Card("Qh"), Card("Jk"), HIDDEN),
    "lucky_seat": (-1, 0, 1, 3, 7),
    "lucky_dealer": (False, True),
    "wager": WAGERS,
    "document": ("P-1",),
    "shares": ((), ((1, 100),), ((3, -1),)),
    "before_micros": (0, 10**8),
    "after_micros": (0, 10**8),
    "seeded_micros": (0, 10**6),
    "reset_cents": CENTS,
    "from_inventory": (0, 100),
    "odd_cents": (0, 1),
    "odd_cents_to": (0, 1),
    "depth": (0, 9, 10, 26, 51, 52),
    "reason": ("why not",),
    "hand": ("", "left", "right"),
    "face": ("up", "down"),
    "asked": (False, True),
    "instrument": ("chips", "plaques", "match_play", "approved_instruments", "verbal_cash", ""),
    "seed_hash": ("", "", seed_hash(SEED), "a seed"),
    "round_id": ("main/7",),
    "seeds": ((), ((1, SEED),), ((2, "short"),)),
    "count": (-1, 0, 35, 41, 43, 45, 52, 53),
    "finding": ("", "misdealt", "not_misdealt", "misdealt_and_wrong_total"),
    "choice": ("vertical", "horizontal", "expose", "decline", "across"),
    "kind": (
        *("face_up_card", "card_in_error", "wrong_card_count", "community_exposed", "shuffler_jam", "shoe_jam"),
        *("device_out_of_order", "stub_count_wrong", "player_leaves", "conduct_breach", "earthquake"),
        *("axis_disagreement", "no_answer"),
    ),
    "case": ("any", "any", "one", "several", "player", "community", "dealer"),
    "place": (None, None, *FACE_DOWN, "hole_1", "dealer_hole_1", "shuffler", "shoe", "moon"),
    "note": ("", "so I saw it"),
    "of_round": (0, 1, 2, 99),
    "seats": ((), ((1, -5_00),), ((3, 10**9),), ((9, 1),)),
    "cage_cents": (0, -10_00, 10**12),
    "ruling": ("continue", "void", "abandon", "fold", "house_way", "vertical"),
    "device": ("shuffler", "shoe"),
    "how": ("covered", "signed", "removed", "in_use"),
    "dealing": (None, "manual_shoe", "hand", "automated_shoe"),
    "shuffling": (None, "manual", "device"),
}
"""Plausible values for each field, good and bad."""


def some(kind: type[Command], field: str, rng: Random) -> Any:
    """A value of the right type for a field, whether it makes sense or not."""
    if field == "wagers":
        even = rng.choice(CENTS)
        return {w: even if rng.random() < 0.8 else rng.choice(CENTS) for w in rng.sample(WAGERS, rng.randint(0, 3))}
    if field == "seat" and kind is c.ReportIrregularity and rng.random() < 0.5:
        return None
    return rng.choice(VALUES[field])
