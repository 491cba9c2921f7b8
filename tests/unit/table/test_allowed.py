"""The options of each role at each moment, and the form of refusals."""

from __future__ import annotations

from typing import Any, Final, get_args

import msgspec
import pytest

from crossfelt.rulebooks.game import compile_game
from crossfelt.table import commands as c
from crossfelt.table.act import COMMANDS_BY_NAME, Option, Range
from crossfelt.table.commands import Command, Role
from crossfelt.table.engine import ACTS, Refused, allowed, run
from unit.table.manual_table import BOOKS, Play, in_each, parse
from unit.table.random_table import ALL_GAMES, STAFF, Driver

NJ, MA, MD = BOOKS
ROLES: Final[tuple[Role, ...]] = get_args(Role)
PLAYER: Final[Role] = "player"
REPORT, SIT = "report_irregularity", "take_seat"
ANY_TIME: Final = ["record_fill", "record_credit"]
SAMPLE: Final[dict[str, Any]] = {
    "of_round": 1,
    "inventory_cents": 100,
    "cents": 100,
    "chips_cents": 100,
    "seat": 1,
    "round_id": "main/1",
    "deck": "A-1",
    "act": "wash",
    "depth": 10,
    "method": "manual",
    "reason": "none",
    "face": "down",
    "wagers": {},
    "count": 45,
    "choice": "expose",
    "low": (),
    "cards": (),
    "place": "middle",
    "kind": "player_leaves",
    "ruling": "continue",
    "device": "shoe",
    "how": "covered",
    "stop": 0,
    "community": 0,
    "hot_spot": 1,
    "prize": 0,
    "claim": 1,
    "number": 1,
    "shares": ((1, 100),),
    "before_micros": 0,
    "after_micros": 0,
    "wager": "progressive_player",
    "document": "P-1",
}
"""A value for every field that has no default."""


def point(book: str, name: str) -> Play:
    """A table with Ann in seat 1 and Ben in seat 2, of whom Ann has bet."""
    play = Play(book)
    if name == "closed":
        return play
    play.open(1, 2)
    if name == "sealed":
        return play
    play.serve()
    if name == "open_bets":
        return play
    play.bet(1)
    return play if name == "wagers" else play.advance(until=name)


def player(book: str, *more: str) -> list[str]:
    """A player may take another free seat, except in Massachusetts."""
    return ([] if book == MA else [SIT]) + list(more)


LISTED: Final[dict[str, dict[str, list[str]]]] = {
    # what dealer, floor, the player who has bet and the one who has not may do
    "closed": {"floor": ["open_table"]},
    "sealed": {"dealer": ["prepare_deck"], "floor": ANY_TIME, "ann": ["leave_seat", "buy_chips"]},
    "open_bets": {
        "dealer": ["spread_idle"],
        "floor": [*ANY_TIME, "order_recut", "order_shuffle", "remove_deck"],
        "ann": ["leave_seat", "buy_chips", "place_wagers"],
    },
    "wagers": {
        "dealer": ["no_more_bets"],
        "floor": [*ANY_TIME, "order_recut", "remove_deck"],
        "ann": ["buy_chips", "place_wagers"],
        "ben": ["leave_seat", "buy_chips", "place_wagers"],
    },
    "deal": {"dealer": ["deal_cards", REPORT], "floor": [*ANY_TIME, "order_recut", REPORT]},
    "stub": {"dealer": ["count_stub", "discard_stub", REPORT], "floor": [*ANY_TIME, REPORT]},
    "decide_across": {
        "dealer": [REPORT],
        "floor": [*ANY_TIME, REPORT],
        "ann": ["buy_chips", "bet", "fold"],
    },
    "reveal_across": {"dealer": ["turn_up", REPORT], "floor": [*ANY_TIME, REPORT]},
    "decide_middle": {
        "dealer": [REPORT],
        "floor": [*ANY_TIME, REPORT],
        "ann": ["buy_chips", "bet", "fold"],
    },
    "reveal_middle": {"dealer": ["turn_up", REPORT], "floor": [*ANY_TIME, REPORT]},
    "settle": {"dealer": ["settle_seat", REPORT], "floor": [*ANY_TIME, REPORT]},
    "discard": {"dealer": ["discard_cards"], "floor": ANY_TIME},
    "shuffle": {
        "dealer": ["shuffle_deck"],
        "floor": [*ANY_TIME, "remove_deck"],
        "ann": ["leave_seat", "buy_chips"],
    },
}


