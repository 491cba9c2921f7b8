"""The dealer's desk: rounds dealt by keyboard alone, with virtual and with physical cards."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from browser.axe import NARROW_AND_WIDE, Faults
from browser.conftest import NewPage, Served, Shoot
from crossfelt.cards.deck import deck_of
from crossfelt.proof.verify import verify
from limits import WAIT_SECONDS

SETTLED: Final = "() => document.querySelector('.desk')?.dataset.settled === 'true'"
DESK: Final = "() => document.querySelector('cf-dealer-desk').desk"
OpenTable = Callable[..., str]


class DeskDriver:
    """A dealer at the desk who uses only the keyboard."""

    def __init__(self, page: Page, floor: Page | None = None) -> None:
        """`floor` is the floor's page of a physical table, where its checks are made."""
        self.page, self.floor = page, floor
        self.unseen = [card.text for card in deck_of(52)]
        self.entered = 0
        self.wait_until_settled()

    def wait_until_settled(self) -> None:
        self.page.wait_for_function(SETTLED)

    @property
    def desk(self) -> dict[str, Any]:
        desk: dict[str, Any] = self.page.evaluate(DESK)
        return desk

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.wait_until_settled()

    def type(self, text: str) -> None:
        """Type a line and press Enter; at a live table the line has the focus."""
        self.page.keyboard.type(text)
        self.press("Enter")
        self.entered += 1

    def refusal(self) -> str:
        self.page.wait_for_selector(".desk-refusal .notice")
        return self.page.inner_text(".desk-refusal")

    def advance(self) -> None:
        """Carry out the next regular action with its input."""
        self.wait_until_settled()  # bots may have acted meanwhile
        desk = self.desk
        regular = next((act for act in desk["acts"] if act.get("regular")), None)
        answers = [act["key"] for act in desk["acts"] if act["key"] in ("1", "v", "b")]
        if self.page.locator(".movement.is-due").count():
            self.press("Enter")
        elif regular is not None:
            self.type(" ".join(self.input_for(need) for need in regular.get("needs", ())))
        elif answers:
            self.type(answers[0])
        else:  # the floor checks the fittings and the cards, or players decide
            if self.floor is not None:
                by_the_floor(self.floor)
            self.page.wait_for_timeout(30)

    def input_for(self, need: dict[str, Any]) -> str:
        if need["field"] == "cards":
            lowest = 0 if "dealer" in need["places"][0] else -1
            return "".join(self.unseen.pop(lowest) for _ in range(need["count"])).lower().replace("t", "10")
        # Seven stacks of seven cards leave four: the desk does not say so.
        return {"count": "4", "dice": "346", "stop": "1"}[need["field"]]

    def until(self, step: str) -> None:
        ends = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < ends:
            if self.desk["step"] == step:
                return
            self.advance()
        raise AssertionError(self.page.inner_text(".desk-now"))


FLOOR_CHECKS: Final = re.compile("^(Check the fittings|Prepare|Validate the award|Complete the documents)")


def by_the_floor(page: Page) -> None:
    """The floor makes the check that the table waits for, if there is one."""
    check = page.locator(".floor-acts button", has_text=FLOOR_CHECKS).first
    if check.count():
        try:
            check.click(timeout=2000)
        except PlaywrightTimeout:  # the table has gone on meanwhile
            return
        for field in page.locator("dialog input").all():
            field.fill("No. 7")
        page.locator("dialog .button.main").click()
        page.wait_for_selector("dialog", state="detached")


@pytest.fixture
def open_table(server: Served, staff: dict[str, str]) -> Iterator[OpenTable]:
    """Open tables for a dealer, as the floor."""
    with httpx.Client(
        base_url=server.address, headers={"Authorization": f"Bearer {staff['fiona']}"}, timeout=WAIT_SECONDS
    ) as client:

        def open_it(rulebook: str, name: str, dealt_by: str, bots: int = 0) -> str:
            asked = {"rulebook": rulebook, "id": name, "dealt_by": dealt_by, "public": True, "bots": bots}
            answer = client.post("/api/tables", json={**asked, "pace": "instant"})
            assert answer.status_code == 201, answer.text
            return name

        yield open_it


