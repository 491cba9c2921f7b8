"""Bonus Spin and Bonus Spin Xtreme at the table: the spinners, the payments, and the meters."""

from __future__ import annotations

from functools import reduce
from pathlib import Path
from typing import Any, Final

import pytest

from crossfelt.cards import parse_cards
from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.errors import BadInput
from crossfelt.play.bots import always, bets
from crossfelt.play.meters import Meters
from crossfelt.play.scripted.runner import PlayedRound, ScriptRunner
from crossfelt.play.session import TableSession, TickingClock
from crossfelt.play.sources import PhysicalSource, ShuffledSource
from crossfelt.progressive.meter import MICROS, Meter, evolve
from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.loader import from_data, read_file
from crossfelt.table import commands as c
from crossfelt.table import events as e
from oracles.printed_wheels import COMMUNITY, HOT_SPOT, MD, NJ
from unit.table.manual_table import Play, clause, dealt, only

RUNNER = ScriptRunner()
NJ_BOOK, MD_BOOK = "nj-criss-cross", "md-criss-cross"
POSITIONS = [0, 2, 8, 3, 7, 6, 10, 11, 9, 5, 4, 1]
"""New Jersey's printed positions of the slices, in the order of its tables."""
PAIR, NO_PAIR = "8c 8d", "2c 5d"


ALL_IN = dict.fromkeys(("across", "down", "middle"), 1_500_00)


def antes(cents: int, **spin: int) -> dict[str, int]:
    return {"ante_across": cents, "ante_down": cents, **spin}


def seat(number: int, bets: int | str = "fold", **spin: int) -> dict[str, Any]:
    decisions = dict.fromkeys(("across", "down", "middle"), bets)
    return {"seat": number, "wagers": {"ante": 10_00, **spin}, "decisions": decisions}


def play(book: str, *seats: dict[str, Any], spin: dict[str, Any] | None = None, **script: Any) -> PlayedRound:
    submission = script.pop("submission", {})
    if spin:
        submission = {**submission, "wagers": {"bonus_spin": spin}}
    return RUNNER.play({"rulebook": book, "seats": list(seats), "submission": submission, **script}, where="round")


def wager(played: PlayedRound, number: int, name: str = "bonus_spin") -> Any:
    return played.result.seats[str(number)].wagers.get(name)


def kinds(played: PlayedRound, *wanted: type[e.Event]) -> list[Any]:
    return [event for event in played.events if isinstance(event, wanted)]


def choices(book: str, letter: str) -> dict[str, Any]:
    fixed = {"top_prize": "fixed" if letter == "4" else "progressive"} if book == NJ_BOOK else {}
    return {"paytable": letter, "fixed_prize_cents": 7_777_00, **fixed}


ALL_WHEELS = [
    *(pytest.param(NJ_BOOK, letter, marks=clause(f"NJC-{53 + place}")) for place, letter in enumerate(NJ)),
    *(pytest.param(MD_BOOK, letter, marks=clause(f"MDC-{41 + place}")) for place, letter in enumerate(MD)),
]  # fmt: skip


@clause("NJC-10", "NJC-47", "NJC-48", "MDC-22", "MDC-45", "MDC-47", "MDC-48")
@pytest.mark.parametrize(("book", "letter"), ALL_WHEELS)
def test_every_slice_pays_the_spinner_and_the_others_what_is_printed(book: str, letter: str) -> None:
    stake, slices = (NJ if book == NJ_BOOK else MD)[letter]
    for index, (own, others) in enumerate(slices):
        place = POSITIONS[index] if book == NJ_BOOK else index
        progressive = letter in "35BD"
        played = play(
            book,
            seat(1, bonus_spin=stake * 100),
            seat(3),
            seat(5, bonus_spin=stake * 100),
            cards={"seat1": NO_PAIR, "seat5": PAIR},
            spin=choices(book, letter),
            chance={"wheel": {"seat5": place}},
            meters={"bonus_spin": 12_000_00} if progressive else {},
        )
        fed = 2 * stake * 7 if progressive else 0
        top = 12_000_00 + fed if progressive else 7_777_00
        won = wager(played, 5)
        assert (won.result, won.paid, won.returned) == ("win", own * 100 or top, 0)
        assert won.source == ("meter" if progressive and not own else "")
        assert wager(played, 1).result == "lose"
        shared = wager(played, 1, "bonus_spin_community")
        assert (shared.paid if shared else 0) == others * 100
        assert wager(played, 3, "bonus_spin_community") is None
        reset = 10_000_00 if progressive and not own else 0
        assert played.result.meters == (
            {"bonus_spin": fed + reset - (won.paid if won.source else 0)} if progressive else {}
        )