@pytest.mark.parametrize("name", LISTED)
@pytest.mark.parametrize("book", BOOKS)
def test_each_role_gets_its_options_at_each_moment(book: str, name: str) -> None:
    play = point(book, name)
    listed = LISTED[name]
    for_floor = [act for act in listed.get("floor", []) if act != "order_shuffle" or book != NJ]
    if (book, name) == (MD, "discard"):
        for_floor.append(REPORT)  # a breach of conduct, MDC-30
    assert play.may("dealer") == listed.get("dealer", [])
    assert play.may("floor") == for_floor
    if name != "closed":
        usual = ["leave_seat", "buy_chips"]
        ann = listed.get("ann", ["buy_chips"])
        ben = listed.get("ben", usual + [act for act in ann if act == "place_wagers"])
        assert play.may("player", "Ann") == player(book, *ann)
        assert play.may("player", "Ben") == player(book, *ben)
        assert play.may("player", "Guy") == [SIT]
    assert play.may("auditor") == play.may("spectator") == []


def names_all(option: Option) -> bool:
    """Say if an option names every field that its command must have."""
    kind = COMMANDS_BY_NAME[option.command]
    needed = {field.name for field in msgspec.structs.fields(kind) if field.required} - set(Command.__struct_fields__)
    named = {*option.fields, *option.ranges, *option.choices, *option.texts}
    named |= {"seat"} if option.seat is not None else set()
    named |= {"wagers"} if option.most_in_all is not None else set()
    return needed <= named


@pytest.mark.exhaustive
@pytest.mark.parametrize("number", range(len(ALL_GAMES)))
@pytest.mark.parametrize("acts", [50, pytest.param(150, marks=pytest.mark.soak)])
def test_an_option_names_every_field_that_its_command_needs(number: int, acts: int) -> None:
    book, choices = ALL_GAMES[number]
    driver = Driver(compile_game(book, choices), number, trouble=0.2)
    for _ in range(acts):
        driver.act()
        people = {seat.player for seat in driver.table.seats if seat.player}
        for who, role in (*STAFF, *((name, PLAYER) for name in people)):
            for option in allowed(driver.table, who, role):
                if option.command != "grant_award":  # which only the meter answers
                    assert names_all(option), option


@pytest.mark.parametrize("book", BOOKS)
def test_the_bets_offer_is_what_the_felt_offers(book: str) -> None:
    play = Play(book).open_for_bets(1, chips=300_00)
    (offer,) = [option for option in play.options("player", "Ann") if option.command == "place_wagers"]
    assert offer.seat == 1
    spin = {} if book == "ma-criss-cross" else {"bonus_spin": Range(5_00, 5_00)}
    assert offer.ranges == {
        "ante_across": Range(5_00, 500_00, 1_00),
        "ante_down": Range(5_00, 500_00, 1_00),
        "five_card_bonus": Range(1_00, 100_00, 1_00),
        **spin,
    }
    assert (offer.optional, offer.equal) == (("five_card_bonus", *spin), (("ante_across", "ante_down"),))
    assert offer.most_in_all == 300_00
    assert offer.choices["instrument"][:2] == ("chips", "plaques")
    play.bet(1, ante=100_00)
    taken_back, again = [option for option in play.options("player", "Ann") if option.command == "place_wagers"]
    assert taken_back == Option(command="place_wagers", seat=1, fields={"wagers": {}})
    assert again.most_in_all == 300_00


@pytest.mark.parametrize("book", BOOKS)
def test_who_cannot_pay_the_smallest_antes_is_offered_none(book: str) -> None:
    play = Play(book).open_for_bets(1, chips=9_99)
    assert "place_wagers" not in play.may("player", "Ann")
    play.do(c.BuyChips, seat=1, cents=1)
    assert "place_wagers" in play.may("player", "Ann")


@pytest.mark.parametrize("book", BOOKS)
def test_a_count_of_the_stub_is_listed_right_or_wrong_with_a_finding(book: str) -> None:
    play = point(book, "stub")
    right, *wrong = [option for option in play.options("dealer") if option.command == "count_stub"]
    assert right.fields == {"count": 45}
    findings = {False: ("not_misdealt",), True: ("misdealt", "misdealt_and_wrong_total")}
    areas: list[dict[str, object]] = [{"seat": 1}, {"place": "community"}]
    places = [{}, *areas[: len(play.game.listed("misdeal_areas"))]]
    for range_ in (Range(0, 44), Range(46, 52)):
        listed = [(option.fields, option.choices) for option in wrong if option.ranges == {"count": range_}]
        assert listed == [(where, {"finding": findings[bool(where)]}) for where in places]


