"""Measures what the browser's table promises: first paint, what is loaded, how fast keys, commands and advice are.

A house of its own and a real Chromium, over loopback. Prints a line for each budget; exit 1 where one is missed.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
from collections.abc import Sequence
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from write_screenshots import house

TIMES = 40
PAINT = """() => new Promise((done) => {
  const found = performance.getEntriesByName("first-contentful-paint")[0];
  if (found) done(found.startTime);
  new PerformanceObserver((list) => done(list.getEntriesByName("first-contentful-paint")[0].startTime))
    .observe({type: "paint", buffered: true});
})"""
LOADED = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .filter((one) => !one.name.includes("/api/")).reduce((sum, one) => sum + one.encodedBodySize, 0) / 1024"""
REACTION = """(key) => new Promise((done) => {
  const start = performance.now();
  document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
})"""
COMMAND = """async (wagers) => {
  const table = document.querySelector("cf-table");
  const {view} = table.state;
  const seat = view.seats.find((one) => one.yours).number;
  const start = performance.now();
  const answer = await table.line.send(
    {type: "command", round: view.round, step: view.step, command: {command: "place_wagers", seat, wagers}});
  if (answer.type !== "accepted") throw new Error(JSON.stringify(answer));
  return performance.now() - start;
}"""
ADVICE = """async () => {
  const table = document.querySelector("cf-table");
  const seat = table.state.view.seats.find((one) => one.yours).number;
  const body = JSON.stringify({table: table.id_, seat});
  const start = performance.now();
  await (await fetch("/api/advice", {method: "POST", headers: {"content-type": "application/json"}, body})).json();
  return performance.now() - start;
}"""


class Budget(NamedTuple):
    """What is promised, and what was measured."""

    of: str
    most: float
    unit: str
    found: float

    def __str__(self) -> str:
        kept = "kept" if self.found <= self.most else "MISSED"
        return f"{self.of:<42} {self.found:8.1f} {self.unit:<3} of {self.most:g}  {kept}"


def p95(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def measure(browser: Browser, address: str) -> list[Budget]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(address)
    paint = float(page.evaluate(PAINT))
    page.get_by_role("button", name="Private table").first.click()
    page.wait_for_selector(".area.takes")
    loaded = float(page.evaluate(LOADED))
    keys = [float(page.evaluate(REACTION, "]" if at % 2 else "[")) for at in range(TIMES)]
    stakes = [{"ante_across": 500 + 100 * (at % 2), "ante_down": 500 + 100 * (at % 2)} for at in range(TIMES)]
    commands = [_paced(page, COMMAND, wagers) for wagers in stakes]
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-action='bet-1']:not([disabled])", timeout=60_000)
    page.evaluate(ADVICE)
    advice = [float(page.evaluate(ADVICE)) for _ in range(10)]
    context.close()
    return [
        Budget("first paint of the lobby", 500, "ms", paint),
        Budget("lobby and table together, as loaded", 150, "KB", loaded),
        Budget("key to visible reaction, p95", 100, "ms", p95(keys)),
        Budget("command to acknowledgement, p95", 50, "ms", p95(commands)),
        Budget("advice, p95", 100, "ms", p95(advice)),
    ]


def _paced(page: Page, script: str, argument: object) -> float:
    """Below the messages a second that the house takes."""
    page.wait_for_timeout(60)
    return float(page.evaluate(script, argument))


def main() -> int:
    chromium = os.environ.get("CROSSFELT_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with house() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        budgets = measure(browser, address)
        browser.close()
    print(*budgets, sep="\n")
    return int(any(budget.found > budget.most for budget in budgets))


if __name__ == "__main__":
    sys.exit(main())