@clause("NJC-47", "MDC-47")
@pytest.mark.parametrize("book", [NJ_BOOK, MD_BOOK])
def test_several_pairs_spin_from_the_right_and_each_meets_the_meter_as_it_stands(book: str) -> None:
    cards = {"seat2": PAIR, "seat6": "Kc Kd", "seat4": "3c 3d"}
    played = play(
        book,
        *(seat(number, 10_00, bonus_spin=5_00, five_card_bonus=5_00) for number in (2, 4, 6)),
        cards=cards,
        chance={"wheel": {"seat6": 0, "seat4": 1, "seat2": 0}},
        meters={"bonus_spin": 20_000_00},
    )
    assert [event.seat for event in kinds(played, e.WheelSpun)] == [6, 4, 2]
    others = [event for event in kinds(played, e.WagerSettled) if event.wager != "bonus_spin"]
    assert len(others) == 3 * 6
    first_spin = played.events.index(kinds(played, e.WheelSpun)[0])
    assert all(played.events.index(event) < first_spin for event in others), "the wheel is spun when the round ends"
    first, second = kinds(played, e.AwardGranted)
    assert (first.shares, first.number) == (((6, 20_001_05),), 1)
    assert (second.shares, second.number) == (((2, 10_000_00),), 2)
    assert second.before_micros == first.after_micros


@clause("NJC-29", "NJC-39", "MDC-6", "MDC-19")
@pytest.mark.parametrize("book", [NJ_BOOK, MD_BOOK])
def test_the_sensor_takes_a_wager_before_the_lock_and_none_after(book: str) -> None:
    table = Play(book).open_for_bets(1)
    table.do(c.PlaceWagers, seat=1, wagers=antes(10_00))
    table.do(c.PlaceWagers, seat=1, wagers=antes(10_00, bonus_spin=5_00))
    locked = only(table.do(c.NoMoreBets), e.BetsLocked)
    assert (table.table.seat(1).lights, locked.also) == (("bonus_spin",), ("lock_out",))
    assert table.last(e.WagersPlaced).wagers["bonus_spin"] == 5_00
    problem = table.refusal(c.PlaceWagers, seat=1, wagers=antes(10_00, bonus_spin=5_00))
    assert problem.code == "bets.closed"
    assert set(problem.clauses) & {"NJC-29", "MDC-19"}


@clause("NJC-53", "MDC-22")
@pytest.mark.parametrize("book", [NJ_BOOK, MD_BOOK])
@pytest.mark.parametrize("cents", [1_00, 4_99, 10_00])
def test_the_stake_is_that_of_the_pay_table(book: str, cents: int) -> None:
    table = Play(book).open_for_bets(1)
    problem = table.refusal(c.PlaceWagers, seat=1, wagers=antes(10_00, bonus_spin=cents))
    assert (problem.code, problem.where, problem.allowed) == ("wager.amount", "bonus_spin", "500 cents")
    assert problem.readings == (("AMB-12",) if book == MD_BOOK else ())


@clause("MDC-22")
def test_five_dollars_with_a_one_dollar_pay_table_are_refused_by_the_reading() -> None:
    table = Play(MD_BOOK, {"wagers": {"bonus_spin": {"paytable": "B"}}}).open_for_bets(1)
    problem = table.refusal(c.PlaceWagers, seat=1, wagers=antes(10_00, bonus_spin=5_00))
    assert str(problem) == "bonus_spin: this stake is not allowed: 500 (allowed: 100 cents) [MDC-22, AMB-12]"


@clause("NJC-47", "MDC-22")
@pytest.mark.parametrize("book", [NJ_BOOK, MD_BOOK])
def test_without_a_pair_no_wheel_is_spun(book: str) -> None:
    played = play(book, seat(1, 10_00, bonus_spin=5_00), cards={"seat1": NO_PAIR})
    assert not kinds(played, e.WheelSpun)
    assert (wager(played, 1).result, wager(played, 1).paid) == ("lose", 0)


