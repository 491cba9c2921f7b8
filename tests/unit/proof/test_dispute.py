"""A round opened again: its arithmetic adds up to what the ledger moved, and alterations are named."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from crossfelt.cli.main import run as crossfelt
from crossfelt.play.round_result import result_of
from crossfelt.proof.dispute import Case, RowsChecked, case_of, identify
from crossfelt.proof.history import HistoryWriter, header_of
from crossfelt.proof.replay_round import StreamReplay, replay_round, round_opened
from crossfelt.reports.dispute_page import clock_words, dispute_report, time_words
from crossfelt.rulebooks.game import compile_game
from crossfelt.table import events as e
from unit.table.manual_double_cross import Double
from unit.table.random_table import ALL_GAMES, Driver
from unit.table.test_double_cross_irregularities import KINGS

AMOUNT = re.compile(r"= \$([\d,]+(?:\.\d\d)?)\.$")


def cases(driver: Driver) -> list[tuple[Case, list[e.Event]]]:
    """Every round of a table that was closed, as a case and as its events."""
    rows = [(seq, row.events) for seq, row in enumerate(driver.lived, start=1)]
    found = []
    for number in dict.fromkeys(filter(None, (round_opened(events) for _, events in rows))):
        reopened = replay_round(StreamReplay(header_of("t", driver.table.game)), number, rows)
        if reopened is not None:
            checked = RowsChecked(stream="table/t", first=reopened.first, last=reopened.last, before="", hash="")
            found.append((case_of(reopened, identify(reopened, "t", "0"), checked), reopened.events))
    return found


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(len(ALL_GAMES)))
def test_payments_add_up_to_the_result_of_the_round_and_a_second_settlement_agrees(seed: int) -> None:
    book, stated = ALL_GAMES[seed % len(ALL_GAMES)]
    driver = Driver(compile_game(book, stated), seed, players=1 + seed % 6, trouble=0.1)
    driver.play(2)
    for case, events in cases(driver):
        closed = case.identity.outcome != "abandoned"
        result = result_of(driver.table.game, events).seats if closed else {}
        assert {seat: case.nets.get(int(seat), 0) for seat in result} == {seat: it.net for seat, it in result.items()}
        assert set(case.nets) <= set(case.players)
        assert case.verdict.unsettled == ()
        assert case.verdict.complaints == ()
        for payment in case.payments:
            assert "not the same" not in " ".join(payment.arithmetic)
            amounts = [found[1] for step in payment.arithmetic if (found := AMOUNT.search(step))]
            if len(amounts) == 1 and " ÷ " not in payment.arithmetic[1]:
                assert round(100 * float(amounts[0].replace(",", ""))) == payment.paid + payment.limited
        assert dispute_report(case) == dispute_report(case)


def test_an_altered_payment_is_reported_line_by_line() -> None:
    driver = Driver(compile_game("md-criss-cross"), 3, players=2, trouble=0)
    driver.play(1)
    rows = [(seq, tuple(map(twice_paid, row.events))) for seq, row in enumerate(driver.lived, start=1)]
    assert rows != [(seq, row.events) for seq, row in enumerate(driver.lived, start=1)]
    reopened = replay_round(StreamReplay(header_of("t", driver.table.game)), 1, rows)
    assert reopened is not None
    checked = RowsChecked(stream="table/t", first=reopened.first, last=reopened.last, before="", hash="")
    case = case_of(reopened, identify(reopened, "t", "0"), checked)
    wrong = [payment for payment in case.payments if not payment.equal]
    assert [payment.again["paid"] for payment in wrong] == [payment.paid // 2 for payment in wrong]
    assert all("which is not the same" in " ".join(payment.arithmetic) for payment in wrong)
    assert case.verdict.words.startswith("not equal")
    assert b"it should be" in dispute_report(case)


@pytest.mark.parametrize("seat", [None, 1])
@pytest.mark.parametrize("keeps", [False, True])
def test_the_page_of_a_void_round_says_what_becomes_of_settled_wagers(keeps: bool, seat: int | None) -> None:
    """Seat 1 has won its three-card wager with a pair of kings when a hand is found short (AMB-8c)."""
    play = Double({"settings": {"void_keeps_settled": keeps}}, cards=KINGS).to("decide_play", 1, 2, three=5_00)
    play.report("wrong_card_count", case="community")
    play.advance(until="shuffle")
    reopened = replay_round(StreamReplay(header_of("t", play.game)), 1, [(1, tuple(play.events))])
    assert reopened is not None
    checked = RowsChecked(stream="table/t", first=reopened.first, last=reopened.last, before="", hash="")
    case = case_of(reopened, identify(reopened, "t", "0"), checked, seat)
    assert case.verdict.complaints == ()
    assert case.nets[1] == (5_00 if keeps else 0)
    page = dispute_report(case).decode()
    assert ("wagers that are settled already stand" in page) == keeps
    assert ("the settlement of three-card wager is undone, and $5 goes back" in page) == (not keeps)
    assert ("The settlement is undone. $5 that was paid goes back." in page) == (seat == 1 and not keeps)


def test_the_page_does_not_call_a_hand_face_down_that_was_shown() -> None:
    """Seat 1 has shown its kings for the three-card wager before it decides about the play wager."""
    play = Double({}, cards=KINGS).to("decide_play", 1, 2, three=5_00)
    play.advance(until="shuffle")
    reopened = replay_round(StreamReplay(header_of("t", play.game)), 1, [(1, tuple(play.events))])
    assert reopened is not None
    checked = RowsChecked(stream="table/t", first=reopened.first, last=reopened.last, before="", hash="")
    before, *after = [it.others for it in case_of(reopened, identify(reopened, "t", "0"), checked, 1).sights]
    assert before.startswith("hand face down"), before
    assert after
    assert all(re.match("hand .*K.*, shown before and now face down", it) for it in after), after


TIME: re.Pattern[str] = re.compile(r"\d\d:\d\d(?::\d\d)?(?:\.\d{3})?(?! UTC)(?![\d.:])")


def test_every_time_on_the_page_has_its_zone() -> None:
    driver = Driver(compile_game("md-criss-cross"), 3, players=2, trouble=0)
    driver.play(1)
    page = dispute_report(cases(driver)[0][0]).decode()
    assert re.search(r"\d\d:\d\d:\d\d UTC", page)
    assert [page[it.start() - 40 : it.end() + 10] for it in TIME.finditer(page)] == []


def twice_paid(event: e.Event) -> e.Event:
    """A winner is paid double."""
    return replace(event, paid=2 * event.paid) if isinstance(event, e.WagerSettled) and event.paid else event


def assert_records_are_printed(page: str, driver: Driver) -> None:
    """The page has the check of the fittings, and the deck of the round with every person and time."""
    checked = next(event for event in driver.events if isinstance(event, e.FittingsChecked))
    fittings = f"drop box, tip box, discard rack, shoe No. 1 at the dealer&#39;s left; checked by {checked.by}, "
    assert fittings + time_words(checked.at) in page
    assert "<dt>Deck A-1</dt><dd>red backs, yellow cover card; received " in page
    for event in driver.events:
        if isinstance(event, e.DeckPrepared):
            done = {"verify": "verified", "stack": "stacked", "wash": "washed"}.get(event.act, "")
            assert f"{done} {clock_words(event.at)} {event.by}" in page
    assert "put into the shoe (No. 1, at the dealer&#39;s left, by the dealer) " in page
    assert "shuffles so far: 1" in page


@pytest.mark.clause("MDC-7", "MDC-10", "MDC-24")
def test_a_command_prints_one_page_and_names_a_forged_payment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    driver = Driver(compile_game("md-criss-cross"), 3, players=2, trouble=0)
    driver.play(2)
    file = io.BytesIO()
    with HistoryWriter(file, "t", driver.table.game) as history:
        for row in driver.lived:
            history.append(row.command, row.events)
    log, page = tmp_path / "log.jsonl", tmp_path / "page.html"
    log.write_bytes(file.getvalue())
    assert crossfelt(["dispute", str(log), "--round", "1", "--out", str(page)]) == 0
    assert "<h1>Criss Cross Poker, Maryland · round 1" in page.read_text()
    assert_records_are_printed(page.read_text(), driver)
    assert crossfelt(["dispute", str(log), "--round", "1"]) == 0
    assert "[MDC-38, AMB-10]" in capsys.readouterr().out, "a payment is printed with its clauses and readings"
    assert crossfelt(["dispute", str(log), "--round", "77"]) == 2
    assert "this history has no such closed round: 77" in capsys.readouterr().err
    forged = re.sub(rb'"result":"(lose|win)"', b'"result":"push"', file.getvalue())
    log.write_bytes(forged)
    assert crossfelt(["dispute", str(log), "--round", "1"]) == 1
    printed = capsys.readouterr().out
    assert "was changed: its hash differs" in printed


@pytest.mark.parametrize(
    "book",
    [
        pytest.param("nj-criss-cross", marks=pytest.mark.clause("NJC-62a")),
        "ma-criss-cross",
        "md-criss-cross",
        pytest.param("nj-double-cross", marks=pytest.mark.clause("DCP-36")),
        pytest.param("nj-pai-gow", marks=pytest.mark.clause("PGP-28a")),
    ],
)
def test_the_rules_in_force_for_a_round_are_on_its_page(book: str) -> None:
    game = compile_game(book)
    driver = Driver(game, 3, players=2, trouble=0)
    driver.play(2)
    for case, _ in cases(driver):
        identity = case.identity
        assert (identity.rulebook, identity.version) == (book, game.book.version)
        assert (identity.rulebook_hash, identity.game_hash) == (game.rulebook_hash, game.hash)
        page = dispute_report(case).decode()
        assert book in page
        assert game.book.version in page


@pytest.mark.clause("PGP-28a")
@pytest.mark.parametrize("offered", [True, False])
def test_the_history_of_a_round_says_whether_the_progressive_wager_was_offered(offered: bool) -> None:
    wagers = {f"progressive_{hand}": {"offered": offered} for hand in ("player", "dealer")}
    written = header_of("t", compile_game("nj-pai-gow", {"wagers": wagers}))
    assert [written.compile().offers(wager) for wager in wagers] == [offered, offered]
