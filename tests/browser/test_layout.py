"""The layout of the felt follows the regulation."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest

from browser.axe import violations
from browser.conftest import Shoot
from browser.table_page import TableDriver

SIX_AREAS = ["five_card_bonus", "ante_across", "ante_down", "across", "down", "middle"]


@pytest.mark.clause("NJC-3", "NJC-4")
def test_six_betting_areas_with_the_bonus_nearest_the_dealer(private_table: Callable[..., TableDriver]) -> None:
    page = private_table("nj-criss-cross", bots=0).page
    boxes = {name: page.locator(f"[data-wager='{name}']").bounding_box() for name in SIX_AREAS}
    tops = {name: round(box["y"]) for name, box in boxes.items() if box}
    tray = page.locator(".tray").bounding_box()
    assert tray is not None
    assert tray["y"] < tops["five_card_bonus"] < tops["ante_across"] < tops["across"] < tops["middle"]
    assert tops["ante_across"] == tops["ante_down"]
    assert tops["across"] == tops["down"]
    assert page.locator("[data-wager='bonus_spin']").count() == 1
    assert page.inner_text(".licensee") == "Crossfelt, for play money"
    prints = page.locator(".box-label").all_inner_texts()
    assert sorted(prints) == ["Across", "Across", "Down", "Down", "Middle"]
    near, far = (page.locator(f"[data-box='{place}']").bounding_box() for place in ("down_near", "down_far"))
    assert near is not None
    assert far is not None
    assert tray["y"] < near["y"] < far["y"]
    felt, middle = (page.locator(it).bounding_box() for it in (".felt", "[data-box='middle']"))
    assert felt is not None
    assert middle is not None
    assert abs(middle["x"] + middle["width"] / 2 - felt["x"] - felt["width"] / 2) < middle["width"], "the centre"
    posted = page.inner_text(".panel-pays")
    for odds in ("500 to 1", "250 to 1", "Pair of sixes to tens"):
        assert odds in posted


@pytest.mark.clause("MDC-3", "MDC-4")
def test_maryland_has_five_areas_and_one_for_each_optional_wager_on_offer(
    private_table: Callable[..., TableDriver],
) -> None:
    page = private_table("md-criss-cross", bots=0).page
    tray = page.locator(".tray").bounding_box()
    tops = {}
    for name in ("ante_across", "ante_down", "across", "down", "middle"):
        box = page.locator(f"[data-wager='{name}']").bounding_box()
        assert box is not None
        tops[name] = round(box["y"])
    assert tops["ante_across"] == tops["ante_down"] < tops["across"] == tops["down"] < tops["middle"]
    assert page.locator("[data-wager='five_card_bonus']").count() == 1
    assert page.locator("[data-wager='bonus_spin']").count() == 1
    assert page.locator("[data-wager='bonus_spin_xtreme']").count() == 0
    assert page.inner_text(".licensee") == "Crossfelt, for play money"
    assert sorted(set(page.locator(".box-label").all_inner_texts())) == ["Across", "Down", "Middle"]
    near = page.locator("[data-box='down_near']").bounding_box()
    assert tray is not None
    assert near is not None
    assert tray["y"] < near["y"]


@pytest.mark.clause("DCP-2a")
@pytest.mark.parametrize("width", [320, 1280])
def test_the_cross_lies_to_the_dealers_right_of_the_tray(private_table: Callable[..., TableDriver], width: int) -> None:
    driver = private_table("nj-double-cross", bots=0, width=width)
    for key in ("1", "Enter"):
        driver.key(key)
    tray = driver.page.locator(".tray").bounding_box()
    left = driver.page.locator("[data-box='across_left']").bounding_box()
    assert tray is not None
    assert left is not None
    # Seen from the players' side, what is on the dealer's right is on our left.
    assert left["x"] + left["width"] <= tray["x"]
    assert driver.page.locator(".line-hand").count() == 0, "no pay is named for a side bet that was not placed"


SPILLS = """() => [...document.querySelectorAll(".pod-cards.many")].filter((fan) => {
  const pod = fan.closest(".pod").getBoundingClientRect();
  const cards = [...fan.children].map((card) => card.getBoundingClientRect());
  return cards.some((card) => card.left < pod.left || card.right > pod.right);
}).length"""
TITLE_OVER_CREDITS = """() => [...document.querySelectorAll(".area:has(.credits)")].filter((area) => {
  const words = document.createRange();
  words.selectNodeContents(area.querySelector(".area-title"));
  const text = words.getBoundingClientRect();
  const [title, credits, box] = [area.querySelector(".area-title"), area.querySelector(".credits"), area]
    .map((one) => one.getBoundingClientRect());
  return title.bottom > credits.top + 1 || credits.bottom > box.bottom
    || text.left < box.left || text.right > box.right;
}).length"""


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_seven_cards_and_credits_stay_in_their_places(private_table: Callable[..., TableDriver], width: int) -> None:
    driver = private_table("nj-pai-gow", bots=3, width=width)
    for key in "1b3":
        driver.key(key)
    assert driver.page.locator(".area .credits").count() == 2
    assert driver.page.evaluate(TITLE_OVER_CREDITS) == 0
    driver.key("Enter")
    assert driver.page.locator(".pod-cards.many").count() >= 3
    assert driver.page.evaluate(SPILLS) == 0
    assert driver.page.evaluate(TITLE_OVER_CREDITS) == 0


def test_an_open_panel_on_a_phone_leaves_the_actions_in_reach(private_table: Callable[..., TableDriver]) -> None:
    driver = private_table("nj-criss-cross", bots=0, width=360, height=740, touch=True)
    driver.tap_area("ante_across")
    driver.tap("deal")
    driver.page.get_by_role("button", name="Menu").tap()
    driver.page.get_by_label("Pay tables, coach, log, rounds and text").tap()
    driver.page.wait_for_selector(".side.open")
    driver.tap("bet-1")
    assert driver.seat["wagers"]["across"] == 500


OUT_OF_REACH = """() => [...document.querySelectorAll(".controls-list .control")].filter((one) => {
  const box = one.getBoundingClientRect();
  const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return box.width < 44 || box.height < 44 || box.left < 0 || box.top < 0 || !one.contains(hit);
}).map((one) => one.textContent)"""


def test_everything_in_the_open_menu_of_a_phone_is_in_reach(
    private_table: Callable[..., TableDriver], shoot: Shoot
) -> None:
    driver = private_table("nj-pai-gow", bots=0, width=390, height=844, touch=True)
    page = driver.page
    driver.tap_area("main")
    driver.tap("deal")
    page.get_by_role("button", name="Menu").tap()
    words = page.locator(".controls-list .control").all_inner_texts()
    assert {"Help", "Settings", "Surrender", "Hold the bank", "Buy chips", "Invite"} <= set(words)
    for width, height in ((390, 844), (320, 568), (768, 1024), (844, 390), (568, 320)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(OUT_OF_REACH) == [], (width, height)
        shoot(page, f"menu-{width}x{height}")
    assert not list(violations(page, "the open menu"))


OVERFLOWS = """() => {
  const within = (one, box) => !one.width || (one.left >= box.left - 1 && one.right <= box.right + 1);
  const out = (inside, around) => {
    const box = document.querySelector(around).getBoundingClientRect();
    return [...document.querySelectorAll(inside)].filter((one) => !within(one.getBoundingClientRect(), box));
  };
  return [
    ...out(".pod, .area, .tray, .box", "section.table"),
    ...out(".rail .button, .rail .control, .rail .figure, .rail .rack-chip", "section.rail"),
  ].map((one) => one.className);
}"""


def test_nothing_overflows_the_table_at_any_width(private_table: Callable[..., TableDriver]) -> None:
    driver = private_table("nj-criss-cross", bots=5)
    for key in ("1", "Enter"):
        driver.key(key)
        for width in (320, 600, 768, 900, 1024, 1239, 1240, 1280, 1500):
            driver.page.set_viewport_size({"width": width, "height": 800})
            assert driver.page.evaluate(OVERFLOWS) == [], width


SCREENS: Final = ((1280, 800), (390, 844), (320, 568), (844, 390), (640, 400), (568, 320))
OUT_OF_SIGHT = """() => {
  const seen = (one) => {
    const box = one.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const hit = document.elementFromPoint(x, y);
    const inside = box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1;
    return inside && box.width > 0 && hit && (one.contains(hit) || hit.contains(one));
  };
  const needed = [".cross .box", ".dealer-cards cf-card", ".hole-box", ".to-set cf-card", ".area.takes", ".area.asked",
    ".area:has(cf-chips, .credits)", ".rail .button", ".rack-chip", ".controls-menu, .controls-seat .control",
    ".balance"];
  const shown = [...document.querySelectorAll(needed.join())].filter((one) => getComputedStyle(one).display !== "none");
  const faults = shown.filter((one) => one.checkVisibility() && !seen(one));
  return faults.map((one) => one.outerHTML.slice(0, 90));
}"""
SMALL_TARGETS = """() => {
  const names = ".rail button:not(.spin-print), .area, button.pod, .to-set button, .limit-plate, .side.open [role=tab]";
  const hits = (one, x, y) => one.contains(document.elementFromPoint(x, y));
  const steps = Array.from({ length: 45 }, (_, step) => 2 * step - 44);
  return [...document.querySelectorAll(names)].filter((one) => one.checkVisibility()).filter((one) => {
    const box = one.getBoundingClientRect();
    // Seven cards in a row leave each 40 px on the narrowest phone.
    const half = one.matches(".slot") ? 20 : 22;
    if (box.width >= 2 * half - 0.5 && box.height >= 2 * half - 0.5) return false;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    return 2 * steps.filter((step) => hits(one, x, y + step)).length < 2 * half - 2;
  }).map((one) => `${one.className} ${one.offsetWidth}x${one.offsetHeight}`);
}"""
RAIL = "() => document.querySelector('section.rail').getBoundingClientRect().height"
ROUND: Final = {
    "nj-criss-cross": ("1", "b", "Enter", "1", "1", "1"),
    "nj-double-cross": ("1", "2", "Enter", "d", "v"),
    "nj-pai-gow": ("1", "b", "3", "Enter", "w", "w"),
}
"""The keys of a round; a step of the layout is looked at after each."""


@pytest.mark.parametrize("rulebook", ROUND)
def test_everything_is_in_sight_at_every_decision(
    private_table: Callable[..., TableDriver], shoot: Shoot, rulebook: str
) -> None:
    driver = private_table(rulebook, bots=2)
    page = driver.page
    rails: dict[tuple[int, int], set[float]] = {size: set() for size in SCREENS}
    for step, key in enumerate(("", *ROUND[rulebook])):
        if key:
            driver.key(key)
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(OUT_OF_SIGHT) == [], (key, width, height)
            assert page.evaluate(SMALL_TARGETS) == [], (key, width, height)
            rails[width, height].add(page.evaluate(RAIL))
            shoot(page, f"{rulebook}-{step}-{width}x{height}")
    assert {size: len(heights) for size, heights in rails.items()} == dict.fromkeys(SCREENS, 1)
    assert not list(violations(page, f"{rulebook} at {SCREENS[-1]}"))


def test_the_cross_names_its_cards_as_the_player_sees_them(private_table: Callable[..., TableDriver]) -> None:
    driver = private_table("nj-double-cross", bots=0)
    page = driver.page
    names = {name: page.locator(".box", has_text=name).bounding_box() for name in ("Top", "Left", "Right", "Bottom")}
    boxes = {name: box for name, box in names.items() if box}
    assert boxes["Top"]["y"] < boxes["Left"]["y"] == boxes["Right"]["y"] < boxes["Bottom"]["y"]
    assert boxes["Left"]["x"] < boxes["Top"]["x"] == boxes["Bottom"]["x"] < boxes["Right"]["x"]
    for key in ("1", "Enter", "t"):
        driver.key(key)
    # The open cards lie nearest the player and on the player's left.
    assert "bottom " in page.inner_text(".statement")
    assert "left " in page.inner_text(".statement")
    assert "top " not in page.inner_text(".statement")


def test_a_bet_that_leaves_too_little_to_stay_in_is_warned_of(private_table: Callable[..., TableDriver]) -> None:
    driver = private_table("nj-criss-cross", bots=0)
    for key in ("]", "]", "1"):  # chips of $100
        driver.key(key)
    assert driver.page.locator(".rail .notice").count() == 0
    driver.key("1")
    left = driver.seat["chips_cents"]
    if left >= 60000:  # a bank roll of $1,000 stays in with $200 on each ante
        driver.key("1")
        left = driver.seat["chips_cents"]
    assert f"These bets leave you ${left // 100}" in driver.page.inner_text(".rail .notice")


PICKED_UP = """() => {
  const page = document.querySelector("cf-table");
  const taken = { cards: [], low: ["??", "??"], status: "done" };
  const seats = page.state.view.seats.map((seat) => (seat.yours ? { ...seat, ...taken } : seat));
  page.state = { ...page.state, view: { ...page.state.view, seats } };
  page.show();
}"""
"""The page of a player whose lost hands the dealer has picked up."""


def test_two_hands_stay_apart_when_the_dealer_picks_them_up(private_table: Callable[..., TableDriver]) -> None:
    driver = private_table("nj-pai-gow", bots=0, pace="practice")
    page = driver.page
    driver.key("1")
    driver.key("Enter")
    page.wait_for_function("() => document.querySelector('cf-table').ui.ways?.ways?.length")
    driver.key("w")
    driver.key("Enter")
    page.wait_for_selector("[data-action='next']")
    page.evaluate(PICKED_UP)
    assert [page.locator(f".tray-{hand} cf-card").count() for hand in ("behind", "front")] == [5, 2]


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800)])
def test_a_surrender_is_confirmed_and_the_bank_is_for_those_who_ask(
    private_table: Callable[..., TableDriver], shoot: Shoot, width: int, height: int
) -> None:
    driver = private_table("nj-pai-gow", bots=0, width=width, height=height)
    page = driver.page

    def press(control: str) -> None:
        if width < 900:
            page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name=control).click()

    driver.key("1")
    page.locator("[data-wager='imperial']").click()
    driver.wait_for_turn()
    page.locator("[data-action='deal']").click()
    driver.wait_for_turn()
    stake = driver.seat["wagers"]["main"]
    assert "surrender" not in driver.actions
    press("Surrender")
    asked = page.inner_text(".dialog")
    assert f"You give up your pai gow poker wager of ${stake // 100}." in asked
    assert re.search(r"Your imperial pai gow bonus of \$\d+ stays in play\.", asked)
    assert re.search(r"cannot be surrendered: .*seven-card bonus\.", asked)
    shoot(page, f"surrender-{width}")
    page.get_by_role("button", name="Keep my hands").click()
    assert page.locator(".dialog").count() == 0
    assert driver.seat["wagers"]["main"] == stake
    press("Surrender")
    press_to_give_up = page.get_by_role("button", name=f"Give up ${stake // 100}")
    press_to_give_up.click()
    page.wait_for_selector(".last")
    # The next round opened without a question about the bank; a player who wants it is asked.
    assert "pass" not in driver.actions
    press("Hold the bank")
    driver.key("1")
    page.locator("[data-action='deal']").click()
    driver.wait_for_turn()
    page.wait_for_function("() => document.querySelector('cf-table').ui.ways?.ways?.length")
    for key in ("w", "w"):
        driver.key(key)
    assert "pass" in driver.actions