def export_history(server: Served, staff: dict[str, str], table: str, to: Path) -> Path:
    """Export the history of a table as an auditor."""
    bearer = {"Authorization": f"Bearer {staff['ada']}"}
    to.write_bytes(
        httpx.get(f"{server.address}/api/tables/{table}/history", headers=bearer, timeout=WAIT_SECONDS).content
    )
    return to


def test_a_round_is_dealt_by_hand_with_virtual_cards(
    server: Served, staff: dict[str, str], staff_page: NewPage, open_table: OpenTable, tmp_path: Path
) -> None:
    name = open_table("ma-criss-cross", "hand-1", "dealer", bots=2)
    desk = DeskDriver(staff_page("dan", path=f"/console/deal/{name}"))
    desk.until("open_bets")
    desk.page.wait_for_function("() => document.querySelector('cf-dealer-desk').desk.acts.some((act) => act.regular)")
    seq = desk.desk["seq"]
    desk.page.locator("h1").click()
    for key, what in {"d": "after no more bets", "t": "no community cards", "p": "no wager is due"}.items():
        desk.press(key)
        assert re.search(rf"(?i){what}.*\sMAC-\d", desk.refusal(), re.DOTALL), key
    assert desk.desk["seq"] == seq, "a refused action changes nothing"
    desk.press("n")
    desk.until("reveal_down")
    seen = {card.get_attribute("card") for card in desk.page.locator(".desk-felt cf-card").all()}
    assert len(seen - {"??"}) == 2, "the dealer sees only the two cards that are turned up"
    desk.until("shuffle")
    assert desk.page.locator(".movement.is-done").count() == len(desk.desk["movements"]) > 0
    report = verify(export_history(server, staff, name, tmp_path / "hand.jsonl"))
    assert (report.fault, report.rounds) == (None, desk.desk["round"])


def test_an_exam_hides_payments_and_marks_what_is_typed(new_page: NewPage, faults: Faults) -> None:
    page = new_page(path="/train?rulebook=ma-criss-cross")
    page.get_by_role("button", name="Practise dealing", exact=True).click()
    page.wait_for_url("**/console/deal/**")
    desk = DeskDriver(page)
    page.get_by_role("button", name="Start an exam", exact=True).click()
    page.locator("dialog").get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("region", name="Exam", exact=True).wait_for()
    ends = time.monotonic() + WAIT_SECONDS
    while not any(it["way"] == "asked" for it in desk.desk["movements"]):
        assert time.monotonic() < ends
        desk.advance()
    assert page.locator(".desk-log").count() == 0
    assert page.evaluate("() => document.querySelector('cf-dealer-desk').state.view.seats.every((s) => !s.chips_cents)")
    assert not [it for it in desk.desk["movements"] if it["way"] == "asked" and it["cents"]]
    page.locator(".desk-now h2", has_text="What is paid?").wait_for()
    asked = next(it["seat"] for it in desk.desk["movements"] if it["way"] == "asked")
    hand = page.get_by_role("group", name=re.compile(f"^Seat {asked}:")).locator("cf-card:not([card='??'])")
    assert hand.count() == 2, "the dealer reads the payment from the cards"
    page.reload()
    desk.wait_until_settled()
    assert hand.count() == 2, "a reload shows the hand again"
    page.get_by_label("Payment in dollars").fill("0")
    page.keyboard.press("Enter")
    page.locator(".desk-exam", has_text=re.compile("[01] of 1 right")).wait_for()
    desk.wait_until_settled()
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_label("Payment in dollars").fill("123.45")
    page.get_by_role("button", name="Pay", exact=True).click()
    page.locator(".desk-exam", has_text="you paid $123.45").wait_for()
    desk.wait_until_settled()
    assert faults(page, "dealer-exam", NARROW_AND_WIDE) == []
    page.get_by_role("button", name="End the exam", exact=True).click()
    page.locator("dialog .exam-errors li").first.wait_for()
    page.locator("dialog").get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("button", name="Start an exam", exact=True).wait_for()


LIVE: Final = {
    "nj-criss-cross": ("ante 10 bonus 5", "reveal_down", "NJC-42"),
    "nj-double-cross": ("ante 10 three card 5", "reveal_rest", "DCP-24"),
    "nj-pai-gow": ("main 100", "compare", "PGP-8"),
}