FOLDS: Final = {
    "across": {"across": "fold"},
    "down": {"across": 10_00, "down": "fold"},
    "middle": {"across": 10_00, "down": 10_00, "middle": "fold"},
}
SPINS_AFTER_FOLD: Final = {
    (NJ_BOOK, "by_the_letter"): {"across"},
    (MD_BOOK, "by_the_letter"): set(FOLDS),
    (NJ_BOOK, "kept"): set(FOLDS),
    (NJ_BOOK, "forfeited"): set(),
    (MD_BOOK, "forfeited"): set(),
}


@clause("NJC-41", "NJC-42", "NJC-43", "NJC-47", "NJC-48", "MDC-31", "MDC-32")
@pytest.mark.parametrize("folds_at", FOLDS)
@pytest.mark.parametrize(("book", "rule"), SPINS_AFTER_FOLD)
def test_a_fold_keeps_or_gives_up_the_spin_by_the_letter_or_as_chosen(book: str, rule: str, folds_at: str) -> None:
    """Seat 1 folds with a pair; seat 2 spins a slice with community pay. Each cites the reading it rests on."""
    script: dict[str, Any] = {"cards": {"seat1": PAIR, "seat2": "3c 3d"}, "chance": {"wheel": {"seat2": 3, "seat1": 1}}}
    folder = {"seat": 1, "wagers": {"ante": 10_00, "bonus_spin": 5_00}, "decisions": FOLDS[folds_at]}
    stated = {"settings": {"spin_after_fold": rule}} if rule != "by_the_letter" else {}
    played = play(book, folder, seat(2, 10_00, bonus_spin=5_00), **script, submission=stated)
    keeps = folds_at in SPINS_AFTER_FOLD[book, rule]
    assert [event.seat for event in kinds(played, e.WheelSpun)] == ([2, 1] if keeps else [2])
    community = wager(played, 1, "bonus_spin_community")
    assert (community.paid if community else 0) == (100_00 if keeps else 0)
    assert wager(played, 1).result == ("win" if keeps else "forfeit")
    cited = [wager(played, 1), *([community] if community else [])]
    assert all("AMB-7" in each.readings for each in cited)
    assert "AMB-7" not in wager(played, 2).readings


@clause("NJC-47", "MDC-31")
@pytest.mark.parametrize("book", [NJ_BOOK, MD_BOOK])
def test_a_kept_wager_that_no_wheel_is_spun_for_is_lost_by_the_reading_that_kept_it(book: str) -> None:
    """Seat 1 folds at Across without a pair, and keeps the wager to the spins; seat 2 has not folded."""
    cards = {"seat1": NO_PAIR, "seat2": "3h 7d"}
    played = play(book, seat(1, bonus_spin=5_00), seat(2, 10_00, bonus_spin=5_00), cards=cards)
    assert [(wager(played, number).result, wager(played, number).paid) for number in (1, 2)] == [("lose", 0)] * 2
    assert ["AMB-7" in wager(played, number).readings for number in (1, 2)] == [True, False]


def test_a_stake_comes_back_with_a_prize_where_that_is_chosen() -> None:
    settings = {"settings": {"spin_stake_returned": True}}
    played = play(NJ_BOOK, seat(1, bonus_spin=5_00), cards={"seat1": PAIR}, submission=settings)
    assert wager(played, 1).returned == 5_00


@clause("NJC-56")
def test_fixed_prizes_count_toward_new_jerseys_limit_and_a_jackpot_does_not() -> None:
    """Royal flushes win what is possible at high stakes; the spin comes last and is cut."""
    cards = {"seat1": "Jh Jd", "across": "As Ks", "down": "9s 8s", "middle": "Qs"}
    high = {
        "seat": 1,
        "wagers": {"ante": 500_00, "bonus_spin": 5_00},
        "decisions": dict.fromkeys(("across", "down", "middle"), 1500_00),
    }
    rich = {"submission": {"wagers": {"bonus_spin": {"top_prize": "fixed", "fixed_prize_cents": 50_000_00}}}}
    played = play(NJ_BOOK, high, cards=cards, chance={"wheel": {"seat1": 0}}, **rich)
    limited = wager(played, 1)
    others = sum(result.paid for name, result in played.result.seats["1"].wagers.items() if name != "bonus_spin")
    assert limited.paid + others == 50_000_00
    assert limited.limited == 50_000_00 - limited.paid > 0
    assert "NJC-56" in limited.clauses
    jackpot = play(NJ_BOOK, high, cards=cards, chance={"wheel": {"seat1": 0}}, meters={"bonus_spin": 60_000_00})
    assert (wager(jackpot, 1).paid, wager(jackpot, 1).limited) == (60_000_35, 0)


