"""The progressive wager of 11.14A at the table: credits, the start button, who checks a win, the meter, the papers.

Cards and amounts are worked out by hand from the clauses. Meters stand at $30,000 before the round, and every credit
of a dollar adds seventy cents.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

import pytest

from crossfelt.cards.card import Card
from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.errors import BadInput
from crossfelt.games.progressive_wager import cards_making
from crossfelt.hands.joker import rank_progressive_seven
from crossfelt.money.ledger import meter_account
from crossfelt.play.meters import Meters
from crossfelt.play.round_result import WagerResult
from crossfelt.play.scripted.runner import PlayedRound, ScriptRunner
from crossfelt.play.sources import PhysicalSource, ScriptedSource
from crossfelt.progressive.events import AwardGranted
from crossfelt.rulebooks.script import SetHands
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.automation import Dealer
from crossfelt.table.commands import Command
from crossfelt.table.credits import draw_weights
from crossfelt.table.state import step_of
from unit.table.manual_table import Play, clause, game_of, names, only

PLAYER, DEALER = "progressive_player", "progressive_dealer"
HANDS: Final = {
    "seven_card_straight_flush": "2s 3s 4s 5s 6s Jk 8s",
    "five_aces": "As Ac Ad Ah Jk 9s 4s",
    "royal_flush": "Ts Js Qs Ks As 9c 4c",
    "straight_flush": "5s 6s Jk 8s 9s Kd 2d",
    "four_of_a_kind": "8d 8c 8h 8s Ks 5d 2c",
    "full_house": "Ts Th Td 9s 9c 5d 2c",
    "nothing": "Ks Qd 9s 8c 7d 4s 2c",
}
OTHER: Final = "Kc Jd 9h 7c 6d 4h 2h"
"""Cards that none of those hands need, and that win nothing."""
DEALS: Final = "Kh Qh Jc 9d 7h 5h 3c"
HOLDS_NONE: Final = "Kh Qh Jc 8h 7h 5h 3c"
"""A dealer's hand of cards that none of the hands of one player's progressive wager holds."""
ACES_AND_JACKS: Final = "Ac Ad Jh Js Jc 7h 3c"
STANDS: Final = 30_000_00
NONE: Final = {"magic_card": "none", "lucky_seat": 0, "lucky_dealer": False}
ON_PLAYER: Final = {"magic_card": "none", "lucky_seat": 0}
ON_DEALER: Final = {"magic_card": "none", "lucky_dealer": False}
BOTH: Final = {1: {PLAYER: 2_00}, 4: {PLAYER: 2_00}}
RUNNER: Final = ScriptRunner()


def seat(number: int, player: int = 0, dealer: int = 0, decisions: Any = None, **wagers: int) -> dict[str, Any]:
    staked = {PLAYER: player, DEALER: dealer, **wagers}
    placed = {"main": 10_00, **{wager: amount for wager, amount in staked.items() if amount}}
    return {"seat": number, "wagers": placed, "decisions": decisions or {"set": "house-way"}}


def played(
    cards: Mapping[str, str], *seats: dict[str, Any], letter: str = "A", chance: Any = None, **fields: Any
) -> PlayedRound:
    stated = fields.pop("submission", {})
    wagers = {**stated.get("wagers", {}), "progressive": {"paytable": letter, **fields.pop("progressive", {})}}
    script = {
        "rulebook": "nj-pai-gow",
        "cards": {"dealer": DEALS, **cards},
        "seats": seats,
        "chance": chance or {},
        "meters": {"pai_gow": STANDS},
        "submission": {**stated, "wagers": wagers},
        **fields,
    }
    return RUNNER.play(script, where="round")


def entry(round_: PlayedRound, number: int, wager: str = PLAYER) -> WagerResult:
    return round_.result.seats[str(number)].wagers[wager]


def paid(round_: PlayedRound, number: int, wager: str = PLAYER) -> tuple[str, int, int]:
    found = entry(round_, number, wager)
    return found.result, found.returned, found.paid


class Table(Play):
    """A table of Pai Gow Poker with its meter, dealt as named."""

    def __init__(
        self,
        cards: Mapping[str, str],
        bets: Mapping[int, Mapping[str, int]],
        stated: Any = None,
        *,
        meters: Meters | None = None,
        name: str = "table",
        drawn: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__("nj-pai-gow", stated or {})
        self.name = name
        stops = {"lucky_seat": 0, "lucky_dealer": 0, "magic_card": 0, **(drawn or {})}
        source = ScriptedSource(
            self.game, {"dealer": DEALS, **cards}, list(bets), repeatable_seed(0), dice=(2, 3, 3), stops=stops
        )
        self._dealer = Dealer(source)
        self.meters = meters or Meters(self.game, {"pai_gow": STANDS})
        self.grants: list[dict[str, Any]] = []
        self.open_for_bets(*bets)
        for number, wagers in bets.items():
            self.do(c.PlaceWagers, seat=number, wagers={"main": 10_00, **wagers})

    def give(self, command: Command) -> tuple[e.Event, ...]:
        events = super().give(command)
        self.grants += self.meters.receive(self.table, events, self.name)
        return events

    def until(self, kind: type[Command] | None = None, step: str = "shuffle") -> Table:
        """Play until a command is due, or until the round reaches a step."""
        while self.table.step != step:
            if self.grants:
                self.do(c.GrantAward, **self.grants.pop(0))
                continue
            command = self._dealer.next_command(self.table, self.at)
            if command is not None:
                if type(command) is kind:
                    return self
                self.give(command)
                continue
            if isinstance(step_of(self.table), SetHands):
                self.do(c.SetHouseWay, seat=self.table.turn[0])
            else:
                self.do(c.NoMoreBets)
        return self


def full_house(**drawn: int) -> Table:
    return Table({"seat1": HANDS["full_house"], "seat4": OTHER}, {1: {PLAYER: 2_00}, 4: {DEALER: 3_00}}, drawn=drawn)


# --- placing credits --------------------------------------------------------------------------------------------------


@clause("PGP-6", "PGP-14")
@pytest.mark.parametrize("stated", [{}, {"settings": {"ez_variation": True}}], ids=["pai gow", "ez pai gow"])
@pytest.mark.parametrize("bets", [{PLAYER: 1_00}, {DEALER: 5_00}, {PLAYER: 2_00, DEALER: 3_00}], ids=str)
def test_credits_are_staked_on_the_players_hand_the_dealers_or_both(bets: dict[str, int], stated: Any) -> None:
    table = Table({}, {1: bets, 2: {}}, stated)
    placed = next(event for event in table.all(e.WagersPlaced) if event.seat == 1)
    assert placed.wagers == {"main": 10_00, **bets}
    assert {"PGP-6", "PGP-14"} <= set(placed.clauses)
    assert table.seat(1).wagers == {"main": 10_00, **bets}
    (option,) = (one for one in table.options("player", "Ben") if one.command == "place_wagers" and one.ranges)
    assert {PLAYER, DEALER} <= set(option.optional)
    assert all((option.ranges[w].min, option.ranges[w].max, option.ranges[w].step) == (1_00, 5_00, 1_00) for w in bets)


@clause("PGP-6")
@pytest.mark.parametrize(
    ("wagers", "code", "value", "allowed"),
    [
        ({PLAYER: 2_00}, "wager.missing", "main", "place it with the others"),
        ({"main": 10_00, PLAYER: 6_00}, "wager.amount", 6, "1 to 5 credits of 100 cents"),
        ({"main": 10_00, DEALER: 0}, "wager.amount", 0, "1 to 5 credits of 100 cents"),
        ({"main": 10_00, DEALER: 1_50}, "wager.amount", 150, "100 to 500 cents in steps of 100"),
    ],
)
def test_credits_need_a_main_wager_and_come_whole(wagers: Any, code: str, value: Any, allowed: str) -> None:
    problem = Table({}, {1: {}}).refusal(c.PlaceWagers, seat=1, wagers=wagers)
    assert (problem.code, problem.value, problem.allowed) == (code, value, allowed)
    assert code == "wager.missing" or "PGP-6" in problem.clauses


@clause("PGP-6", "PGP-15")
def test_no_credit_is_staked_once_the_start_button_is_pressed() -> None:
    table = full_house()
    events = table.do(c.NoMoreBets)
    locked = only(events, e.BetsLocked)
    assert (locked.announcement, locked.by, locked.at) == ("no more bets", "dealer", table.at)
    assert (locked.also, locked.clauses) == (("start_button",), ("PGP-15",))
    wagers = {"main": 10_00, PLAYER: 3_00}
    problem = table.refusal(c.PlaceWagers, seat=1, wagers=wagers)
    assert (problem.code, problem.what) == ("bets.closed", "it is too late to increase a wager")
    assert "PGP-15" in problem.clauses
    assert table.refusal(c.PlaceWagers, seat=4, wagers={}).code == "bets.closed"


@clause("PGP-27")
@pytest.mark.parametrize(("rate", "added"), [(700_000, 3_50_000_000), (900_000, 4_50_000_000), (700_001, 3_50_000_500)])
def test_the_rate_of_progression_goes_to_the_meter_at_the_lock(rate: int, added: int) -> None:
    stated = {"meters": {"pai_gow": {"rate_per_million": rate}}}
    table = Table({}, {1: {PLAYER: 2_00}, 4: {DEALER: 3_00}, 6: {}}, stated)
    made = only(table.do(c.NoMoreBets), e.ContributionMade)
    assert (made.stake_cents, made.micros, made.cents) == (5_00, added, added // 1_000_000)
    assert table.meters.meters["pai_gow"].pool_micros == STANDS * 1_000_000 + added
    with pytest.raises(BadInput, match="PGP-27"):
        game_of("nj-pai-gow", {"meters": {"pai_gow": {"rate_per_million": 699_999}}})


# --- the start button -------------------------------------------------------------------------------------------------


@clause("PGP-15", "PGP-17", "PGP-18")
def test_the_system_draws_before_the_first_card() -> None:
    table = full_house(lucky_seat=1, magic_card=1 + Card("Kd"), lucky_dealer=1)
    table.do(c.NoMoreBets)
    assert (table.table.step, table.may("dealer")[:1]) == ("no_more_bets", ["draw_awards"])
    for command in (c.DealCards, c.ChooseFirstHand):
        assert table.refusal(command, **({"dice": (1, 2, 3)} if command is c.ChooseFirstHand else {})).code
    table.until(c.DealCards)
    drawn = table.last(e.AwardsDrawn)
    assert (drawn.lucky_seat, drawn.lucky_dealer, drawn.magic_card) == (1, True, Card("Kd"))
    assert set(drawn.clauses) == {"PGP-15", "PGP-17", "PGP-18", "PGP-19"}
    found = names(table.events)
    assert found.index("bets_locked") < found.index("awards_drawn") < found.index("first_hand_chosen")
    assert "draw_awards" not in table.may("dealer")
    assert table.refusal(c.DrawAwards).code == "draw.step"


@clause("PGP-17", "PGP-18", "PGP-19")
@pytest.mark.parametrize(
    ("letter", "bets", "fields", "code"),
    [
        ("A", {1: {PLAYER: 1_00}}, {"lucky_seat": 2}, "draw.lucky_seat"),
        ("A", {1: {DEALER: 1_00}}, {"lucky_seat": 1}, "draw.lucky_seat"),
        ("A", {1: {PLAYER: 1_00}}, {"lucky_dealer": True}, "draw.lucky_dealer"),
        ("A", {1: {PLAYER: 1_00}}, {"magic_card": Card("Jk")}, "draw.magic_card"),
        ("B", {1: {PLAYER: 1_00}}, {"magic_card": Card("As")}, "draw.magic_card"),
        ("C", {1: {PLAYER: 1_00, DEALER: 1_00}}, {}, "draw.step"),
        ("A", {1: {}}, {}, "draw.step"),
    ],
)
def test_nothing_is_drawn_that_the_pay_table_does_not_have(letter: str, bets: Any, fields: Any, code: str) -> None:
    table = Table({}, {**bets, 2: {}}, {"wagers": {"progressive": {"paytable": letter}}})
    table.do(c.NoMoreBets)
    problem = table.refusal(c.DrawAwards, **fields)
    assert problem.code == code
    assert problem.clauses


@clause("PGP-17", "PGP-18")
def test_awards_are_drawn_as_often_as_the_submission_says() -> None:
    rates = {"lucky_player_per_million": 30_000, "lucky_dealer_per_million": 250_000, "magic_card_per_million": 400_000}
    table = Table({}, {1: {PLAYER: 1_00, DEALER: 1_00}, 3: {PLAYER: 2_00}, 6: {}}, {"wagers": {"progressive": rates}})
    weights = draw_weights(table.table)
    chances = {device: [Fraction(w, sum(some)) for w in some] for device, some in weights.items()}
    third, none = Fraction(15, 1000), Fraction(0)
    assert chances["lucky_seat"] == [Fraction(970, 1000), third, none, third, none, none, none]
    assert chances["lucky_dealer"] == [Fraction(3, 4), Fraction(1, 4)]
    assert chances["magic_card"] == [Fraction(6, 10), *[Fraction(4, 10) / 52] * 52]
    anywhere = {
        "settings": {"lucky_player_goes_to": "all_seats", "magic_card_from": 53},
        "wagers": {"progressive": rates},
    }
    weights = draw_weights(Table({}, {1: {PLAYER: 1_00}}, anywhere).table)
    assert [Fraction(w, sum(weights["lucky_seat"])) for w in weights["lucky_seat"]][1:] == [Fraction(3, 600)] * 6
    assert (len(weights["magic_card"]), weights["lucky_dealer"]) == (54, (1, 0))


@clause("PGP-17")
def test_at_a_real_table_the_dealer_reads_the_system() -> None:
    table = full_house()
    table._dealer = Dealer(PhysicalSource())
    table.do(c.NoMoreBets)
    assert table._dealer.next_command(table.table, table.at) is None
    table.do(c.DrawAwards, lucky_seat=1, lucky_dealer=True, magic_card=Card("Ts"))
    assert table.table.step == "first_hand"
    assert only(table.events, e.AwardsDrawn).magic_card is Card("Ts")


# --- what is paid -----------------------------------------------------------------------------------------------------

TO_ONE: Final = {"royal_flush": 500, "straight_flush": 100, "four_of_a_kind": 75, "full_house": 4}
FED: Final = {1: 70, 2: 1_40, 5: 3_50}
"""The cents that this many credits of a dollar add to the meter."""


@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        pytest.param(cards, pays, id=cards, marks=clause(*said.split()))
        for said, cards, pays in (
            ("PGP-2", "8s 7s 6s 5s 4s 3s 2s", STANDS + 70),
            ("PGP-1 PGP-2", "As 2s 3s 4s 5s 6s 7s", STANDS + 70),
            ("PGP-2", "8s 7s Jk 5s 4s 3s 2s", STANDS + 70),
            ("PGP-3", "As Ah Ad Ac Jk Ks Kd", (STANDS + 70) // 10),
            ("PGP-4", "As Ks Qs Js Ts 3d 2c", 500_00),
            ("PGP-4", "As Ks Jk Js Ts 3d 2c", 500_00),
            ("PGP-1 PGP-4", "Ad Kd Qd Jd Td 3s 2c", 500_00),
            ("PGP-4", "9s 8s 7s 6s 5s 3d 2c", 100_00),
            ("PGP-1 PGP-4", "As 2s 3s 4s 5s Td Js", 100_00),
            ("PGP-1 PGP-4", "Qs Ks As 2s 3s 4d 6c", 0),
            ("PGP-4", "9s Jk 7s 6s 5s 3d 2c", 100_00),
            ("PGP-5", "9s 9h 9d 9c 4s 3d 2c", 75_00),
            ("PGP-5", "As Ah Ad Jk 4s 3d 2c", 75_00),
            ("PGP-5", "9s 9h 9d 4c 4s 3d 2c", 4_00),
            ("PGP-5", "9s 9h 9d As Jk 4d 2c", 4_00),
            ("PGP-5", "9s 9h 9d Jd 4s 3d 2c", 0),
            ("PGP-5", "Ks Js 9s 4s 2s 3d 2c", 0),
        )
    ],
)
def test_the_best_hand_of_the_seven_cards_is_paid(cards: str, pays: int) -> None:
    found = played({"seat1": cards, "dealer": HOLDS_NONE}, seat(1, player=1), chance=ON_PLAYER)
    result, _, won = paid(found, 1)
    assert (result, won) == ("win" if pays else "lose", pays)


@pytest.mark.exhaustive
@clause("PGP-16", "PGP-23")
@pytest.mark.parametrize("letter", "ABC")
@pytest.mark.parametrize("number", [1, 2, 5])
@pytest.mark.parametrize("wager", [PLAYER, DEALER])
@pytest.mark.parametrize("hand", HANDS)
def test_odds_are_multiplied_by_the_credits_and_percentages_are_not(
    hand: str, wager: str, number: int, letter: str
) -> None:
    on_dealer = wager == DEALER
    cards = {"dealer": HANDS[hand], "seat1": OTHER} if on_dealer else {"seat1": HANDS[hand]}
    staked = seat(1, dealer=number) if on_dealer else seat(1, player=number)
    chance: dict[str, Any] = {} if letter == "C" else {"lucky_dealer": False} if on_dealer else {"lucky_seat": 0}
    chance |= {"magic_card": "none"} if letter == "A" else {}
    found = played(cards, staked, letter=letter, chance=chance)
    stake, meter = number * 1_00, STANDS + FED[number]
    wanted = {
        "seven_card_straight_flush": ("win", 0, meter),
        "five_aces": ("win", 0, meter // 10),
        "nothing": ("lose", 0, 0),
    }
    wanted |= {category: ("win", stake, odds * stake) for category, odds in TO_ONE.items()}
    assert paid(found, 1, wager) == wanted[hand]
    assert entry(found, 1, wager).source == ("" if hand == "nothing" else "meter")
    cited = set(entry(found, 1, wager).clauses)
    assert {"PGP-16", "PGP-22"} <= cited
    assert ("PGP-23" in cited) == (hand in ("seven_card_straight_flush", "five_aces"))


MAINS: Final = {
    "win": ({"set": "house-way"}, DEALS, "win"),
    "push": ({"set": {"low": "5d 2c"}}, DEALS, "push"),
    "lose": ({"set": "house-way"}, ACES_AND_JACKS, "lose"),
    "foul": ({"set": {"low": "Ts Th"}}, DEALS, "lose"),
}


@clause("PGP-10", "PGP-16", "PGP-22")
@pytest.mark.parametrize("case", MAINS)
def test_a_win_is_paid_even_if_the_main_wager_loses(case: str) -> None:
    decisions, dealer, result = MAINS[case]
    cards = {"seat1": HANDS["full_house"], "dealer": dealer}
    found = played(cards, seat(1, player=3, decisions=decisions), chance=ON_PLAYER)
    assert entry(found, 1, "main").result == result
    assert paid(found, 1) == ("win", 3_00, 12_00)
    settled = [event.wager for event in found.events if isinstance(event, e.WagerSettled)]
    assert settled == ["main", PLAYER]


@clause("PGP-22", "PGP-26")
def test_the_dealers_hand_is_paid_to_its_bettors_whether_they_win_or_lose() -> None:
    cards = {"seat1": OTHER, "seat2": "As Ac Ah Jk Qs Qc Js", "dealer": HANDS["four_of_a_kind"]}
    found = played(cards, seat(1, dealer=2), seat(2, dealer=5), chance=ON_DEALER)
    assert [entry(found, number, "main").result for number in (1, 2)] == ["lose", "win"]
    assert [paid(found, number, DEALER) for number in (1, 2)] == [("win", 2_00, 150_00), ("win", 5_00, 375_00)]


@clause("PGP-7")
def test_a_hand_is_surrendered_until_the_dealer_exposes_it() -> None:
    table = Table({"seat1": OTHER}, {1: {}, 4: {}, 6: {}}).until(step="set_hands")
    assert "surrender" in table.may("player", "Ann")
    table.until(c.ExposeSeat)
    table.do(c.ExposeSeat, seat=6)
    problem = table.refusal(c.Surrender, seat=6)
    assert (problem.code, problem.clauses) == ("surrender.when", ("PGP-7",))
    assert "surrender" not in table.may("player", "Finn")
    given_up = table.do(c.Surrender, seat=1)
    assert only(given_up, e.WagerSettled).result == "forfeit"
    table.do(c.ExposeSeat, seat=4)
    assert table.refusal(c.Surrender, seat=4).code == "surrender.when"
    table.until(step="discard")
    for number in (1, 4, 6):
        assert table.refusal(c.Surrender, seat=number).code == "surrender.when"


@clause("PGP-7")
@pytest.mark.parametrize("wagers", [{PLAYER: 1_00}, {DEALER: 1_00}], ids=["player", "dealer"])
def test_credits_on_either_hand_bar_a_surrender(wagers: dict[str, int]) -> None:
    table = Table({}, {1: wagers, 2: {}}).until(step="set_hands")
    problem = table.refusal(c.Surrender, seat=1)
    assert (problem.code, problem.value, problem.clauses) == ("surrender.barred", next(iter(wagers)), ("PGP-7",))
    assert "surrender" in table.may("player", "Ben")


@clause("PGP-13")
def test_with_a_players_bank_the_house_pays_and_the_dealers_own_hand_counts() -> None:
    cards = {"seat1": HANDS["full_house"], "seat2": "Ac Kd Qc 7s 6h 4c 3d", "dealer": "8h 8d 8c Jh Js 3s 2s"}
    found = played(cards, seat(1, player=2, dealer=1), seat(2), bank=2, chance={**NONE})
    assert paid(found, 1) == ("win", 2_00, 8_00)
    assert (paid(found, 1, DEALER), entry(found, 1, DEALER).hand) == (("win", 1_00, 4_00), "eights full of jacks")
    assert [event.bank for event in found.events if isinstance(event, e.WagerSettled)][-3:] == [2, 0, 0]


@clause("PGP-16", "PGP-27")
def test_odds_may_come_from_the_tray_instead_of_the_pool() -> None:
    stated = {"settings": {"odds_paid_from": "inventory"}}
    found = played({"seat1": HANDS["full_house"]}, seat(1, player=2), chance=ON_PLAYER, submission=stated)
    assert (paid(found, 1), entry(found, 1).source) == (("win", 2_00, 8_00), "")
    assert found.result.meters == {"pai_gow": 1_40}
    assert not any(isinstance(event, e.AwardClaimed | e.DocumentsCompleted) for event in found.events)
    jackpot = played({"seat1": HANDS["five_aces"]}, seat(1, player=2), chance=ON_PLAYER, submission=stated)
    assert (paid(jackpot, 1), entry(jackpot, 1).source) == (("win", 0, 3_000_14), "meter")


@clause("PGP-16")
def test_a_tray_that_cannot_pay_the_odds_waits_for_a_fill() -> None:
    stated = {"settings": {"odds_paid_from": "inventory"}}
    table = Table({"seat1": HANDS["royal_flush"]}, {1: {PLAYER: 5_00}}, stated)
    table.until(c.ValidateAward)
    table.do(c.RecordCredit, cents=table.tray - 100_00)
    table.do(c.ValidateAward, seat=1, wager=PLAYER)
    halted = only(table.do(c.SettleSeat, seat=1), e.PaymentHalted)
    assert (halted.wager, halted.short_cents) == (PLAYER, 2_500_00 - 100_00)
    assert table.refusal(c.SettleSeat, seat=1).code == "settle.halted"
    table.do(c.RecordFill, cents=5_000_00)
    assert only(table.do(c.SettleSeat, seat=1), e.WagerSettled).paid == 2_500_00
    assert len(table.all(e.AwardVerified)) == 1


# --- lucky and magic awards -------------------------------------------------------------------------------------------


@clause("PGP-17", "PGP-19")
@pytest.mark.parametrize("letter", "AB")
@pytest.mark.parametrize(("hand", "result"), [("full_house", ("win", 3_00, 12_00)), ("nothing", ("lose", 0, 0))])
def test_the_lucky_player_is_paid_five_to_one_with_any_hand(hand: str, result: Any, letter: str) -> None:
    chance = {"lucky_seat": 4, **({"magic_card": "none"} if letter == "A" else {})}
    found = played(
        {"seat1": OTHER, "seat4": HANDS[hand]}, seat(1, player=5), seat(4, player=3), letter=letter, chance=chance
    )
    assert (paid(found, 4), paid(found, 4, "lucky_player")) == (result, ("win", 0, 15_00))
    assert entry(found, 4, "lucky_player").source == "meter"
    assert "lucky_player" not in found.result.seats["1"].wagers
    assert {"PGP-17", "PGP-19"} <= set(entry(found, 4, "lucky_player").clauses)


@clause("PGP-17", "PGP-19")
@pytest.mark.parametrize("letter", "AB")
def test_the_lucky_dealer_pays_every_bettor_on_the_dealers_hand(letter: str) -> None:
    chance = {"lucky_seat": 0, "lucky_dealer": True, **({"magic_card": "none"} if letter == "A" else {})}
    seats = (seat(1, dealer=2), seat(3, player=4), seat(4, player=1, dealer=5))
    found = played({"seat1": OTHER}, *seats, letter=letter, chance=chance, seed=2)
    assert [paid(found, number, "lucky_dealer")[2] for number in (1, 4)] == [10_00, 25_00]
    assert "lucky_dealer" not in found.result.seats["3"].wagers


@clause("PGP-18", "PGP-19")
@pytest.mark.parametrize(
    ("card", "wins"),
    [("Ts", True), ("2c", True), ("Kc", False), ("Jh", False), ("none", False)],
    ids=["in the hand", "beside it", "another's card", "nobody's card", "no card"],
)
def test_the_magic_card_is_paid_twenty_to_one_in_a_winning_hand(card: str, wins: bool) -> None:
    cards = {"seat1": HANDS["full_house"], "seat4": OTHER}
    found = played(cards, seat(1, player=2), seat(4, player=3), chance={**ON_PLAYER, "magic_card": card})
    assert ("magic_card" in found.result.seats["1"].wagers) is wins
    assert "magic_card" not in found.result.seats["4"].wagers, "a hand that wins nothing brings no award"
    if wins:
        assert paid(found, 1, "magic_card") == ("win", 0, 40_00)
        assert (entry(found, 1, "magic_card").hand, entry(found, 1, "magic_card").source) == (
            "tens full of nines",
            "meter",
        )


@clause("PGP-18")
def test_the_magic_card_in_the_dealers_winning_hand_pays_every_bettor_on_it() -> None:
    cards = {"seat1": OTHER, "dealer": HANDS["straight_flush"]}
    seats = (seat(1, player=1, dealer=2), seat(3, dealer=5), seat(6, player=5))
    found = played(cards, *seats, chance={**NONE, "magic_card": "9s"})
    assert [paid(found, number, "magic_card")[2] for number in (1, 3)] == [40_00, 100_00]
    assert "magic_card" not in found.result.seats["6"].wagers


@clause("PGP-18")
def test_the_joker_is_a_magic_card_only_where_that_is_chosen() -> None:
    cards, staked = {"seat1": HANDS["straight_flush"]}, seat(1, player=1)
    stated = {"settings": {"magic_card_from": 53}}
    found = played(cards, staked, chance={**ON_PLAYER, "magic_card": "Jk"}, submission=stated)
    assert paid(found, 1, "magic_card") == ("win", 0, 20_00)
    with pytest.raises(BadInput, match="no joker"):
        played(cards, staked, chance={**ON_PLAYER, "magic_card": "Jk"})


@clause("PGP-18")
@pytest.mark.parametrize(
    ("seven", "making"),
    [
        ("8d 8c 8h 8s Ks 5d 2c", "8d 8c 8h 8s"),
        ("As Ac Ad Jk Ks 5d 2c", "As Ac Ad Jk"),
        ("Ts Th Td 9s 9c 5d 2c", "Ts Th Td 9s 9c"),
        ("Ts Th Td 9s 9c 9h 2c", "Ts Th Td 9s 9c 9h"),
        ("Ts Th Td 9s 9c 5d 5c", "Ts Th Td 9s 9c"),
        ("5s 6s 7s 8s 9s Ts 2c", "6s 7s 8s 9s Ts"),
        ("Ts Js Qs Ks Jk 9c 4c", "Ts Js Qs Ks Jk"),
        ("As Ac Ad Ah Jk 9s 4s", "As Ac Ad Ah Jk"),
        ("2s 3s 4s 5s 6s Jk 8s", "2s 3s 4s 5s 6s Jk 8s"),
    ],
)
def test_which_cards_make_a_hand(seven: str, making: str) -> None:
    cards = tuple(map(Card, seven.split()))
    assert {card.text for card in cards_making(cards, rank_progressive_seven(cards))} == set(making.split())
    stated = {"settings": {"magic_card_in": "made_hand", "magic_card_from": 53}}
    for text in seven.split():
        found = played({"seat1": seven}, seat(1, player=1), chance={**ON_PLAYER, "magic_card": text}, submission=stated)
        assert ("magic_card" in found.result.seats["1"].wagers) == (text in making.split())


@clause("PGP-17", "PGP-18", "PGP-19")
def test_odds_lucky_and_magic_awards_add_up() -> None:
    drawn = {"lucky_seat": 1, "lucky_dealer": True, "magic_card": "9c"}
    found = played({"seat1": HANDS["full_house"]}, seat(1, player=5, dealer=1), chance=drawn)
    wagers = found.result.seats["1"].wagers
    assert {name: wagers[name].paid for name in wagers if name != "main"} == {
        PLAYER: 20_00,
        DEALER: 0,
        "lucky_player": 25_00,
        "lucky_dealer": 5_00,
        "magic_card": 100_00,
    }
    assert found.result.meters == {"pai_gow": 4_20 - 150_00}


@clause("PGP-17")
@pytest.mark.parametrize("follows", [True, False])
def test_a_stake_follows_its_hand_or_comes_back_with_a_lucky_award(follows: bool) -> None:
    stated = {"settings": {"lucky_stake_follows_hand": follows, "credit_returned_on_win": False}}
    for hand, result, won in (("nothing", "lose" if follows else "push", 0), ("full_house", "win", 4_00)):
        found = played(
            {"seat1": HANDS[hand]}, seat(1, player=1), chance={**ON_PLAYER, "lucky_seat": 1}, submission=stated
        )
        assert paid(found, 1) == (result, 0 if follows else 1_00, won)
        assert paid(found, 1, "lucky_player") == ("win", 0, 5_00)


# --- who checks it, and when ------------------------------------------------------------------------------------------


@clause("PGP-21")
def test_a_win_is_verified_by_the_dealer_and_validated_by_a_supervisor_before_it_is_paid() -> None:
    table = full_house(lucky_seat=1)
    table.until(c.SettleSeat)
    events = table.do(c.SettleSeat, seat=1)
    verified = only(events, e.AwardVerified)
    assert (verified.by, verified.hand, verified.awards) == ("dealer", "tens full of nines", ("lucky_player",))
    assert names(events) == ["wager_settled", "award_verified"], "the main wager is paid first, then nothing"
    problem = table.refusal(c.SettleSeat, seat=1)
    assert (problem.code, problem.allowed, problem.clauses) == ("settle.unvalidated", "validate the award", ("PGP-21",))
    assert "casino supervisor" in problem.what
    assert "settle_seat" not in table.may("dealer")
    assert table.refusal(c.ValidateAward, seat=1, wager=PLAYER, role="dealer").code == "role"
    assert table.refusal(c.ValidateAward, seat=4, wager=PLAYER).code == "validate.other"
    assert "validate_award" in table.may("floor")
    events = table.do(c.ValidateAward, seat=1, wager=PLAYER)
    assert (only(events, e.AwardValidated).by, names(events)) == (
        "floor",
        ["award_validated", "award_claimed", "award_claimed"],
    )
    assert table.refusal(c.SettleSeat, seat=1).code == "claimed"
    table.until(c.SettleSeat)
    assert names(table.do(c.SettleSeat, seat=1))[:2] == ["wager_settled", "award_paid"]
    assert table.refusal(c.ValidateAward, seat=1, wager=PLAYER).code == "validate.none"


@clause("PGP-21")
def test_the_person_who_verified_an_award_cannot_validate_it() -> None:
    table = full_house(lucky_seat=1)
    table.until(c.SettleSeat)
    table.do(c.SettleSeat, seat=1, who="dora")
    problem = table.refusal(c.ValidateAward, seat=1, wager=PLAYER, who="dora")
    assert (problem.code, problem.where, problem.value) == ("same_person", "who", "dora")
    assert problem.clauses == ("PGP-21",)
    assert "validate_award" not in table.may("floor", "dora")
    assert only(table.do(c.ValidateAward, seat=1, wager=PLAYER, who="sue"), e.AwardValidated).by == "sue"


@clause("PGP-9", "PGP-20")
def test_a_losing_hand_stays_until_its_progressive_win_is_paid() -> None:
    table = Table({"seat1": HANDS["full_house"], "seat4": OTHER, "dealer": ACES_AND_JACKS}, BOTH)
    table.until(c.SettleSeat)
    assert (table.seat(4).cards, len(table.seat(1).cards)) == ((), 7)
    lost = [(event.seat, event.wager) for event in table.all(e.WagerSettled)]
    assert lost == [(4, "main"), (4, PLAYER), (1, "main")], "losers are collected when the hands are exposed"
    table.until()
    found = names(table.events)
    last_paid = len(found) - 1 - found[::-1].index("wager_settled")
    assert last_paid < found.index("cards_discarded")


@clause("PGP-20")
def test_a_losing_hand_with_a_lucky_award_stays_until_it_is_paid() -> None:
    table = Table({"seat1": HANDS["nothing"], "seat4": OTHER, "dealer": ACES_AND_JACKS}, BOTH, drawn={"lucky_seat": 4})
    table.until(c.ValidateAward)
    assert (len(table.seat(4).cards), table.seat(1).cards) == (7, ())
    assert table.last(e.AwardVerified).hand == ""
    table.until()
    assert only(table.events, e.AwardPaid).cents == 10_00


@clause("PGP-12")
def test_cards_stay_until_the_documents_of_an_award_from_the_meter_are_done() -> None:
    table = full_house().until(c.CompleteDocuments)
    assert (table.table.step, table.table.papers, len(table.seat(1).cards)) == ("discard", (1,), 7)
    problem = table.refusal(c.DiscardCards)
    assert (problem.code, problem.value, problem.clauses) == ("discard.papers", "seat 1", ("PGP-12",))
    assert "discard_cards" not in table.may("dealer")
    assert table.refusal(c.CompleteDocuments, seat=1, document=" ").code == "documents.id"
    assert table.refusal(c.CompleteDocuments, seat=4, document="W-1").code == "documents.none"
    assert table.refusal(c.CompleteDocuments, seat=1, document="W-1", role="dealer").code == "role"
    done = only(table.do(c.CompleteDocuments, seat=1, document="W-1"), e.DocumentsCompleted)
    assert (done.by, done.document, done.clauses) == ("floor", "W-1", ("PGP-12",))
    assert "discard_cards" in table.may("dealer")
    assert (done.seat, len(table.seat(1).cards)) == (1, 7), "they are picked up with the others"


# --- the meter --------------------------------------------------------------------------------------------------------


@clause("PGP-24")
def test_the_meter_is_that_of_the_moment_when_it_is_the_players_turn() -> None:
    """Another table adds to it after the lock and after the cards; what a winner is paid has all of it."""
    table = Table({"seat1": HANDS["five_aces"], "seat4": OTHER}, BOTH)
    table.until(c.ValidateAward)
    Table({}, {2: {PLAYER: 5_00}}, meters=table.meters, name="other").do(c.NoMoreBets)
    table.do(c.ValidateAward, seat=1, wager=PLAYER)
    shown = STANDS + 2 * 1_40 + 3_50
    assert table.grants[0]["shares"] == ((1, shown // 10),)


@clause("PGP-24")
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_tables_that_win_at_once_are_paid_in_the_order_of_their_claims(order: tuple[int, ...]) -> None:
    """Each of three tables has five aces or a straight flush; whoever is validated first meets the meter first."""
    meters = Meters(game_of("nj-pai-gow"), {"pai_gow": STANDS})
    hands = ("seven_card_straight_flush", "five_aces", "seven_card_straight_flush")
    tables = [
        Table({"seat1": HANDS[hand]}, {1: {PLAYER: 1_00}}, meters=meters, name=f"table {number}").until(c.ValidateAward)
        for number, hand in enumerate(hands)
    ]
    pool = STANDS + 3 * 70
    for number in order:
        tables[number].do(c.ValidateAward, seat=1, wager=PLAYER)
        full = hands[number] != "five_aces"
        paid_cents = pool if full else pool // 10
        pool = 25_000_00 if full else max(pool - paid_cents, 25_000_00)
        assert tables[number].grants[0]["shares"] == ((1, paid_cents),)
    numbers = [table.grants[0]["number"] for table in tables]
    assert [order.index(number) + 1 for number in range(3)] == numbers
    for table in tables[::-1]:
        table.until()
    awards = [event for event in meters.events["pai_gow"] if isinstance(event, AwardGranted)]
    assert [event.table for event in awards] == [f"table {number}" for number in order]
    assert meters.amounts["pai_gow"] == pool


@clause("PGP-24")
def test_after_a_full_award_the_next_winner_meets_the_reset_amount() -> None:
    """Players from the right: the straight flush in seat 6 is paid before the five aces in seat 1."""
    cards = {"seat1": "As Ah Ad Ac Jk Kd 3d", "seat6": "2s 3s 4s 5s 6s 7s 8s"}
    found = played(cards, seat(1, player=1), seat(6, player=1), chance=ON_PLAYER)
    assert [paid(found, number)[2] for number in (6, 1)] == [STANDS + 1_40, 2_500_00]
    other = {"seat6": cards["seat1"], "seat1": cards["seat6"]}
    found = played(other, seat(1, player=1), seat(6, player=1), chance=ON_PLAYER)
    ten_percent = (STANDS + 1_40) // 10
    assert [paid(found, number)[2] for number in (6, 1)] == [ten_percent, STANDS + 1_40 - ten_percent]


FLUSHES: Final = {"seat1": "2s 3s 4s 5s 6s 7s 8s", "seat3": "4d 5d 6d 7d 8d 9d Td", "seat6": "7h 8h 9h Jk Jh Qh Kh"}


@clause("PGP-25")
@pytest.mark.parametrize(
    ("method", "credits_by_seat", "shares"),
    [
        # 3,000,490 cents in three parts; the odd cent goes to the first from the right.
        ("equally", {1: 1, 3: 2, 6: 4}, {6: 1_000_164, 3: 1_000_163, 1: 1_000_163}),
        ("equally", {1: 5, 3: 1, 6: 1}, {6: 1_000_164, 3: 1_000_163, 1: 1_000_163}),
        # In sevenths: 1,714,565.7…, 857,282.8…, 428,641.4…
        ("by_credits", {1: 1, 3: 2, 6: 4}, {6: 1_714_567, 3: 857_282, 1: 428_641}),
        ("by_credits", {1: 4, 3: 2, 6: 1}, {6: 428_643, 3: 857_282, 1: 1_714_565}),
    ],
)
def test_several_straight_flushes_share_the_meter_of_the_first(method: str, credits_by_seat: Any, shares: Any) -> None:
    seats = [seat(number, player=held) for number, held in credits_by_seat.items()]
    stated = {"settings": {"share_method": method}}
    found = played({**FLUSHES, "dealer": "Ac Kc Jc 9c 7c 4c 2h"}, *seats, chance=ON_PLAYER, submission=stated)
    assert {number: paid(found, number)[2] for number in shares} == shares
    claim = only(found.events, e.AwardClaimed)
    assert (dict(claim.winners), claim.method, claim.percent) == (credits_by_seat, method, 100)
    assert "PGP-25" in claim.clauses
    granted = only(found.events, e.AwardGranted)
    assert (granted.odd_cents > 0, granted.odd_cents_to) == (True, 6)
    assert "AMB-27" in granted.readings
    assert [event.seat for event in found.events if isinstance(event, e.AwardValidated)] == [6, 3, 1]


@clause("PGP-26")
@pytest.mark.parametrize(("hand", "percent"), [("seven_card_straight_flush", 100), ("five_aces", 10)])
@pytest.mark.parametrize("method", ["equally", "by_credits"])
def test_a_meter_award_on_the_dealers_hand_is_divided_among_its_bettors(hand: str, percent: int, method: str) -> None:
    seats = (seat(1, dealer=1), seat(3, player=5), seat(4, dealer=2), seat(6, dealer=4))
    stated = {"settings": {"share_method_dealer": method, "share_method": "equally"}}
    cards = {"seat1": OTHER, "dealer": HANDS[hand]}
    found = played(cards, *seats, chance=NONE, submission=stated, seed=3)
    whole = (STANDS + 8_40) * percent // 100
    parts = {6: 4, 4: 2, 1: 1} if method == "by_credits" else {6: 1, 4: 1, 1: 1}
    shares = {number: whole * part // sum(parts.values()) for number, part in parts.items()}
    shares[6] += whole - sum(shares.values())
    assert {number: paid(found, number, DEALER)[2] for number in shares} == shares
    claim = next(event for event in found.events if isinstance(event, e.AwardClaimed) and event.wager == DEALER)
    assert {"PGP-26", "PGP-24"} <= set(claim.clauses)
    if hand == "seven_card_straight_flush":
        assert found.table.balances.get(meter_account("pai_gow"), 0) == found.result.meters["pai_gow"]


@clause("PGP-24", "PGP-26")
def test_claims_on_the_dealers_hand_meet_the_meter_after_all_players_claims() -> None:
    cards = {**FLUSHES, "dealer": FLUSHES["seat6"], "seat6": "Ac Kc Jc 9c 7c 4c 2h"}
    seats = (seat(1, player=1, dealer=1), seat(3, player=2), seat(6, dealer=2))
    found = played(cards, *seats, chance=NONE)
    claims = [(claim.wager, [number for number, _ in claim.winners]) for claim in _all(found, e.AwardClaimed)]
    assert claims == [(PLAYER, [3, 1]), (DEALER, [6, 1])]
    assert [sum(cents for _, cents in grant.shares) for grant in _all(found, e.AwardGranted)] == [
        STANDS + 4_20,
        25_000_00,
    ]


@clause("PGP-27")
@pytest.mark.parametrize(("above", "from_pool"), [(3_000_00, 2_500_00), (100_00, 103_50), (0, 3_50)])
def test_the_table_inventory_pays_odds_beyond_the_reset_amount(above: int, from_pool: int) -> None:
    """Documents are due only where the meter paid a part (AMB-23)."""
    stands = {"pai_gow": 25_000_00 + above}
    found = played({"seat1": HANDS["royal_flush"]}, seat(1, player=5), chance=ON_PLAYER, meters=stands)
    assert paid(found, 1) == ("win", 5_00, 2_500_00)
    won, grant = entry(found, 1, PLAYER), only(found.events, e.AwardGranted)
    assert (won.source, won.from_inventory) == ("meter", 2_500_00 - from_pool)
    assert "AMB-23" in settled(found, 1).readings
    assert (grant.shares, grant.from_inventory, grant.seeded_micros) == (((1, from_pool),), 2_500_00 - from_pool, 0)
    assert found.result.meters == {"pai_gow": 3_50 - from_pool}
    assert any(isinstance(event, e.DocumentsCompleted) for event in found.events)


def settled(found: PlayedRound, number: int) -> e.WagerSettled:
    wagers = [event for event in found.events if isinstance(event, e.WagerSettled)]
    return next(event for event in wagers if (event.seat, event.wager) == (number, PLAYER))


@clause("PGP-12", "PGP-27")
def test_a_payment_wholly_from_the_inventory_says_so_and_holds_no_cards() -> None:
    """Seat 6 takes what stands above the reset amount; the inventory pays seat 1 and its random award (AMB-23)."""
    cards = {"seat6": HANDS["royal_flush"], "seat1": "8d 8c 8h 8s Kd 5d 2c"}
    drawn = {"magic_card": "5d", "lucky_seat": 1}
    seats = (seat(1, player=1), seat(6, player=5))
    found = played(cards, *seats, chance=drawn, meters={"pai_gow": 25_000_00})
    first, second, award = settled(found, 6), settled(found, 1), _all(found, e.AwardPaid)
    assert (first.source, first.from_inventory) == ("meter", 2_500_00 - 4_20)
    assert (second.source, second.from_inventory, second.paid) == ("", 75_00, 75_00)
    assert award
    assert all((paid.source, paid.from_inventory) == ("", paid.cents) for paid in award)
    assert all("AMB-23" in event.readings for event in (first, second, *award))
    assert [event.seat for event in _all(found, e.DocumentsCompleted)] == [6]


@clause("PGP-16", "PGP-23", "PGP-26", "PGP-27")
@pytest.mark.parametrize("hand", ["seven_card_straight_flush", "five_aces"])
def test_no_share_of_the_least_meter_is_nothing(hand: str) -> None:
    """One credit beside five times the most credits, at the least reset amount that a submission may state."""
    least = {"initial_cents": 0, "reset_cents": 1_000_00}
    most = {"progressive_dealer": {"max_credits": 1_000}}
    stated = {"meters": {"pai_gow": least}, "wagers": most, "settings": {"share_method_dealer": "by_credits"}}
    seats = (seat(1, dealer=1), *(seat(number, dealer=1_000) for number in range(2, 7)))
    cards = {"dealer": HANDS[hand], "seat1": OTHER}
    found = played(cards, *seats, chance=NONE, submission=stated, seed=3, meters={})
    assert paid(found, 1, DEALER)[2] > 0


@clause("PGP-27")
@pytest.mark.parametrize("cents", [0, 1, 999_99])
def test_a_meter_that_could_reset_to_nothing_is_refused(cents: int) -> None:
    with pytest.raises(BadInput) as bad:
        game_of("nj-pai-gow", {"meters": {"pai_gow": {"initial_cents": cents, "reset_cents": cents}}})
    (line,) = str(bad.value).splitlines()
    assert "meters.pai_gow.reset_cents: the meter must reset at $1,000 or more" in line
    assert line.endswith(f": {cents} (allowed: at least 100,000) [PGP-27, AMB-23]")


@clause("PGP-16", "PGP-24")
def test_a_straight_flush_wins_the_reset_amount_however_many_odds_were_paid_before_it() -> None:
    """A royal flush in the seat before it takes nothing of the amount that the licensee has promised."""
    cards = {"seat6": HANDS["royal_flush"], "seat1": "2d 3d 4d 5d 6d 7d 8d"}
    small = {"meters": {"pai_gow": {"initial_cents": 2_000_00, "reset_cents": 2_000_00}}}
    found = played(
        cards, seat(1, player=1), seat(6, player=5), chance=ON_PLAYER, submission=small, meters={"pai_gow": 2_000_00}
    )
    assert [paid(found, number)[2] for number in (6, 1)] == [2_500_00, 2_000_00]


@clause("PGP-27")
@pytest.mark.parametrize(("kept", "change"), [("reversed", 0), ("kept", 3_50)])
def test_a_void_round_returns_the_credits_and_reverses_or_keeps_what_they_added(kept: str, change: int) -> None:
    wrong = [{"kind": "stub_count_wrong", "step": "stub", "count": 5, "finding": "misdealt"}]
    stated = {"settings": {"void_contributions": kept}}
    seats = (seat(1, player=2), seat(4, player=1, dealer=2))
    found = played({}, *seats, chance={**NONE, "lucky_seat": 1}, submission=stated, irregularities=wrong)
    assert [entry(found, 4, wager).result for wager in ("main", PLAYER, DEALER)] == ["returned"] * 3
    assert "lucky_player" not in found.result.seats["1"].wagers
    assert (found.result.meters, found.result.house_net) == ({"pai_gow": change}, -change)


def test_no_round_is_void_once_a_meter_has_paid_an_award() -> None:
    cards = {"seat1": FLUSHES["seat1"], "seat6": FLUSHES["seat6"], "dealer": "Ac Kc Jc 9c 7c 4c 2h"}
    table = Table(cards, {1: {PLAYER: 1_00}, 6: {PLAYER: 1_00}})
    table.until(c.ValidateAward)
    report: dict[str, Any] = {"kind": "wrong_card_count", "case": "player", "seat": 1}
    assert any(one.fields.get("kind") == "wrong_card_count" for one in table.options("dealer"))
    table.do(c.ValidateAward, seat=6, wager=PLAYER)
    table.until(c.ValidateAward)
    assert table.table.granted == {PLAYER: {1: (STANDS + 1_40) // 2}}
    refused = table.refusal(c.ReportIrregularity, **report)
    assert (refused.code, refused.readings) == ("irregularity.meter", ("AMB-8c",))
    table.until(c.CompleteDocuments)
    assert not table.table.granted


def test_the_meter_and_the_table_agree_to_the_cent() -> None:
    """Every movement of a table for a meter is in the meter's own stream, to less than a cent."""
    stated = {"meters": {"pai_gow": {"rate_per_million": 712_345}}, "wagers": {"progressive": {"credit_cents": 37}}}
    bets = {1: {PLAYER: 37, DEALER: 74}, 6: {PLAYER: 5 * 37}}
    cards = {"seat1": FLUSHES["seat1"], "seat6": FLUSHES["seat6"], "dealer": "As Ac Ad Ah 7c 4c 2h"}
    table = Table(cards, bets, stated, drawn={"lucky_seat": 1}).until()
    meter = table.meters.meters["pai_gow"]
    in_ledger = table.table.balances.get(meter_account("pai_gow"), 0)
    assert in_ledger * 1_000_000 + table.table.residues["pai_gow"] == meter.pool_micros - STANDS * 1_000_000


