"""A player's part in the shuffle, and the check of a round, on phone and desktop."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Route, expect

from benchmarks.attacks.house import (
    with_ghost,
    with_late_receipt,
    with_other_places,
    with_other_position,
    with_short_deck,
)
from browser.axe import violations
from browser.conftest import Shoot
from browser.table_page import TableDriver
from crossfelt.cards.deck import deck_of
from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.cli.main import run
from crossfelt.proof.commitment import Sealed, deck_leaves
from server.recorded_rounds import WEIGHTS, spun

Sit = Callable[..., TableDriver]
SEED = "nobody guesses this sentence of mine"
CHECK = """async (record) => {
  const main = document.querySelector("script[type=module]").src;
  const findings = await (await import(main.replace("main.js", "table/fairness.js"))).checkRound(record);
  return findings.map(({what, holds}) => [what, holds]);
}"""
RETOLD = """async ([table, seed_hash]) => {
  const main = document.querySelector("script[type=module]").src;
  const {withSeed, keepReceipt, proofOf} = await import(main.replace("main.js", "table/seeds.js"));
  const view = {round: 9, seats: [{number: 1, seed_hash}]};
  const sent = withSeed({id_: table, state: {view}}, {command: "place_wagers", seat: 1, wagers: {ante: 500}});
  for (const [root, hash] of [["stolen", seed_hash], ["first", sent.seed_hash], ["late", sent.seed_hash]])
    keepReceipt({table, round: 9, seat: 1, seed_hash: hash, root});
  return [sent.seed_hash !== seed_hash, proofOf(table, 9).receipt.root];
}"""
SIZES = {"phone": {"width": 390, "height": 844, "touch": True}, "desktop": {"width": 1280, "height": 800}}


def test_a_changed_opening_fails_the_check(private_table: Sit) -> None:
    """A viewer who did not play gets single cards with their proofs."""
    sealed = Sealed(deck_leaves(deck_of(52)), repeatable_seed(1))
    openings = [msgspec.to_builtins(sealed.opening(label)) for label in sealed.commitment.labels[:5]]
    record = {"events": [], "commitment": msgspec.to_builtins(sealed.commitment)}
    page = private_table("nj-criss-cross", bots=0).page

    def found(openings: list[dict[str, Any]]) -> list[list[Any]]:
        return [[f"{it['label']} = {it['value']}", it["right"]] for it in openings]

    def check(*openings: dict[str, Any]) -> Any:
        return page.evaluate(CHECK, {**record, "openings": list(openings)})

    first, *others = ({**it, "right": True} for it in openings)
    assert check(*openings) == found([first, *others])
    changed = {**first, "value": others[0]["value"], "right": False}
    assert check(changed, *others) == found([changed, *others])
    for beside in changed, first:
        twice = [{**it, "right": False} for it in (beside, first)]
        assert check(beside, *openings) == found([*twice, *others]), "opened twice"


def test_wheels_are_drawn_again_in_the_browser(private_table: Sit) -> None:
    page, record = private_table("nj-criss-cross", bots=0).page, spun()
    assert all(holds for _, holds in page.evaluate(CHECK, record))
    record["events"][2]["prize"] = (record["events"][2]["prize"] + 1) % len(WEIGHTS)
    assert [what for what, holds in page.evaluate(CHECK, record) if not holds] == ["Xtreme spun"]


def test_dice_and_draws_are_drawn_again_in_the_browser(private_table: Sit) -> None:
    driver = private_table("nj-pai-gow")
    driver.key("1")
    driver.key("Enter")
    driver.play_until_bets({"house-way": "w"})
    driver.page.keyboard.press("h")
    driver.page.get_by_role("button", name="Check in this browser").click()
    expect(driver.page.locator(".fairness .fair")).to_contain_text("checks hold")
    expect(driver.page.locator(".findings")).to_contain_text("First hand chosen shows what the seeds draw")
    record = driver.fetch(f"/tables/{driver.table}/rounds/1")
    forged = driver.page.evaluate(CHECK, with_other_position(record))
    assert [what for what, holds in forged if not holds] == ["First hand chosen"]
    (mixed,) = [event for event in record["events"] if event["event"] == "deck_mixed"]
    assert driver.page.evaluate(RETOLD, [driver.table, mixed["seeds"][0]["hash"]]) == [True, "first"]


@pytest.mark.parametrize("size", ["phone", pytest.param("desktop", marks=pytest.mark.soak)])
def test_a_player_adds_a_seed_and_checks_the_round(private_table: Sit, shoot: Shoot, size: str, tmp_path: Path) -> None:
    driver = private_table("nj-criss-cross", **SIZES[size])
    page = driver.page
    own, takes = page.get_by_label("Your own seed for the next round"), page.get_by_text("Your next first wager takes")
    number, arrived = 0, [""]
    while arrived != [f"{SEED} {number}"]:  # on a busy machine a seed may come too late
        page.keyboard.press("h")
        page.get_by_text("Your part in the shuffle").click()
        for refused in "fifteen letters", "\N{FAMILY}" * 15 + "\N{ZERO WIDTH JOINER}":
            own.fill(refused)
            assert not own.evaluate("it => it.checkValidity()")
        if number:
            own.fill(f"{SEED} {number}")
            page.get_by_role("button", name="Use it").click()
            assert own.evaluate("it => it.validity.customError"), "the house knows this seed"
        own.fill(f"{SEED} {number + 1}")
        page.get_by_role("button", name="Use it").click()
        expect(takes).to_be_visible()
        shoot(page, f"own-seed-{size}")
        page.get_by_text("Your part in the shuffle").click()
        page.locator("body").press("h")
        driver.key("1")
        driver.key("Enter")
        driver.play_until_bets({"bet-1": "1"})
        number += 1
        record = driver.fetch(f"/tables/{driver.table}/rounds/{number}")
        (mixed,) = [event for event in record["events"] if event["event"] == "deck_mixed"]
        arrived = [one["seed"] for one in mixed["seeds"]]
    page.keyboard.press("h")
    page.get_by_role("button", name="Check in this browser").click()
    expect(page.locator(".fairness .fair")).to_contain_text("No: all")
    page.locator(".findings").scroll_into_view_if_needed()
    shoot(page, f"fairness-panel-{size}")
    page.goto(f"{driver.address}/history/{driver.table}")
    page.get_by_role("button", name="Check in this browser").click()
    expect(page.locator(".fairness .fair")).to_contain_text("No: all")
    expect(page.locator(".findings")).to_contain_text("is the house’s")
    page.get_by_role("button", name="Save for crossfelt fair").scroll_into_view_if_needed()
    shoot(page, f"fairness-history-{size}")
    assert list(violations(page, "a checked round")) == []
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save for crossfelt fair").click()
    saved.value.save_as(tmp_path / "round.json")
    assert run(["fair", str(tmp_path / "round.json")]) == 0
    played = json.loads((tmp_path / "round.json").read_text())
    forgeries = {
        "Hashes:": with_ghost(played),
        "The cards": with_other_places(played, Random(7)),
        "The root:": with_late_receipt(played),
    }
    for found, forged in forgeries.items():
        assert [what for what, holds in page.evaluate(CHECK, forged) if not holds] == [found]
    assert ["The deck", False] in page.evaluate(CHECK, with_short_deck(played))

    def altered(route: Route) -> None:
        told = route.fetch().json()
        told["opened"]["values"][:2] = told["opened"]["values"][1::-1]
        route.fulfill(body=json.dumps(told), content_type="application/json")

    page.route(f"**/rounds/{number}", altered)
    page.reload()
    page.get_by_role("button", name="Check in this browser").click()
    expect(page.locator(".fairness .notice")).to_contain_text("checks fail")
    expect(page.locator(".findings .wrong").first).to_contain_text("does NOT give the root")
    page.unroute_all()
    page.evaluate("localStorage.removeItem('crossfelt.seeds')")  # as on another device
    page.reload()
    page.get_by_role("button", name="Check in this browser").click()
    verdict = (
        "checks hold, but nothing here shows that the deck was fixed before the bets or that no seed was added later "
        "or that each card went where the rules put it."
    )
    expect(page.locator(".fairness").get_by_role("status")).to_contain_text(verdict)
    root = "Receipt: none; compare this root with the one you noted before the bets."
    expect(page.get_by_text(root, exact=True)).to_be_visible()
    page.get_by_text(root, exact=True).scroll_into_view_if_needed()
    shoot(page, f"fairness-no-receipt-{size}")
