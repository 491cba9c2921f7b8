"""A new player's first hand: from the lobby, with the captions on the felt, to the result."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.sync_api import Page

from browser.axe import violations
from browser.conftest import NewPage

CAPTION: Final = """() => {
  const table = document.querySelector("cf-table");
  const moves = table?.animator?.playing && !table.animator.holding;
  const still = table?.state.view && !moves && !table.sending && !table.ui.busy;
  const guide = still && table.ui.guide;
  const shown = guide && table.querySelector(".guide") && guide.captions.find((one) => one.id === guide.shown);
  return shown && shown.id !== window.lastCaption && shown;
}"""
COVERED: Final = """() => {
  const box = document.querySelector(".guide").getBoundingClientRect();
  return [...document.querySelectorAll("[data-guided]")].filter((one) => {
    const at = one.getBoundingClientRect();
    return Math.min(box.right, at.right) - Math.max(box.left, at.left) > 1
      && Math.min(box.bottom, at.bottom) - Math.max(box.top, at.top) > 1;
  }).map((one) => one.dataset.wager ?? one.dataset.action ?? one.dataset.place ?? one.className);
}"""


class Pupil:
    """A player who does what the captions say."""

    def __init__(self, page: Page, game: str, *, touch: bool = False) -> None:
        self.page = page
        self._press = page.tap if touch else page.click
        self._press(f"section[aria-label='{game}'] .first-hand")

    def follow(self) -> list[dict[str, Any]]:
        """Follow the captions to the end of the hand, and return them."""
        seen: list[dict[str, Any]] = []
        while not seen or seen[-1]["at"] != "end":
            caption = self.page.wait_for_function(CAPTION).json_value()
            self.page.evaluate("shown => { window.lastCaption = shown }", caption["id"])
            assert self.page.evaluate(COVERED) == [], caption
            seen.append(caption)
            self._obey(caption)
        return seen

    def _obey(self, caption: dict[str, Any]) -> None:
        if caption["at"] == "end":
            return
        if caption["waits"] == "next":
            self._press(".guide .main")
        elif caption["id"] in ("required", "optional"):
            self._press(f"[data-wager='{caption['points'][0].removeprefix('wager:')}']")
            self.page.wait_for_function("() => !document.querySelector('cf-table').ui.draft")
            if caption["id"] == "optional":
                self._press("[data-action='deal']:not([disabled])")
        else:
            self.page.wait_for_timeout(500)  # two presses at once are a double click, which answers one decision
            move = caption["advice"].removeprefix("Here, press ").partition(":")[0]
            button = f".rail .button:not([disabled]):has(.button-label:text-is('{move}'))"
            self._press(button)
            if move == "House way":
                self.page.wait_for_selector(".to-set .tray-front .fan cf-card")
                self._press(button)


@pytest.mark.parametrize(
    ("game", "touch", "won"),
    [
        ("Criss Cross Poker", False, "You won $30."),
        ("Criss Cross Poker", True, "You won $30."),
        ("Double Cross Poker", True, "You won $20."),
        ("Pai Gow Poker", False, "You won $134.50."),
    ],
)
def test_a_new_player_wins_the_first_hand_by_the_captions(new_page: NewPage, game: str, touch: bool, won: str) -> None:
    page = new_page(390, 844, touch=True) if touch else new_page()
    pupil = Pupil(page, game, touch=touch)
    captions = pupil.follow()
    told = page.evaluate(
        "async () => (await fetch(location.pathname.replace('/table', '/api/tables') + '/guide')).json()"
    )
    assert [caption["id"] for caption in captions] == [caption["id"] for caption in told]
    assert page.inner_text(".guide-net") == won
    assert captions[-1]["text"] in page.inner_text("#live")
    assert list(violations(page, f"the end of a lesson of {game}")) == []
    pupil._press(".guide-end .main")
    page.wait_for_selector(".guide", state="detached")
    if touch:
        return
    page.keyboard.press("h")
    page.wait_for_selector(".lesson-note")
    page.keyboard.press("?")
    page.wait_for_selector(".panel-help .bet-texts")
    page.goto(page.url.partition("/table")[0])
    page.wait_for_selector(".continue .button")
    assert game in page.inner_text(".continue")
    assert page.inner_text(".bankroll strong").startswith("$")


def test_the_guide_can_be_skipped_by_key_and_stays_away(new_page: NewPage) -> None:
    page = new_page()
    Pupil(page, "Double Cross Poker")
    page.wait_for_selector(".guide")
    first = page.inner_text(".guide-text")
    page.keyboard.press("n")
    page.wait_for_function("first => document.querySelector('.guide-text')?.innerText !== first", arg=first)
    assert list(violations(page, "a caption")) == []
    page.keyboard.press("Escape")
    page.wait_for_selector(".guide", state="detached")
    page.reload()
    page.wait_for_selector(".area.takes")
    assert page.locator(".guide").count() == 0


def test_a_side_bet_first_asks_kindly_for_the_required_bet(new_page: NewPage) -> None:
    page = new_page()
    page.click("[aria-label='Sit down at Criss Cross Poker, New Jersey']")
    page.wait_for_selector("[data-wager='ante_across'].needed")
    page.click("[data-wager='five_card_bonus'].takes")
    page.wait_for_selector(".rail [role=status]")
    asked = "Place the ante across and the ante down too: press one of the lit areas."
    assert asked in page.inner_text(".rail [role=status]")
    assert page.locator(".needed").count() == 2
    assert page.locator("[role=alert]").count() == 0
    page.click("[data-wager='ante_across']")
    page.wait_for_function("() => document.querySelector('.purse .at-risk dd').innerText === '$15'")
    assert page.locator(".needed").count() == 0
    page.click("[data-action='deal']")
    page.click("[data-wager='across'].asked")
    page.locator(".situation", has_text="Choose with a button: Fold, 1×, 2× or 3×.").wait_for()
    page.click("[data-action='bet-1']")
    page.wait_for_selector(".situation", state="detached")


def test_the_lobby_shows_how_to_play_in_pictures(new_page: NewPage) -> None:
    page = new_page(390, 844, touch=True)
    page.tap("[aria-label='How to play Pai Gow Poker']")
    page.wait_for_selector(".game-how .picture-hands cf-card")
    assert "less 5 % commission" in page.inner_text(".game-how")
    assert not page.locator("kbd").first.is_visible()
    assert list(violations(page, "how to play")) == []