def test_a_limit_that_covers_the_jackpot_leaves_the_rest_on_the_meter() -> None:
    settings = {"settings": {"limit_covers_progressive": True}}
    played = play(
        NJ_BOOK, seat(1, bonus_spin=5_00), cards={"seat1": PAIR}, chance={"wheel": {"seat1": 0}},
        meters={"bonus_spin": 60_000_00}, submission=settings,
    )  # fmt: skip
    assert wager(played, 1).paid == 50_000_00
    (award,) = kinds(played, e.AwardGranted)
    assert award.after_micros == (10_000_35 + 10_000_00) * MICROS


# --- contributions ----------------------------------------------------------------------------------------------------


@clause("MDC-46")
@pytest.mark.parametrize("book", [NJ_BOOK, MD_BOOK])
@pytest.mark.parametrize("void", ["reversed", "kept"])
def test_a_void_round_takes_its_contribution_back_or_leaves_it(book: str, void: str) -> None:
    played = play(
        book,
        seat(1, bonus_spin=5_00),
        seat(2, bonus_spin=5_00),
        irregularities=[{"kind": "face_up_card", "step": "deal"}],
        submission={"settings": {"void_contributions": void}, "meters": {"bonus_spin": {"rate_per_million": 70_123}}},
    )
    assert played.result.outcome == "void"
    (made,) = kinds(played, e.ContributionMade)
    assert (made.micros, made.cents) == (10_00 * 70_123, 70)
    back = kinds(played, e.ContributionReversed)
    assert [(event.micros, event.cents) for event in back] == ([(made.micros, 70)] if void == "reversed" else [])
    assert played.result.meters == {"bonus_spin": 0 if void == "reversed" else 70}
    assert played.result.house_net == (0 if void == "reversed" else -70)


def test_residues_of_many_rounds_reach_the_meter() -> None:
    """Rounds of one table, one after the other: the ledger has moved every whole cent there was."""
    table = Play(NJ_BOOK, {"meters": {"bonus_spin": {"rate_per_million": 70_333}}})
    table.open_for_bets(1)
    micros = 0
    for _ in range(7):
        table.do(c.PlaceWagers, seat=1, wagers=antes(10_00, bonus_spin=5_00))
        table.do(c.NoMoreBets)
        micros += 5_00 * 70_333
        moved = table.table.balances.get("meter:bonus_spin", 0) * MICROS
        assert moved + table.table.residues["bonus_spin"] == micros
        table.advance(until="open_bets")


# --- the dealer's steps -----------------------------------------------------------------------------------------------


def at_spin(tray: int = 1_000_000_00, chips: int = 100_000_00) -> Play:
    table = Play(NJ_BOOK, cards=dealt(seats={1: "2c 5d", 4: "8c 8d"})).open_for_bets(1, 4, tray=tray, chips=chips)
    for number in (1, 4):
        table.do(c.PlaceWagers, seat=number, wagers=antes(10_00, bonus_spin=5_00))
    table.do(c.NoMoreBets)
    table.advance(until="spins")
    return table


def test_a_wheel_is_spun_in_turn_once_and_paid_once() -> None:
    table = at_spin()
    assert table.may("dealer") == ["spin_wheel"]
    assert table.refusal(c.SpinWheel, seat=1, stop=1).code == "spin.order"
    assert table.refusal(c.SpinWheel, seat=4, stop=12).allowed == "0 to 11"
    assert table.refusal(c.PaySpin, seat=4).code == "spin.pay"
    assert table.refusal(c.PassSpin, seat=4).code == "spin.seen"
    table.do(c.SpinWheel, seat=4, stop=3)
    assert table.refusal(c.SpinWheel, seat=4, stop=3).code == "spin.step"
    assert table.refusal(c.PaySpin, seat=1).code == "spin.order"
    paid = table.do(c.PaySpin, seat=4)
    assert [type(event) for event in paid[:2]] == [e.WagerSettled, e.AwardPaid]