def count_wrongly(desk: DeskDriver) -> None:
    """The desk does not say how many cards are left; a wrong count offers the findings in words."""
    desk.until("stub")
    assert "expected" not in desk.desk["stub"]
    assert not re.search(r"\b4\b", desk.page.inner_text(".desk-now"))
    desk.type("3")
    assert "The count is not right" in desk.refusal()
    findings = desk.page.get_by_role("region", name="Irregularities", exact=True)
    assert "_" not in findings.inner_text() + desk.refusal()
    findings.get_by_role("button", name="Report", exact=True).first.wait_for()
    desk.press("Escape")


@pytest.mark.parametrize("rulebook", LIVE)
def test_a_live_round_by_keyboard(
    rulebook: str,
    server: Served,
    staff: dict[str, str],
    staff_page: NewPage,
    open_table: OpenTable,
    shoot: Shoot,
    tmp_path: Path,
) -> None:
    wagers, step, clause = LIVE[rulebook]
    name = open_table(rulebook, f"live-{rulebook}", "physical")
    floor = staff_page("fiona", path=f"/console/table/{name}")
    desk = DeskDriver(staff_page("dan", path=f"/console/deal/{name}"), floor)
    assert "The floor must check the fittings" in desk.page.inner_text(".desk-now")
    desk.type("1 Ann 500")
    desk.type("4 Bob Lee 300")
    desk.until("open_bets")
    floor.wait_for_selector(".records >> text=Deck A-1")
    floor.locator(".records summary").first.click()
    records = floor.inner_text(".records")
    assert re.search(r"checked by fiona", records), records
    assert all(said in records for said in ("red backs, yellow cover card", "Inspected: dan", "Verified: fiona")), (
        records
    )
    shoot(floor, f"records-{rulebook}", full_page=True)
    desk.type("d")
    assert "no more bets" in desk.refusal()
    desk.press("Escape")
    for seat in (1, 4):
        desk.type(f"{seat} {wagers}")
    if rulebook == "nj-pai-gow":
        count_wrongly(desk)
    desk.until(step)
    lies = desk.page.locator(".desk-felt cf-card:not([card='??'])").first.get_attribute("card")
    desk.page.keyboard.type(f"{lies}")
    desk.page.wait_for_selector(".line-says .bad")
    meaning = desk.page.inner_text(".line-says")
    assert " lies " in meaning, meaning
    assert clause in meaning, meaning
    shoot(desk.page, f"dealing-{rulebook}-refused", full_page=True)
    seq = desk.desk["seq"]
    desk.press("Enter")
    assert desk.desk["seq"] == seq, "a card that is on the table is refused"
    desk.press("Escape")
    desk.until("discard")
    paid = [one for one in desk.desk["movements"] if one["way"] == "pay"]
    assert paid
    assert all(one["words"] and one["clauses"] for one in paid)
    shoot(desk.page, f"dealing-{rulebook}-paid", full_page=True)
    desk.until("shuffle")
    report = verify(export_history(server, staff, name, tmp_path / "live.jsonl"))
    assert (report.fault, report.rounds) == (None, desk.desk["round"])


HELLO: Final = """async ([table, role]) => new Promise((settle) => {
  const socket = new WebSocket(`ws://${location.host}/api/tables/${table}/live?as=${role}`, "crossfelt.1");
  socket.onmessage = (event) => settle(JSON.parse(event.data));
})"""


def correct_card(staff_page: NewPage, table: str, card: str) -> None:
    """Correct a misnamed card: one floor person proposes, another approves."""
    floor = staff_page("fiona", path=f"/console/table/{table}")
    floor.get_by_role("button", name="Correct card (two people): across left").click()
    floor.get_by_label("Card on the table").fill(card)
    floor.get_by_label("Reason").fill("a heart, not a diamond")
    floor.locator("dialog").get_by_role("button", name="Propose").click()
    floor.wait_for_selector("text=waits for a second person")
    second = staff_page("frank", path="/console/proposals")
    second.locator(".proposal", has_text=f"the card on the table is {card}").get_by_role(
        "button", name="Approve"
    ).click()
    second.locator("dialog").get_by_role("button", name="Approve").click()
    second.wait_for_selector("text=The card is corrected")


