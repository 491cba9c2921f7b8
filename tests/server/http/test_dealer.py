"""A person deals from a virtual deck: the dealer does every act, the server draws the cards."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from crossfelt.client import TableClient
from crossfelt.server.dealer_desk.desk import movements
from crossfelt.server.dealer_desk.exam import PAID
from limits import WAIT_SECONDS
from server.served import Served, owner_of, refused_with, run, staff_of
from soak_length import one_of_each_game

ORDER = (
    *("shuffle_deck", "cut_deck", "load_deck", "choose_first_hand", "no_more_bets", "deal_cards", "count_stub"),
    *("discard_stub", "collect_folds", "turn_up", "set_dealer_hand", "expose_seat", "spin_wheel", "spin_xtreme"),
    *("pay_spin", "draw_awards", "settle_seat", "discard_cards", "complete_documents"),
)
"""A dealer's acts, in an order that always completes a round."""


def next_act(table: TableClient) -> dict[str, Any] | None:
    """Return the first act on the list that may be done now, without irregularities."""
    for command in ORDER:
        for option in table.allowed:
            if option["command"] == command:
                amounts = {name: limits["min"] for name, limits in option.get("ranges", {}).items()}
                words = {name: values[0] for name, values in option.get("choices", {}).items() if name == "hand"}
                if command == "count_stub":
                    amounts = {"count": table.view["stub_cards"]}
                seat = {"seat": option["seat"]} if "seat" in option else {}
                return {"command": command, **seat, **option.get("fields", {}), **amounts, **words}
    return None


@pytest.mark.parametrize("rulebook", one_of_each_game())
def test_a_dealer_in_training_deals_a_round_to_bots(rulebook: str, tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        guest = await served.guest("Dana")
        name = await guest.open_table(rulebook, pace="instant", dealt_by="dealer", bots=2)
        async with guest.table(name, "dealer") as table:
            number = table.view["round"]
            refused = []
            async with asyncio.timeout(WAIT_SECONDS):
                while not served.server.pit.find(name).memory.rounds:
                    asked = next_act(table)
                    if asked is None:
                        await asyncio.sleep(0.005)
                        continue
                    answer = await table.ask(asked)
                    if answer.problem is not None:
                        refused.append((asked, answer.problem))
                        assert len(refused) < 20, refused[-1]
            assert served.server.pit.find(name).memory.rounds[-1].outcome == "settled"
            assert served.server.pit.find(name).memory.rounds[-1].round >= max(1, number)

    run(tmp_path, story)


def shows_results(message: dict[str, Any]) -> bool:
    """Return whether a message of a table says what happened, what a seat holds or how a hand is called."""
    view = message.get("view") or message.get("patch") or {}
    seats = view.get("seats", ())
    of_seats = seats.values() if isinstance(seats, dict) else seats
    known = any(seat["chips_cents"] or seat["won_cents"] or seat["hands"] for seat in of_seats)
    told = any(it["tells"] or it["hands"] or it["results"] for it in message.get("events", ()))
    return known or told or bool(view.get("tray_cents") or view.get("hands"))


def test_no_exam_takes_place_at_a_public_table(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        fay, dan = [await staff_of(served, owner, *who) for who in (("Fay", "floor"), ("Dan", "dealer"))]
        for dealt_by in ("dealer", "physical"):
            name = await fay.open_table("nj-criss-cross", public=True, dealt_by=dealt_by)
            with refused_with("exam.table"):
                await dan.post(f"/api/tables/{name}/desk/exam", {})

    run(tmp_path, story)


def test_in_an_exam_payments_are_hidden_typed_marked_and_timed(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        guest = await served.guest("Dana")
        name = await guest.open_table("nj-criss-cross", pace="instant", dealt_by="dealer", bots=2)
        desk = f"/api/tables/{name}/desk"
        with refused_with("exam.none"):
            await guest.delete(f"{desk}/exam")
        actor = served.server.pit.find(name)
        async with guest.table(name, "dealer") as table:
            assert shows_results({"view": table.view}), "before the exam the dealer sees the chips"
            await guest.post(f"{desk}/exam", {})
            with refused_with("exam.open"):
                await guest.post(f"{desk}/exam", {})
            received: list[dict[str, Any]] = []
            table.on_message = received.append
            async with asyncio.timeout(WAIT_SECONDS):
                while not any(it.stake_cents for it in movements(actor.memory.round_rows)):
                    asked = next_act(table)
                    await (table.ask(asked) if asked is not None else asyncio.sleep(0.005))
            true = {it.id: it for it in movements(actor.memory.round_rows)}
            shown = (await guest.get(desk))["movements"]
            hidden = [it for it in shown if it["way"] == "asked"]
            assert {it["id"] for it in hidden} == {name for name, it in true.items() if it.stake_cents}
            assert all(it["cents"] == 0 and "words" not in it and "hand" not in it for it in hidden)
            assert any(it["type"] == "happened" for it in received)
            assert not [it for it in received if shows_results(it)]
            shown = [it for message in received for it in message.get("events", ()) if it["event"] == "hand_shown"]
            assert all(len(it["cards"]) == 2 for it in shown)
            assert {it["seat"] for it in shown} >= {true[it["id"]].seat for it in hidden}, "the cards are to be seen"
            hands = {it["seat"]: it["cards"] for it in shown}
            assert all(it["cards"] == hands[it["seat"]] for it in hidden), "a reload shows the hand again"
            async with guest.table(name, "dealer") as second:
                assert not shows_results({"view": second.view}), "a second connection shows no more"
            refusal = (await table.ask(next_act(table) or {"command": "discard_cards"})).problem
            assert (refusal or {}).get("code") == "exam.asked", "dealing waits for the answers"
            for results in ("proof/1.1", "rounds", "rounds/1", "own-rounds", "own-rounds.csv"):
                with refused_with("exam.hidden"):
                    await guest.get(f"/api/tables/{name}/{results}")
            first = hidden[0]["id"]
            due = true[first].cents if true[first].way in PAID else 0
            score = await guest.post(f"{desk}/exam/answers", {"movement": first, "cents": due + 1})
            assert (score["asked"], score["right"], score["last_right"]) == (1, 0, False)
            assert (score["last"]["cents"], score["last"]["given_cents"]) == (due, due + 1)
            with refused_with("exam.question"):
                await guest.post(f"{desk}/exam/answers", {"movement": first, "cents": due})
            second = hidden[1]["id"]
            due = true[second].cents if true[second].way in PAID else 0
            score = await guest.post(f"{desk}/exam/answers", {"movement": second, "cents": due})
            assert (score["asked"], score["right"], score["millis"] >= 0) == (2, 1, True)
            again = (await guest.get(desk))["movements"]
            assert [it["words"] for it in again if it["id"] == first] == [true[first].words], "shown once it is marked"
            score = await guest.delete(f"{desk}/exam")
            assert (score["asked"], score["right"]) == (len(hidden), 1), "what is not answered is wrong"
            assert [it["given_cents"] for it in score["wrong"][1:]] == [None] * (len(hidden) - 2)
            assert (await guest.get(desk))["exam"] is None
            assert len(await guest.get(f"/api/tables/{name}/rounds")) <= 1, "not refused any more"
            await table.until(lambda seen: shows_results({"view": seen.view}))
        (kept,) = (await guest.get("/api/training"))["exams"]
        assert (kept["asked"], kept["right"], kept["table"]) == (len(hidden), 1, name)

    run(tmp_path, story)