def test_the_table_waits_for_the_meter_and_its_answer_must_add_up() -> None:
    table = at_spin()
    table.do(c.SpinWheel, seat=4, stop=0)
    assert table.may("dealer") == ["grant_award"]
    assert table.refusal(c.PaySpin, seat=4).code == "claimed"
    before = 10_000_00 * MICROS
    right = {"claim": 1, "number": 1, "shares": ((4, 10_000_00),), "before_micros": before, "after_micros": 0}
    for wrong, code in (
        ({"claim": 2}, "award.claim"),
        ({"shares": ((1, 10_000_00),)}, "award.shares"),
        ({"shares": ((4, -1),)}, "award.shares"),
        ({"after_micros": 1}, "award.sum"),
        ({"shares": ((4, 10_000_01),), "after_micros": 0, "seeded_micros": MICROS}, "award.more"),
    ):
        assert table.refusal(c.GrantAward, **{**right, **wrong}).code == code
    table.do(c.GrantAward, **right)
    assert table.may("dealer") == ["pay_spin"]


def test_a_tray_that_cannot_pay_waits_for_a_fill_and_the_wheel_is_not_spun_again() -> None:
    table = at_spin(tray=1_000_00, chips=200_00)
    table.do(c.SpinWheel, seat=4, stop=1)
    (halt,) = table.do(c.PaySpin, seat=4)
    assert isinstance(halt, e.PaymentHalted)
    assert table.refusal(c.PaySpin, seat=4).code == "settle.halted"
    table.do(c.RecordFill, cents=5_000_00)
    assert table.refusal(c.SpinWheel, seat=4, stop=0).code == "spin.step"
    assert isinstance(table.do(c.PaySpin, seat=4)[0], e.WagerSettled)


@pytest.mark.exhaustive
@clause("NJC-10", "NJC-47")
def test_tables_that_share_a_meter_are_paid_in_its_order_and_it_reconciles() -> None:
    """Three tables take turns, with a wheel that often stops at the jackpot."""
    stated = {"wagers": {"bonus_spin": {"paytable": "5", "weights": [6] + [1] * 11}},
              "meters": {"bonus_spin": {"rate_per_million": 71_237}}}  # fmt: skip
    game = compile_game(NJ_BOOK, stated)
    meters = Meters(game)
    tables = [
        TableSession(game, ShuffledSource(repeatable_seed(number)), at=TickingClock(), meters=meters, name=f"T{number}")
        for number in range(3)
    ]
    events: list[e.Event] = []
    for session in tables:
        session.open()
        for number in range(1, 7):
            session.sit(number, f"player {number}", 1_000_00, bets(5, spin=1) + always(1))
    for _ in range(25):
        for session in tables:
            events += [event for happened in session.play(rounds=1) for event in happened.events]
    meter = meters.meters["bonus_spin"]
    granted = [event for event in events if isinstance(event, e.AwardGranted)]
    assert len(granted) > 10
    assert [award.number for award in granted] == list(range(1, len(granted) + 1))
    moved = sum(session.table.balances.get("meter:bonus_spin", 0) for session in tables) * MICROS
    moved += sum(session.table.residues["bonus_spin"] for session in tables)
    assert meter.pool_micros == 10_000_00 * MICROS + moved
    assert reduce(evolve, meters.events["bonus_spin"], Meter()) == meter


def test_at_a_physical_table_the_dealer_names_a_folders_pair_or_passes_it_by() -> None:
    for cards, found in ((parse_cards("9c 9d"), e.WheelSpun), ((), e.WagerSettled)):
        table = physical_at_spin()
        assert table.may("dealer") == ["spin_wheel", "pass_spin", "take_back"]
        assert table.refusal(c.SpinWheel, seat=1, stop=1).where == "cards"
        assert table.refusal(c.SpinWheel, seat=1, stop=1, cards=parse_cards("9c Td")).code == "spin.trigger"
        happened = table.do(c.SpinWheel, seat=1, stop=1, cards=cards) if cards else table.do(c.PassSpin, seat=1)
        assert isinstance(happened[0], found)


