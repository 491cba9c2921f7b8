"""The players' part in the shuffle: their seeds permute the order that the house has fixed, before the first card."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crossfelt.cards.player_seeds import LEAST, MOST, PlayerSeed, is_seed, seed_hash
from crossfelt.errors import Problem
from crossfelt.rulebooks.citations import Cited
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import Act, Option, refuse
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.state import TableState

HOUSE_RULE: Final = "after no more bets the players' seeds permute the order of the cards, before any is dealt"
RULE: Final = Cited(house_rule=HOUSE_RULE)
_HASH: Final = re.compile("[0-9a-f]{64}")


def hash_problem(table: TableState, text: str) -> Problem | None:
    """Refuse the hash of a player's seed that cannot be one, or where the order of the cards is unknown."""
    if not text:
        return None
    if not table.deck.cards:
        what = "the cards of this table are physical: no seed can permute them"
        return refuse("seed.physical", what, allowed="no seed", clauses=RULE, where="seed_hash")
    if not _HASH.fullmatch(text):
        what, allowed = "not the hash of a seed", "SHA-256 as 64 hexadecimal digits"
        return refuse("seed.hash", what, text, allowed, RULE, where="seed_hash")
    return None


def seed_problem(table: TableState, seat: int, seed: str) -> Problem | None:
    """Refuse a seed that is not due, or that is not the one whose hash the player sent."""
    if seat not in table.seeds_due:
        return refuse("seed.step", "no seed of this seat is due now", seat, "after no more bets", RULE, where="seat")
    if not is_seed(seed):
        allowed = f"{LEAST} to {MOST} characters in one line"
        return refuse("seed.text", "this text cannot be a seed", len(seed), allowed, RULE, where="seed")
    if seed_hash(seed) != table.seat(seat).seed_hash:
        what = "another seed than the one whose hash was sent with the wagers"
        return refuse("seed.other", what, allowed="the seed of that hash", clauses=RULE, where="seed")
    return None


class MixDeckAct(Act[c.MixDeck], roles=("dealer",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        if table.seeds_due:
            yield Option(command=self.name, texts=("round_id",))

    def why_not(self, table: TableState, command: c.MixDeck) -> Problem | None:
        if not table.seeds_due:
            return refuse("seed.step", "no seeds are due now", table.step, "after no more bets", RULE)
        problems = (seed_problem(table, seat, seed) for seat, seed in command.seeds)
        return next((problem for problem in problems if problem is not None), None)

    def perform(self, recorder: EventRecorder, command: c.MixDeck) -> None:
        table, arrived = recorder.table, dict(command.seeds)
        seeds = tuple(
            PlayerSeed(number, seat.player, seat.seed_hash, arrived.get(number, ""))
            for number in table.seeds_due
            for seat in (table.seat(number),)
        )
        recorder.emit(e.DeckMixed, RULE, deck=table.in_play, round_id=command.round_id, seeds=seeds)
