"""Another state's file, of one page, goes through every command: what a user would look at in each."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.served import owner_of, play_round, serving

Crossfelt = Callable[..., Any]
FILE = Path(__file__).parents[2] / "data" / "rulebooks" / "other-state.toml"
ID = "other-state-criss-cross"
TITLE = "Criss Cross Poker, another state"
ROUND = f"""
rulebook = "{FILE}"
cards = {{ across = "Td 4s", down = "9c 9h", middle = "Kc", seat1 = "Ts 2d" }}

[[seats]]
seat = 1
wagers = {{ ante = 1000, five_card_bonus = 100 }}
decisions = {{ across = 5000, down = 1000, middle = 1000 }}
"""


def test_show_prints_the_whole_game_and_its_own_law(crossfelt: Crossfelt) -> None:
    pays = crossfelt("rulebook", "show", FILE, "--section", "pays").out
    assert "pair of tens                              push" in pays
    assert "five_card_bonus): five-card hand  [OSC-2]" in pays
    assert "(ante): five-card hand  [HOUSE RULE: as in nj-criss-cross]" in pays
    whole = crossfelt("rulebook", "show", FILE).out
    assert "1 to 5 times the ante" in whole
    assert "the card is discarded; the round continues  [OSC-2]" in whole
    assert "Bonus Spin" not in whole
    assert "NJC-" not in whole


def test_diff_says_what_departs_and_cites_both(crossfelt: Crossfelt) -> None:
    text = " ".join(crossfelt("rulebook", "diff", "nj-criss-cross", FILE).out.split())
    assert "1 to 5 times the ante [OSC-1: Rule 7(1)]" in text
    assert "the card is discarded; the round continues [OSC-2: Rule 7(2)]" in text
    assert "pair of tens – push" in text
    assert "Bonus Spin wheel: only in nj-criss-cross" in text
    assert "choose not stated" not in text
    assert '{"' not in text


def test_a_submission_is_written_and_meets_the_rulebook(crossfelt: Crossfelt, tmp_path: Path) -> None:
    form = tmp_path / "form.toml"
    assert crossfelt("submission", "new", FILE, "--out", form).code == 0
    assert "bonus_spin" not in form.read_text()
    checked = crossfelt("submission", "check", form)
    assert checked.code == 0
    assert f"meets {TITLE}" in checked.out
    assert "the most one patron could win at the minimum wager is" in checked.out


def test_a_round_allows_five_antes_and_returns_tens(crossfelt: Crossfelt, tmp_path: Path) -> None:
    (tmp_path / "round.toml").write_text(ROUND)
    wagers = crossfelt("round", tmp_path / "round.toml").json["seats"]["1"]["wagers"]
    assert (wagers["across"]["stake"], wagers["across"]["result"], wagers["across"]["returned"]) == (5000, "push", 5000)
    assert (wagers["down"]["result"], wagers["down"]["hand"]) == ("lose", "pair of nines")
    assert wagers["middle"]["result"] == "push"
    assert wagers["five_card_bonus"]["result"] == "lose"
    (tmp_path / "round.toml").write_text(ROUND.replace("5000", "6000"))
    refused = crossfelt("round", tmp_path / "round.toml")
    assert refused.code != 0
    assert "6000 (allowed: 1,000 to 5,000 cents in steps of 100) [OSC-1]" in refused.err


def test_a_played_table_verifies_and_is_settled_twice(crossfelt: Crossfelt, tmp_path: Path) -> None:
    history = tmp_path / "table.jsonl"
    assert crossfelt("play", FILE, "--auto", 12, "--seats", 3, "--seed", 4, "--history", history).code == 0
    verified = crossfelt("verify", history)
    assert verified.code == 0
    assert "rounds     12, of which 0 void; 12 settled a second time" in verified.out
    assert "consistent, origin unproved" in verified.out


@pytest.mark.exhaustive
def test_the_simulation_agrees_with_the_exact_return(crossfelt: Crossfelt) -> None:
    solved = crossfelt("solve", FILE, "--json").json
    simulated = crossfelt("simulate", FILE, "--rounds", 200_000, "--seed", 1, "--workers", 1, "--json")
    assert simulated.code == 0
    seat = simulated.json["seats"][0]
    bets = seat["house_edge_per_base"]
    bonus = seat["wagers"]["five_card_bonus"]
    with_bonus = bets["value"] + bonus["house_edge"]["value"] * seat["stakes"]["five_card_bonus"] / 1000
    assert seat["loss_per_base"]["value"] == pytest.approx(with_bonus)
    assert abs(bets["value"] - solved["house_edge"]["per_ante"]) < 4 * bets["standard_error"]
    assert seat["decisions"]["across"]["5x"]["value"] == pytest.approx(0.0588, abs=0.004)
    assert bonus["house_edge"]["value"] == pytest.approx(0.8139, abs=5 * bonus["house_edge"]["standard_error"])


def test_drills_ask_about_its_own_pay_tables(crossfelt: Crossfelt) -> None:
    asked = crossfelt("train", FILE, "--questions", 40, "--seed", 2, "--drill", "pay", "--json").json["questions"]
    assert {question["title"] for question in asked} == {TITLE}
    topics = " ".join(question["topic"] for question in asked)
    assert "bonus_spin" not in topics
    assert "five_card_bonus" in topics


def test_the_server_opens_its_table_in_the_lobby(tmp_path: Path) -> None:
    async def story() -> None:
        books = tmp_path / "books"
        books.mkdir()
        shutil.copy(FILE, books)
        async with serving(tmp_path / "data", rulebooks=books) as served:
            owner, ann = await owner_of(served), await served.guest("Ann")
            assert {table["id"]: table["title"] for table in await ann.lobby()}[f"{ID}-1"] == TITLE
            name = await ann.open_table(ID, pace="instant", bots=2)
            async with ann.table(name) as table:
                assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
                await play_round(table, 1)
            assert (await owner.post("/api/audit/verify", {}))["sound"]

    asyncio.run(story())