def physical_at_spin() -> Play:
    table = Play(NJ_BOOK)
    table.source = table._dealer._source = PhysicalSource()  # type: ignore[assignment]
    table.open_for_bets(1)
    table.do(c.PlaceWagers, seat=1, wagers=antes(10_00, bonus_spin=5_00))
    table.do(c.NoMoreBets)
    table.do(c.DealCards)
    table.do(c.DiscardStub)
    table.do(c.Fold, seat=1)
    for cards in ("2c 3c", "4c 5c", "6c"):
        table.do(c.TurnUp, cards=parse_cards(cards))
        if table.table.turn == () and "collect_folds" in table.may("dealer"):
            table.do(c.CollectFolds)
    assert table.table.step == "spins"
    return table


def test_at_a_physical_table_the_file_says_which_hand_spins() -> None:
    """The wheel comes before the hands are shown, so that the dealer names the three cards."""
    data = read_file(Path(__file__).parents[3] / "data" / "rulebooks" / "wheel-stud.toml")
    data["script"][-2:] = reversed(data["script"][-2:])
    table = Play(compile_game(from_data(data, where="own.toml")))
    table.source = table._dealer._source = PhysicalSource()  # type: ignore[assignment]
    table.open_for_bets(1)
    table.do(c.PlaceWagers, seat=1, wagers={"ante": 10_00, "lucky_wheel": 5_00})
    for command in (c.NoMoreBets, c.DealCards, c.DiscardStub):
        table.do(command)
    assert table.refusal(c.SpinWheel, seat=1, stop=1, cards=parse_cards("9c 9d")).allowed == "3 cards"
    assert table.refusal(c.SpinWheel, seat=1, stop=1, cards=parse_cards("9c 9d 4s")).code == "spin.trigger"
    spun = table.do(c.SpinWheel, seat=1, stop=1, cards=parse_cards("9c Td 8s"))[0]
    assert isinstance(spun, e.WheelSpun)
    assert spun.prize_cents == 100_00


# --- Maryland: two stakes, and known slips ---------------------------------------------------------------------------


@clause("MDC-48", "MDC-40a")
@pytest.mark.parametrize("spinner", [1, 4])
@pytest.mark.parametrize("order", [1, 2, 3])
def test_community_pay_is_by_the_receivers_own_stake(spinner: int, order: int) -> None:
    """A $1 bettor by table A, a $5 bettor by table D, whoever of them spins."""
    index = {1: 3, 2: 5, 3: 8}[order]
    played = play(
        MD_BOOK,
        seat(1, bonus_spin=1_00),
        seat(4, bonus_spin=5_00),
        cards={f"seat{spinner}": PAIR, f"seat{5 - spinner}": NO_PAIR},
        spin={"paytable": "D", "paytable_other": "A"},
        chance={"wheel": {f"seat{spinner}": index}},
    )
    letters = {1: "A", 4: "D"}
    own, _ = MD[letters[spinner]][1][index]
    _, others = MD[letters[5 - spinner]][1][index]
    assert wager(played, spinner).paid == own * 100
    assert wager(played, 5 - spinner, "bonus_spin_community").paid == others * 100
    assert played.result.meters == {"bonus_spin": 35}


@clause("MDC-48")
@pytest.mark.parametrize(("paytable", "designated"), [("A", "B"), ("B", "A")])
def test_community_pay_is_by_the_table_that_the_operator_designates(paytable: str, designated: str) -> None:
    """The spinner is paid the slice of the wheel; the other bettor by the community pay table of the submission."""
    played = play(
        MD_BOOK,
        seat(1, bonus_spin=1_00),
        seat(4, bonus_spin=1_00),
        cards={"seat1": PAIR, "seat4": NO_PAIR},
        spin={"paytable": paytable, "community_paytable_1": designated},
        chance={"wheel": {"seat1": 3}},
    )
    assert wager(played, 1).paid == 120_00
    shared = wager(played, 4, "bonus_spin_community")
    assert shared.paid == {"A": 20_00, "B": 25_00}[designated]
    assert ("MDC-48" in shared.clauses, "AMB-9b" in shared.readings) == (True, True)


@clause("MDC-48", "MDC-51")
def test_a_community_table_of_another_stake_cannot_be_designated() -> None:
    for wagers, path in (
        ({"bonus_spin": {"community_paytable_1": "C"}}, "bonus_spin.community_paytable_1"),
        ({"bonus_spin_xtreme": {"community_paytable_5": "A"}}, "bonus_spin_xtreme.community_paytable_5"),
    ):
        with pytest.raises(BadInput, match=f"wagers.{path}: not one of the choices"):
            compile_game(MD_BOOK, {"wagers": wagers})


