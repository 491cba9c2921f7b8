"""A true history passes; every alteration is found, and the first fault is named."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
import pytest

from crossfelt.errors import BadInput
from crossfelt.games import rules
from crossfelt.games.split_hands import HighLowHand
from crossfelt.hands.rank import HandRank
from crossfelt.money import Odds
from crossfelt.proof.hash_chain import encode, sha256
from crossfelt.proof.history import History, HistoryWriter
from crossfelt.proof.recount import Recount
from crossfelt.proof.signed_heads import CONSISTENT, INCONSISTENT
from crossfelt.proof.verify import VerificationFault, VerificationReport, verify, verify_history
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.hand_forms import Match
from crossfelt.rulebooks.loader import as_data, from_data, load
from crossfelt.table import bank, meter_claims
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.acts import settlement, wheel
from crossfelt.table.commands import Command
from crossfelt.table.events import Event
from soak_length import Recorded, scaled
from unit.table.random_table import ALL_GAMES, OFTEN, Driver

GAMES: Final = tuple(compile_game(book, stated) for book, stated in ALL_GAMES)
Rows = list[tuple[Command, tuple[Event, ...]]]


def played(seed: int = 3, rounds: int = 2, trouble: float = 0.05, **how: Any) -> Driver:
    driver = Driver(GAMES[seed % len(GAMES)], seed, players=1 + seed % 6, trouble=trouble, **how)
    driver.play(rounds)
    return driver


def rows_of(driver: Driver) -> Rows:
    return [(row.command, row.events) for row in driver.lived]


def written(game: Game, rows: Iterable[tuple[Command, tuple[Event, ...]]]) -> bytes:
    file = io.BytesIO()
    with HistoryWriter(file, "table 1", game) as history:
        for command, events in rows:
            history.append(command, events)
    return file.getvalue()


def checked(data: bytes) -> VerificationReport:
    return verify_history(History(io.BytesIO(data)))


def fault_of(game: Game, rows: Rows) -> VerificationFault:
    """The fault of a history whose forger has hashed it all anew."""
    report = checked(written(game, rows))
    assert (report.verdict, report.fault is None) == (INCONSISTENT, False)
    assert report.fault is not None
    return report.fault


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(len(GAMES) * 2))
def test_a_true_history_is_consistent(seed: int, tmp_path: Path) -> None:
    driver = played(seed, rounds=3, trouble=0.1)
    path = tmp_path / "table.jsonl"
    path.write_bytes(written(driver.table.game, rows_of(driver)))
    report = verify(path)
    assert (report.verdict, report.fault) == (CONSISTENT, None)
    assert (report.commands, report.events) == (len(driver.lived), len(driver.events))
    closed = [event for event in driver.events if isinstance(event, e.RoundClosed)]
    void = [event for event in closed if event.outcome == "void"]
    assert (report.rounds, report.void_rounds) == (len(closed), len(void))
    assert report.resettled_rounds == len(closed)
    balances = driver.table.balances
    money = report.money
    assert balances.get("tray", 0) == money.opened + money.fills - money.credits - money.closed + money.won
    assert report.house_net == money.won - money.contributed
    assert money.staked - money.returned - money.lost == sum(
        cents for account, cents in balances.items() if account.startswith("risk:")
    )


def test_a_physical_table_is_verified_too() -> None:
    driver = played(5, physical=True)
    assert checked(written(driver.table.game, rows_of(driver))).fault is None


# --- forgeries with a chain of their own --------------------------------------------------------------------------


def place_of(rows: Rows, kind: type[Event]) -> tuple[int, int]:
    """Row and place of the first event of a kind."""
    found = ((n, m) for n, (_, events) in enumerate(rows) for m, event in enumerate(events) if isinstance(event, kind))
    return next(found)


def with_event(rows: Rows, row: int, place: int, event: Event) -> Rows:
    command, events = rows[row]
    return [*rows[:row], (command, (*events[:place], event, *events[place + 1 :])), *rows[row + 1 :]]


def test_a_payment_that_does_not_follow_is_named_with_what_does() -> None:
    driver = next(
        driver for driver in map(played, range(50)) if any(isinstance(event, e.WagerSettled) for event in driver.events)
    )
    rows = rows_of(driver)
    row, place = place_of(rows, e.WagerSettled)
    settled = rows[row][1][place]
    assert isinstance(settled, e.WagerSettled)
    forged = msgspec.structs.replace(settled, paid=settled.paid + 100)
    fault = fault_of(driver.table.game, with_event(rows, row, place, forged))
    assert (fault.check, fault.line, fault.seq, fault.event) == ("event", row + 2, row + 1, place + 1)
    command = rows[row][0].__struct_config__.tag
    assert str(fault) == f"line {row + 2}, seq {row + 1}, event {place + 1}: does not follow from {command}"
    assert f'"paid":{settled.paid + 100}' in fault.recorded
    assert fault.recorded != fault.follows


def test_events_left_out_or_added_are_named() -> None:
    driver = played()
    rows = rows_of(driver)
    row = max(range(len(rows)), key=lambda n: len(rows[n][1]))
    command, events = rows[row]
    short = [*rows[:row], (command, events[:-1]), *rows[row + 1 :]]
    assert fault_of(driver.table.game, short).recorded == "nothing"
    long = [*rows[:row], (command, (*events, events[-1])), *rows[row + 1 :]]
    assert fault_of(driver.table.game, long).follows == "nothing"


def test_other_cards_than_those_of_the_deck_are_noticed() -> None:
    driver = played()
    rows = rows_of(driver)
    row, place = place_of(rows, e.CardsDealt)
    dealt = rows[row][1][place]
    assert isinstance(dealt, e.CardsDealt)
    swapped = (
        msgspec.structs.replace(dealt.cards[0], card=dealt.cards[-1].card),
        *dealt.cards[1:-1],
        msgspec.structs.replace(dealt.cards[-1], card=dealt.cards[0].card),
    )
    fault = fault_of(driver.table.game, with_event(rows, row, place, msgspec.structs.replace(dealt, cards=swapped)))
    assert (fault.check, fault.what) == ("event", "does not follow from deal_cards")


def test_a_command_that_would_be_refused_is_named() -> None:
    driver = played()
    rows = rows_of(driver)
    bold = c.RecordFill(id="x", who="Ann", role="player", at=0, cents=5)
    fault = fault_of(driver.table.game, [*rows, (bold, ())])
    assert (fault.check, fault.line) == ("command", len(rows) + 2)
    assert fault.what.startswith("record_fill is refused: “record fill” is not for this role: 'player'")


def test_a_command_that_the_table_was_not_made_for_is_a_fault_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    driver = played()

    def broken(*_: object) -> None:
        raise KeyError("nothing here")

    monkeypatch.setattr("crossfelt.proof.verify.run", broken)
    fault = fault_of(driver.table.game, rows_of(driver))
    assert (fault.check, fault.line) == ("command", 2)
    assert fault.what == "the table cannot carry out open_table: KeyError: 'nothing here'"


def test_a_copy_of_a_shipped_rulebook_is_consistent_and_its_departures_are_named() -> None:
    data = as_data(load("md-criss-cross"))
    table = next(table for table in data["paytable"] if table["id"] == "five_card_bonus")
    next(line for line in table["lines"] if line["hand"] == "pair")["odds"] = "2 to 1"
    data["settings"]["cut_min_cards"]["value"] = 12
    game = compile_game(from_data(data, where="copy"))
    driver = Driver(game, 5, players=6)
    driver.play(3)
    report = checked(written(game, rows_of(driver)))
    assert (report.verdict, report.fault, report.resettled_rounds, report.unsettled) == (CONSISTENT, None, 3, ())
    departed = [departure.key for departure in report.departures]
    assert departed == ["paytable.five_card_bonus.pair_6s_or_better", "settings.cut_min_cards"]
    assert ("1 to 1" in report.departures[0].shipped, "2 to 1" in report.departures[0].here) == (True, True)
    assert checked(written(compile_game("md-criss-cross"), [])).departures == ()


def test_a_rulebook_that_extends_a_shipped_one_is_compared_with_it() -> None:
    game = compile_game(str(Path(__file__).parents[2] / "data" / "rulebooks" / "other-state.toml"))
    report = checked(written(game, []))
    assert (report.verdict, report.departs_from) == (CONSISTENT, "nj-criss-cross")
    departed = {departure.key for departure in report.departures}
    assert {"paytable.bets.pair_of_tens", "wager.bonus_spin"} <= departed


def altered(**changes: Any) -> Callable[..., Any]:
    """A first settlement whose results are changed, by result; `more` is added to what a win pays."""

    def settle(self: rules.Rules, wager: Any, stake: int, spot: Any) -> Any:
        settled = TRUE_SETTLE(self, wager, stake, spot)
        if settled.result == "win":
            return msgspec.structs.replace(
                settled, paid=settled.paid + changes.get("more", 0), **changes.get("win", {})
            )
        return msgspec.structs.replace(settled, **changes.get(settled.result, {}))

    return settle


TRUE_SETTLE: Final = rules.Rules.settle
STRANGER: Final = "examples/rulebooks/three-card-poker.toml"
STATED: Final[dict[str, dict[str, Any]]] = {
    "the payout limit is forgotten": {"payout_limit": {"amount_cents": 15_500_00}},
    "a half cent is paid": {"wagers": {"ante": {"min_cents": 1, "step_cents": 1}}},
    "other bettors get a dollar more": {"wagers": {"bonus_spin": OFTEN}},
}
FAULTS: Final[dict[str, tuple[str, Any, str, Any]]] = {
    "a push is taken": ("ma-criss-cross", rules.Rules, "settle", altered(push={"result": "lose", "returned": 0})),
    "a loser pushes": ("nj-double-cross", rules.Rules, "settle", altered(lose={"result": "push"})),
    "a cent too much is paid": (STRANGER, rules.Rules, "settle", altered(more=1)),
    "a winner's stake stays": ("nj-criss-cross", rules.Rules, "settle", altered(win={"returned": 0})),
    "no commission is taken": ("nj-pai-gow", rules.Rules, "settle", altered(win={"commission": 0})),
    "a bonus is not paid": (STRANGER, rules.Rules, "bonuses", lambda *_: ()),
    "no dealer qualifies": (STRANGER, rules.Rules, "has", lambda *_: False),
    "an equal hand is higher": ("nj-double-cross", HandRank, "__gt__", lambda one, other: one._compare(other) >= 0),
    "a half cent is paid": ("nj-double-cross", Odds, "paid", lambda odds, cents: -(-cents * odds.ratio // 1)),
    "every pair is paid": ("md-criss-cross", Match, "fits", lambda match, category, ranks: category == match.hand),
    "a fold spares the last wager": (
        "nj-criss-cross",
        Game,
        "fold_forfeits",
        lambda game, step: step.fold.forfeits[:-1],
    ),
    "a foul is overlooked": ("nj-pai-gow", HighLowHand, "foul", False),
    "other bettors get a dollar more": ("nj-criss-cross", wheel, "community_cents", lambda *_: 101_00),
    "the payout limit is forgotten": ("md-criss-cross", settlement, "over_limit", lambda *_: (0, None)),
    "the house bears no part of a co-bank": ("nj-pai-gow", bank, "house_part", lambda table, cents: 0),
    "nothing goes to the meter": ("nj-pai-gow", meter_claims, "feeds", lambda *_: False),
}
"""Faults of the first settlement: a game that meets each, and what replaces a part of the table."""


@pytest.fixture
def no_rules_kept() -> Iterator[None]:
    rules.rules_of.cache_clear()
    yield
    rules.rules_of.cache_clear()


@pytest.mark.exhaustive
@pytest.mark.usefixtures("no_rules_kept")
@pytest.mark.parametrize("what", FAULTS)
def test_a_fault_of_the_first_settlement_is_found_by_the_second(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table plays by the faulty rules and agrees with itself."""
    book, of, name, faulty = FAULTS[what]
    game = compile_game(book, STATED.get(what, {}))
    monkeypatch.setattr(of, name, faulty)
    for seed in range(60):
        driver = Driver(game, seed, players=6, trouble=0.0)
        driver.play(10)
        fault = checked(written(game, rows_of(driver))).fault
        if fault is not None:
            assert fault.check == "settlement"
            return
    pytest.fail("not found")


