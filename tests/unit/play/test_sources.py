"""The sources of cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from crossfelt.cards import Card, parse_cards, standard_deck
from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.errors import BadInput
from crossfelt.play.round_result import RoundResult, result_of
from crossfelt.play.sources import PhysicalSource, ScriptedSource, ShuffledSource
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.automation import ALL, CardSource, Dealer
from crossfelt.table.commands import Command
from crossfelt.table.engine import Refused, allowed, run
from crossfelt.table.state import TableState, new_table

SEED = repeatable_seed(7)
STATES = ["nj-criss-cross", "ma-criss-cross", "md-criss-cross"]
PLACES = "down, across, middle, down_far, across_left, across_right, down_near, cross, community"
CROSS = {"across": "Kd 4s", "down": "9c 9h", "middle": "Kc"}
HAND_DEALT = {"dealing": {"method": "hand", "shuffler": "automatic"}}
SHOE = {"dealing": {"method": "automated_shoe", "shuffler": "counting", "decks": 2}}
APPROVED = {**SHOE, "approvals": {"automated_shoe": "approved"}}
PRESHUFFLED = {"dealing": {"preshuffled": True, "shuffler": "automatic"}}
RESHUFFLES = {"dealing": {"reshuffling_device": True}, "approvals": {"reshuffling_device": "RD-1"}}


class Bench:
    """A table that is driven command by command."""

    def __init__(self, game: Game, seats: tuple[int, ...], dealer: Dealer) -> None:
        self.table: TableState = new_table(game)
        self.events: list[e.Event] = []
        self.dealer = dealer
        self.give(c.OpenTable(id="1", who="floor", role="floor", at=0, inventory_cents=10**9))
        for seat in seats:
            self.give(c.TakeSeat(id="2", who=f"p{seat}", role="player", at=0, seat=seat, chips_cents=10**6))

    def give(self, command: Command) -> None:
        answer = run(self.table, command)
        assert not isinstance(answer, Refused), answer
        self.table = answer.table
        self.events += answer.events

    def refusal(self, command: Command) -> str:
        answer = run(self.table, command)
        assert isinstance(answer, Refused)
        return answer.problem.code

    def advance(self) -> None:
        while self.table.step != "shuffle" and (command := self.dealer.next_command(self.table, 0)):
            self.give(command)


def dealt(game: Game, source: CardSource, seats: tuple[int, ...]) -> dict[tuple[int, str], Card]:
    """The cards of the first round by seat and place."""
    bench = Bench(game, seats, Dealer(source))
    bench.advance()
    for seat in seats:
        wagers = {"ante_across": 1000, "ante_down": 1000}
        bench.give(c.PlaceWagers(id="3", who=f"p{seat}", role="player", at=0, seat=seat, wagers=wagers))
    bench.give(c.NoMoreBets(id="4", who="dealer", role="dealer", at=0))
    bench.advance()
    event = next(event for event in bench.events if isinstance(event, e.CardsDealt))
    return {(card.seat, card.place): card.card for card in event.cards}


@pytest.mark.parametrize("state", STATES)
def test_every_shuffle_of_every_deck_is_its_own_and_repeatable(state: str) -> None:
    table = new_table(compile_game(state))
    source, again = ShuffledSource(SEED), ShuffledSource(SEED)
    orders = [source.order(table, deck) for deck in "ABABAA"]
    assert len(set(orders)) == len(orders)
    assert all(sorted(order) == sorted(standard_deck()) for order in orders)
    assert [again.order(table, deck) for deck in "ABABAA"] == orders
    assert ShuffledSource(repeatable_seed(8)).order(table, "A-1") not in orders


def test_a_deck_does_not_depend_on_what_other_decks_and_cuts_drew() -> None:
    table = new_table(compile_game("md-criss-cross"))
    plain, busy = ShuffledSource(SEED), ShuffledSource(SEED)
    busy.order(table, "B-1")
    busy.cut(table, 10, 51)
    assert busy.order(table, "A-1") == plain.order(table, "A-1")


def test_cuts_are_drawn_over_the_whole_range_and_not_beyond() -> None:
    table = new_table(compile_game("md-criss-cross"))
    source = ShuffledSource(SEED)
    depths = [source.cut(table, 10, 13) for _ in range(200)]
    assert set(depths) == {10, 11, 12, 13}


@pytest.mark.parametrize("seats", [(1,), (2, 5), (1, 2, 3, 4, 5, 6)])
@pytest.mark.parametrize(
    ("state", "submission"),
    [
        *((state, {}) for state in STATES),
        *((state, HAND_DEALT) for state in STATES),
        ("nj-criss-cross", APPROVED),
        ("ma-criss-cross", SHOE),
        ("md-criss-cross", APPROVED),
        ("md-criss-cross", PRESHUFFLED),
        ("md-criss-cross", RESHUFFLES),
        ("ma-criss-cross", RESHUFFLES),
    ],
)
def test_named_cards_lie_where_they_are_named_after_shuffle_and_cut(
    state: str, submission: dict[str, Any], seats: tuple[int, ...]
) -> None:
    game = compile_game(state, submission)
    last = seats[-1]
    cards = dealt(game, ScriptedSource(game, {**CROSS, f"seat{last}": "Ks 2d"}, seats, SEED), seats)
    named = {
        (0, "across_left"): "Kd",
        (0, "across_right"): "4s",
        (0, "down_far"): "9c",
        (0, "down_near"): "9h",
        (0, "middle"): "Kc",
        (last, "hole_1"): "Ks",
        (last, "hole_2"): "2d",
    }
    assert {spot: cards[spot] for spot in named} == {spot: Card(text) for spot, text in named.items()}
    assert len(set(cards.values())) == len(cards) == 5 + 2 * len(seats)


@pytest.mark.parametrize("submission", [{}, RESHUFFLES, HAND_DEALT], ids=["cut", "waived", "device"])
def test_with_nothing_named_the_cards_are_those_of_the_shuffle(submission: dict[str, Any]) -> None:
    game = compile_game("md-criss-cross", submission)
    assert dealt(game, ScriptedSource(game, {}, (1, 4), SEED), (1, 4)) == dealt(game, ShuffledSource(SEED), (1, 4))


def test_naming_a_card_leaves_the_others_to_the_seed() -> None:
    game = compile_game("md-criss-cross")
    one = dealt(game, ScriptedSource(game, {"middle": "Kc"}, (1,), SEED), (1,))
    other = dealt(game, ScriptedSource(game, {"middle": "Kc"}, (1,), repeatable_seed(8)), (1,))
    assert one[0, "middle"] == other[0, "middle"] == Card("Kc")
    assert one != other


def test_a_hidden_card_is_left_to_the_seed() -> None:
    game = compile_game("md-criss-cross")
    cards = dealt(game, ScriptedSource(game, {"seat1": "?? 2d", "across": "Kd ??"}, (1,), SEED), (1,))
    assert (cards[1, "hole_2"], cards[0, "across_left"]) == parse_cards("2d Kd")
    assert len(set(cards.values())) == 7


@pytest.mark.parametrize(
    "named",
    [
        {"cross": "9c Kd Kc 4s 9h"},
        {"community": "9c Kd Kc 4s 9h"},
        {"down_far": "9c", "across": "Kd 4s", "middle": "Kc", "down_near": "9h"},
    ],
    ids=["group", "hand", "places"],
)
def test_cards_can_be_named_by_group_hand_or_place(named: dict[str, str]) -> None:
    game = compile_game("md-criss-cross")
    cards = dealt(game, ScriptedSource(game, named, (1,), SEED), (1,))
    assert [cards[0, place] for place in ("across_left", "middle", "across_right", "down_far", "down_near")] == list(
        parse_cards("Kd Kc 4s 9c 9h")
    )


def test_a_face_up_card_that_is_not_used_pushes_no_named_card_from_its_place() -> None:
    game = compile_game("ma-criss-cross")
    source = ScriptedSource(game, {**CROSS, "seat1": "Ks 2d"}, (1, 2), SEED, face_up=[(1, None)])
    bench = Bench(game, (1, 2), Dealer(source))
    bench.advance()
    for seat in (1, 2):
        wagers = {"ante_across": 1000, "ante_down": 1000}
        bench.give(c.PlaceWagers(id="3", who=f"p{seat}", role="player", at=0, seat=seat, wagers=wagers))
    bench.give(c.NoMoreBets(id="4", who="dealer", role="dealer", at=0))
    found = c.ReportIrregularity(id="5", who="dealer", role="dealer", at=0, kind="face_up_card", case="one", seat=1)
    bench.give(found)
    bench.advance()
    assert bench.table.seat(1).cards == parse_cards("Ks 2d")
    assert bench.table.community["middle"] == Card("Kc")
    discarded = next(event for event in bench.events if isinstance(event, e.FaceUpCardDiscarded))
    assert discarded.card not in parse_cards("Kd 4s 9c 9h Kc Ks 2d")


@pytest.mark.parametrize(
    ("cards", "problems"),
    [
        ({"middle": "Kx"}, ["cards.middle: not a card: 'Kx' (allowed: 2c … As, Jk (joker), ?? (face down))"]),
        ({"middle": "Jk"}, ["cards.middle: no joker in this hand: 'Jk' (allowed: 2c … As)"]),
        ({"across": "Kd"}, ["cards.across: wrong number of cards: 1 (allowed: 2)"]),
        ({"seat1": "Kd Kc Kh"}, ["cards.seat1: wrong number of cards: 3 (allowed: 2)"]),
        ({"across": "Kd 4s", "seat1": "4s 2c"}, ["cards.seat1: card given more than once: '4s'"]),
        ({"seat2": "Kd 4s"}, ["cards.seat2: this seat does not play (allowed: seat1)"]),
        (
            {"dealer": "Kd 4s", "seat9": "2c 3c"},
            [
                f"cards.dealer: this place gets no cards (allowed: {PLACES}, seat1)",
                f"cards.seat9: this place gets no cards (allowed: {PLACES}, seat1)",
            ],
        ),
        ({"cross": "9c 2d Kc 2h 9h", "middle": "Kd"}, ["cards.middle: this place has another card, Kc: 'Kd'"]),
    ],
)
def test_cards_that_cannot_be_are_refused_all_at_once(cards: Mapping[str, str], problems: list[str]) -> None:
    game = compile_game("md-criss-cross")
    with pytest.raises(BadInput) as refused:
        ScriptedSource(game, cards, [1], SEED)
    assert [str(problem) for problem in refused.value.problems] == problems


def test_the_dealer_has_cards_where_the_game_gives_some() -> None:
    game = compile_game("nj-double-cross")
    ScriptedSource(game, {"dealer": "Kd 4s"}, [1], SEED)
    with pytest.raises(BadInput, match="wrong number of cards: 1"):
        ScriptedSource(game, {"dealer": "Kd"}, [1], SEED)


def physical_round(state: str) -> tuple[Bench, RoundResult]:
    """The round of the design at a table of wood and felt: the dealer names the cards as they are turned up."""
    game = compile_game(state)
    bench = Bench(game, (1,), Dealer(PhysicalSource(), ALL - {"reveal", "settle"}))
    bench.advance()
    wagers = {"ante_across": 1000, "ante_down": 1000, "five_card_bonus": 500}
    bench.give(c.PlaceWagers(id="3", who="p1", role="player", at=0, seat=1, wagers=wagers))
    bench.give(c.NoMoreBets(id="4", who="dealer", role="dealer", at=0))
    for cents, shown in ((3000, "Kd 4s"), (1000, "9c 9h"), (1000, "Kc")):
        bench.advance()
        bench.give(c.Bet(id="5", who="p1", role="player", at=0, seat=1, cents=cents))
        assert bench.refusal(c.TurnUp(id="6", who="dealer", role="dealer", at=0)) == "cards.count"
        assert bench.refusal(c.TurnUp(id="6", who="dealer", role="dealer", at=0, cards=parse_cards("2c 3c 4c")))
        bench.give(c.TurnUp(id="6", who="dealer", role="dealer", at=0, cards=parse_cards(shown)))
    while bench.table.step != "discard":
        named = bench.table.step == "settle"
        repeated = c.SettleSeat(id="7", who="dealer", role="dealer", at=0, seat=1, cards=parse_cards("Kc 2d"))
        assert not named or bench.refusal(repeated) == "cards.repeated"
        cards = parse_cards("Ks 2d") if named else ()
        bench.give(c.SettleSeat(id="7", who="dealer", role="dealer", at=0, seat=1, cards=cards))
    bench.advance()
    return bench, result_of(game, bench.events)


@pytest.mark.parametrize("state", STATES)
def test_a_physical_table_insists_on_the_cards_and_works_out_every_payment(state: str) -> None:
    bench, result = physical_round(state)
    assert result.seats["1"].net == 17500
    assert bench.table.step == "shuffle"


@pytest.mark.parametrize(("by", "shown"), [("dice", {"dice": (1, 2, 3)}), ("random_number", {"number": 6})])
def test_at_a_physical_table_the_dealer_says_which_hand_is_the_first(by: str, shown: dict[str, Any]) -> None:
    """With every other automation, only the dealer sees the dice."""
    bench = Bench(compile_game("nj-pai-gow", {"settings": {"first_hand_by": by}}), (1,), Dealer(PhysicalSource()))
    bench.advance()
    bench.give(c.PlaceWagers(id="3", who="p1", role="player", at=0, seat=1, wagers={"main": 1000}))
    bench.give(c.NoMoreBets(id="4", who="dealer", role="dealer", at=0))
    bench.advance()
    assert bench.table.step == "first_hand"
    assert [option.command for option in allowed(bench.table, "dealer", "dealer")] == ["choose_first_hand", "take_back"]
    bench.give(c.ChooseFirstHand(id="5", who="dealer", role="dealer", at=0, **shown))
    bench.advance()
    assert bench.table.step == "set_hands"