def test_the_consequence_is_shown_before_a_report_is_confirmed(
    staff_page: NewPage, open_table: OpenTable, faults: Faults
) -> None:
    name = open_table("md-criss-cross", "live-wrong", "physical")
    floor = staff_page("fiona", path=f"/console/table/{name}")
    desk = DeskDriver(staff_page("dan", path=f"/console/deal/{name}"), floor)
    page = desk.page
    desk.type("2 Ann 500")
    desk.until("open_bets")
    desk.type("2 ante 25 bonus 5")
    desk.until("reveal_across")
    page.keyboard.type("kd")
    page.wait_for_selector(".slots cf-card")
    found = faults(page, "dealing-cards", NARROW_AND_WIDE)
    page.keyboard.type("4s")
    desk.press("Enter")
    correct_card(staff_page, name, "Kh")
    page.wait_for_function("() => document.querySelector('cf-dealer-desk').state.view.layout.across_left === 'Kh'")
    page.get_by_role("button", name="Report an irregularity").click()
    assert page.locator(".troubles a", has_text="the table's page").get_attribute("href") == f"/console/table/{name}"
    irregularity = page.locator(".troubles li", has_text="A community card is exposed early")
    assert "The floor decides whether the round continues or the round is void" in irregularity.inner_text()
    assert re.search(r"MDC-\d|AMB-\d|House rule", irregularity.inner_text()), irregularity.inner_text()
    found += faults(page, "dealing-troubles", NARROW_AND_WIDE)
    seq = desk.desk["seq"]
    irregularity.get_by_role("button", name="Middle").click()
    assert "Consequence: The floor decides" in page.inner_text("dialog")
    assert desk.desk["seq"] == seq, "nothing is reported before it is confirmed"
    page.get_by_label("Note for the record").fill("turned over with the far card")
    page.locator("dialog").get_by_role("button", name="Report").click()
    page.wait_for_selector(".desk-now >> text=The floor decides")
    assert found == []


def test_only_a_dealer_may_open_the_desk(
    server: Served, staff: dict[str, str], staff_page: NewPage, faults: Faults
) -> None:
    floor = staff_page("fiona", path="/console/deal")
    floor.get_by_label("Game").select_option("nj-pai-gow")
    floor.get_by_label("Name of the table").fill("live-form")
    floor.get_by_role("button", name="Open the table").click()
    floor.wait_for_selector(".rows >> text=live-form")
    assert "Live, physical cards" in floor.inner_text(".rows")
    found = faults(floor, "dealing-tables", NARROW_AND_WIDE)
    player = staff_page("paula", path="/console/deal/live-form")
    player.wait_for_selector(".refused")
    assert "This page is for the roles dealer" in player.inner_text(".refused")
    assert player.locator(".desk").count() == 0
    assert "you do not have the role dealer" in player.evaluate(HELLO, ["live-form", "dealer"])["why"]
    bearer = {"Authorization": f"Bearer {staff['paula']}"}
    for path in ("desk", "desk/troubles"):
        assert (
            httpx.get(f"{server.address}/api/tables/live-form/{path}", headers=bearer, timeout=WAIT_SECONDS).status_code
            == 403
        )
    player.goto(f"{server.address}/table/live-form")
    player.wait_for_selector("text=The players sit at a physical table")
    player.goto(f"{server.address}/lobby")
    sign = player.locator(".sign", has_text="Live, at a physical table").first
    assert sign.get_by_role("button", name="Sit down").is_disabled()
    assert found == []


def test_a_guest_can_practise_dealing_at_a_private_table(new_page: NewPage) -> None:
    page = new_page(360, 740, path="/train?rulebook=nj-double-cross", touch=True)
    page.get_by_role("button", name="Practise dealing").tap()
    page.wait_for_url("**/console/deal/**")
    page.wait_for_function(SETTLED)
    ends = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < ends:
        desk = page.evaluate(DESK)
        if desk["step"] == "settle":
            return
        button = page.locator(".desk-entry button:not([disabled])")
        if button.count():
            if any(act.get("regular") and act["needs"] for act in desk["acts"] if "needs" in act):
                page.locator("#line").fill(str(desk["stub"]["expected"]))
            button.tap()
        else:
            page.wait_for_timeout(100)  # another player decides
        page.wait_for_function(SETTLED)
    raise AssertionError(page.inner_text(".desk-now"))
