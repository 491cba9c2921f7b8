"""The wheel stops at the stop that the server drew, and shows it as text."""

from __future__ import annotations

from collections.abc import Callable

from browser.conftest import Shoot
from browser.table_page import TableDriver

ROUNDS = 120
"""A pair comes about once in 17 rounds: the chance of none in 120 is one in a thousand."""

UNDER_THE_POINTERS = """() => [...document.querySelectorAll(".wheel-pointer")].map((pointer) => {
  const tip = pointer.getBoundingClientRect();
  const found = document.elementsFromPoint(tip.left + tip.width / 2, tip.bottom + 12);
  return Number(found.map((one) => one.closest(".slice")).find(Boolean).dataset.index);
})"""
XTREME = {
    "wagers": {"bonus_spin": {"offered": False}, "bonus_spin_xtreme": {"offered": True, "qualifying_hand": "pair"}}
}
"""The two rings spin in every second round."""


def test_the_wheel_spins_to_the_drawn_stop(private_table: Callable[..., TableDriver], shoot: Shoot) -> None:
    driver = private_table("nj-criss-cross", bots=0)
    spun = None
    for number in range(1, ROUNDS + 1):
        driver.key("1") if number == 1 else driver.key("r")
        if number == 1:
            driver.key("3")
        if number % 30 == 0:
            driver.page.get_by_role("button", name="Buy chips").click()
            driver.page.evaluate("() => document.activeElement.blur()")  # Enter would press the button again
            driver.wait_for_turn()
        driver.key("Enter")
        driver.key("f")
        if driver.page.locator(".wheel-sheet").count():
            spun = driver.page.evaluate("() => document.querySelector('cf-table').ui.spun")
            break
    assert spun is not None
    shoot(driver.page, "wheel-1280")
    assert spun["tells"] in driver.page.inner_text(".wheel-text")
    assert f"(stop {spun['place']})" in driver.page.inner_text(".wheel-stop")
    wheel = driver.fetch(f"/tables/{driver.table}/game")["wheels"][0]
    (at_the_top,) = driver.page.evaluate(UNDER_THE_POINTERS)
    assert at_the_top == spun["index"]
    assert driver.page.locator(".slice").count() == len(wheel["slices"])
    assert wheel["slices"][at_the_top]["position"] == spun["place"]
    driver.page.keyboard.press("s")
    driver.page.keyboard.press("Escape")
    assert driver.page.locator(".wheel-sheet").count() == 0


def test_both_rings_of_an_xtreme_spin_stop_at_the_drawn_stops(
    private_table: Callable[..., TableDriver], shoot: Shoot
) -> None:
    driver = private_table("md-criss-cross", bots=0, submission=XTREME)
    for number in range(1, ROUNDS + 1):
        driver.key("1" if number == 1 else "r")
        if number == 1:
            driver.key("3")
            driver.key("3")
            assert driver.seat["wagers"]["bonus_spin_xtreme"] == 200
        driver.key("Enter")
        driver.play_until_bets({"bet-1": "1"})
        if driver.page.locator(".wheel-sheet").count():
            break
    spun = driver.page.evaluate("() => document.querySelector('cf-table').ui.spun")
    shoot(driver.page, "xtreme-1280")
    assert driver.page.evaluate(UNDER_THE_POINTERS) == [spun["community"], spun["prize"]]
    wheels = driver.fetch(f"/tables/{driver.table}/game")["wheels"]
    shared = next(wheel for wheel in wheels if wheel["ring"] == "community" and wheel["stake_cents"] == 200)
    prize = shared["slices"][spun["community"]]["pays_cents"] // 100
    words = driver.page.inner_text(".wheel-stop")
    assert f"Community: ${prize}" in words
    assert "Hot spot: your seat" in words
