"""A physical table: cards, chips and players are real, and the dealer types cards and the acts of players."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from crossfelt.cards.deck import deck_of
from crossfelt.client import Client, Disconnected, TableClient
from crossfelt.errors import BadInput
from crossfelt.proof.verify import verify
from crossfelt.table.acts.dealing import lies_at, stub_size
from crossfelt.table.commands import SpinWheel
from crossfelt.table.engine import allowed
from limits import WAIT_SECONDS
from server.served import Served, change_roles, owner_of, run, staff_of
from soak_length import one_of_each_game

Story = Callable[[Served], Awaitable[None]]
WAGERS = {
    "nj-criss-cross": "ante 10 bonus 5 spin 5",
    "ma-criss-cross": "ante 10 bonus 5",
    "md-criss-cross": "ante 10 bonus 5 spin 5",
    "nj-double-cross": "ante 10 three card 5",
    "nj-pai-gow": "main 10 player 1",
}


class DealerAtDesk:
    """A dealer who types at the desk of one table."""

    def __init__(self, client: Client, socket: TableClient, name: str, served: Served) -> None:
        self.client, self.socket, self.name = client, socket, name
        self.actor = served.server.pit.find(name)
        self._rng = Random(7)

    async def line(self, text: str, act: str = "") -> dict[str, Any]:
        read: dict[str, Any] = await self.client.post(f"/api/tables/{self.name}/desk/line", {"text": text, "act": act})
        return read

    async def type(self, text: str, act: str = "") -> dict[str, Any] | None:
        """Type a line and Enter; return the problem if it is refused."""
        read = await self.line(text, act)
        if "command" not in read:
            return dict(read.get("problem") or read)
        answer = await self.socket.ask(read["command"])
        return answer.problem

    async def desk(self) -> dict[str, Any]:
        desk: dict[str, Any] = await self.client.get(f"/api/tables/{self.name}/desk")
        return desk

    def cards(self, count: int) -> str:
        """Return some cards that are not turned up yet."""
        unseen = [card for card in deck_of(52) if lies_at(self.actor.table, card) is None]
        self._rng.shuffle(unseen)
        if count == 2:  # a pair, which spins a wheel
            first = next(card for card in unseen if sum(card.rank == other.rank for other in unseen) > 1)
            unseen.sort(key=lambda card: card.rank != first.rank)
        return " ".join(card.text for card in unseen[:count])

    async def by_the_floor(self) -> None:
        """Have the floor, another person, do what the table waits for: checks, and the documents of an award."""
        duties = ("check_fittings", "prepare_deck", "validate_award", "complete_documents")
        options = [it for it in allowed(self.actor.table, "fay", "floor") if it.command in duties]
        if not options:
            return
        option = options[0]
        given = {**option.fields, **{name: f"{name} 7" for name in option.texts}}
        given |= {} if option.seat is None else {"seat": option.seat}
        client = await Client(self.client.address).log_in("fay", "correct horse battery")
        async with client.table(self.name, "floor") as floor:
            answer = await floor.ask({"command": option.command, **given})
        assert answer.problem is None, (option, answer.problem)

    async def advance(self) -> None:
        """Enter the next act of a round as a dealer would, after what the floor must do first."""
        regular, answers = None, list[dict[str, Any]]()
        while regular is None and not answers:
            await self.by_the_floor()
            desk = await self.desk()
            regular = next((act for act in desk["acts"] if act.get("regular")), None)
            answers = [act for act in desk["acts"] if act["key"] in ("1", "v", "b")]
        act = regular or answers[0]
        texts = {"count": str(stub_size(self.actor.table)), "dice": "3 4 6", "number": "3", "hot_spot": "1"}
        texts |= {need["field"]: next(it for it in need["stops"] if "jackpot" not in it) for need in wheels(act)}
        parts = [
            self.cards(need.get("count", 1)) if need["field"] == "cards" else texts[need["field"]]
            for need in act.get("needs", ())
        ]
        problem = await self.type(" ".join(parts) or (act["key"] if act is not regular else ""), act["id"])
        assert problem is None, (act, parts, problem)


def wheels(act: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the readings of wheels that an act needs."""
    return [need for need in act.get("needs", ()) if need["field"] in ("stop", "community", "prize")]