def test_a_fixed_prize_of_the_second_pay_table_feeds_and_takes_nothing() -> None:
    spin = {"paytable": "D", "paytable_other": "A", "fixed_prize_other_cents": 2_222_00}
    played = play(MD_BOOK, seat(1, bonus_spin=1_00), cards={"seat1": PAIR}, spin=spin, chance={"wheel": {"seat1": 0}})
    assert (wager(played, 1).paid, wager(played, 1).source, played.result.meters) == (2_222_00, "", {})


@clause("MDC-42")
@pytest.mark.parametrize("cents", [120_00, 125_00])
def test_the_slip_of_table_b_is_a_setting(cents: int) -> None:
    played = play(
        MD_BOOK, seat(1, bonus_spin=1_00), cards={"seat1": PAIR}, chance={"wheel": {"seat1": 3}},
        spin={"paytable": "B"}, submission={"settings": {"spin_b_first_slice_cents": cents}},
    )  # fmt: skip
    assert wager(played, 1).paid == cents


def test_five_dollars_with_any_pay_table_where_the_words_are_taken_literally() -> None:
    literal = {"settings": {"spin_stake_by_paytable": False}}
    script: dict[str, Any] = {"cards": {"seat1": PAIR}, "chance": {"wheel": {"seat1": 1}}, "spin": {"paytable": "A"}}
    assert wager(play(MD_BOOK, seat(1, bonus_spin=5_00), submission=literal, **script), 1).paid == 500_00
    with pytest.raises(BadInput, match="500 cents"):
        play(MD_BOOK, seat(1, bonus_spin=1_00), submission=literal, spin={"paytable": "A"})


# --- Bonus Spin Xtreme ------------------------------------------------------------------------------------------------

EVENT = {"across": "Kd Ks", "down": "9c 3h", "middle": "Kc"}


def xtreme(*seats: dict[str, Any], settings: dict[str, Any] | None = None, **script: Any) -> PlayedRound:
    tables = script.pop("tables", {})
    offered = {"bonus_spin": {"offered": False}, "bonus_spin_xtreme": {"offered": True, **tables}}
    submission = {"wagers": offered, "settings": settings or {}}
    script.setdefault("cards", EVENT)
    return RUNNER.play({"rulebook": MD_BOOK, "seats": list(seats), "submission": submission, **script}, where="round")


@clause("MDC-23", "MDC-49", "MDC-50", "MDC-51")
@pytest.mark.parametrize("letter", HOT_SPOT)
def test_every_slice_of_both_wheels_pays_what_is_printed(letter: str) -> None:
    stake, prizes = HOT_SPOT[letter]
    tables = {f"paytable_{other}": letter if other == stake else "none" for other in (1, 2, 5)}
    for index, prize in enumerate([0, *prizes]):
        community = index % 8
        played = xtreme(
            seat(2, bonus_spin_xtreme=stake * 100),
            seat(5, 10_00, bonus_spin_xtreme=stake * 100),
            seat(6, 10_00),
            tables=tables,
            chance={"xtreme": {"community": community, "hot_spot": 2, "prize": index}},
            meters={"xtreme": 8_000_00},
        )
        hot, cold = wager(played, 2, "bonus_spin_xtreme"), wager(played, 5, "bonus_spin_xtreme")
        assert (hot.result, hot.paid) == ("win", prize * 100 or 8_000_00 + 2 * stake * 7)
        assert hot.source == ("" if prize else "meter")
        assert (cold.result, cold.paid) == ("lose", 0)
        for number in (2, 5):
            assert wager(played, number, "bonus_spin_xtreme_community").paid == COMMUNITY[letter][community] * 100
        assert wager(played, 6, "bonus_spin_xtreme_community") is None


@clause("MDC-23", "MDC-50")
def test_each_is_paid_from_the_table_of_the_own_stake() -> None:
    played = xtreme(
        seat(1, bonus_spin_xtreme=1_00),
        seat(2, bonus_spin_xtreme=2_00),
        seat(3, bonus_spin_xtreme=5_00),
        chance={"xtreme": {"community": 0, "hot_spot": 2, "prize": 1}},
    )
    paid = [wager(played, number, "bonus_spin_xtreme_community").paid for number in (1, 2, 3)]
    assert paid == [COMMUNITY[letter][0] * 100 for letter in "ADG"]
    assert wager(played, 2, "bonus_spin_xtreme").paid == HOT_SPOT["D"][1][0] * 100


