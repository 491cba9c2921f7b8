"""Whole rounds of every game, by keyboard and by touch; the page shows what the record holds."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from browser.conftest import Shoot
from browser.table_page import TableDriver
from soak_length import one_of_each_game

Sit = Callable[..., TableDriver]

BY_KEY = {
    "bet-1": "1",
    "choose-expose": "e",
    "choose-vertical": "v",
    "set": "Enter",
    "house-way": "w",
    "pass": "Enter",
}
"""The key for each decision."""
GAMES = {
    "nj-criss-cross": ("1b3", ("ante_across", "five_card_bonus", "bonus_spin")),
    "ma-criss-cross": ("1b", ("ante_down", "five_card_bonus")),
    "md-criss-cross": ("1b", ("ante_across", "five_card_bonus")),
    "nj-double-cross": ("1b", ("ante", "three_card")),
    "nj-pai-gow": ("1b", ("main", "imperial")),
}
"""The keys, and the areas, that place wagers."""


def _check_page_against_record(driver: TableDriver) -> None:
    line = driver.fetch(f"/tables/{driver.table}/rounds?last=1")[0]
    record = driver.fetch(f"/tables/{driver.table}/rounds/{line['round']}")
    driver.page.keyboard.press("l")
    log = "\n".join(driver.page.locator(".log .proof-row > span").all_inner_texts())
    names = [event["event"] for event in record["events"]]
    since = record["events"][names.index("bets_locked") :]
    assert [words for event in since if (words := driver.heard(event)) not in log] == []
    net = line["net_cents"][str(driver.seat["number"])]
    assert driver.seat["chips_cents"] == 100_000 + net
    assert driver.balance.replace("$", "").replace(",", "") == f"{driver.seat['chips_cents'] / 100:.2f}".removesuffix(
        ".00"
    )


@pytest.mark.parametrize("rulebook", one_of_each_game())
def test_a_round_is_played_by_keyboard_alone(private_table: Sit, shoot: Shoot, rulebook: str) -> None:
    driver = private_table(rulebook)
    for key in GAMES[rulebook][0]:
        driver.key(key)
    assert driver.seat["wagers"]
    driver.key("Enter")
    shoot(driver.page, f"{rulebook}-1280")
    assert driver.play_until_bets(BY_KEY) >= 1
    driver.page.wait_for_selector(".last")
    _check_page_against_record(driver)


@pytest.mark.parametrize("rulebook", ["nj-criss-cross", "nj-double-cross", "nj-pai-gow"])
def test_a_round_is_played_by_touch_alone(private_table: Sit, shoot: Shoot, rulebook: str) -> None:
    driver = private_table(rulebook, width=360, height=740, touch=True, color_scheme="light")
    for wager in GAMES[rulebook][1]:
        driver.tap_area(wager)
    driver.tap("deal")
    shoot(driver.page, f"{rulebook}-360")
    for card in driver.page.locator(".to-set button").all()[-2:]:
        card.tap()
    assert driver.play_until_bets(BY_KEY, tap=True) >= 1
    driver.page.wait_for_selector(".last")
    assert driver.view["round"] == 2


def test_hands_are_set_by_keys_with_a_warning_of_a_foul(private_table: Sit) -> None:
    driver = private_table("nj-pai-gow")
    ways = hand_to_set(driver)
    while not any(way["foul"] for way in ways["ways"]):  # any five of seven hearts are a flush
        driver.play_until_bets(BY_KEY)
        ways = hand_to_set(driver)
    foul = next(way for way in ways["ways"] if way["foul"])
    cards = driver.seat["cards"]
    for card in foul["low"]:
        driver.page.keyboard.press(str(1 + cards.index(card)))
    assert foul["high_name"] in driver.page.inner_text(".rail .notice")
    driver.page.keyboard.press("Enter")
    assert "Press Set hands again" in driver.page.inner_text(".rail .notice")
    driver.page.keyboard.press("w")
    assert ways["rule"] in driver.page.inner_text(".house-way summary")
    driver.page.keyboard.press("w")
    driver.page.wait_for_selector(".last")


def hand_to_set(driver: TableDriver) -> dict[str, Any]:
    """Bet, and wait for the settings of the hand."""
    driver.key("1")
    driver.key("Enter")
    driver.page.wait_for_function("() => document.querySelector('cf-table').ui.ways?.ways?.length === 21")
    ways: dict[str, Any] = driver.page.evaluate("() => document.querySelector('cf-table').ui.ways")
    return ways


def test_hidden_cards_are_neither_in_the_page_nor_in_messages(private_table: Sit) -> None:
    driver = private_table("nj-criss-cross", bots=3)
    frames: list[str] = []
    driver.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    driver.page.reload()
    driver.wait_for_turn()
    driver.key("1")
    driver.key("Enter")
    frames_before, page_before = "".join(frames), driver.page.content()
    driver.play_until_bets(BY_KEY)
    record = driver.fetch(f"/tables/{driver.table}/rounds/1")
    shown = [event for event in record["events"] if event["event"] == "community_cards_revealed"]
    hidden = [card for event in shown for card in event["cards"]]
    assert len(hidden) == 5
    assert not [card for card in hidden if json.dumps(card) in frames_before or f'card="{card}"' in page_before]


def test_a_held_key_and_a_double_click_answer_one_decision(private_table: Sit) -> None:
    driver = private_table("nj-criss-cross", bots=0)
    driver.key("1")
    driver.key("Enter")
    driver.key("1")
    for _ in range(3):
        driver.page.keyboard.down("1")
    driver.page.keyboard.up("1")
    driver.wait_for_turn()
    assert driver.view["step"] == "decide_middle"
    driver.page.focus("[data-action='bet-1']")
    # Enter is held on the focused button: the round ends, and nothing is staked on the next one.
    for _ in range(3):
        driver.page.keyboard.down("Enter")
    driver.page.keyboard.up("Enter")
    driver.page.wait_for_selector(".last")
    driver.wait_for_turn()
    driver.key("r")
    driver.key("Enter")
    button = driver.page.locator("[data-action='bet-3']")
    button.click()
    driver.wait_for_turn()
    button.dispatch_event("click", {"detail": 2})
    driver.wait_for_turn()
    assert driver.seat["wagers"] == {"ante_across": 500, "ante_down": 500, "across": 1500}


def test_a_reload_deals_nothing_and_recalls_the_last_round(private_table: Sit) -> None:
    driver = private_table("nj-criss-cross", bots=0)
    for key in ("1", "Enter", "f", "r"):
        driver.key(key)
    driver.page.reload()
    driver.page.wait_for_selector(".place .area")
    driver.wait_for_turn()
    assert (driver.view["step"], driver.seat["wagers"]) == ("open_bets", {"ante_across": 500, "ante_down": 500})
    driver.page.keyboard.press("h")
    assert driver.page.locator(".round-list button").inner_text().split() == ["Round", "1", "−$10"]
    assert "forfeited" in driver.page.inner_text(".recall")
    driver.page.locator(".recall .fairness button").click()
    driver.page.wait_for_selector(".fairness .fair")


def test_deal_waits_for_pending_wagers(private_table: Sit) -> None:
    driver = private_table("ma-criss-cross")
    driver.page.evaluate(
        """() => {
            const table = document.querySelector("cf-table");
            table.pressArea("ante_across");
            if (!table.sending) throw new Error("no wager is pending");
            table.runAction(table.actions.find((one) => one.id === "deal"));
        }"""
    )
    driver.page.wait_for_function("() => document.querySelector('cf-table').state.view.step !== 'open_bets'")
    assert sum(driver.seat["wagers"].values()) > 0


def test_undo_clear_double_and_rebet(private_table: Sit) -> None:
    driver = private_table("nj-criss-cross", bots=0)
    driver.key("1")
    driver.key("b")
    assert driver.seat["wagers"] == {"ante_across": 500, "ante_down": 500, "five_card_bonus": 500}
    driver.key("x")
    assert driver.seat["wagers"]["ante_across"] == 1000
    driver.key("u")
    driver.key("u")
    assert driver.seat["wagers"] == {"ante_across": 500, "ante_down": 500}
    driver.key("]")
    driver.key("1")
    assert driver.seat["wagers"]["ante_down"] == 3000
    driver.key("Enter")
    driver.key("f")
    driver.key("r")
    assert driver.seat["wagers"] == {"ante_across": 3000, "ante_down": 3000}
    driver.key("c")
    assert driver.seat["wagers"] == {}


def test_the_text_box_accepts_the_commands_of_the_terminal(private_table: Sit) -> None:
    driver = private_table("nj-criss-cross", bots=0)
    driver.page.keyboard.press("t")
    box = driver.page.locator("#typed")
    for line in ("ante 10 bonus 5", "deal", "bet 3", "fold"):
        before = driver.page.evaluate("() => document.querySelector('cf-table').shownSeq")
        box.fill(line)
        box.press("Enter")
        driver.page.wait_for_function("(before) => document.querySelector('cf-table').shownSeq > before", arg=before)
        driver.wait_for_turn()
    driver.page.wait_for_selector(".last")
    log = "\n".join(event["tells"] for event in driver.fetch(f"/tables/{driver.table}/rounds/1")["events"])
    for words in ("antes $10 + $10, 5 Card Bonus $5", "bets $30 across", "folds"):
        assert words in log
    box.fill("pays")
    box.press("Enter")
    driver.page.wait_for_selector(".panel-pays")
