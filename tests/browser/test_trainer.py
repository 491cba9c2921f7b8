"""The trainer: each kind of drill by keyboard, with right and wrong answers; an order by touch."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import msgspec
import pytest
from playwright.sync_api import Page

from browser.conftest import NewPage, Served, Shoot
from crossfelt.rulebooks.game import compile_game
from crossfelt.server.store.sqlite import FILE
from crossfelt.server.workers.drills import KIND, Practice
from crossfelt.training.question import DRILLS, Amount, Arrange, Choose, Question
from crossfelt.training.question_set import find


def question_on(server: Served, page: Page) -> Question:
    """Return the question on the page with its answer, from the server's store."""
    ticket = page.evaluate("() => document.querySelector('cf-train').posed.question")
    with closing(sqlite3.connect(f"file:{server.data / FILE}?mode=ro", uri=True)) as store:
        kept = [
            msgspec.json.decode(body, type=Practice)
            for (body,) in store.execute("SELECT body FROM records WHERE kind = ?", [KIND])
        ]
    pending = next(it.pending for it in kept if it.pending is not None and it.pending.ticket == ticket)
    return find(compile_game(pending.question.partition("/")[0]), pending.question)


def keys_for(question: Question, *, right: bool) -> list[str]:
    """Return the keys of a right or a wrong answer."""
    wanted = question.right[0]
    match question.answer:
        case Choose(options=options):
            return list(wanted if right else next(str(n + 1) for n in range(len(options)) if str(n + 1) != wanted))
        case Amount():
            return list(f"{int(wanted) / 100 + (not right):.2f}")
        case Arrange():
            numbers = wanted.split()
            return numbers if right else numbers[::-1]
        case pick:
            cards = [set(wanted.split())] if right else []
            for first in range(len(pick.cards)):
                cards += [{pick.cards[first], pick.cards[first - 1]}]
            chosen = next(two for two in cards if right or all(set(one.split()) != two for one in question.right))
            return [str(pick.cards.index(card) + 1) for card in chosen]


def answer(server: Served, page: Page, *, right: bool) -> None:
    for key in keys_for(question_on(server, page), right=right):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.wait_for_selector(".verdict")


@pytest.mark.parametrize("kind", DRILLS)
def test_a_drill_of_each_kind_by_keyboard(server: Served, new_page: NewPage, shoot: Shoot, kind: str) -> None:
    page = new_page(path=f"/train?kind={kind}&rulebook=nj-pai-gow")
    for right in (False, True):
        page.wait_for_selector(".drill .link:not([disabled])")
        question = question_on(server, page)
        posed = page.evaluate("() => document.querySelector('cf-train').posed")
        assert "explanation" not in posed
        assert question.explanation.text not in page.inner_text(".drill")
        answer(server, page, right=right)
        shoot(page, f"train-{kind}-{'right' if right else 'wrong'}")
        verdict = page.inner_text(".verdict")
        assert verdict.startswith("Right." if right else "Wrong")
        assert all(clause.citation in verdict for clause in question.explanation.clauses)
        assert page.locator(".verdict .pace").count() == 0, "accuracy comes before pace"
        page.keyboard.press("n")
        page.wait_for_selector(".verdict", state="detached")
    row = page.locator(".standing tr.here").inner_text().split("\t")
    assert row[:2] == [DRILLS[question.kind], "50 %"]
    assert row[3] == "1"
    page.reload()
    page.wait_for_selector(".standing tr.here")
    assert page.locator(".standing tr.here").inner_text().split("\t") == row, "the server keeps the progress"


def test_an_order_by_touch_and_an_invalid_amount(server: Served, new_page: NewPage) -> None:
    page = new_page(360, 740, path="/train?kind=order&rulebook=nj-criss-cross", touch=True)
    page.wait_for_selector(".arrange")
    numbers = question_on(server, page).right[0].split()
    page.locator(".arrange .choice").nth(0).tap()
    page.locator(".drill-buttons .main").tap()
    assert page.inner_text(".notice") == "The answer is not complete."
    page.locator(".arrange .choice").nth(0).tap()  # a second tap removes it
    for number in numbers:
        page.locator(".arrange .choice").nth(int(number) - 1).tap()
    page.locator(".drill-buttons .main").tap()
    page.wait_for_selector(".verdict.is-right")
    page.get_by_label("Drill").select_option("pay")
    page.wait_for_selector("#amount")
    page.locator("#amount").fill("a lot")
    page.locator(".drill-buttons .main").tap()
    assert "dollars, such as 175 or 17.50" in page.inner_text(".notice")
    page.get_by_text("Show the answer").tap()
    page.wait_for_selector(".verdict.is-wrong")