@clause("MDC-50", "MDC-51")
@pytest.mark.parametrize(
    ("paytable", "designated", "stake"), [("A", "B", 1), ("B", "A", 1), ("E", "D", 2), ("G", "I", 5)]
)
def test_the_community_wheel_is_the_one_that_the_operator_designates(
    paytable: str, designated: str, stake: int
) -> None:
    for index in range(8):
        played = xtreme(
            seat(1, bonus_spin_xtreme=stake * 100),
            seat(2, bonus_spin_xtreme=stake * 100),
            tables={f"paytable_{stake}": paytable, f"community_paytable_{stake}": designated},
            chance={"xtreme": {"community": index, "hot_spot": 2, "prize": 1}},
        )
        assert wager(played, 2, "bonus_spin_xtreme").paid == HOT_SPOT[paytable][1][0] * 100
        for number in (1, 2):
            assert wager(played, number, "bonus_spin_xtreme_community").paid == COMMUNITY[designated][index] * 100


@clause("MDC-23")
def test_without_the_event_the_wager_is_lost() -> None:
    played = xtreme(seat(1, bonus_spin_xtreme=1_00), cards={"across": "Kd Ks", "down": "9c 3h", "middle": "2c"})
    assert not kinds(played, e.XtremeSpun)
    assert wager(played, 1, "bonus_spin_xtreme").result == "lose"


def test_the_hot_spot_may_be_kept_from_the_community_prize() -> None:
    chance = {"xtreme": {"community": 0, "hot_spot": 1, "prize": 1}}
    played = xtreme(seat(1, bonus_spin_xtreme=1_00), chance=chance, settings={"hot_spot_also_community": False})
    assert wager(played, 1, "bonus_spin_xtreme_community") is None
    assert wager(played, 1, "bonus_spin_xtreme").paid == 250_00


def test_the_hot_spot_may_fall_on_a_seat_without_the_wager() -> None:
    chance = {"xtreme": {"community": 0, "hot_spot": 6, "prize": 0}}
    with pytest.raises(BadInput, match="the hot spot cannot fall on this seat"):
        xtreme(seat(1, bonus_spin_xtreme=1_00), chance=chance)
    played = xtreme(seat(1, bonus_spin_xtreme=1_00), chance=chance, settings={"xtreme_hot_spot_among": "all_seats"})
    assert not kinds(played, e.AwardClaimed)
    assert wager(played, 1, "bonus_spin_xtreme_community").paid == 35_00


@clause("MDC-4")
def test_both_spin_wagers_only_where_that_is_chosen() -> None:
    both = {"bonus_spin_xtreme": {"offered": True}}
    script = {
        "rulebook": MD_BOOK,
        "seats": [seat(1, bonus_spin=5_00, bonus_spin_xtreme=1_00)],
        "cards": {**EVENT, "seat1": PAIR},
        "chance": {"wheel": {"seat1": 1}, "xtreme": {"community": 0, "hot_spot": 1, "prize": 2}},
    }
    with pytest.raises(BadInput, match="at most one"):
        RUNNER.play({**script, "submission": {"wagers": both}}, where="round")
    together = {"wagers": both, "settings": {"spin_wagers_together": True}}
    played = RUNNER.play({**script, "submission": together}, where="round")
    assert (wager(played, 1).paid, wager(played, 1, "bonus_spin_xtreme").paid) == (2_500_00, 100_00)
    assert played.result.meters == {"bonus_spin": 35, "xtreme": 7}


@pytest.mark.parametrize(
    ("chance", "found"),
    [
        ({"wheel": {"seat1": 12}}, "chance.wheel.seat1: no such slice of wheel bonus_spin.3: 12 (allowed: 0 to 11)"),
        ({"wheel": {"seat2": 1}}, "chance.wheel.seat2: no wheel is spun for this seat (allowed: seat1)"),
        ({"magic_card": "As"}, "chance.magic_card: the pay table of this table has no such award"),
    ],
)
def test_chance_that_cannot_be_is_refused_in_one_line(chance: dict[str, Any], found: str) -> None:
    with pytest.raises(BadInput) as bad:
        play(NJ_BOOK, seat(1, bonus_spin=5_00), chance=chance)
    assert found in str(bad.value)