# --- what scripts may say ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"chance": {"lucky_seat": 2}}, "chance.lucky_seat: no seat can win this award here: 2 (allowed: 0, 1)"),
        (
            {"chance": {"lucky_dealer": True}},
            "chance.lucky_dealer: no seat can win this award here: true (allowed: false)",
        ),
        ({"chance": {"magic_card": "Kx"}}, "chance.magic_card: not a card: 'Kx'"),
        ({"chance": {"magic_card": "Ks Kd"}}, "chance.magic_card: wrong number of cards: 2 (allowed: 1)"),
        ({"chance": {"magic_card": "Ks"}, "letter": "B"}, "the pay table of this table has no such award: 'Ks'"),
        ({"chance": {"lucky_seat": 1}, "letter": "C"}, "the pay table of this table has no such award: 1 [PGP-19]"),
        (
            {"meters": {"pai_gow": 24_999_99}},
            "a meter never shows less than its reset amount: 2499999 (allowed: at least 2,500,000) [PGP-27, AMB-23]",
        ),
        ({"meters": {"xtreme": 5}}, "meters.xtreme: no such meter runs at this table: 5 (allowed: pai_gow)"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(fields: dict[str, Any], found: str) -> None:
    with pytest.raises(BadInput) as bad:
        played({}, seat(1, player=1), **fields)
    (line,) = str(bad.value).splitlines()
    assert found in line


def test_credits_that_are_not_allowed_are_refused_in_credits_when_typed() -> None:
    with pytest.raises(BadInput) as bad:
        played({}, seat(1, player=6), chance={})
    found = "seat 1: wagers.progressive_player: this stake is not allowed: 6 (allowed: 1 to 5 credits of 100 cents)"
    assert found in str(bad.value)


def _all(round_: PlayedRound, kind: type[Any]) -> list[Any]:
    return [event for event in round_.events if isinstance(event, kind)]
