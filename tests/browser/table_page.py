"""Play at a table through the page alone, with keys and taps."""

from __future__ import annotations

import re
from typing import Any, Final

from playwright.sync_api import Page

from crossfelt.play.listener import addressed

WAITS_FOR_PLAYER: Final = """() => {
  const table = document.querySelector("cf-table");
  const still = table?.animator && (!table.animator.playing || table.animator.holding);
  return still && table.state.view && !table.sending && !table.ui.busy && !table.ui.ready
    && table.actions.some((action) => !action.disabled || action.id === "deal");
}"""
OPEN_TABLE: Final = """async (asked) => {
  const headers = {"content-type": "application/json"};
  const post = (path, body) => fetch(path, {method: "POST", headers, body: JSON.stringify(body)});
  await post("/api/guests", {});
  return (await (await post("/api/tables", asked)).json()).id;
}"""


class TableDriver:
    """One player at one table."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.table = ""

    def sit_privately(self, rulebook: str, *, bots: int, pace: str, **more: Any) -> None:
        asked = {"rulebook": rulebook, "pace": pace, "bots": bots, **more}
        self.table = self.page.evaluate(OPEN_TABLE, asked)
        self.page.goto(f"{self.address}/table/{self.table}?sit")
        self.page.wait_for_selector(".place .area")
        self.wait_for_turn()

    # --- the screen ----------------------------------------------------------------------------------------

    def wait_for_turn(self) -> None:
        """Wait until the table waits for this player."""
        self.page.wait_for_function(WAITS_FOR_PLAYER)

    @property
    def actions(self) -> list[str]:
        """The ids of the enabled action buttons."""
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

    def heard(self, event: dict[str, Any]) -> str:
        """Return an event as the page tells it: "you", the other players by name; up to a list of seats."""
        named = {str(seat["number"]) for seat in self.view["seats"] if seat["player"]}
        words = addressed(event.get("spoken", event["tells"]), self.seat["number"]).partition(" seats ")[0]
        return re.sub(r"\b[Ss]eat (\d)\b", lambda seat: f"Bot {seat[1]}" if seat[1] in named else seat[0], words)

    def fetch(self, path: str) -> Any:
        return self.page.evaluate("async (path) => (await fetch(path)).json()", f"/api{path}")

    # --- actions -------------------------------------------------------------------------------------------------

    def key(self, name: str) -> None:
        self.page.keyboard.press(name)
        self.wait_for_turn()

    def tap(self, action: str) -> None:
        self.page.locator(f"[data-action='{action}']").tap()
        self.wait_for_turn()

    def tap_area(self, wager: str) -> None:
        self.page.locator(f"[data-wager='{wager}']").tap()
        self.wait_for_turn()

    def play_until_bets(self, decide: dict[str, str], *, tap: bool = False) -> int:
        """Play to the end of the round with one answer for each kind of decision; return the number of decisions."""
        answered = 0
        while "deal" not in {
            button.get_attribute("data-action") for button in self.page.locator(".rail .button").all()
        }:
            if "next" in self.actions:
                self.tap("next") if tap else self.key("Enter")
                continue
            action = next(action for action in decide if action in self.actions)
            if tap:
                self.tap(action)
            else:
                self.key(decide[action])
            answered += 1
            assert answered < 20, self.page.inner_text(".now")
        return answered
