"""Plays at a table through the page alone: keys and taps go in, what is on the screen comes out."""

from __future__ import annotations

from typing import Any, Final

from playwright.sync_api import Page

AWAITS: Final = """() => {
  const table = document.querySelector("cf-table");
  return table && table.state.view && !table.stage.playing && !table.sending && !table.ui.busy && !table.ui.ready
    && table.actions.some((action) => !action.off || action.id === "deal");
}"""
OPEN_TABLE: Final = """async (asked) => {
  const headers = {"content-type": "application/json"};
  const post = (path, body) => fetch(path, {method: "POST", headers, body: JSON.stringify(body)});
  await post("/api/guests", {});
  return (await (await post("/api/tables", asked)).json()).id;
}"""


class TableDriver:
    """One person at one table."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.table = ""

    def sit_privately(self, rulebook: str, *, bots: int, pace: str, **more: Any) -> None:
        asked = {"rulebook": rulebook, "pace": pace, "bots": bots, **more}
        self.table = self.page.evaluate(OPEN_TABLE, asked)
        self.page.goto(f"{self.address}/table/{self.table}?sit")
        self.page.wait_for_selector(".place .area")
        self.waits()

    # --- what is on the screen ----------------------------------------------------------------------------------------

    def waits(self) -> None:
        """Until the table waits for this person."""
        self.page.wait_for_function(AWAITS)

    @property
    def actions(self) -> list[str]:
        """What may be done now, by the names of the buttons."""
        buttons = self.page.locator(".rail .button:not([disabled])")
        return [str(button.get_attribute("data-action")) for button in buttons.all()]

    @property
    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self.page.evaluate("() => document.querySelector('cf-table').state.view")
        return view

    @property
    def seat(self) -> dict[str, Any]:
        return next(seat for seat in self.view["seats"] if seat["yours"])

    @property
    def balance(self) -> str:
        return self.page.inner_text(".purse .balance dd")

    def ask(self, path: str) -> Any:
        return self.page.evaluate("async (path) => (await fetch(path)).json()", f"/api{path}")

    # --- what is done -------------------------------------------------------------------------------------------------

    def key(self, name: str) -> None:
        self.page.keyboard.press(name)
        self.waits()

    def tap(self, action: str) -> None:
        self.page.locator(f"[data-action='{action}']").tap()
        self.waits()

    def tap_area(self, wager: str) -> None:
        self.page.locator(f"[data-wager='{wager}']").tap()
        self.waits()

    def until_bets(self, decide: dict[str, str], *, tap: bool = False) -> int:
        """Goes through a round by what each kind of decision is answered with; returns how many there were."""
        answered = 0
        while "deal" not in {
            button.get_attribute("data-action") for button in self.page.locator(".rail .button").all()
        }:
            action = next(action for action in decide if action in self.actions)
            if tap:
                self.tap(action)
            else:
                self.key(decide[action])
            answered += 1
            assert answered < 20, self.page.inner_text(".now")
        return answered
