"""What the browser promises: first paint, what is loaded, how fast keys, commands, advice and the laboratory are.

A house of its own and a real Chromium, over the loopback.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as BrowserError

from crossfelt.benchmarks.chromium import launch
from crossfelt.benchmarks.result import Figure, Result
from crossfelt.benchmarks.serving import house
from crossfelt.benchmarks.timing import say

TIMES, QUICK_TIMES = 40, 20
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
  const answer = await table.line.send(
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


class Budget(NamedTuple):
    """What is promised, and what was measured."""

    of: str
    most: float
    unit: str
    found: float


def run(repeats: int) -> Iterator[Result]:
    say("page: the lobby and a table in Chromium ...")
    try:
        with house() as address, sync_playwright() as playwright:
            browser = launch(playwright)
            budgets = measure(browser, address, TIMES if repeats > 1 else QUICK_TIMES)
            browser.close()
    except BrowserError as error:
        why = f"page: {error.message.splitlines()[0]}"
        yield Result(name="page", unit="", figures=(), skipped=(why,))
        return
    for budget in budgets:
        figure = Figure(who="crossfelt", value=budget.found, ours=True)
        yield Result(name=budget.of, unit=budget.unit, figures=(figure,), goal_value=budget.most)


def measure(browser: Browser, address: str, times: int) -> list[Budget]:
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
        Budget("page, first paint of the lobby", 500, "ms", paint),
        Budget("page, lobby and table together, as loaded", 150, "KB", loaded),
        Budget("page, key to visible reaction, p95", 100, "ms", p95(keys)),
        Budget("page, command to acknowledgement, p95", 50, "ms", p95(commands)),
        Budget("page, advice, p95", 100, "ms", p95(advice)),
        Budget("page, odds dragged to figures and strategy, p95", 300, "ms", p95(dragged)),
    ]


def p95(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def _paced(page: Page, script: str, argument: object) -> float:
    """Below the messages a second that the house takes."""
    page.wait_for_timeout(60)
    return float(page.evaluate(script, argument))
