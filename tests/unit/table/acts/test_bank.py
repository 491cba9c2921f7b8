"""A player's bank in Pai Gow Poker: the offer, the cover, and the money."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pytest
from msgspec.structs import replace

from crossfelt.cards.card import Card
from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.money.ledger import BANK, HOUSE_RISK, TRAY, chips_of
from crossfelt.play.round_result import RoundResult, WagerResult, check_ledger, result_of
from crossfelt.play.session import AppliedCommand, TableSession, TickingClock
from crossfelt.play.sources import ScriptedSource
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.table import events as e
from crossfelt.table.act import Move
from crossfelt.table.acts.set_hands import position_of
from crossfelt.table.engine import Refused, allowed
from crossfelt.table.state import TableState

BANKER: Final = 3
GOOD: Final = "As Ad Kc Kh 9s 5d 2c"
"""Kings in front, aces behind."""
FAIR: Final = "Qs Qd Tc 7h 5s 3d 2h"
"""Ten-seven in front, queens behind."""
POOR: Final = "Js 9d 8h 6c 4s 3c 2s"
"""Nine-eight in front, jack-high behind."""
WEAK: Final = "Jd 9c 7d 6d 4h 3h 2d"
"""Nine-seven in front, jack-high behind."""
clause = pytest.mark.clause


class Named(ScriptedSource):
    """Dice that total eight: the first hand goes to whoever counts as one, and each hand is the one named."""

    bank = 0

    def _first_position(self, table: TableState) -> int:
        self._dice = (2, 3, 3)
        return position_of(8, first=self.bank)


class Evening:
    """A first round against the house, after which the bank is offered."""

    def __init__(
        self,
        cards: Mapping[str, str],
        mains: Mapping[int, int],
        submission: dict[str, Any] | None = None,
        *,
        bank: int = BANKER,
        chips: int = 10_000_00,
    ) -> None:
        self.game: Game = compile_game("nj-pai-gow", submission or {})
        self.source = Named(self.game, cards, list(mains), repeatable_seed(1))
        self.session = TableSession(self.game, self.source, at=TickingClock())
        self.session.open(100_000_00)
        self.events: list[e.Event] = []
        for seat in mains:
            self.did(self.session.sit(seat, f"p{seat}", chips))
        self.advance()
        for seat, cents in mains.items():
            self.move("place_wagers", seat, wagers={"main": cents})
        self.did(self.session.lock())
        self.source.bank = bank
        self.advance()
        self.set_all()

    @property
    def table(self) -> TableState:
        return self.session.table

    def did(self, answer: AppliedCommand | Refused) -> tuple[e.Event, ...]:
        assert isinstance(answer, AppliedCommand), answer
        self.events += answer.events
        return answer.events

    def move(self, name: str, seat: int, **fields: Any) -> tuple[e.Event, ...]:
        return self.did(self.session.ask(Move(name, {"seat": seat, **fields}), f"p{seat}"))

    def refusal(self, name: str, seat: int, **fields: Any) -> str:
        answer = self.session.ask(Move(name, {"seat": seat, **fields}), f"p{seat}")
        assert isinstance(answer, Refused), answer
        return answer.problem.code

    def advance(self) -> None:
        for happened in self.session.advance():
            self.events += happened.events

    def set_all(self) -> None:
        for seat in self.table.turn:
            self.move("set_house_way", seat)
        self.advance()

    def take(self, *, co_bank: bool = False) -> None:
        """Let every seat before the banker decline, and the banker take the bank."""
        while self.table.turn[0] != BANKER:
            self.move("decline_bank", self.table.turn[0])
        self.move("take_bank", BANKER, co_bank=co_bank)

    def bet(self, wagers: Mapping[int, Mapping[str, int]]) -> None:
        for seat, placed in wagers.items():
            self.move("place_wagers", seat, wagers=dict(placed))
        self.before = self.table.balances
        self.did(self.session.lock())
        self.advance()

    def result(self) -> RoundResult:
        opened = max(place for place, event in enumerate(self.events) if isinstance(event, e.RoundOpened))
        closed = [place for place, event in enumerate(self.events) if isinstance(event, e.RoundClosed)][-1]
        if opened > closed:
            opened = [place for place, event in enumerate(self.events) if isinstance(event, e.RoundOpened)][-2]
        return result_of(self.game, self.events[opened : closed + 1])


def banked(
    hands: Mapping[int, str], mains: Mapping[int, int], *, co_bank: bool = False, **submission: Any
) -> tuple[Evening, RoundResult]:
    """A round in which seat 3 banks, and what it comes to; the dealer has 10 dollars against a bank held alone."""
    cards = {("dealer" if seat == 0 else f"seat{seat}"): text for seat, text in hands.items()}
    evening = Evening(cards, dict.fromkeys((seat for seat in hands if seat), 10_00), submission)
    evening.take(co_bank=co_bank)
    chips = evening.table.balances
    evening.bet({seat: {"main": cents} for seat, cents in mains.items()})
    evening.set_all()
    result = evening.result()
    check_ledger(result, chips, evening.table.balances)
    return evening, result


def entry(result: RoundResult, seat: int, name: str) -> WagerResult:
    return replace(result.seats[str(seat)].wagers[name], hand="", clauses=(), readings=(), house_rule="")


HANDS: Final = {0: POOR, 1: GOOD, 3: FAIR, 5: WEAK}
"""Against the bank in seat 3 seat 1 wins, seat 5 loses, and so does the dealer."""


# --- settled through the escrow ---


@clause("PGP-11", "PGP-13")
def test_wagers_are_compared_with_the_bank_which_pays_commission_on_its_net() -> None:
    evening, result = banked(HANDS, {1: 20_00, 5: 50_00})
    assert entry(result, 1, "main") == WagerResult(
        stake=20_00, result="win", returned=20_00, paid=20_00, commission=1_00
    )
    assert entry(result, 5, "main") == WagerResult(stake=50_00, result="lose", returned=0, paid=0)
    assert entry(result, BANKER, "bank") == WagerResult(
        stake=80_00, result="win", returned=80_00, paid=40_00, commission=2_00
    )
    assert result.house_net == 1_00 + 2_00 - 10_00
    assert BANK not in evening.table.balances
    assert HOUSE_RISK not in evening.table.balances


def test_a_bank_that_loses_pays_no_commission() -> None:
    _, result = banked(HANDS, {1: 50_00, 5: 20_00})
    assert entry(result, BANKER, "bank") == WagerResult(stake=80_00, result="lose", returned=60_00, paid=0)
    assert result.seats["3"].net == -20_00


def test_the_dealer_plays_what_the_banker_last_wagered_and_pays_no_commission() -> None:
    evening, result = banked({0: GOOD, 1: POOR, 3: FAIR}, {1: 20_00})
    [wager] = [event for event in evening.events if isinstance(event, e.HouseWagerSettled)]
    assert (wager.bank, wager.stake, wager.result, wager.returned, wager.paid) == (3, 10_00, "win", 10_00, 10_00)
    assert entry(result, BANKER, "bank") == WagerResult(
        stake=30_00, result="win", returned=30_00, paid=10_00, commission=50
    )
    assert result.house_net == 10_00 + 50


def test_a_co_bank_covers_and_divides_half_and_half() -> None:
    evening, result = banked(HANDS, {1: 20_00, 5: 50_00}, co_bank=True)
    [covered] = [event for event in evening.events if isinstance(event, e.BankCovered)]
    assert (covered.cents, covered.house_cents, covered.house_wager) == (35_00, 35_00, 0)
    assert entry(result, BANKER, "bank") == WagerResult(
        stake=35_00, result="win", returned=35_00, paid=15_00, commission=75
    )
    assert result.house_net == 1_00 + 15_00 + 75


def test_part_of_a_cent_stays_with_the_house() -> None:
    stakes: dict[str, Any] = {"wagers": {"main": {"step_cents": 1}}}
    _, won = banked(HANDS, {1: 10_00, 5: 10_01}, co_bank=True, **stakes)
    assert (won.seats["3"].wagers["bank"].stake, won.seats["3"].net) == (10_01, 0)
    _, lost = banked(HANDS, {1: 10_01, 5: 10_00}, co_bank=True, **stakes)
    assert lost.seats["3"].net == -1


@clause("PGP-11")
def test_copies_go_to_the_bank_and_a_fouled_bank_loses_to_every_hand() -> None:
    _, copy = banked({0: GOOD, 1: "Jc 9h 8d 6h 4d 3s 2h", 3: POOR}, {1: 20_00})
    assert entry(copy, 1, "main").result == "lose"
    evening = Evening({"dealer": POOR, "seat1": WEAK, "seat3": GOOD}, {1: 10_00, 3: 10_00})
    evening.take()
    evening.bet({1: {"main": 20_00}})
    evening.move("set_house_way", 1)
    assert evening.refusal("set_hand", BANKER, low=(Card("As"), Card("Ad"))) == "set.foul"
    evening.move("set_hand", BANKER, low=(Card("As"), Card("Ad")), insists=True)
    evening.advance()
    assert entry(evening.result(), 1, "main").result == "win"
    assert entry(evening.result(), BANKER, "bank") == WagerResult(stake=30_00, result="lose", returned=0, paid=0)


@clause("PGP-13")
def test_optional_wagers_are_played_against_the_house_with_any_bank() -> None:
    evening = Evening({"dealer": POOR, "seat1": GOOD, "seat3": FAIR}, {1: 10_00, 3: 10_00})
    evening.take()
    evening.bet({1: {"main": 10_00, "imperial": 2_00, "seven_card": 5_00}})
    evening.set_all()
    result = evening.result()
    # The dealer's jack-high pays the imperial bonus five to one: the banker's queens do not count for it.
    assert entry(result, 1, "imperial") == WagerResult(stake=2_00, result="win", returned=2_00, paid=10_00)
    assert entry(result, 1, "seven_card") == WagerResult(stake=5_00, result="lose", returned=0, paid=0)
    assert entry(result, BANKER, "bank") == WagerResult(stake=20_00, result="push", returned=20_00, paid=0)
    assert result.house_net == 50 - 10_00 + 5_00 - 10_00
    assert [event.bank for event in evening.events if isinstance(event, e.WagerSettled)][-3:] == [0, 3, 0]


def test_the_imperial_bonus_may_look_at_the_bank_instead() -> None:
    cards = {"dealer": FAIR, "seat1": GOOD, "seat3": POOR}
    evening = Evening(cards, {1: 10_00, 3: 10_00}, {"settings": {"imperial_banker_hand": "bank"}})
    evening.take()
    evening.bet({1: {"main": 10_00, "imperial": 2_00}})
    evening.set_all()
    assert entry(evening.result(), 1, "imperial").paid == 10_00


def test_without_commission_a_queen_high_bank_pushes() -> None:
    ez: dict[str, Any] = {"settings": {"ez_variation": True}}
    _, result = banked({0: GOOD, 1: WEAK, 3: "Qc Ts 8s 7c 5h 4c 2h"}, {1: 20_00}, **ez)
    assert entry(result, 1, "main").result == "push"
    assert entry(result, BANKER, "bank") == WagerResult(stake=30_00, result="push", returned=30_00, paid=0)
    _, won = banked(HANDS, {1: 20_00, 5: 50_00}, **ez)
    assert entry(won, BANKER, "bank").commission == 0


# --- whose turn ---


def test_the_house_banks_first_and_after_every_player() -> None:
    evening, _ = banked(HANDS, {1: 20_00, 5: 50_00})
    offers = [event.turn for event in evening.events if isinstance(event, e.StepEntered) and event.step == "offer_bank"]
    assert offers == [(5, 3, 1)]
    evening.bet({seat: {"main": 10_00} for seat in (1, 3, 5)})
    evening.set_all()
    assert evening.table.step == "offer_bank"
    assert evening.table.turn == (1, 5, 3)


def test_without_a_taker_the_house_banks() -> None:
    evening = Evening({}, {1: 10_00, 3: 10_00})
    evening.move("decline_bank", 3)
    assert evening.refusal("take_bank", 3) == "bank.turn"
    declined = [event for event in evening.did(_timed_out(evening, 1)) if isinstance(event, e.BankDeclined)]
    assert [event.timed_out for event in declined] == [True]
    assert (evening.table.step, evening.table.bank) == ("open_bets", None)


def _timed_out(evening: Evening, seat: int) -> AppliedCommand | Refused:
    return evening.session.ask(Move("time_out", {"seat": seat}), "dealer", "dealer")


def test_who_did_not_play_the_last_round_is_not_asked() -> None:
    evening = Evening({}, {1: 10_00, 3: 10_00})
    for seat in (3, 1):
        evening.move("decline_bank", seat)
    evening.bet({3: {"main": 10_00}})
    evening.set_all()
    assert evening.table.turn == (3,)
    assert evening.refusal("take_bank", 1) == "bank.turn"


NO_BANK: Final = {"bank": {"offered": False, "co_bank_offered": False}}


def test_a_table_may_have_no_bank() -> None:
    assert Evening({}, {1: 10_00, 3: 10_00}, NO_BANK).table.step == "open_bets"


def test_who_banks_places_no_wager_and_may_give_the_bank_back() -> None:
    evening = Evening({}, {1: 10_00, 3: 10_00})
    evening.take()
    assert evening.refusal("place_wagers", BANKER, wagers={"main": 10_00}) == "bank.wagers"
    evening.move("decline_bank", BANKER)
    assert evening.table.bank is None
    evening.move("place_wagers", BANKER, wagers={"main": 10_00})


def test_a_banker_who_gets_up_gives_the_bank_back() -> None:
    evening = Evening({}, {1: 10_00, 3: 10_00})
    evening.take()
    kinds = [type(event) for event in evening.move("leave_seat", BANKER)]
    assert kinds == [e.BankReturned, e.SeatLeft]


# --- what it covers ---


def test_a_wager_beyond_the_cover_is_refused_and_the_smallest_stay_possible() -> None:
    evening = Evening({}, {1: 10_00, 3: 10_00, 5: 10_00}, {"wagers": {"main": {"max_cents": 20_000_00}}})
    for seat in (1, 5):
        evening.move("buy_chips", seat, cents=50_000_00)
    evening.take()
    chips = evening.table.balances[chips_of(BANKER)]
    most = chips - 10_00 - 10_00
    assert evening.refusal("place_wagers", 1, wagers={"main": most + 1_00}) == "bank.cover"
    [option] = [o for o in allowed(evening.table, "p1", "player") if o.command == "place_wagers" and o.ranges]
    assert most - 1_00 < option.ranges["main"].max <= most
    evening.move("place_wagers", 1, wagers={"main": option.ranges["main"].max})
    [last] = [o for o in allowed(evening.table, "p5", "player") if o.command == "place_wagers" and o.ranges]
    assert last.ranges["main"].max == 10_00


@pytest.mark.parametrize(("chips", "offered"), [(30_00, [False, True]), (29_00, [True]), (15_00, [True]), (14_00, [])])
def test_a_bank_is_offered_to_a_player_who_covers_the_smallest_wagers_of_the_others(
    chips: int, offered: list[bool]
) -> None:
    """Ten dollars lost in the first round leave so much less; half of the cover does for a co-bank."""
    cards = {"dealer": GOOD, "seat1": POOR, "seat3": WEAK}
    evening = Evening(cards, {1: 10_00, 3: 10_00}, chips=chips)
    options = allowed(evening.table, "p3", "player")
    assert [option.fields["co_bank"] for option in options if option.command == "take_bank"] == offered


def test_the_tray_keeps_what_a_bank_counts_on() -> None:
    evening = Evening({}, {1: 10_00, 3: 10_00})
    evening.take()
    tray = evening.table.balances[TRAY]
    credit = Move("record_credit", {"cents": tray - 10_00 + 1})
    assert isinstance(evening.session.ask(credit, "floor", "floor"), Refused)
    assert isinstance(
        evening.session.ask(replace(credit, fields={"cents": tray - 10_00}), "floor", "floor"), AppliedCommand
    )


# --- the hands ---


def test_the_count_begins_with_the_bank_and_its_hand_is_exposed_first() -> None:
    evening, _ = banked(HANDS, {1: 20_00, 5: 50_00})
    assert [event.position for event in evening.events if isinstance(event, e.FirstHandChosen)] == [0, BANKER]
    assert [event.seat for event in evening.events if isinstance(event, e.HandsExposed)][-3:] == [3, 5, 1]


def test_a_co_banked_hand_is_set_the_house_way() -> None:
    evening = Evening({"seat3": GOOD}, {1: 10_00, 3: 10_00})
    evening.take(co_bank=True)
    evening.bet({1: {"main": 10_00}})
    assert evening.refusal("set_hand", BANKER, low=(Card("9s"), Card("5d"))) == "set.co_bank"
    [set_hand] = [event for event in evening.move("set_house_way", BANKER) if isinstance(event, e.HandSet)]
    assert set(set_hand.low) == {Card("Kc"), Card("Kh")}


def test_a_void_round_releases_the_bank() -> None:
    evening = Evening({}, {1: 10_00, 3: 10_00})
    evening.take()
    before = evening.table.balances
    evening.bet({1: {"main": 20_00}})
    report = Move("report_irregularity", {"kind": "wrong_card_count", "case": "player", "seat": 1})
    events = evening.did(evening.session.ask(report, "dealer", "dealer"))
    [released] = [event for event in events if isinstance(event, e.BankReleased)]
    assert (released.stake, released.cents, released.house_wager) == (30_00, 30_00, 10_00)
    evening.advance()
    assert {name: evening.table.balances[name] for name in before} == dict(before)
    assert evening.table.turn == (3, 1), "a void round leaves the offer where it was"


def test_a_bank_is_settled_even_if_every_player_surrenders() -> None:
    evening = Evening({"dealer": POOR, "seat3": GOOD}, {1: 10_00, 3: 10_00})
    evening.take()
    evening.bet({1: {"main": 20_00}})
    evening.move("surrender", 1)
    evening.set_all()
    assert entry(evening.result(), BANKER, "bank") == WagerResult(
        stake=30_00, result="win", returned=30_00, paid=30_00, commission=1_50
    )


# --- envy and the clock ---


def test_envy_is_paid_for_another_players_hand_even_where_every_wager_lost() -> None:
    cards = {"dealer": GOOD, "seat1": POOR, "seat5": "7s 7d 7c 7h 5s 3d 2h"}
    evening = Evening(cards, {1: 10_00, 3: 10_00, 5: 10_00}, bank=0)
    for seat in evening.table.turn:
        evening.move("decline_bank", seat)
    evening.bet({1: {"main": 10_00, "seven_card": 5_00}, 5: {"main": 10_00, "seven_card": 4_00}})
    evening.set_all()
    result = evening.result()
    assert entry(result, 1, "seven_card_envy") == WagerResult(
        stake=0, result="win", returned=0, paid=5_00, illustrative=True
    )
    assert result.seats["1"].wagers["seven_card_envy"].house_rule
    assert "seven_card_envy" not in result.seats["5"].wagers, "a wager under five dollars earns no envy"
    paid = [event.seat for event in evening.events if isinstance(event, e.AwardPaid)]
    assert paid == [1]


@pytest.mark.parametrize("on_timeout", ["house_way", "floor_decides"])
def test_a_hand_that_is_not_set_in_time(on_timeout: str) -> None:
    play = {"play": {"decision_seconds": 60, "on_timeout": on_timeout}, **NO_BANK}
    evening = Evening({"seat1": GOOD}, {1: 10_00, 3: 10_00}, play, bank=0)
    evening.bet({1: {"main": 10_00}, 3: {"main": 10_00}})
    early = _timed_out(evening, 1)
    assert isinstance(early, Refused)
    assert early.problem.code == "timeout.early"
    evening.session._at = TickingClock(start=10**9)
    events = evening.did(_timed_out(evening, 1))
    if on_timeout == "floor_decides":
        assert evening.table.pending is not None
        ruling = Move("decide_floor", {"ruling": "house_way"})
        events = evening.did(evening.session.ask(ruling, "floor", "floor"))
    [set_hand] = [event for event in events if isinstance(event, e.HandSet)]
    assert set_hand.timed_out
    assert set(set_hand.low) == {Card("Kc"), Card("Kh")}
