"""Take the screenshots of README and docs, at a new server, with the system's Chromium.

Only the cards differ from run to run. Chromium is found on the path, or named by ``CROSSFELT_CHROMIUM``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.chromium import launch
from benchmarks.server import new_server

IMAGES = Path(__file__).parents[1] / "docs" / "images"
SETTLED_MS = 2_500
"""The time that animations take."""


OWNERS: dict[str, str] = {}
"""The owner's one-time password, by the address of the server."""
PASSWORD = "only for these pictures"


def lobby(page: Page) -> None:
    page.get_by_role("button", name="Sit down").first.wait_for()


def table(page: Page) -> None:
    """Criss Cross Poker after antes, deal and across bet, with the coach."""
    _sit(page, "Criss Cross Poker, New Jersey", keys=("1", "Enter", "a", "1"))
    page.locator(".coach-values .coach-best").wait_for(timeout=120_000)


def phone(page: Page) -> None:
    """Pai Gow Poker after wager and deal, with seven cards to set."""
    _sit(page, "Pai Gow Poker, New Jersey", keys=("1", "Enter"))


def desk(page: Page) -> None:
    """The dealer's console at a practice table, at the first payment."""
    name = page.evaluate(OPEN_TABLE, {"rulebook": "nj-criss-cross", "pace": "instant", "dealt_by": "dealer", "bots": 4})
    page.goto(f"{page.url.rstrip('/')}/console/deal/{name}")
    page.locator(".desk").wait_for()
    while not page.locator(".movement.way-pay.is-due").count():
        page.keyboard.press("Enter")
        page.wait_for_timeout(600)
    page.evaluate("scrollTo(0, 0)")


OPEN_TABLE = """async (asked) => {
  const post = (path, body) =>
    fetch(path, {method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify(body)});
  await post("/api/guests", {});
  return (await (await post("/api/tables", asked)).json()).id;
}"""


def _sit(page: Page, game: str, keys: Sequence[str]) -> None:
    page.get_by_label(f"Sit down at {game}").click()
    page.get_by_text("Place your bets").first.wait_for()
    page.wait_for_timeout(SETTLED_MS)
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_timeout(SETTLED_MS)


def console(page: Page) -> None:
    """A Rules Submission with one change, and the return of every wager."""
    address = page.evaluate("() => location.origin")
    page.goto(f"{address}/console/submission/nj-criss-cross-1")
    page.get_by_label("Name").fill("owner")
    page.get_by_label("Password").fill(OWNERS[address])
    page.get_by_role("button", name="Log in").click()
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat new password").fill(PASSWORD)
    page.get_by_role("button", name="Set password").click()
    page.get_by_role("textbox", name="Smallest ante").fill("10")
    page.locator(".permitted .done").wait_for()
    page.get_by_role("button", name="Compute returns").click()
    page.locator(".returns-table").wait_for(timeout=120_000)


PICTURES: dict[str, tuple[Callable[[Page], None], int]] = {
    "lobby": (lobby, 1280),
    "table": (table, 1280),
    "phone": (phone, 390),
    "console": (console, 1280),
    "desk": (desk, 1280),
}
"""By file: the function that prepares the page, and the width of the screen."""


def take(browser: Browser, address: str, name: str) -> None:
    prepare, width = PICTURES[name]
    height = 860 if width > 600 else 844
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(address)
    prepare(page)
    page.wait_for_timeout(SETTLED_MS)
    page.screenshot(path=IMAGES / f"{name}.jpg", type="jpeg", quality=82)
    context.close()


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with new_server() as serving, sync_playwright() as playwright:
        OWNERS[serving.address] = serving.owner_password
        browser = launch(playwright)
        for name in PICTURES:
            take(browser, serving.address, name)
            print(f"wrote docs/images/{name}.jpg")
        browser.close()


if __name__ == "__main__":
    main()