@in_each("NJC-22", "MAC-10", "MDC-13")
def test_options_name_the_clause_behind_them(book: str) -> None:
    play = Play(book).open(1).serve(before=c.CutDeck)
    (option,) = [option for option in play.options("dealer") if option.command == "cut_deck"]
    assert option.ranges == {"depth": Range(10, 51)}
    assert option.clauses in (("NJC-22",), ("MAC-10",), ("MDC-13",))


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("act", "role"),
    [pytest.param(act, role, id=f"{act.name}-{role}") for act in ACTS for role in ROLES if role not in act.roles],
)
def test_a_command_by_the_wrong_role_is_refused_and_says_whose_it_is(act: Any, role: Role) -> None:
    play = point(MD, "decide_across")
    kind: type[Command] = act.command
    fields = {name: SAMPLE[name] for name in kind.__struct_fields__ if name in SAMPLE}
    answer = run(play.table, kind(id="c", who=role, role=role, at=0, **fields))
    assert isinstance(answer, Refused)
    assert (answer.problem.code, answer.problem.value) == ("role", role)
    assert answer.problem.allowed == " or ".join(act.roles)


@pytest.mark.parametrize("book", BOOKS)
def test_the_cards_of_a_known_deck_are_not_put_right(book: str) -> None:
    play = point(book, "decide_down")
    problem = play.refusal(c.CorrectCard, place="across_left", cards=(play.table.deck.cards[-1],))
    assert (problem.code, problem.allowed) == ("correct.place", "none")


@pytest.mark.parametrize("book", BOOKS)
def test_an_answer_to_a_step_or_a_round_that_has_closed_is_late(book: str) -> None:
    play = point(book, "decide_down")
    problem = play.refusal(c.Bet, seat=1, cents=10_00, round=1, step="decide_across")
    assert (problem.code, problem.where, problem.value, problem.allowed) == (
        "late",
        "step",
        "decide_across",
        "decide_down",
    )
    problem = play.refusal(c.Fold, seat=1, round=0)
    assert (problem.code, problem.where, problem.value, problem.allowed) == ("late", "round", 0, "1")
    assert problem.what == "that round has closed"
    problem = play.refusal(c.Fold, seat=1, round=2)
    assert (problem.code, problem.what, problem.value) == ("late", "that round has not begun", 2)
    problem = play.refusal(c.Fold, seat=1, step="decide_middle")
    assert (problem.code, problem.what) == ("late", "the round is not at that step")
    play.do(c.Bet, seat=1, cents=10_00, round=1, step="decide_down")


@pytest.mark.parametrize("book", BOOKS)
def test_a_refusal_says_what_where_which_value_what_is_allowed_and_the_clause(book: str) -> None:
    play = point(book, "decide_across")
    text = str(play.refusal(c.Bet, seat=1, cents=31_00))
    assert text.startswith("cents: this amount is not allowed as across bet: 3100 (allowed: 1,000 to 3,000 cents in")
    assert text.endswith("]")


@pytest.mark.parametrize("book", BOOKS)
def test_at_a_physical_table_the_dealer_names_the_cards_as_they_are_turned_up(book: str) -> None:
    play = Play(book).open(1, 2)
    for act in ("receive", "inspect", "verify", "spread", "show", "wash", "stack"):
        play.do(c.PrepareDeck, deck="A-1", act=act, role="floor" if act == "verify" else "dealer", back="red")
    play.do(c.ShuffleDeck, deck="A-1", method="manual")
    play.do(c.CutDeck, deck="A-1", depth=20)
    play.do(c.LoadDeck, deck="A-1")
    play.bet(1, 2)
    play.advance(until="decide_across")
    for bet, named in (("across", "Kd 4s"), ("down", "9c 9h"), ("middle", "Kc")):
        play.do(c.Bet, seat=1, cents=10_00)
        play.do(c.Bet, seat=2, cents=10_00)
        (option,) = [option for option in play.options("dealer") if option.command == "turn_up"]
        cards = parse(named)
        assert option.fields == {"cards": len(cards)}, bet
        assert play.refusal(c.TurnUp).code == "cards.count"
        assert play.refusal(c.TurnUp, cards=(*cards, cards[0])).code == "cards.count"
        if bet == "down":
            assert play.refusal(c.TurnUp, cards=parse("9c Kd")).code == "cards.repeated"
            assert play.refusal(c.TurnUp, cards=parse("9c") * 2).code == "cards.repeated"
        play.do(c.TurnUp, cards=cards)
    (option,) = [option for option in play.options("dealer") if option.command == "settle_seat"]
    assert (option.seat, option.fields) == (2, {"cards": 2})
    assert play.refusal(c.SettleSeat, seat=2).code == "cards.count"
    play.do(c.SettleSeat, seat=2, cards=parse("Qs Qd"))
    problem = play.refusal(c.SettleSeat, seat=1, cards=parse("Ks Qd"))
    assert (problem.code, problem.value) == ("cards.repeated", "Qd")
    play.do(c.SettleSeat, seat=1, cards=parse("Ks 2d"))
    play.do(c.DiscardCards)
    assert play.chips(1) == 100_000_00 + 10_00 + 30_00 + 10_00 + 20_00 + 30_00
