"""A lesson at a private table: the same first hand for everybody, recorded as such."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from crossfelt.client import Client
from crossfelt.rulebooks.game import compile_game
from crossfelt.server.core.lesson import lesson_of, seat_of
from server.served import Served, owner_of, play_round, refused_with, run

RULEBOOK = "nj-criss-cross"


def test_a_lesson_deals_everybody_the_same_first_hand_and_says_so(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        game = compile_game(RULEBOOK)
        rounds: list[dict[int, dict[str, Any]]] = []
        for name in ("Ann", "Eve"):
            player = await served.guest(name)
            table = await _lesson(player)
            async with player.table(table) as seated:
                assert (await seated.give("take_seat", seat=seat_of(game), chips_cents=500_00)).accepted
                for _ in range(2):
                    await play_round(seated, seat_of(game))
            rounds.append({number: await player.get(f"/api/tables/{table}/rounds/{number}") for number in (1, 2)})
            listed = next(one for one in await player.lobby() if one["id"] == table)
            assert listed["lesson"]
            assert listed["seated"]
        ann, eve = rounds
        assert _cards(ann[1]) == _cards(eve[1])
        assert _cards(ann[2]) != _cards(eve[2])
        assert [ann[number]["lesson_seed"] for number in (1, 2)] == [lesson_of(game).seed, 0]
        entries = await (await owner_of(served)).get("/api/audit")
        created = [entry["event"] for entry in entries if entry["event"].get("event") == "table_created"]
        assert {event["settings"].get("lesson_seed") for event in created if event["settings"].get("owner")} == {
            lesson_of(game).seed
        }

    run(tmp_path, story)


def test_the_text_of_a_table_is_served_and_a_lesson_takes_no_other_players(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann = await served.guest("Ann")
        for wrong in ({"bots": 1}, {"submission": {"wagers": {"ante": {"min_cents": 100}}}}):
            with refused_with("table.lesson"):
                await ann.post("/api/tables", {"rulebook": RULEBOOK, "lesson": True, **wrong})
        table = await _lesson(ann)
        captions = await ann.get(f"/api/tables/{table}/guide")
        assert any(caption["advice"] for caption in captions)
        plain = await ann.get("/api/tables/nj-criss-cross-1/guide")
        assert not any(caption["advice"] for caption in plain)
        stranger = Client(served.address)
        text = await stranger.get(f"/api/games/{RULEBOOK}/how-to-play")
        assert text == await ann.get(f"/api/tables/{table}/how-to-play")
        assert text["sections"][0]["pictures"][0]["kind"] == "cards"

    run(tmp_path, story)


async def _lesson(player: Client) -> str:
    return await player.open_table(RULEBOOK, lesson=True, pace="instant")


def _cards(found: dict[str, Any]) -> list[Any]:
    return [
        event["cards"] for event in found["events"] if event["event"] in ("cards_dealt", "community_cards_revealed")
    ]