async def live_table(served: Served, rulebook: str) -> tuple[Client, Client, str]:
    """Return the owner, a dealer, and a physical table that the floor has opened; fay is its floorperson."""
    owner = await owner_of(served)
    dealer = await staff_of(served, owner, "dana", "dealer", "player")
    asked = {"rulebook": rulebook, "dealt_by": "physical", "public": True, "id": "live-1", "pace": "instant"}
    await staff_of(served, owner, "fay", "floor")
    await owner.post("/api/tables", asked)
    return owner, dealer, "live-1"


@pytest.mark.clause("NJC-6", "NJC-17", "NJC-30")
def test_people_sign_for_the_fittings_and_the_deck_of_a_physical_table(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner, dealer, name = await live_table(served, "nj-criss-cross")
        await change_roles(served, owner, "dana", "dealer", "floor", "player")
        async with dealer.table(name, "dealer") as socket, dealer.table(name, "floor") as same_person:
            desk = DealerAtDesk(dealer, socket, name, served)
            assert (await desk.desk())["waits"] == "The floor must check the fittings of the table"
            assert (await owner.get(f"/api/tables/{name}/records"))["fittings"] is None
            await desk.by_the_floor()
            await desk.type("1 Ann 500")
            labels = [(await desk.desk())["acts"][0]["label"]]
            while labels[-1] != "Inspect deck A-1":
                await desk.advance()
                labels.append((await desk.desk())["acts"][0]["label"])
            await desk.type("j")
            assert (await desk.desk())["waits"] == "The floor must verify deck A-1"
            alone = await same_person.ask({"command": "prepare_deck", "deck": "A-1", "act": "verify"})
            assert alone.problem is not None
            assert (alone.problem["code"], alone.problem["clauses"]) == ("same_person", ["NJC-17"])
            while desk.actor.table.step != "open_bets":
                await desk.advance()
        records = await owner.get(f"/api/tables/{name}/records")
        found = records["fittings"]
        assert (found["by"], found["items"]) == ("fay", ["drop_box", "tip_box"])
        assert (found["shoe"], found["shoe_place"]) == ("shoe 7", "shoe_place 7")
        (deck,) = records["decks"]
        assert (deck["id"], deck["back"], deck["cover"], deck["shuffles"]) == ("A-1", "red", "yellow", 1)
        by = {act["did"]: act["by"] for act in deck["life"]}
        assert (by["inspected"], by["verified"], by["first used"]) == ("dana", "fay", "dana")
        assert [(act["did"], act.get("note", "")) for act in deck["last"]] == [
            ("shuffled by hand", ""),
            ("put into the shoe", "shoe 7, shoe_place 7, by the dealer"),
        ]

    run(tmp_path, story)


@pytest.mark.parametrize("rulebook", one_of_each_game())
def test_a_round_is_dealt_from_a_physical_deck(rulebook: str, tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner, dealer, name = await live_table(served, rulebook)
        async with dealer.table(name, "dealer") as socket:
            desk = DealerAtDesk(dealer, socket, name, served)
            assert await desk.type("1 Ann 500") is None
            assert await desk.type("3 sit Bob Lee $250.50") is None
            async with asyncio.timeout(WAIT_SECONDS):
                while desk.actor.table.step != "open_bets":
                    await desk.advance()
                wagers = WAGERS[rulebook]
                assert await desk.type(f"1 {wagers}") is None
                assert await desk.type(f"3 {wagers}") is None
                while not desk.actor.memory.rounds:
                    await desk.advance()
            assert desk.actor.memory.rounds[-1].outcome == "settled"
            entered = [row.command for row in desk.actor.memory.round_rows if row.command.role == "player"]
            assert {command.entered_by for command in entered} == {"dana"}
            assert {command.who for command in entered} == {"Ann", "Bob Lee"}
            moved = (await desk.desk())["movements"]
            assert moved
            spun = [row.command for row in desk.actor.memory.round_rows if isinstance(row.command, SpinWheel)]
            assert len(spun) == 2 * ("spin" in wagers)
            assert all(
                sum(pile["cents"] * pile["count"] for pile in it.get("chips", ())) == it["cents"] for it in moved
            )
        assert not {"Ann", "Bob Lee"}.intersection(one["name"] for one in await owner.get("/api/accounts"))
        await check_history(owner, name, tmp_path)

    run(tmp_path, story)


async def check_history(owner: Client, table: str, directory: Path) -> None:
    """Verify the table's history, and settle its one round a second time from the record alone."""
    history = directory / "history.jsonl"
    await asyncio.to_thread(download, owner, f"/api/tables/{table}/history", history)
    report = verify(history)
    assert report.fault is None, report.fault
    assert report.rounds == 1


def download(client: Client, path: str, to: Path) -> None:
    request = urllib.request.Request(client.address + path, headers={"Authorization": f"Bearer {client.token}"})
    with urllib.request.urlopen(request) as answer:
        to.write_bytes(answer.read())


CROSS = {"across_left", "across_right", "down_far", "down_near", "middle"}
ACROSS, FIRST = {"across_left", "across_right"}, {"down_far", "across_right"}
CAN_BE_PUT_RIGHT = {
    "nj-criss-cross": {
        "decide_down": ACROSS,
        "reveal_down": ACROSS,
        "settle": CROSS,
        **dict.fromkeys(("decide_middle", "reveal_middle"), CROSS - {"middle"}),
    },
    "nj-double-cross": {
        "decide_three_card": FIRST,
        "settle_three_card": FIRST,
        "decide_play": set(),
        "reveal_rest": set(),
        "reveal_dealer": CROSS - FIRST,
    },
    "nj-pai-gow": {"compare": {f"dealer_card_{number}" for number in range(1, 8)}},
}
"""The places whose cards can be corrected when a step begins; no others can."""


@pytest.mark.parametrize("rulebook", CAN_BE_PUT_RIGHT)
def test_two_people_correct_a_card_that_was_entered_wrongly(rulebook: str, tmp_path: Path) -> None:
    """Each correctable card is replaced once by an unseen card. The second settlement uses the corrected cards."""

    async def story(served: Served) -> None:
        owner, dealer, name = await live_table(served, rulebook)
        flo = await staff_of(served, owner, "Flo", "floor")
        offered, right = dict[str, set[str]](), dict[str, str]()
        async with dealer.table(name, "dealer") as socket, flo.table(name, "floor") as floor:
            desk = DealerAtDesk(dealer, socket, name, served)
            await desk.type("1 Ann 500")
            while desk.actor.table.step != "open_bets":
                await desk.advance()
            await desk.type(f"1 {WAGERS[rulebook]}")
            while not desk.actor.memory.rounds:
                table = desk.actor.table
                options = [it.fields for it in allowed(table, "Flo", "floor") if it.command == "correct_card"]
                places = [str(it["place"]) for it in options]
                offered.setdefault(table.step, set(places))
                for place in (it for it in places if it not in right):
                    asked = {"kind": "card_correction", "subject": name, "reason": "misread"}
                    details = {"round": table.round, "place": place, "card": desk.cards(1)}
                    alone = await floor.give("correct_card", place=place, cards=[details["card"]])
                    assert alone.problem is not None
                    assert alone.problem["code"] == "floor.two_people"
                    proposal = await flo.post("/api/proposals", {**asked, "details": details})
                    assert proposal["details"] == details
                    with pytest.raises(BadInput):
                        await flo.post(f"/api/proposals/{proposal['number']}/approval", {})
                    await owner.post(f"/api/proposals/{proposal['number']}/approval", {})
                    right[place] = str(details["card"])
                    assert {it: desk.actor.table.community[it].text for it in right} == right
                await desk.advance()
            late = {"round": desk.actor.table.round, "place": place, "card": "As"}
            with pytest.raises(BadInput):
                await flo.post("/api/proposals", {**asked, "details": late})
            assert desk.actor.memory.rounds[-1].outcome == "settled"
        expected = CAN_BE_PUT_RIGHT[rulebook]
        assert {step: places for step, places in offered.items() if places or step in expected} == expected
        await check_history(owner, name, tmp_path)

    run(tmp_path, story)


def test_a_wrong_step_and_impossible_cards_are_refused(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        _, dealer, name = await live_table(served, "nj-criss-cross")
        async with dealer.table(name, "dealer") as socket:
            desk = DealerAtDesk(dealer, socket, name, served)
            await desk.type("1 Ann 500")
            while desk.actor.table.step != "open_bets":
                await desk.advance()
            seq = desk.actor.seq
            for key in (await desk.desk())["keys"]:
                refused = await desk.type(key)
                assert refused is not None, key
                assert refused.get("clauses"), refused
            assert "NJC-8" in (await desk.type("1 ante 3") or {})["clauses"]
            assert (await desk.type("7 fold") or {})["code"] == "seat.unknown"
            assert (await desk.type("2 fold") or {})["says"].startswith("Seat 2 is free")
            assert (await desk.type("rhubarb") or {})["code"] == "typed.unknown"
            assert desk.actor.seq == seq
            await desk.type("1 ante 10")
            while desk.actor.table.step != "reveal_across":
                await desk.advance()
            late = await desk.type("1 ante 10") or {}
            assert (late["what"], late["allowed"]) == ("seat 1 cannot do this now", "1 buy 100")
            asked = (await desk.line("1 help"))["says"]
            assert asked == "You may type: 1 buy 100", "the terminal's words have no meaning at the desk"
            assert await desk.line("K") == {"act": "turn_up", "missing": 2, "says": "next: your left"}
            assert (await desk.line("Kd1"))["cards"] == ["Kd"]
            assert (await desk.line("10s4c"))["command"]["cards"] == ["Ts", "4c"]
            seq = desk.actor.seq
            for text, code in {
                "Kd Kd": "card.repeated",
                "Jk": "card.joker",
                "Kx": "card.unknown",
                "Kd 4s 5s": "cards.count",
            }.items():
                assert (await desk.type(text) or {})["code"] == code, text
            assert desk.actor.seq == seq
            assert await desk.type("Kd 4s") is None
            await desk.type("f")
            await desk.advance()
            assert desk.actor.table.step in ("discard", "reveal_down", "settle")

    run(tmp_path, story)


def test_a_card_already_on_the_table_is_refused_before_the_last_card_is_typed(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        _, dealer, name = await live_table(served, "nj-double-cross")
        async with dealer.table(name, "dealer") as socket:
            desk = DealerAtDesk(dealer, socket, name, served)
            await desk.type("2 Ann 500")
            while desk.actor.table.step != "open_bets":
                await desk.advance()
            await desk.type("2 ante 10")
            while desk.actor.table.step != "reveal_first":
                await desk.advance()
            await desk.type("Kd 4s")
            await desk.type("2 vertical")
            refused = await desk.line("Kd")
            assert refused["problem"]["what"] == "K♦ lies down far"
            assert refused["missing"] == 2
            troubles = await dealer.get(f"/api/tables/{name}/desk/troubles")
            early = next(one for one in troubles if one["id"] == "community_exposed.any")
            assert early["follows"] == "The floor decides whether the round continues or the round is void"
            assert early["clauses"]

    run(tmp_path, story)


def test_only_the_dealer_enters_commands_at_a_physical_table(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner, dealer, name = await live_table(served, "md-criss-cross")
        guest = await served.guest("Paula")
        for path in ("desk", "desk/troubles"):
            with pytest.raises(BadInput, match="you do not have the role dealer"):
                await guest.get(f"/api/tables/{name}/{path}")
        with pytest.raises(Disconnected, match="you do not have the role dealer"):
            await guest.table(name, "dealer").connect()
        with pytest.raises(BadInput, match="only the floor"):
            await guest.open_table("md-criss-cross", dealt_by="physical", public=True)
        with pytest.raises(BadInput, match="bots cannot play at a physical table"):
            await owner.open_table("md-criss-cross", dealt_by="physical", bots=1)
        with pytest.raises(BadInput, match="this table is dealt automatically"):
            await dealer.get("/api/tables/md-criss-cross-1/desk")
        async with guest.table(name) as looks_on, dealer.table(name, "dealer") as socket:
            assert looks_on.allowed == []
            refused = await looks_on.give("take_seat", seat=1, chips_cents=100_00)
            assert (refused.problem or {})["code"] == "live.player"
            for who in ("", "careful bot 2", "A" * 31):
                refused = await socket.give("take_seat", seat=1, chips_cents=100_00, player=who)
                assert (refused.problem or {})["code"] == "live.name"
            assert (await socket.give("fold")).problem == {
                "code": "live.seat",
                "what": "name the seat",
                "where": "seat",
            }
            assert (await socket.give("take_seat", seat=1, chips_cents=100_00, player="Paula")).accepted
            assert await guest.get("/api/me") | {"balance_cents": 0} == await guest.get("/api/me") | {
                "balance_cents": 0
            }
            assert (await guest.get("/api/me"))["balance_cents"] == 1_000_00
        withheld = [note["event"]["act"] for note in await owner.get("/api/audit") if "act" in note["event"]]
        assert withheld[:2] == ["desk of live-1", "dealer at live-1"], "the first of each at once"

    run(tmp_path, story)


def test_a_wrong_count_of_the_stub_asks_for_the_finding(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        _, dealer, name = await live_table(served, "nj-pai-gow")
        async with dealer.table(name, "dealer") as socket:
            desk = DealerAtDesk(dealer, socket, name, served)
            await desk.type("1 Ann 500")
            while desk.actor.table.step != "open_bets":
                await desk.advance()
            await desk.type("1 main 20")
            while desk.actor.table.step != "stub":
                await desk.advance()
            refused = await desk.type("3")
            assert refused is not None
            assert refused["what"] == "the count is not right: say what was found"
            troubles = await dealer.get(f"/api/tables/{name}/desk/troubles")
            found = next(one for one in troubles if one["id"] == "stub_count_wrong.not_misdealt")
            assert found["counts"]
            assert found["house_rule"], "the document of this game is silent"
            assert found["follows"].startswith("The round is void and every wager is returned")
            assert (await socket.ask({**found["wheres"][0]["command"], "count": 3})).accepted
            assert desk.actor.table.voided
            assert [one["way"] for one in (await desk.desk())["movements"]] == ["give back"]

    run(tmp_path, story)


@pytest.mark.parametrize("how", ["bank", "co-bank"])
def test_a_player_holds_the_bank_at_a_physical_table(how: str, tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner, dealer, name = await live_table(served, "nj-pai-gow")
        async with dealer.table(name, "dealer") as socket:
            desk = DealerAtDesk(dealer, socket, name, served)
            for seat, who in ((1, "Ann"), (4, "Bob")):
                assert await desk.type(f"{seat} {who} 900") is None
            for number in (1, 2):
                while desk.actor.table.step != "open_bets":
                    if desk.actor.table.step == "offer_bank":
                        assert await desk.type(f"{desk.actor.table.turn[0]} {how}") is None
                    else:
                        await desk.advance()
                bank = desk.actor.table.bank
                assert (bank is not None) == (number == 2)
                for seat in (1, 4):
                    if bank is None or bank.seat != seat:
                        assert await desk.type(f"{seat} main 20") is None
                while len(desk.actor.memory.rounds) < number:
                    await desk.advance()
        history = tmp_path / "history.jsonl"
        await asyncio.to_thread(download, owner, f"/api/tables/{name}/history", history)
        assert verify(history).fault is None

    run(tmp_path, story)


def test_what_was_typed_is_taken_back_until_it_is_paid(tmp_path: Path) -> None:
    """A bet for the wrong amount, a fold of the wrong seat, the lock of the bets with its contribution, a buy-in, and
    a reading of the wheel."""

    async def story(served: Served) -> None:
        owner, dealer, name = await live_table(served, "nj-criss-cross")
        async with dealer.table(name, "dealer") as socket:
            desk = DealerAtDesk(dealer, socket, name, served)

            async def until(command: str) -> dict[str, Any]:
                while True:
                    acts = (await desk.desk())["acts"]
                    if found := next((act for act in acts if act["command"]["command"] == command), None):
                        return dict(found)
                    await desk.advance()

            assert await desk.type("4 Ann 500") is None
            while desk.actor.table.step != "open_bets":
                await desk.advance()
            assert await desk.type("4 buy 700") is None
            assert await desk.type("<") is None
            assert desk.actor.table.balances["chips:4"] == 500_00
            assert await desk.type("4 ante 10 spin 5") is None
            assert await desk.type("n") is None
            meter = served.server.pit.meters.seen[f"meter/{name}/bonus_spin"]
            assert meter.contributed_micros > 0
            assert await desk.type("<") is None
            assert await desk.type("4 ante 20 spin 5") is None
            assert await desk.type("n") is None
            await until("fold")
            assert await desk.type("4 fold") is None
            assert await desk.type("<") is None
            assert await desk.type("1") is None
            assert await desk.type("<") is None
            assert await desk.type("3") is None
            assert 3 * 20_00 in desk.actor.table.seat(4).wagers.values()
            act = await until("spin_wheel")
            cards = f"{desk.cards(2)} " if any(need["field"] == "cards" for need in act["needs"]) else ""
            assert await desk.type(f"{cards}2", act["id"]) is None
            assert await desk.type("<") is None
            assert await desk.type(f"{cards}3", act["id"]) is None
            await until("discard_cards")
            assert (await desk.type("<") or {})["code"] == "back.none", "it is paid"
            while desk.actor.table.step != "open_bets":
                await desk.advance()
        await check_history(owner, name, tmp_path)

    run(tmp_path, story)
