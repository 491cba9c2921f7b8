"""The player's pace, the result of a round, the wheel before its stop, and the sound."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from browser.axe import violations
from browser.table_page import WAITS_FOR_PLAYER, TableDriver

SCREENS: Final = {"desktop": {}, "phone": {"width": 390, "height": 844, "touch": True}}
SETTINGS: Final = "() => JSON.parse(localStorage.getItem('crossfelt.settings') ?? '{}')"
NO_PAUSE_ENDS: Final = """() => {
  const { animator } = document.querySelector("cf-table");
  animator.pause = (ms) => ms && new Promise((done) => {
    animator.endPause = () => done(animator.endPause = undefined);
  });
}"""
"""Every pause now lasts until the player skips it."""
PAUSES_OR_WAITS: Final = (
    f"""() => document.querySelector("cf-table").animator.endPause ? "pauses" : ({WAITS_FOR_PLAYER})()"""
)
SPIN: Final = """([wager, wheel, index]) => {
  const table = document.querySelector("cf-table");
  const tells = `the wheel stops at ${index}`;
  const spun = {event: "wheel_spun", seq: table.shownSeq, n: 0, wager, wheel, index, place: index, prize_cents: 6000};
  table.animator.enqueue({type: "happened", seq: table.shownSeq, events: [{...spun, tells, yours: tells}], patch: {}});
}"""
PAGE: Final = '() => document.body.outerHTML.replace(/ style="[^"]*"/g, \'\')'


def practice(private_table: Callable[..., TableDriver], screen: str, **how: Any) -> TableDriver:
    return private_table("nj-criss-cross", pace="practice", reduced_motion="no-preference", **SCREENS[screen], **how)


def press(driver: TableDriver, selector: str) -> None:
    """Press a control, which lies in the menu of a phone."""
    menu = driver.page.locator(".controls-menu")
    if menu.is_visible() and menu.get_attribute("aria-expanded") == "false":
        menu.click()
    driver.page.locator(selector).click()


def skip_pauses(driver: TableDriver) -> None:
    """Press Space at each pause, until the table waits for the player."""
    while driver.page.wait_for_function(PAUSES_OR_WAITS).json_value() == "pauses":
        driver.page.keyboard.press("Space")


@pytest.mark.parametrize("screen", ["phone", pytest.param("desktop", marks=pytest.mark.soak)])
def test_the_player_sets_the_pace_skips_and_goes_on_from_the_result(
    private_table: Callable[..., TableDriver], screen: str
) -> None:
    driver = practice(private_table, screen)
    page = driver.page
    press(driver, ".controls [data-control='pace']")
    assert page.evaluate(SETTINGS)["pace"] == "fast"
    page.reload()
    page.wait_for_selector(".area.takes")
    assert "fast" in str(page.locator("[data-control='pace']").get_attribute("aria-label"))
    page.evaluate(NO_PAUSE_ENDS)
    driver.key("1")
    page.keyboard.press("Enter")
    skip_pauses(driver)
    assert "fold" in driver.actions
    page.keyboard.press("f")
    skip_pauses(driver)
    # The server has opened the next round; the page shows the result of this one.
    path = f"/tables/{driver.table}/rounds"
    page.wait_for_function("async (path) => (await (await fetch(path)).json()).length > 0", arg=f"/api{path}")
    assert driver.actions == ["next", "again"]
    assert page.inner_text(".result-sum") == "−$10"
    events = driver.fetch(f"{path}/1")["events"]
    turned = [len(event["cards"]) for event in events if event["event"] == "community_cards_revealed"]
    # The bot may fold too; then the dealer turns up no more cards.
    assert page.locator(".cross .face").count() == sum(turned)
    assert "You lost $10." in page.inner_text("#live")
    assert list(violations(page, f"the result on a {screen}")) == []
    page.evaluate("() => { document.querySelector('cf-table').animator.pause = () => Promise.resolve(); }")
    if screen == "phone":
        driver.tap("again")
        assert "fold" in driver.actions
        assert driver.seat["placed"] == {"ante_across": 500, "ante_down": 500}
    else:
        driver.key("Space")
        assert "rebet" in driver.actions


def test_the_cards_of_each_winning_line_are_lifted(private_table: Callable[..., TableDriver]) -> None:
    driver = private_table("nj-criss-cross", bots=0)
    lifted = driver.page.evaluate(
        """async () => {
          const { winningPlaces } = await import("/web/table/result.js");
          const { state } = document.querySelector("cf-table");
          const settled = (wager, result, hand) => ({wager, result, hand});
          const hands = {4: {across: "a flush", down: "pair of aces"}};
          const round = (results) => ({...state.round, cards: {4: ["As", "Ah"]}, hands, results: {4: results}});
          const places = (...results) => [...winningPlaces({...state, round: round(results)}, 4)].sort();
          return [
            places(settled("down", "win", "pair of aces"), settled("across", "lose", "a flush")),
            places(settled("middle", "win", "a flush")),
            places(settled("five_card_bonus", "win", "a straight")),
            places(settled("bonus_spin", "win", "")),
            places(settled("down", "push", "pair of aces")),
          ];
        }"""
    )
    own = ["seat4-0", "seat4-1"]
    assert lifted == [
        ["down_far", "down_near", "middle", *own],
        ["across_left", "across_right", "middle", *own],
        ["across_left", "across_right", "down_far", "down_near", "middle"],
        own,
        [],
    ]


@pytest.mark.parametrize("screen", ["phone", pytest.param("desktop", marks=pytest.mark.soak)])
def test_the_page_holds_nothing_of_a_spin_before_the_wheel_stops(
    private_table: Callable[..., TableDriver], screen: str
) -> None:
    driver = practice(private_table, screen, bots=0)
    page = driver.page
    name = driver.fetch(f"/tables/{driver.table}/game")["wheels"][0]["name"]
    before = []
    for index in (4, 7):
        page.evaluate(
            "() => { Wheel.prototype.tickAtPegs = () => undefined; }".replace("Wheel", "customElements.get('cf-wheel')")
        )
        page.evaluate(SPIN, ["bonus_spin", name, index])
        page.wait_for_selector(".wheel-face")
        before.append(page.evaluate("() => document.querySelector('.wheel-sheet').outerHTML"))
        assert f"stops at {index}" not in page.evaluate(PAGE)
        assert f"(stop {index})" not in page.evaluate(PAGE)
        page.keyboard.press("Space")
        page.wait_for_selector(".wheels.stopped")
        assert page.inner_text(".wheel-stop") == f"The wheel stops on $60 (stop {index})"
        assert f"stops at {index}" in page.inner_text("#live")
        page.keyboard.press("Escape")
        page.wait_for_selector(".wheel-sheet", state="detached")
        page.wait_for_function("() => !document.querySelector('cf-table').animator.playing")
    assert before[0] == before[1]
    if screen == "desktop":
        page.locator(".spin-print:visible").click()
    else:
        page.evaluate("() => document.querySelector('cf-table').togglePanel('pays')")
        page.locator(".try-wheel").first.click()
    page.wait_for_selector(".wheel-trial")
    page.keyboard.press("Space")
    page.wait_for_selector(".wheels.stopped")
    assert "No money is staked" in page.inner_text(".wheel-trial")
    assert driver.seat["chips_cents"] == 1000_00
    assert list(violations(page, f"the wheel on a {screen}")) == []


@pytest.mark.parametrize("screen", ["desktop", pytest.param("phone", marks=pytest.mark.soak)])
def test_the_sound_ends_by_one_press_and_the_choice_is_kept(
    private_table: Callable[..., TableDriver], screen: str
) -> None:
    driver = practice(private_table, screen, bots=0)
    page = driver.page
    assert page.locator(".sound[aria-pressed=true]").count() == 0
    press(driver, ".controls [data-control='sound']")
    assert page.evaluate(SETTINGS)["sound"] is True
    page.reload()
    page.wait_for_selector(".area.takes")
    page.locator(".sound[aria-pressed=true]:visible").click()
    assert page.evaluate(SETTINGS)["sound"] is False
    page.keyboard.press("m")
    assert page.evaluate(SETTINGS)["sound"] is True
