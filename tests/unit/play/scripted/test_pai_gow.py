"""Scripted rounds of Pai Gow Poker: named cards reach named hands whatever shows the first one, and what they bring.

Cards and amounts are worked out by hand from the clauses and from what fills the gaps of the document.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations_with_replacement, product
from random import Random
from typing import Any

import msgspec
import pytest

from crossfelt.cards.notation import format_cards
from crossfelt.errors import BadInput
from crossfelt.play.round_result import WagerResult
from crossfelt.play.scripted.runner import PlayedRound, ScriptRunner
from crossfelt.table import events as e
from crossfelt.table.acts.set_hands import position_of

RUNNER = ScriptRunner()
KINGS_AND_QUEENS = "Ks Kd Qs Qd 7h 5c 2d"
ACE_HIGH = "Ah Qh Jc 9d 7s 5s 3c"
BY_NUMBER = {"settings": {"first_hand_by": "random_number"}}
EZ = {"settings": {"ez_variation": True}, "wagers": {"queens_dragon": {"offered": True}}}
HOUSE_WAY = {"set": "house-way"}


def seat(number: int, decisions: dict[str, Any] | None = None, /, main: int = 1000, **wagers: int) -> dict[str, Any]:
    return {"seat": number, "wagers": {"main": main, **wagers}, "decisions": decisions or HOUSE_WAY}


def low(cards: str) -> dict[str, Any]:
    return {"set": {"low": cards}}


def play(*seats: dict[str, Any], **fields: Any) -> PlayedRound:
    cards = {"seat1": KINGS_AND_QUEENS, "dealer": ACE_HIGH}
    return RUNNER.play(
        {"rulebook": "nj-pai-gow", "cards": cards, "seats": seats or (seat(1),), **fields}, where="round"
    )


def problems(*seats: dict[str, Any], **fields: Any) -> list[str]:
    with pytest.raises(BadInput) as refused:
        play(*seats, **fields)
    return [str(problem) for problem in refused.value.problems]


def entry(played: PlayedRound, wager: str = "main", number: int = 1) -> WagerResult:
    return played.result.seats[str(number)].wagers[wager]


def found(entry: WagerResult) -> tuple[str, int, int, int]:
    return entry.result, entry.returned, entry.paid, entry.commission


def only(played: PlayedRound, kind: type[e.Event]) -> Any:
    (event,) = (event for event in played.events if isinstance(event, kind))
    return event


# --- the deal -------------------------------------------------------------------------------------------------------

HANDS = {
    "seat1": "2c 3c 4c 5c 6c 7c 8c",
    "seat2": "2d 3d 4d 5d 6d 7d 8d",
    "seat3": "2h 3h 4h 5h 6h 7h 8h",
    "seat4": "2s 3s 4s 5s 6s 7s 8s",
    "seat5": "9c 9d 9h 9s Tc Td Th",
    "seat6": "Jc Jd Jh Js Qc Qd Qh",
    "dealer": "Ac Ad Ah As Kc Kd Jk",
}
FULL_TABLE = [seat(number) for number in range(1, 7)]
TOTALS = {sum(dice): dice for dice in combinations_with_replacement(range(1, 7), 3)}
METHODS: dict[str, dict[str, Any]] = {
    "manual_shoe": {},
    "hand": {"dealing": {"method": "hand", "shuffler": "automatic"}},
    "automated_shoe": {"dealing": {"method": "automated_shoe"}, "approvals": {"automated_shoe": "approved"}},
}


def hands_dealt(played: PlayedRound) -> dict[str, str]:
    hands: dict[str, list[Any]] = {}
    for dealt in only(played, e.CardsDealt).cards:
        hands.setdefault(f"seat{dealt.seat}" if dealt.seat else "dealer", []).append(dealt.card)
    return {name: format_cards(cards) for name, cards in hands.items()}


@pytest.mark.exhaustive
@pytest.mark.clause("PGP-28")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("total", sorted(TOTALS))
def test_named_cards_reach_named_hands_with_any_dice(total: int, method: str) -> None:
    played = play(*FULL_TABLE, cards=HANDS, chance={"dice": TOTALS[total]}, submission=METHODS[method])
    chosen = only(played, e.FirstHandChosen)
    assert (chosen.number, chosen.dice) == (total, TOTALS[total])
    # From the dealer, who is one, counter-clockwise: two is the seat at the dealer's right, which is the sixth.
    assert chosen.position == [0, 6, 5, 4, 3, 2, 1][(total - 1) % 7]
    assert only(played, e.CardsDealt).cards[0].seat == chosen.position
    assert hands_dealt(played) == HANDS


@pytest.mark.clause("PGP-28")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("number", range(1, 8))
def test_stacks_may_be_delivered_counter_clockwise(number: int, method: str) -> None:
    settings = {"first_hand_by": "random_number", "stacks_delivered": "counter_clockwise"}
    stated = {**METHODS[method], "settings": settings}
    played = play(*FULL_TABLE, cards=HANDS, chance={"number": number}, submission=stated)
    order = list(dict.fromkeys(dealt.seat for dealt in only(played, e.CardsDealt).cards))
    # Six is next to the dealer's right: counted that way the numbers are dealt that way too.
    assert order == [position_of(number + place) for place in range(7)]
    assert hands_dealt(played) == HANDS


@pytest.mark.clause("PGP-28")
@pytest.mark.parametrize("number", range(1, 8))
def test_a_random_number_chooses_the_first_hand_as_well(number: int) -> None:
    played = play(*FULL_TABLE, cards=HANDS, chance={"number": number}, submission=BY_NUMBER)
    chosen = only(played, e.FirstHandChosen)
    assert (chosen.number, chosen.dice, chosen.position) == (number, (), [0, 6, 5, 4, 3, 2, 1][number - 1])
    assert hands_dealt(played) == HANDS


def test_dice_favour_no_seat_by_more_than_one_in_216_and_a_number_none() -> None:
    """Seven and fourteen come up in 15 + 15 throws, every other pair or triple of totals in 31."""
    throws = Counter(position_of(sum(dice)) for dice in product(range(1, 7), repeat=3))
    assert throws == {0: 31, 1: 30, 2: 31, 3: 31, 4: 31, 5: 31, 6: 31}
    assert Counter(position_of(number) for number in range(1, 8)) == dict.fromkeys(range(7), 1)


@pytest.mark.parametrize("stated", [{}, BY_NUMBER], ids=["dice", "number"])
@pytest.mark.parametrize("seed", range(12))
def test_what_is_not_named_is_drawn_and_named_cards_still_come(seed: int, stated: dict[str, Any]) -> None:
    played = play(seed=seed, submission=stated)
    hands = hands_dealt(played)
    assert (hands["seat1"], hands["dealer"]) == (KINGS_AND_QUEENS, ACE_HIGH)
    assert len(hands) == 7
    assert played.events == play(seed=seed, submission=stated).events


def test_different_seeds_throw_different_dice() -> None:
    assert len({only(play(seed=seed), e.FirstHandChosen).dice for seed in range(20)}) > 15


# --- what hands bring -------------------------------------------------------------------------------------------------


@pytest.mark.clause("PGP-11")
def test_both_hands_higher_win_less_commission() -> None:
    played = play()
    assert found(entry(played)) == ("win", 1000, 1000, 50)
    assert entry(played).hand == "pair of kings; pair of queens"
    assert (played.result.seats["1"].net, played.result.house_net) == (950, -950)


@pytest.mark.parametrize(("rounding", "kept"), [("exact", 51), ("up_to_25c", 75)])
def test_commission_is_rounded_as_the_submission_says(rounding: str, kept: int) -> None:
    stated = {"settings": {"commission_rounding": rounding}, "wagers": {"main": {"step_cents": 1}}}
    assert entry(play(seat(1, main=1010), submission=stated)).commission == kept


@pytest.mark.clause("PGP-11")
@pytest.mark.parametrize(
    ("own", "front", "dealer", "result"),
    [
        ("Ks Kd Qs Jd 7h 5c 2d", "7h 2d", ACE_HIGH, "push"),  # higher behind, lower in front
        ("Kc Jd 9h 8s 6c 4d 2h", "8s 6c", "Ah Qh Jc Td 7s 5s 3c", "lose"),  # both lower
        ("Ks Kd 8s 7d 5h 4c 2s", "8s 7d", "Kh Kc 8h 7c 5s 4d 2c", "lose"),  # copies of both
        ("Ks Kd 9s 7d 5h 4c 2s", "9s 7d", "Kh Kc 9h 7c 6s 4d 2c", "lose"),  # a copy in front, lower behind
        ("Ks Kd 9s 7d 6h 4c 2s", "9s 7d", "Kh Kc 9h 7c 5s 4d 2c", "push"),  # a copy in front, higher behind
    ],
)
def test_pushes_losses_and_copies(own: str, front: str, dealer: str, result: str) -> None:
    played = play(seat(1, low(front)), cards={"seat1": own, "dealer": dealer})
    assert found(entry(played)) == (result, 1000 if result == "push" else 0, 0, 0)


def test_a_foul_that_is_written_is_set_and_loses() -> None:
    played = play(seat(1, low("Ks Kd")))
    assert found(entry(played)) == ("lose", 0, 0, 0)
    assert entry(played).hand == "foul: pair of queens; pair of kings"
    assert entry(played).house_rule.startswith("Indiana's pai gow poker")
    assert only(played, e.HandSet).foul


def test_the_house_way_of_the_submission_sets_the_hand() -> None:
    cards = {"seat1": "9c 9d 3h 3s Kc 8d 2h"}
    fronts = {
        way: format_cards(only(play(cards=cards, submission={"house_way": way}), e.HandSet).low)
        for way in ("trump_plaza", "foxwoods")
    }
    assert fronts == {"trump_plaza": "Kc 8d", "foxwoods": "3s 3h"}


@pytest.mark.clause("PGP-7")
def test_a_surrender_forfeits_the_main_wager_and_leaves_the_imperial_bonus() -> None:
    played = play(seat(1, {"surrender": True}, imperial=500), cards={"seat1": "Ks Kd Kc 9d 7h 5c 2d"})
    assert found(entry(played)) == ("forfeit", 0, 0, 0)
    assert found(entry(played, "imperial")) == ("win", 500, 1000, 0)
    assert entry(played).hand == ""


@pytest.mark.clause("PGP-7")
def test_a_surrender_gives_back_what_the_submission_says() -> None:
    played = play(seat(1, {"surrender": True}), submission={"settings": {"surrender_refund_per_mille": 500}})
    assert found(entry(played)) == ("forfeit", 500, 0, 0)


@pytest.mark.clause("PGP-7")
@pytest.mark.parametrize("keeps", [(), ("imperial",), ("queens_dragon",), ("imperial", "queens_dragon")])
def test_a_surrender_gives_up_what_the_submission_does_not_keep(keeps: tuple[str, ...]) -> None:
    settings = {"ez_variation": True, "surrender_keeps": keeps, "surrender_refund_per_mille": 250}
    cards = {"seat1": "Ks Kd Kc 9d 7h 5c 2d", "dealer": "Qh Jc 9h 8s 5s 4c 3c"}
    wagers = seat(1, {"surrender": True}, imperial=500, queens_dragon=100)
    played = play(wagers, cards=cards, submission={**EZ, "settings": settings})
    won = {"imperial": ("win", 500, 1000, 0), "queens_dragon": ("win", 100, 5000, 0)}
    assert found(entry(played)) == ("forfeit", 250, 0, 0)
    for wager, if_kept in won.items():
        assert found(entry(played, wager)) == (if_kept if wager in keeps else ("forfeit", 0, 0, 0))
    surrendered = [e for e in played.result.seats["1"].wagers.values() if e.result == "forfeit"]
    assert all(e.clauses == ("PGP-7",) and e.house_rule for e in surrendered)


def test_no_more_than_the_wager_comes_back_after_a_surrender() -> None:
    (problem,) = problems(submission={"settings": {"surrender_refund_per_mille": 1001}})
    assert "settings.surrender_refund_per_mille: value not allowed: 1001" in problem
    assert "at most 1,000" in problem


def test_ez_pai_gow_takes_no_commission_and_pushes_on_queen_high() -> None:
    won = entry(play(submission=EZ))
    assert found(won) == ("win", 1000, 1000, 0)
    queen_high = "Qh Jc 9d 8c 6s 4h 3c"
    played = play(
        seat(1, queens_dragon=100), seat(2), cards={"seat1": KINGS_AND_QUEENS, "dealer": queen_high}, submission=EZ
    )
    assert found(entry(played)) == ("push", 1000, 0, 0)
    assert found(entry(played, number=2)) == ("push", 1000, 0, 0)
    ez = "the licensee's choice; its rules from casino rule pages"
    assert (won.house_rule, entry(played).house_rule) == (ez, ez)
    assert found(entry(played, "queens_dragon")) == ("win", 100, 5000, 0)


def test_the_imperial_bonus_pays_for_both_hands_together() -> None:
    cards = {"seat1": "As Ks Qs Js Ts 9d 2h", "dealer": "9c 8c 7h 5h 4s 3d 2d"}
    played = play(seat(1, imperial=100), cards=cards)
    assert found(entry(played, "imperial")) == ("win", 100, 100 * (200 + 100), 0)


def test_the_joker_is_written_jk() -> None:
    played = play(seat(1, low("Jk Kd"), seven_card=500), cards={"seat1": "Jk Kd As Ac Ah 7d 2c"})
    assert entry(played).hand == "three aces; ace-king"
    assert found(entry(played, "seven_card")) == ("win", 500, 12_500, 0)


def test_lines_of_json_give_lines_of_results() -> None:
    line = json.dumps({"rulebook": "nj-pai-gow", "seats": [seat(1)], "cards": {"seat1": KINGS_AND_QUEENS}})
    good, bad = RUNNER.play_lines([line, line.replace("house-way", "my way")], where="rounds.jsonl")
    assert isinstance(good, PlayedRound)
    assert msgspec.to_builtins(good.result)["seats"]["1"]["wagers"]["main"]["stake"] == 1000
    assert isinstance(bad, BadInput)
    assert str(bad).startswith("rounds.jsonl:2: seat 1: decisions.set: this decision is not open here: 'my way'")


# --- envy and the bank ------------------------------------------------------------------------------------------------

IN_CENTS: dict[str, Any] = {"wagers": {"main": {"step_cents": 1, "min_cents": 500}}}
BANKED = {
    "seat1": "As Ah Ad Jk 8c 6d 4h",
    "seat2": KINGS_AND_QUEENS,
    "seat4": "Kc Jd Th 8s 6c 4d 2h",
    "dealer": "Qh Jc 9h 9d 7s 5s 3c",
}
AGAINST_BANK = (seat(1, low("As Ah"), main=1000), seat(2, main=2000), seat(4, main=501))


def banked(**fields: Any) -> PlayedRound:
    return play(*AGAINST_BANK, **{"cards": BANKED, "submission": IN_CENTS, "bank": 2, **fields})


def test_another_players_hand_brings_envy_as_an_entry_of_its_own() -> None:
    cards = {"seat1": "8s 8h 8d 8c Kd 5h 2h", "seat3": "Kc Jd 9h 7d 6c 4d 3h", "dealer": ACE_HIGH}
    cards["dealer"] = "Ah Qc Tc 9d 6d 4c 3c"
    played = play(seat(1, seven_card=500), seat(3, seven_card=500), cards=cards)
    envied = entry(played, "seven_card_envy", 3)
    assert (envied.stake, envied.result, envied.returned, envied.paid, envied.hand) == (0, "win", 0, 500, "four eights")
    assert envied.illustrative
    assert "seven_card_envy" not in played.result.seats["1"].wagers
    assert played.result.seats["3"].net == -1000 - 500 + 500


@pytest.mark.clause("PGP-13")
def test_a_bank_is_an_entry_of_its_seat() -> None:
    """Seat 1 wins $10 of it; seat 4 loses $5.01 and the dealer $20, what seat 2 last wagered against the house."""
    played = banked()
    bank = entry(played, "bank", 2)
    assert (bank.stake, *found(bank)) == (3501, "win", 3501, 1501, 75)
    assert bank.hand == "pair of kings; pair of queens"
    assert [played.result.seats[number].net for number in ("1", "2", "4")] == [950, 1501 - 75, -501]
    assert played.result.house_net == -2000 + 50 + 75
    assert only_last(played, e.RoundClosed).round == 2


@pytest.mark.clause("PGP-13")
def test_a_co_bank_is_shared_with_the_house() -> None:
    bank = entry(banked(co_bank=True), "bank", 2)
    assert (bank.stake, *found(bank)) == (751, "lose", 751 - 250, 0, 0)
    (problem,) = problems(
        *AGAINST_BANK[:1], seat(2, low("Qs Qd"), main=2000), bank=2, co_bank=True, cards=BANKED_TWO, submission=IN_CENTS
    )
    assert problem.startswith("round: seat 2: decisions.set.low: a co-banked hand is set the house way")


BANKED_TWO = {name: cards for name, cards in BANKED.items() if name != "seat4"}


@pytest.mark.clause("PGP-13")
@pytest.mark.parametrize("total", sorted(TOTALS))
def test_with_a_bank_the_first_hand_is_counted_from_it(total: int) -> None:
    played = play(*FULL_TABLE, cards=HANDS, chance={"dice": TOTALS[total]}, bank=4)
    assert only_last(played, e.FirstHandChosen).position == [4, 3, 2, 1, 0, 6, 5][(total - 1) % 7]
    hands: dict[str, list[Any]] = {}
    for dealt in only_last(played, e.CardsDealt).cards:
        hands.setdefault(f"seat{dealt.seat}" if dealt.seat else "dealer", []).append(dealt.card)
    assert {name: format_cards(cards) for name, cards in hands.items()} == HANDS


def only_last(played: PlayedRound, kind: type[e.Event]) -> Any:
    """The event of the round that was scripted, not of the one before, in which the house banked."""
    return [event for event in played.events if isinstance(event, kind)][-1]


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"bank": 3}, "bank: this seat does not play: 3 (allowed: 1, 2, 4)"),
        ({"bank": None, "co_bank": True}, "bank: missing: the seat that banks with the house (allowed: 1, 2, 4)"),
        ({"submission": {**IN_CENTS, "bank": {"offered": False, "co_bank_offered": False}}}, "bank: "),
    ],
)
def test_a_player_who_cannot_bank_gets_the_reason(fields: dict[str, Any], complaint: str) -> None:
    (problem,) = problems(*AGAINST_BANK, **{"cards": BANKED, "submission": IN_CENTS, "bank": 2, **fields})
    assert problem.startswith(f"round: {complaint}")


# --- who is collected and paid when -----------------------------------------------------------------------------------


def told_in_order(played: PlayedRound) -> list[tuple[Any, ...]]:
    """The exposures, what is settled, and whose cards go to the rack or stay."""
    order: list[tuple[Any, ...]] = []
    for event in played.events:
        match event:
            case e.HandsExposed():
                order.append(("shows", event.seat))
            case e.WagerSettled():
                order.append((event.result, event.seat, event.wager))
            case e.SeatSettled() if event.collects:
                order.append(("collected", event.seat))
    return order


@pytest.mark.clause("PGP-8", "PGP-9", "PGP-10")
def test_losers_are_collected_at_once_and_winners_paid_after_all_are_exposed() -> None:
    cards = {
        "seat1": "Ac Ad As Kc Kd 9h 8h",  # wins
        "seat2": "Jh Td 8c 6d 4s 3h 2c",  # loses everything
        "seat3": "9c 8d 7h 6c 5d 3c 2d",  # set to lose, with a straight in the seven
        "seat4": "Qc Jc 9d 7c 5h 4h 3s",  # loses everything
        "dealer": "Qh Qd Ts Th 7s 5s 4d",
    }
    bonuses = {"imperial": 100, "seven_card": 100}
    played = play(
        *(seat(number, low("8d 7h") if number == 3 else None, **bonuses) for number in range(1, 5)), cards=cards
    )
    wagers = ("main", "imperial", "seven_card")
    assert (
        told_in_order(played)
        == [
            ("shows", 4),
            *(("lose", 4, wager) for wager in wagers),
            ("collected", 4),
            ("shows", 3),
            ("lose", 3, "main"),  # the bonuses have won: the cards stay
            ("shows", 2),
            *(("lose", 2, wager) for wager in wagers),
            ("collected", 2),
            ("shows", 1),
            *(("win", 3, wager) for wager in wagers[1:]),
            *(("win", 1, wager) for wager in wagers),
        ]
    )
    rack = [pile.partition(":")[0] for pile in only(played, e.CardsDiscarded).pile]
    assert rack == ["stub", "seat5", "seat6", "seat4", "seat2", "seat3", "seat1", "community"]


@pytest.mark.clause("PGP-9")
def test_queen_s_dragon_keeps_no_foul_on_the_table() -> None:
    cards = {"seat1": KINGS_AND_QUEENS, "dealer": "Qh Jc 9d 8c 6s 4h 3c"}
    played = play(seat(1, low("Ks Kd"), queens_dragon=100), cards=cards, submission=EZ)
    lost, won = ("lose", 1, "main"), ("win", 1, "queens_dragon")
    assert told_in_order(played) == [("shows", 1), lost, ("collected", 1), won]


@pytest.mark.clause("PGP-7")
def test_who_banks_has_nothing_to_surrender() -> None:
    (problem,) = problems(seat(1), seat(2, {"surrender": True}), cards=BANKED_TWO, bank=2)
    assert problem == "round: seat 2: decisions.surrender: the bank has no wager to surrender: 2 [PGP-7]"


def test_a_breach_of_conduct_by_the_banker_is_recorded() -> None:
    breach = {"kind": "conduct_breach", "step": "set_hands", "seat": 2, "ruling": "continue"}
    played = play(seat(1), seat(2), cards=BANKED_TWO, bank=2, irregularities=[breach])
    assert only_last(played, e.IrregularityReported).seat == 2
    assert played.result == play(seat(1), seat(2), cards=BANKED_TWO, bank=2).result


def test_who_banks_wagers_nothing_but_what_was_wagered_before() -> None:
    bad = {"cards": BANKED_TWO, "bank": 2}
    (problem,) = problems(seat(1), seat(2, imperial=100), **bad)
    assert problem == (
        "round: seat 2: wagers.imperial: the bank cannot place wagers (allowed: main, the last wager against the house)"
    )
    (problem,) = problems(seat(1), seat(2, main=1), **bad)
    assert problem.startswith("round: seat 2: wagers.main: this stake is not allowed: 1")
    nothing = {"seat": 2, "wagers": {}, "decisions": HOUSE_WAY}
    assert only_last(play(seat(1), nothing, **bad), e.BankTaken).house_wager == 1000


def test_criss_cross_knows_no_bank() -> None:
    with pytest.raises(BadInput, match="bank: no player can bank this game"):
        RUNNER.play({"rulebook": "md-criss-cross", "seats": [], "bank": 1}, where="round")


# --- the clock --------------------------------------------------------------------------------------------------------


def silent(number: int, **fields: Any) -> list[dict[str, Any]]:
    return [{"kind": "no_answer", "step": "set_hands", "seat": number, **fields}]


def test_who_does_not_answer_has_the_hand_set_the_house_way() -> None:
    played = play(seat(1, low("Ks Kd")), irregularities=silent(1), submission={"play": {"decision_seconds": 30}})
    setting = only(played, e.HandSet)
    assert (setting.timed_out, setting.foul, format_cards(setting.low)) == (True, False, "Qs Qd")


def test_the_floor_may_decide_about_a_silent_player() -> None:
    asked = {"play": {"on_timeout": "floor_decides", "decision_seconds": 30}}
    given = {"submission": asked, "cards": {"seat1": KINGS_AND_QUEENS}}
    waits = play(seat(1, low("7h 5c")), irregularities=silent(1, ruling="continue"), **given)
    assert format_cards(only(waits, e.HandSet).low) == "7h 5c"
    ruled = play(seat(1, low("7h 5c")), irregularities=silent(1, ruling="house_way"), **given)
    assert only(ruled, e.HandSet).timed_out
    (problem,) = problems(seat(1), irregularities=silent(1), **given)
    assert "no_answer needs a ruling by the floor (allowed: continue, house_way)" in problem
    (problem,) = problems(seat(1), irregularities=silent(1))
    assert "no clock runs at this table" in problem
    (problem,) = problems(seat(1), irregularities=[{"kind": "no_answer", "step": "set_hands"}])
    assert problem == "round: irregularities[0].seat: missing (allowed: the silent seat)"


def test_the_clock_runs_out_in_other_games_too() -> None:
    fold = {"seat": 2, "wagers": {"ante": 1000}, "decisions": {"across": 1000, "down": 1000, "middle": 1000}}
    silence = [{"kind": "no_answer", "step": "decide_down", "seat": 2}]
    script: dict[str, Any] = {
        "rulebook": "md-criss-cross",
        "seats": [{**fold, "seat": 1}, fold],
        "irregularities": silence,
    }
    script["submission"] = {"play": {"decision_seconds": 30}}
    result = RUNNER.play(script, where="round").result
    assert result.seats["2"].wagers["across"].result == "forfeit"
    assert result.seats["1"].wagers["across"].result != "forfeit"


# --- bad input --------------------------------------------------------------------------------------------------------

OPEN_TO_SET = '(allowed: "house-way", { low = "two cards" }, or surrender = true)'


@pytest.mark.parametrize(
    ("decisions", "complaint"),
    [
        ({"surrender": False}, f"decisions.set: missing {OPEN_TO_SET}"),
        ({"set": "best"}, f"decisions.set: this decision is not open here: 'best' {OPEN_TO_SET}"),
        ({"set": True}, f"decisions.set: this decision is not open here: true {OPEN_TO_SET}"),
        ({"set": {"high": "Ks Kd"}}, "decisions.set: this decision is not open here: \"{'high': 'Ks Kd'}\""),
        (low("Ks"), "decisions.set.low: wrong number of cards: 1 (allowed: 2)"),
        (low("Kx Kd"), "decisions.set.low: not a card: 'Kx'"),
        (low("Ks Ks"), "decisions.set.low: card given more than once: 'Ks'"),
        (
            low("As Kd"),
            (
                "decisions.set.low: the front needs two of the player's cards: 'As Kd' "
                "(allowed: two of Ks Kd Qs Qd 7h 5c 2d)"
            ),
        ),
        ({"surrender": "yes"}, "decisions.surrender: this decision is not open here: 'yes' (allowed: true)"),
        ({**HOUSE_WAY, "surrender": True}, "decisions.surrender: a hand is set or surrendered, not both: true [PGP-7]"),
        ({**HOUSE_WAY, "play": "fold"}, "decisions.play: no such decision in this game (allowed: set, surrender)"),
    ],
)
def test_a_decision_that_cannot_be_is_refused_in_one_line(decisions: dict[str, Any], complaint: str) -> None:
    (problem,) = problems(seat(1, decisions))
    assert problem.startswith(f"round: seat 1: {complaint}")


@pytest.mark.clause("PGP-7")
def test_a_bonus_wager_bars_the_surrender() -> None:
    (problem,) = problems(seat(1, {"surrender": True}, seven_card=100))
    assert (
        problem
        == "round: seat 1: decisions.surrender: a hand with this wager cannot be surrendered: 'seven_card' [PGP-7]"
    )


def test_every_seat_without_a_decision_is_named() -> None:
    without = [{"seat": number, "wagers": {"main": 1000}} for number in (1, 4)]
    assert [problem.partition(" missing")[0] for problem in problems(*without)] == [
        "round: seat 1: decisions.set:",
        "round: seat 4: decisions.set:",
    ]


@pytest.mark.parametrize(
    ("chance", "stated", "complaint"),
    [
        ({"dice": [1, 2]}, {}, "dice: not a possible result: '1 2' (allowed: three numbers from 1 to 6)"),
        ({"dice": [1, 2, 7]}, {}, "dice: not a possible result: '1 2 7'"),
        ({"number": 3}, {}, "number: the first hand is not chosen this way here: 3"),
        ({"dice": [1, 2, 3]}, BY_NUMBER, "dice: the first hand is not chosen this way here: '1 2 3'"),
        ({"number": 8}, BY_NUMBER, "number: not a possible result: 8 (allowed: a number from 1 to 7)"),
        ({"number": 0}, BY_NUMBER, "number: not a possible result: 0"),
    ],
)
def test_dice_and_numbers_that_cannot_be_are_refused(
    chance: dict[str, Any], stated: dict[str, Any], complaint: str
) -> None:
    (problem,) = problems(chance=chance, submission=stated)
    assert problem.startswith(f"round: chance.{complaint}")


def test_dice_mean_nothing_in_a_game_without_them() -> None:
    with pytest.raises(BadInput, match=r"chance\.dice: the first hand is not chosen this way here"):
        RUNNER.play({"rulebook": "md-criss-cross", "seats": [], "chance": {"dice": [1, 2, 3]}}, where="round")


@pytest.mark.parametrize(
    ("cards", "complaint"),
    [
        ({"seat1": "Ks Kd Qs Qd 7h 5c"}, "cards.seat1: wrong number of cards: 6 (allowed: 7)"),
        ({"dealer": f"{KINGS_AND_QUEENS} Jk"}, "cards.dealer: wrong number of cards: 8 (allowed: 7)"),
        (
            {"seat1": KINGS_AND_QUEENS, "dealer": "Ks As Ad Ac 2h 3h 4h"},
            "cards.dealer: card given more than once: 'Ks'",
        ),
        ({"seat2": KINGS_AND_QUEENS}, "cards.seat2: this seat does not play (allowed: seat1)"),
        ({"across": "Ks Kd"}, "cards.across: this place gets no cards (allowed: dealer, seat1)"),
    ],
)
def test_cards_that_cannot_lie_there_are_refused(cards: dict[str, str], complaint: str) -> None:
    assert problems(cards=cards) == [f"round: {complaint}"]


@pytest.mark.parametrize("count", [1, 4, 5, 53])
def test_more_cards_face_up_than_the_deck_has_void_the_round_like_one(count: int) -> None:
    played = play(irregularities=[{"kind": "face_up_card", "step": "deal", "count": count}])
    assert (played.result.outcome, entry(played).result) == ("void", "returned")


STRANGE: tuple[Any, ...] = (
    *(None, True, 0, -1, 7, 10**20, 3.5, "", "x", "Jk", "house-way", "fold", KINGS_AND_QUEENS),
    *({}, {"low": "Jk As"}, {"low": ""}, {"main": 1000}, {"seat1": "??"}, [], [1, 2, 3]),
)
WHERE = ("bank", "co_bank", "chance", "cards", "seats", "seed", "submission", "irregularities", "meters", "rulebook")


def mutilated(rng: Random) -> dict[str, Any]:
    """A round in which one thing is something else, or missing."""
    script: dict[str, Any] = {"rulebook": "nj-pai-gow", "bank": 2, "cards": dict(BANKED), "chance": {"dice": [1, 2, 3]}}
    script["seats"] = json.loads(json.dumps(AGAINST_BANK))
    script["irregularities"] = [{"kind": "player_leaves", "step": "set_hands", "seat": 1, "ruling": "continue"}]
    part: Any = script
    while rng.random() < 0.7:
        inner = part if isinstance(part, list) else list(part.values())
        part = rng.choice([other for other in inner if isinstance(other, dict | list) and other] or [part])
    if isinstance(part, list):
        part[rng.randrange(len(part))] = rng.choice(STRANGE)
    elif rng.random() < 0.2:
        part.pop(rng.choice(list(part)))
    else:
        part[rng.choice([*part, *(WHERE if part is script else ("zzz",))])] = rng.choice(STRANGE)
    return script


@pytest.mark.parametrize("seed", range(4))
def test_every_problem_of_a_script_fits_one_line(seed: int) -> None:
    rng = Random(seed)
    found: list[str] = []
    for _ in range(100):
        try:
            RUNNER.play(mutilated(rng), where="round")
        except BadInput as bad:
            found += map(str, bad.problems)
    assert len(found) > 60
    assert all(line.startswith("round") and "\n" not in line for line in found)
