"""The second settlement of credits and random awards: it agrees with the table, and notices every false event."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any, Final

import msgspec
import pytest

from crossfelt.cards.card import enc_hook
from crossfelt.play.scripted.runner import ScriptRunner
from crossfelt.proof.recount import Recount
from crossfelt.proof.resettle import Resettlement
from crossfelt.rulebooks.game import compile_game
from oracles.pai_gow_rounds import random_round
from playthroughs.credits import credit_files
from unit.table.test_against_oracle import scripted

Data = dict[str, Any]
Change = Callable[[Data], object]
RUNNER: Final = ScriptRunner()
FILES: Final = dict(credit_files("nj-pai-gow"))
PLAYER, DEALER = "progressive_player", "progressive_dealer"

# Seats 6 and 1 share the meter by credits; seat 4 is lucky with nothing; the dealer's full house has the magic card.
ROUND: Final[Data] = {
    "rulebook": "nj-pai-gow",
    "cards": {
        "seat1": "2s 3s 4s 5s 6s 7s 8s",
        "seat4": "Kc Jd 9h 7c 6d 4h 2h",
        "seat6": "7h 8h Jk Th Jh Qh Kh",
        "dealer": "Ac Ad Ah 9c 9d 5c 3c",
    },
    "seats": [
        {"seat": 1, "wagers": {"main": 1000, PLAYER: 1}, "decisions": {"set": "house-way"}},
        {"seat": 4, "wagers": {"main": 1000, PLAYER: 2, DEALER: 3}, "decisions": {"set": "house-way"}},
        {"seat": 6, "wagers": {"main": 1000, PLAYER: 4}, "decisions": {"set": "house-way"}},
    ],
    "chance": {"magic_card": "Ad", "lucky_seat": 4, "lucky_dealer": False},
    "meters": {"pai_gow": 3_000_001},
    "submission": {"settings": {"share_method": "by_credits"}},
}


def events_of(script: Data) -> list[Data]:
    events = RUNNER.play(script, where="round").events
    recorded: list[Data] = json.loads(json.dumps(msgspec.to_builtins(events, enc_hook=enc_hook)))
    return recorded


def complaints(events: list[Data], stated: Data) -> list[str]:
    again = Resettlement(compile_game("nj-pai-gow", stated).as_data())
    return [complaint for event in events for complaint in again.see(event)]


@pytest.mark.exhaustive
@pytest.mark.clause(
    *("PGP-16", "PGP-17", "PGP-18", "PGP-19", "PGP-22", "PGP-23", "PGP-24", "PGP-25", "PGP-26", "PGP-27"),
)
@pytest.mark.parametrize("name", FILES)
def test_every_golden_round_is_settled_alike(name: str) -> None:
    for _, script in FILES[name]:
        assert complaints(events_of(script), script.get("submission", {})) == []


@pytest.mark.exhaustive
def test_random_rounds_are_settled_alike() -> None:
    """With the rounds of the oracle, in which everything happens often."""
    rng = Random(77)
    paid = set()
    for _ in range(150):
        script = scripted(random_round(rng))
        events = events_of(script)
        assert complaints(events, script["submission"]) == []
        paid |= {event["award"] for event in events if event["event"] == "award_paid"}
    assert {"lucky_player", "lucky_dealer", "magic_card"} <= paid


def test_the_books_are_counted_again() -> None:
    """Chips, layout, tray and meter as the ledger has them, from the events alone."""
    for script in (ROUND, *(script for _, script in FILES["progressive_shared"])):
        played = RUNNER.play(script, where="round")
        books = Recount()
        for event in msgspec.to_builtins(played.events, enc_hook=enc_hook):
            books.see(event)
        assert list(books.differences(played.table.balances)) == []


WRONG: Final[tuple[tuple[Data, Change, str], ...]] = (
    ({"event": "wagers_placed", "seat": 1}, lambda e: e["wagers"].update({PLAYER: 150}), "is no stake that"),
    ({"event": "wagers_placed", "seat": 1}, lambda e: e["wagers"].update({PLAYER: 600}), "is no stake that"),
    ({"event": "wagers_placed", "seat": 1}, lambda e: e["wagers"].pop("main"), "without main"),
    ({"event": "contribution_made"}, lambda e: e.update(micros=1), "it should be 700,000,000"),
    ({"event": "awards_drawn"}, lambda e: e.update(lucky_seat=2), "drawn as the Lucky Player, and cannot be"),
    ({"event": "awards_drawn"}, lambda e: e.update(magic_card="Jk"), "Jk is drawn as the magic card"),
    ({"event": "award_won", "award": "lucky_player"}, lambda e: e.update(cents=2000), "it should be 1,000"),
    ({"event": "award_won", "award": "magic_card"}, lambda e: e.update(seat=1), "it should be 0"),
    ({"event": "award_claimed", "percent": 100}, lambda e: e.update(percent=10), "it should be 100 percent"),
    ({"event": "award_claimed", "percent": 100}, lambda e: e["winners"].pop(), "it should be 100 percent"),
    ({"event": "award_claimed", "percent": 100}, lambda e: e.update(method="equally"), "by_credits"),
    ({"event": "award_claimed", "award": "lucky_player"}, lambda e: e.update(cents=9), "9 cents, of pai_gow for"),
    ({"event": "award_granted", "number": 1}, lambda e: e.update(after_micros=5), "award 1 of pai_gow does not add up"),
    ({"event": "award_granted", "number": 1}, lambda e: e["shares"][0].__setitem__(1, 5), "are shared as"),
    ({"event": "award_granted", "number": 2}, lambda e: e["shares"][0].__setitem__(1, 7), "the meter grants 7 cents"),
    ({"event": "award_granted", "number": 2}, lambda e: e.update(claim=77), "claim 77 is granted, which nobody made"),
    ({"event": "wager_settled", "seat": 1, "wager": PLAYER}, lambda e: e.update(paid=5), "paid is 5; it should be"),
    ({"event": "wager_settled", "seat": 1, "wager": PLAYER}, lambda e: e.update(returned=100), "returned is 100"),
    ({"event": "wager_settled", "seat": 1, "wager": PLAYER}, lambda e: e.pop("source"), "source is ; it should be"),
    ({"event": "wager_settled", "seat": 4, "wager": DEALER}, lambda e: e.update(paid=0), "it should be 1,200"),
    ({"event": "wager_settled", "seat": 4, "wager": PLAYER}, lambda e: e.update(result="win"), "it should be lose"),
    ({"event": "award_paid", "award": "magic_card"}, lambda e: e.update(cents=1), "it should be 6,000"),
    ({"event": "award_paid", "award": "magic_card"}, lambda e: e.update(source="meter"), "the inventory meter is paid"),
    ({"event": "award_granted", "number": 2}, lambda e: e.update(from_inventory=1), "the rest; it should be"),
)  # fmt: skip


@pytest.mark.exhaustive
@pytest.mark.parametrize(("where", "change", "what"), WRONG, ids=[f"{n}-{what}" for n, (*_, what) in enumerate(WRONG)])
def test_a_false_event_is_noticed(where: Data, change: Change, what: str) -> None:
    events = events_of(ROUND)
    assert complaints(events, ROUND["submission"]) == []
    place = next(n for n, event in enumerate(events) if all(event.get(name) == value for name, value in where.items()))
    change(events[place])
    found = complaints(events, ROUND["submission"])
    assert any(what in text for text in found), found


MATTERS: Final = frozenset(
    (*("contribution_made", "awards_drawn", "award_claimed", "award_granted", "wager_settled", "award_paid"),)
)


def test_nothing_may_be_left_out() -> None:
    events = events_of(ROUND)
    kinds = set()
    for place, event in enumerate(events):
        if event["event"] in MATTERS:
            kinds.add(event["event"])
            assert complaints(events[:place] + events[place + 1 :], ROUND["submission"]), event
    assert kinds == MATTERS


@pytest.mark.parametrize("kept", ["reversed", "kept"])
def test_what_a_void_round_does_with_its_contribution_is_checked(kept: str) -> None:
    stated = {"settings": {"void_contributions": kept}}
    wrong = [{"kind": "stub_count_wrong", "step": "stub", "count": 5, "finding": "misdealt"}]
    events = events_of({**ROUND, "submission": stated, "irregularities": wrong})
    assert complaints(events, stated) == []
    if kept == "reversed":
        left_out = [event for event in events if event["event"] != "contribution_reversed"]
        assert "the round is void, and pai_gow keeps its contribution" in complaints(left_out, stated)
    else:
        place = next(n for n, event in enumerate(events) if event["event"] == "round_voided")
        events.insert(place + 1, {"event": "contribution_reversed", "meter": "pai_gow", "micros": 700_000_000})
        assert any("without ground" in text for text in complaints(events, stated))