def test_money_that_the_ledger_loses_is_found_by_the_second_books(monkeypatch: pytest.MonkeyPatch) -> None:
    see = Recount.see
    monkeypatch.setattr(
        Recount, "see", lambda self, event: see(self, event) if event["event"] != "inventory_filled" else None
    )
    driver = played(trouble=0.0)
    fill = c.RecordFill(id="x", who="floor", role="floor", at=2_000_000_000_000, cents=5)
    driver.give(fill)
    fault = fault_of(driver.table.game, rows_of(driver))
    assert (fault.check, fault.line) == ("money", len(driver.lived) + 1)
    assert "tray stands at" in fault.what


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda game: game["rulebook"].pop("wager"), "wager: missing"),
        (lambda game: game.pop("submission"), "submission"),
        (lambda game: game["submission"].update(wagers={"ante": {"min_cents": -1}}), "min_cents"),
        (lambda game: game["rulebook"].update(id=7), "id"),
        (lambda game: game.update(rulebook=[]), "line 1"),
        (lambda game: game.update(submission=[]), "line 1"),
    ],
)
def test_a_game_that_does_not_compile_is_a_fault_of_the_header(
    change: Callable[[dict[str, Any]], None], what: str
) -> None:
    game = msgspec.json.decode(msgspec.json.encode(GAMES[5].as_data()))
    change(game)

    class Forged:
        hash = ""

        def as_data(self) -> dict[str, Any]:
            return dict(game)

    forged = Forged()
    forged.hash = sha256(encode(game))
    report = checked(written(forged, []))  # type: ignore[arg-type]
    assert report.fault is not None
    assert (report.fault.check, report.fault.line) == ("header", 1)
    assert what in report.fault.what


