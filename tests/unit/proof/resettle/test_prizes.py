"""The second settlement of wheels and meters: it agrees with the table, and notices every false event."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

import msgspec
import pytest

from crossfelt.cards.card import enc_hook
from crossfelt.play.scripted.runner import ScriptRunner
from crossfelt.proof.resettle import Resettlement
from crossfelt.rulebooks.game import compile_game
from playthroughs.spins import spin_files

Data = dict[str, Any]
Change = Callable[[Data], object]
RUNNER: Final = ScriptRunner()
FILES: Final = {book: dict(spin_files(book)) for book in ("nj-criss-cross", "md-criss-cross")}
JACKPOT: Final = FILES["nj-criss-cross"]["bonus_spin_3"][0][1]
COMMUNITY: Final = FILES["md-criss-cross"]["bonus_spin_D"][3][1]
XTREME: Final = FILES["md-criss-cross"]["xtreme_E"][2][1]
VOID: Final = {**XTREME, "irregularities": [{"kind": "wrong_card_count", "step": "settle", "seat": 4}]}


def events_of(script: Data) -> list[Data]:
    events = RUNNER.play(script, where="round").events
    recorded: list[Data] = json.loads(json.dumps(msgspec.to_builtins(events, enc_hook=enc_hook)))
    return recorded


def complaints(script: Data, events: list[Data]) -> list[str]:
    again = Resettlement(compile_game(script["rulebook"], script["submission"]).as_data())
    return [complaint for event in events for complaint in again.see(event)]


@pytest.mark.exhaustive
@pytest.mark.clause("NJC-48", "MDC-45", "MDC-49", "MDC-51")
@pytest.mark.parametrize(("book", "name"), [(book, name) for book, files in FILES.items() for name in files])
def test_every_golden_round_is_settled_alike(book: str, name: str) -> None:
    for _, script in FILES[book][name]:
        assert complaints(script, events_of(script)) == []


@pytest.mark.clause("MDC-48", "MDC-51")
def test_community_pay_goes_by_the_designated_table() -> None:
    xtreme = {"bonus_spin": {"offered": False}, "bonus_spin_xtreme": {"offered": True, "community_paytable_1": "B"}}
    bonus = {"bonus_spin": {"paytable": "A", "community_paytable_1": "B"}}
    cards = {"seat1": "8c 8d", "seat2": "2c 5d", "across": "Kd Ks", "down": "9c 3h", "middle": "Kc"}
    chances: dict[str, Data] = {
        "bonus_spin": {"wheel": {"seat1": 3}},
        "bonus_spin_xtreme": {"xtreme": {"community": 0, "hot_spot": 1, "prize": 1}},
    }
    for wager, wagers in (("bonus_spin", bonus), ("bonus_spin_xtreme", xtreme)):
        stakes = {"ante": 10_00, wager: 1_00}
        script: Data = {
            "rulebook": "md-criss-cross",
            "submission": {"wagers": wagers},
            "seats": [{"seat": n, "wagers": stakes, "decisions": {"across": "fold"}} for n in (1, 2)],
            "cards": cards,
            "chance": chances[wager],
        }
        events = events_of(script)
        assert complaints(script, events) == []
        for event in events:
            if event["event"] == "award_paid":
                event["cents"] = {"bonus_spin": 20_00, "bonus_spin_xtreme": 35_00}[wager]  # by table A
        assert complaints(script, events)


def _grants(cents: int) -> Change:
    """So much is granted, with books that add up all the same."""

    def change(event: Data) -> None:
        paid = event["shares"][0][1]
        event["shares"][0][1] = cents
        event["seeded_micros"] = event.get("seeded_micros", 0) + (cents - paid) * 1_000_000

    return change


WRONG: Final[tuple[tuple[Data, Data, Change, str], ...]] = (
    (JACKPOT, {"event": "contribution_made"}, lambda e: e.update(micros=1), "it should be 70,000,000"),
    (JACKPOT, {"event": "wheel_spun"}, lambda e: e.update(seat=3), "spins without the wager"),
    (JACKPOT, {"event": "wheel_spun"}, lambda e: e.update(cards=["8c", "9d"]), "shows 8c 9d, but 8c 8d was dealt"),
    (JACKPOT, {"event": "wheel_spun"}, lambda e: e.update(index=1), "it should be 250,000"),
    (JACKPOT, {"event": "wheel_spun"}, lambda e: e.update(event="nothing"), "no wheel was spun"),
    (JACKPOT, {"event": "award_granted"}, lambda e: e.update(after_micros=5), "does not add up"),
    (JACKPOT, {"event": "award_granted"}, _grants(99_999_99), "the meter grants 9,999,999 cents"),
    (JACKPOT, {"event": "award_granted"}, lambda e: e.update(event="nothing"), "paid is 1,234,637; it should be 0"),
    (COMMUNITY, {"event": "award_paid"}, lambda e: e.update(cents=1), "it should be 10,000"),
    (COMMUNITY, {"event": "award_paid"}, lambda e: e.update(event="nothing"), "did not get the community pay"),
    (COMMUNITY, {"event": "wager_settled", "wager": "bonus_spin", "seat": 5}, lambda e: e.update(paid=1), "be 60,000"),
    (XTREME, {"event": "xtreme_spun"}, lambda e: e.update(event="nothing"), "no wheel was spun"),
    (XTREME, {"event": "xtreme_spun"}, lambda e: e.update(hot_spot=6), "seat 6, which has no wager"),
    (XTREME, {"event": "xtreme_spun"}, lambda e: e.update(prize=1), "it should be 50,000"),
    (XTREME, {"event": "xtreme_spun"}, lambda e: e.update(community=0), "it should be 7,500"),
    (VOID, {"event": "contribution_reversed"}, lambda e: e.update(event="nothing"), "xtreme keeps its contribution"),
    (VOID, {"event": "contribution_reversed"}, lambda e: e.update(micros=1), "which is not what went in"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("script", "where", "change", "what"), WRONG, ids=[f"{n}-{what}" for n, (*_, what) in enumerate(WRONG)]
)
def test_a_false_event_is_noticed(script: Data, where: Data, change: Change, what: str) -> None:
    events = events_of(script)
    assert complaints(script, events) == []
    place = next(n for n, event in enumerate(events) if all(event.get(name) == value for name, value in where.items()))
    change(events[place])
    found = complaints(script, events)
    assert any(what in text for text in found), found
