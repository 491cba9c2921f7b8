"""Games of the operator's own files: listed in the lobby, drawn by their groups, and played to the end with bots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from browser.axe import Faults
from browser.conftest import NewPage, Served, Shoot
from browser.table_page import TableDriver

BOOKS: Final = Path(__file__).parents[2] / "examples" / "rulebooks"
PLAY: Final = {"bet-1": "1"}
Sit = Callable[..., TableDriver]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with the rulebooks of the examples; one has a table of seven seats, one its own word for a fold."""
    folder = tmp_path_factory.mktemp("own")
    for file in BOOKS.glob("*.toml"):
        text = file.read_text("utf-8")
        if file.stem == "mississippi-stud":
            text += "\n[table]\nseats = 7\n"
        if file.stem == "three-card-poker":
            text = text.replace("fold = true", 'fold = true, title = "Give up"')
        (folder / file.name).write_text(text, "utf-8")
    served = Served(folder / "data", "--rulebooks", str(folder))
    yield served
    served.stop()


def test_the_lobby_lists_games_of_files_like_any_other(new_page: NewPage, shoot: Shoot, faults: Faults) -> None:
    page = new_page(390, 844)
    for name in ("Mississippi Stud", "Three Card Poker"):
        game = page.locator(f".game[aria-label='{name}']")
        game.locator("button", has_text="How to play").click()
        game.locator(".game-how .how-section").first.wait_for()
        assert len(game.locator(".picture").all()) >= 2
    headings = page.locator("h2, h3").all_inner_texts()
    assert all(headings), headings
    shoot(page, "lobby-own-games")
    assert faults(page, "the lobby with games of files", widths=(390,)) == []


def test_a_game_of_streets_is_played_by_touch(private_table: Sit, shoot: Shoot) -> None:
    driver = private_table("mississippi-stud", bots=6, pace="practice", width=390, height=844, touch=True)
    page = driver.page
    assert page.locator(".pod").count() == 6, "the seventh seat is the player's"
    assert page.locator(".card-row .box-label").all_inner_texts() == ["3rd", "4th", "5th"]
    for wager in ("ante", "three_card"):
        driver.tap_area(wager)
    driver.tap("deal")
    assert page.locator(".card-row cf-card").count() == 3
    assert page.locator(".hole cf-card").count() == 2
    for street, bet in {"third": "bet-3", "fourth": "bet-1", "fifth": "bet-2"}.items():
        page.wait_for_selector(f"[data-wager='{street}'].asked")
        shoot(page, f"mississippi-stud-{street}-390")
        driver.tap(bet)
    page.wait_for_selector("[data-action='next']")
    shoot(page, "mississippi-stud-result-390")
    assert page.locator(".board .face-down").count() == 0
    assert driver.play_until_bets(PLAY, tap=True) == 0
    assert driver.view["round"] == 2


def test_a_game_against_the_dealer_is_played_by_keyboard(private_table: Sit, shoot: Shoot, faults: Faults) -> None:
    driver = private_table("three-card-poker", bots=3, pace="practice")
    page = driver.page
    for key in "123":
        driver.key(key)
    assert driver.seat["wagers"].keys() == {"ante", "pair_plus", "six_card"}
    driver.key("Enter")
    assert page.locator(".dealer-cards .face-down").count() == 3
    assert page.locator(".hole cf-card").count() == 3
    assert driver.actions == ["fold", "bet-1"]
    assert page.locator(".line-hand").count() > 0, "the hand of bets that lie"
    assert [page.inner_text(f"[data-action='{one}'] .button-label") for one in driver.actions] == ["Give up", "Play"]
    shoot(page, "three-card-poker-play-1280")
    assert faults(page, "a table of a file", widths=(1280,)) == []
    driver.key("1")
    page.wait_for_selector("[data-action='next']")
    shoot(page, "three-card-poker-result-1280")
    assert "qualif" in page.inner_text(".dealer-cards .hand-names")
    assert driver.play_until_bets(PLAY) == 0
    line = driver.fetch(f"/tables/{driver.table}/rounds?last=1")[0]
    assert driver.seat["chips_cents"] == 100_000 + line["net_cents"][str(driver.seat["number"])]