# --- tampering shows ----------------------------------------------------------------------------------------------


def tampered(data: bytes, rng: Random) -> bytes:
    """One flip of a bit, cut, swap, removal, repetition or insertion, of bytes or of lines."""
    lines = data.splitlines(keepends=True)
    place, other = rng.randrange(len(data)), rng.randrange(len(data))
    one, two = rng.sample(range(len(lines)), 2)
    match rng.randrange(8):
        case 0:
            return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]
        case 1:
            return data[:place]
        case 2:
            return b"".join(lines[:one])
        case 3:
            lines[one], lines[two] = lines[two], lines[one]
            return b"".join(lines)
        case 4:
            return b"".join(lines[:one] + lines[one + 1 :])
        case 5:
            return b"".join([*lines[: one + 1], *lines[one:]])
        case 6:
            first, last = sorted((place, other))
            return data[:first] + data[last + 1 :] if rng.random() < 0.5 else data[:place] + data[place + 1 :]
        case _:
            low, high = sorted((place, other))
            swapped = data[:low] + data[high : high + 1] + data[low + 1 : high] + data[low : low + 1] + data[high + 1 :]
            return swapped if rng.random() < 0.5 else data[:low] + bytes([rng.randrange(256)]) + data[low:]


def is_found(data: bytes) -> bool:
    try:
        return checked(data).fault is not None
    except BadInput:
        return True


def tamper_with(history: bytes, times: int, seed: int) -> int:
    """Return the number of found alterations; those that change nothing are tried again."""
    rng, found = Random(seed), 0
    for _ in range(times):
        other = tampered(history, rng)
        while other == history:
            other = tampered(history, rng)
        found += is_found(other)
    return found


TAMPERED_WITH: Final = ("ma-criss-cross", "nj-double-cross", "nj-pai-gow")


def a_real_history(seed: int, book: str) -> bytes:
    driver = Driver(compile_game(book), seed, players=2, trouble=0.02)
    driver.play(1)
    data = written(driver.table.game, rows_of(driver))
    assert checked(data).fault is None
    return data


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", TAMPERED_WITH)
def test_hundreds_of_ways_of_tampering_are_all_found(book: str) -> None:
    assert tamper_with(a_real_history(4, book), times=100, seed=1) == 100


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
def test_a_hundred_thousand_ways_of_tampering_are_all_found(seed: int, record_property: Recorded) -> None:
    book, times = TAMPERED_WITH[seed % len(TAMPERED_WITH)], scaled(5_000)
    assert tamper_with(a_real_history(seed, book), times=times, seed=seed + 100) == times
    record_property("figure", f"{times:,} ways of tampering with a history of {book}: all found")
