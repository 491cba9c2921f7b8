"""The budgets of the browser's pages: first paint, size, the speed of keys, commands, advice and the laboratory, and
the length of a round at each pace.

A server of its own and a real Chromium, over the loopback.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as BrowserError

from benchmarks.chromium import launch
from benchmarks.server import new_server
from benchmarks.timing import Result, our_result, say, skipped_result

TIMES, QUICK_TIMES = 40, 20
MOST_ROUNDS: Final = 5
PAINT: Final = """() => new Promise((done) => {
  const found = performance.getEntriesByName("first-contentful-paint")[0];
  if (found) done(found.startTime);
  new PerformanceObserver((list) => done(list.getEntriesByName("first-contentful-paint")[0].startTime))
    .observe({type: "paint", buffered: true});
})"""
LOADED: Final = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .filter((one) => !one.name.includes("/api/")).reduce((sum, one) => sum + one.encodedBodySize, 0) / 1024"""
REACTION: Final = """(key) => new Promise((done) => {
  const start = performance.now();
  document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
})"""
COMMAND: Final = """async (wagers) => {
  const table = document.querySelector("cf-table");
  const {view} = table.state;
  const seat = view.seats.find((one) => one.yours).number;
  const start = performance.now();
  const answer = await table.connection.send(
    {type: "command", round: view.round, step: view.step, command: {command: "place_wagers", seat, wagers}});
  if (answer.type !== "accepted") throw new Error(JSON.stringify(answer));
  return performance.now() - start;
}"""
ADVICE: Final = """async () => {
  const table = document.querySelector("cf-table");
  const seat = table.state.view.seats.find((one) => one.yours).number;
  const body = JSON.stringify({table: table.id_, seat});
  const start = performance.now();
  await (await fetch("/api/advice", {method: "POST", headers: {"content-type": "application/json"}, body})).json();
  return performance.now() - start;
}"""

DRAGGED: Final = """async (step) => {
  const told = () => document.querySelector(".edge strong").innerText;
  const slider = document.getElementById("odds-bets.flush");
  const [was, start] = [told(), performance.now()];
  slider.value = String(Number(slider.value) + step);
  slider.dispatchEvent(new Event("input", {bubbles: true}));
  while (told() === was) await new Promise(requestAnimationFrame);
  return performance.now() - start;
}"""

ROUND: Final = """async () => {
  const table = document.querySelector("cf-table");
  const until = async (met) => { while (!met()) await new Promise(requestAnimationFrame); };
  const still = () => (!table.animator.playing || table.animator.holding) && !table.ui.busy && !table.ui.draft;
  const action = (id) => table.actions.find((one) => one.id === id && !one.disabled);
  if (table.ui.result) table.nextHand();
  await until(() => table.actions.some(({ id }) => id === "deal"));
  await until(still);
  table.pressArea(Object.keys(table.state.allowed.find((one) => one.command === "place_wagers").ranges)[0]);
  await until(() => still() && action("deal"));
  const start = performance.now();
  await table.runAction(action("deal"));
  while (!table.ui.result) {
    await until(() => table.ui.result || (still() && action("bet-1")));
    if (!table.ui.result) await table.runAction(action("bet-1"));
  }
  return (performance.now() - start) / 1000;
}"""
"""Play one round of Criss Cross Poker at once, from Deal to the result."""
PACES: Final = {"slow": None, "normal": None, "fast": 2.0}
"""The goal of each pace, in seconds."""


def page(repeats: int) -> Iterator[Result]:
    say("page: the lobby and a table in Chromium ...")
    try:
        with new_server() as server, sync_playwright() as playwright:
            browser = launch(playwright)
            results = measure(browser, server.address, TIMES if repeats > 1 else QUICK_TIMES)
            results += rounds(browser, server.address, min(repeats, MOST_ROUNDS))
            browser.close()
    except BrowserError as error:
        results = [skipped_result("page", error.message.splitlines()[0])]
    yield from results


def measure(browser: Browser, address: str, times: int) -> list[Result]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(address)
    paint = float(page.evaluate(PAINT))
    page.get_by_role("button", name="Private table").first.click()
    page.wait_for_selector(".area.takes")
    loaded = float(page.evaluate(LOADED))
    keys = [float(page.evaluate(REACTION, "]" if at % 2 else "[")) for at in range(times)]
    stakes = [{"ante_across": 500 + 100 * (at % 2), "ante_down": 500 + 100 * (at % 2)} for at in range(times)]
    commands = [_paced(page, COMMAND, wagers) for wagers in stakes]
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-action='bet-1']:not([disabled])", timeout=60_000)
    page.evaluate(ADVICE)
    advice = [float(page.evaluate(ADVICE)) for _ in range(10)]
    page.goto(f"{address}/laboratory/nj-criss-cross")
    page.wait_for_selector(".edge strong", timeout=60_000)
    dragged = [_paced(page, DRAGGED, -1 if at % 2 else 1) for at in range(10)]
    context.close()
    return [
        our_result("page, first paint of the lobby", "ms", paint, goal=500),
        our_result("page, lobby and table together, as loaded", "KB", loaded, goal=150),
        our_result("page, key to visible reaction, p95", "ms", p95(keys), goal=100),
        our_result("page, command to acknowledgement, p95", "ms", p95(commands), goal=50),
        our_result("page, advice, p95", "ms", p95(advice), goal=100),
        our_result("page, odds dragged to figures and strategy, p95", "ms", p95(dragged), goal=300),
    ]


def rounds(browser: Browser, address: str, times: int) -> list[Result]:
    """Measure rounds at a private table with two bots: at each pace, and without motion."""
    results = []
    for pace, goal in PACES.items():
        name = f"page, a round of instant choices, {pace} pace"
        results.append(our_result(name, "s", _round_seconds(browser, address, times, pace=pace), goal=goal))
    still = _round_seconds(browser, address, times, motion="reduce")
    return [*results, our_result("page, a round of instant choices, no motion", "s", still, goal=2.0)]


def _round_seconds(
    browser: Browser,
    address: str,
    times: int,
    pace: str = "normal",
    motion: Literal["no-preference", "reduce"] = "no-preference",
) -> float:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion=motion)
    page = context.new_page()
    page.goto(address)
    page.get_by_role("button", name="Private table").first.click()
    page.wait_for_selector(".area.takes")
    while f"Pace: {pace}" not in str(page.locator("[data-control='pace']").get_attribute("aria-label")):
        page.locator("[data-control='pace']").click()
    seconds = statistics.median(float(page.evaluate(ROUND)) for _ in range(times))
    context.close()
    return seconds


def p95(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def _paced(page: Page, script: str, argument: object) -> float:
    """Run a script after a pause that keeps below the server's rate limit."""
    page.wait_for_timeout(60)
    return float(page.evaluate(script, argument))
