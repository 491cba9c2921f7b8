"""The second settlement agrees with the table in every game, and notices every payment that is not right."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from crossfelt.cards.card import Card, enc_hook
from crossfelt.play.scripted.runner import ScriptRunner
from crossfelt.proof.recount import Recount
from crossfelt.proof.resettle import Resettlement
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.loader import from_data, read_file
from crossfelt.table import commands as c
from crossfelt.table import events as e
from soak_length import scaled
from unit.table.manual_double_cross import METHODS, Double, dealt
from unit.table.manual_table import game_of, low_limit
from unit.table.random_table import VARIANTS, Driver

GAMES: Final = tuple(compile_game(book, stated) for book, stated in VARIANTS)
Data = dict[str, Any]


def plain(event: e.Event) -> Data:
    data: Data = msgspec.to_builtins(event, enc_hook=enc_hook)
    return data


def complaints(game: Game, events: list[Data]) -> list[str]:
    again = Resettlement(game.as_data())
    return [complaint for event in events for complaint in again.see(event)]


def played(seed: int, rounds: int = 2, trouble: float = 0.1, **how: Any) -> tuple[Game, Driver]:
    game = GAMES[seed % len(GAMES)]
    driver = Driver(game, seed, players=1 + seed % 6, trouble=trouble, **how)
    driver.play(rounds)
    return game, driver


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(120))
def test_the_table_and_the_second_settlement_agree(seed: int) -> None:
    game, driver = played(seed, physical=seed % 5 == 0)
    assert complaints(game, [plain(event) for event in driver.events]) == []


@pytest.mark.exhaustive
@pytest.mark.clause("DCP-21", "DCP-25", "DCP-28", "DCP-29")
@pytest.mark.parametrize("physical", [False, True], ids=["virtual", "physical"])
def test_they_agree_against_a_dealer(physical: bool) -> None:
    for seed, stated in enumerate([*METHODS.values(), LIMITED] * 5):
        driver = Driver(game_of("nj-double-cross", stated), seed, trouble=0.05, physical=physical)
        driver.play(rounds=3)
        assert complaints(driver.table.game, [plain(event) for event in driver.events]) == []


HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[3]
STRANGERS: Final = (
    *sorted((ROOT / "examples/rulebooks").glob("*.toml")),
    *sorted((ROOT / "tests/data/rulebooks").glob("*.toml")),
    HERE / "every_form.toml",
)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seeds", [6, pytest.param(200, marks=pytest.mark.soak)])
@pytest.mark.parametrize("path", STRANGERS, ids=lambda path: path.stem)
def test_they_agree_in_games_that_the_package_does_not_know(path: Path, seeds: int) -> None:
    game = compile_game(str(path))
    assert Resettlement(game.as_data()).unsettled == ()
    for seed in range(seeds):
        driver = Driver(game, seed, players=1 + seed % 6, trouble=0.05)
        driver.play(rounds=3)
        assert complaints(game, [plain(event) for event in driver.events]) == []
        books = Recount()
        for row in driver.lived:
            for event in row.events:
                books.see(plain(event))
            assert list(books.differences(row.after.balances)) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["good-hands", "second-chance"])
def test_they_agree_for_500_rounds_of_forms_that_the_documents_do_not_use(name: str) -> None:
    game = compile_game(str(ROOT / f"tests/data/rulebooks/{name}.toml"))
    driver = Driver(game, seed=1, players=3, trouble=0)
    driver.play(rounds=500)
    assert complaints(game, [plain(event) for event in driver.events]) == []
    settled = [event for event in driver.events if isinstance(event, e.WagerSettled)]
    assert {event.result for event in settled} >= {"win", "lose"}


def test_a_bet_of_a_hand_that_a_decision_passes_over_is_noticed() -> None:
    data = read_file(ROOT / "tests/data/rulebooks/good-hands.toml")
    driver = Driver(compile_game(from_data(data, where="own.toml")), seed=1)
    driver.play(rounds=5)
    assert any(isinstance(event, e.BetPlaced) for event in driver.events)
    decide = next(step for step in data["script"] if step["step"] == "decide")
    decide["when"] = {"three": "sure"}
    others = compile_game(from_data(data, where="own.toml"))
    found = complaints(others, [plain(event) for event in driver.events])
    assert "a more bet that was not due" in " ".join(found)


@pytest.mark.soak
def test_they_agree_in_the_long_run() -> None:
    for seed in range(1_000, 1_000 + scaled(10_000)):
        game, driver = played(seed, rounds=10, trouble=0.05)
        assert complaints(game, [plain(event) for event in driver.events]) == []


# --- what is wrong is noticed -------------------------------------------------------------------------------------


def _add(name: str, cents: int) -> Callable[[Data], Data]:
    return lambda event: {**event, name: event.get(name, 0) + cents}


def _put(name: str, value: Any) -> Callable[[Data], Data]:
    return lambda event: {**event, name: value}


def _more_of_one(event: Data) -> Data:
    wager = next(iter(event["wagers"]))
    return {**event, "wagers": {**event["wagers"], wager: event["wagers"][wager] + 100}}


def _one_less(event: Data) -> Data:
    return {**event, "wagers": dict(list(event["wagers"].items())[1:])}


def _other_first_card(event: Data) -> Data:
    used = set(event["cards"])
    other = next(card for card in map(Card, range(52)) if card.text not in used)
    return {**event, "cards": (other.text, *event["cards"][1:])}


WRONGS: Final[tuple[tuple[str, Callable[[Data], Data]], ...]] = (
    ("wager_settled", _add("paid", 100)),
    ("wager_settled", _add("returned", 100)),
    ("wager_settled", _add("stake", 100)),
    ("wager_settled", _add("limited", 100)),
    ("wager_settled", _put("result", "returned")),
    ("wager_settled", _put("hand", "five aces")),
    ("fold_collected", _more_of_one),
    ("fold_collected", _one_less),
    ("hand_folded", _put("forfeits", ())),
    ("hand_folded", _put("wager", "sideways")),
    ("bet_placed", _add("cents", 10_000_000)),
    ("bet_placed", _put("cents", 1)),
    ("bet_placed", _put("wager", "middle bet")),
    ("wagers_placed", _more_of_one),
    ("wagers_returned", _more_of_one),
    ("wagers_returned", _one_less),
    ("wagers_forfeited", _one_less),
    ("community_cards_revealed", _other_first_card),
    ("hand_shown", _other_first_card),
    ("hand_shown", _put("hands", {"across": "five aces"})),
    ("round_closed", _put("outcome", "postponed")),
)


@pytest.mark.exhaustive
@pytest.mark.parametrize("wrong", range(len(WRONGS)), ids=lambda n: f"{n}-{WRONGS[n][0]}")
def test_every_wrong_event_is_noticed(wrong: int) -> None:
    kind, change = WRONGS[wrong]
    tried = 0
    for seed in range(200):
        game, driver = played(seed, rounds=1, trouble=0.15)
        events = [plain(event) for event in driver.events]
        places = [place for place, event in enumerate(events) if event["event"] == kind and event.get("wagers", True)]
        for place in places:
            forged = [*events[:place], change(events[place]), *events[place + 1 :]]
            assert complaints(game, forged), f"{seed}: {events[place]}"
        tried += len(places)
        if tried >= 8:
            return
    pytest.fail(f"only {tried} events {kind}")


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", ["wager_settled", "fold_collected", "wagers_returned"])
def test_a_payment_left_out_or_made_twice_is_noticed(kind: str) -> None:
    tried = 0
    for seed in range(50):
        game, driver = played(seed, rounds=1)
        events = [plain(event) for event in driver.events]
        for place in (place for place, event in enumerate(events) if event["event"] == kind):
            assert complaints(game, events[:place] + events[place + 1 :])
            assert complaints(game, events[: place + 1] + events[place:])
            tried += 1
    assert tried > 20


@pytest.mark.clause("MDC-30")
def test_who_folds_and_then_breaks_a_rule_gets_nothing_back_from_a_void_round() -> None:
    bets = {"across": 5_00, "down": 5_00, "middle": 5_00}
    script = {
        "rulebook": "md-criss-cross",
        "seats": [
            {"seat": 2, "wagers": {"ante": 5_00, "five_card_bonus": 1_00}, "decisions": {"across": "fold"}},
            {"seat": 4, "wagers": {"ante": 5_00}, "decisions": bets},
        ],
        "irregularities": [
            {"kind": "conduct_breach", "step": "decide_down", "seat": 2},
            {"kind": "wrong_card_count", "step": "decide_down", "seat": 4},
        ],
    }
    round_ = ScriptRunner().play(script, where="round")
    assert {seat: seat_result.net for seat, seat_result in round_.result.seats.items()} == {"2": -11_00, "4": 0}
    assert complaints(compile_game("md-criss-cross"), [plain(event) for event in round_.events]) == []


@pytest.mark.clause("MDC-30")
@pytest.mark.parametrize("step", ["settle", "spins", "discard"])
def test_a_late_breach_is_settled_alike(step: str) -> None:
    """Seat 1 won on across and on the bonus; seat 2 spins a slice with community pay."""
    bets = {"across": 5_00, "down": 5_00, "middle": 5_00}
    wagers = {"ante": 5_00, "bonus_spin": 5_00}
    script = {
        "rulebook": "md-criss-cross",
        "seats": [
            {"seat": 1, "wagers": {**wagers, "five_card_bonus": 1_00}, "decisions": bets},
            {"seat": 2, "wagers": wagers, "decisions": bets},
        ],
        "cards": {"seat1": "2c 5d", "seat2": "3c 3d", "across": "9h 9s", "down": "Kh Qd", "middle": "9d"},
        "chance": {"wheel": {"seat2": 3}},
        "irregularities": [{"kind": "conduct_breach", "step": step, "seat": 1}],
    }
    round_ = ScriptRunner().play(script, where="round")
    assert round_.result.seats["1"].net == -31_00
    assert complaints(compile_game("md-criss-cross"), [plain(event) for event in round_.events]) == []


def test_new_jersey_knows_no_forfeit_of_everything() -> None:
    game = compile_game("nj-criss-cross")
    placed = {"event": "wagers_placed", "seat": 1, "wagers": {"ante_across": 500, "ante_down": 500}}
    lost = {"event": "wagers_forfeited", "seat": 1, "wagers": placed["wagers"], "why": "abandoned"}
    assert complaints(game, [placed, lost]) == ["seat 1: wagers are forfeited, for which the rulebook gives no ground"]


def test_events_that_cannot_be_followed_are_complained_of() -> None:
    settled = {"event": "wager_settled", "seat": 1, "wager": "across", "stake": 500, "result": "win"}
    placed = {"event": "wagers_placed", "seat": 1, "wagers": {"ante_across": 500, "ante_down": 500, "across": 500}}
    for game in GAMES:
        assert "seat 1: wager_settled cannot be followed: 'hole_1'" in complaints(game, [placed, settled])


# --- payout limits ------------------------------------------------------------------------------------------------


def royal(game: Game, ante: int, bet: int) -> Iterator[Data]:
    """A royal flush across and a straight flush down, every bet made."""
    yield {"event": "round_opened", "round": 1, "deck": "A"}
    wagers = {"ante_across": ante, "ante_down": ante, "five_card_bonus": 100_00}
    yield {"event": "wagers_placed", "seat": 1, "wagers": wagers}
    places = {"across_left": "As", "across_right": "Ks", "middle": "Qs", "down_far": "9s", "down_near": "8s"}
    cards = [(0, place, card) for place, card in places.items()]
    yield {"event": "cards_dealt", "cards": (*cards, (1, "hole_1", "Ts"), (1, "hole_2", "Js"))}
    for wager in ("across", "down", "middle"):
        yield {"event": "bet_placed", "seat": 1, "wager": wager, "cents": bet}


def limits_in(game: Game, ante: int, bet: int) -> dict[str, str]:
    """Return the cut of the second settlement, read from its complaints about payments without a cut."""
    again = Resettlement(game.as_data())
    for event in royal(game, ante, bet):
        assert not list(again.see(event))
    found = {}
    odds = {"across": 500, "down": 100, "middle": 500, "ante_across": 1, "ante_down": 1, "five_card_bonus": 10}
    order = ["ante_across", "across", "ante_down", "down", "middle"]
    order = ["five_card_bonus", *order] if game.book.document == "MDC" else [*order, "five_card_bonus"]
    for wager in order:
        stake = {"five_card_bonus": 100_00}.get(wager, ante if "ante" in wager else bet)
        hand = "flush" if wager == "five_card_bonus" else ""
        settled = {"event": "wager_settled", "seat": 1, "wager": wager, "stake": stake, "result": "win", "hand": hand}
        said = list(again.see({**settled, "returned": stake, "paid": stake * odds[wager]}))
        cut = [text for text in said if "limited" in text]
        if cut:
            found[wager] = re.sub(r".*should be ", "", cut[0])
    return found


@pytest.mark.parametrize(
    ("book", "stated", "cuts"),
    [
        ("nj-criss-cross", {}, {}),
        ("ma-criss-cross", {}, {}),
        ("md-criss-cross", {"payout_limit": {"amount_cents": 15_500_00}}, {"down": "252,000", "middle": "1,500,000"}),
        ("md-criss-cross", low_limit(15_00), {
            "across": "1,499,500", "ante_down": "1,000", "down": "300,000", "middle": "1,500,000",
        }),
    ],
)  # fmt: skip
def test_small_wagers_meet_only_limits_that_were_stated(book: str, stated: Data, cuts: Data) -> None:
    assert limits_in(compile_game(book, stated), ante=10_00, bet=30_00) == cuts


def test_fifty_thousand_dollars_is_the_limit_of_new_jersey_and_maryland_and_none_of_massachusetts() -> None:
    """Antes of $500, bets of $1,500: $750,000 across, $150,000 down, $750,000 in the middle."""
    wanted = {"across": "70,050,000", "ante_down": "50,000", "down": "15,000,000", "middle": "75,000,000"}
    md = compile_game("md-criss-cross")
    assert limits_in(md, ante=500_00, bet=1_500_00) == wanted
    nj = limits_in(compile_game("nj-criss-cross"), ante=500_00, bet=1_500_00)
    assert nj == {**wanted, "five_card_bonus": "100,000"}
    assert limits_in(compile_game("ma-criss-cross"), ante=500_00, bet=1_500_00) == {}
    stated = compile_game("ma-criss-cross", {"payout_limit": {"amount_cents": 50_000_00}})
    assert limits_in(stated, ante=500_00, bet=1_500_00) == nj


def test_a_limit_above_the_printed_one_is_said_not_to_be_worked_out_again() -> None:
    """At antes of $100 the most that can be won is above $50,000: between the two any cut is believed, no other."""
    game = compile_game("md-criss-cross", {"wagers": {"ante": {"min_cents": 100_00}}})
    again = Resettlement(game.as_data())
    assert "payout limit" in again.unsettled[0]
    assert not Resettlement(compile_game("md-criss-cross").as_data()).unsettled
    for event in royal(game, ante=500_00, bet=1_500_00):
        assert not list(again.see(event))
    settled = {"event": "wager_settled", "seat": 1, "wager": "across", "stake": 1_500_00, "result": "win"}
    settled |= {"hand": "royal flush", "line": "royal_flush", "returned": 1_500_00}
    most, limit = 500 * 1_500_00, game.limit_cents(game.book.payout_limits[0]) or 0
    assert not list(deepcopy(again).see({**settled, "paid": limit, "limited": most - limit}))
    assert list(deepcopy(again).see({**settled, "paid": 49_000_00, "limited": most - 49_000_00}))
    assert list(again.see({**settled, "paid": most}))


# --- against a dealer ---------------------------------------------------------------------------------------------

DOUBLE: Final = compile_game("nj-double-cross")
LIMITED: Final[Data] = {
    "payout_limit": {"amount_cents": 60_000_00},
    "settings": {"limit_covers_all_wagers": True},
    "pays": {"raise": {"two_pair": "2 to 1", "one_pair": "3 to 2"}, "three_card": {"flush": "5 to 1"}},
    "wagers": {"ante": {"min_cents": 1, "step_cents": 1}},
    "play": {"on_timeout": "floor_decides", "on_timeout_three_card": "decline"},
}
ROYAL: Final = dealt(vertical="Qs Js Ts", horizontal="2c Js 3d", dealer="4h 6h", seats={1: "As Ks"})


def recorded(play: Double) -> list[Data]:
    """Everything that happened, as plain data that may be altered."""
    events: list[Data] = json.loads(json.dumps([plain(event) for event in play.events]))
    return events


def first(events: list[Data], **wanted: Any) -> Data:
    return next(event for event in events if all(event.get(name) == value for name, value in wanted.items()))


@pytest.mark.clause("DCP-30")
@pytest.mark.parametrize("all_wagers", [False, True])
def test_the_limit_is_worked_out_again(all_wagers: bool) -> None:
    stated = {
        "payout_limit": {"amount_cents": 60_000_00},
        "settings": {"limit_covers_all_wagers": all_wagers},
    }
    play = Double(stated, cards=ROYAL).round(1, ante=500_00, three=100_00)
    events = recorded(play)
    assert first(events, wager="raise", event="wager_settled")["limited"] > 0
    assert complaints(game_of("nj-double-cross", stated), events) == []
    other = {**stated, "settings": {"limit_covers_all_wagers": not all_wagers}}
    assert [
        text.partition(";")[0].rpartition(" is ")[0] for text in complaints(game_of("nj-double-cross", other), events)
    ] == [
        "seat 1: raise: paid",
        "seat 1: raise: limited",
    ]


def _pay_more(event: Data) -> None:
    event["paid"] += 1


def _call_it_a_loss(event: Data) -> None:
    event["result"] = "lose"


SHOWDOWN: Final[tuple[tuple[Data, Callable[[Data], None], str], ...]] = (
    ({"wager": "raise", "event": "wager_settled"}, _pay_more, "raise: paid is 600,001; it should be 600,000"),
    ({"wager": "ante", "event": "wager_settled"}, _call_it_a_loss, "ante: result is lose; it should be win"),
    (
        {"wager": "three_card", "event": "wager_settled", "seat": 1},
        _pay_more,
        "three_card: paid is 20,001; it should be 20,000",
    ),
    (
        {"event": "bet_placed"},
        lambda e: e.update(cents=10_00),
        "a raise bet of 1,000 cents on 1,000: 2 times is allowed",
    ),
    ({"event": "dealer_hand_made"}, lambda e: e.update(line="horizontal", hand="jack-high"), "the dealer takes"),
    ({"event": "hand_folded"}, lambda e: e.update(forfeits=["ante", "three_card"]), "the fold forfeits"),
    ({"event": "fold_collected"}, lambda e: e.update(wagers={"ante": 5_00}), "the fold cost ante 500"),
    ({"event": "choice_made", "seat": 1}, lambda e: e.update(cards=["2d", "2h"]), "shows 2d 2h, but As Ks was dealt"),
    ({"event": "choice_made", "wager": "raise"}, lambda e: e.update(choice="across"), "across is no choice"),
    ({"event": "cards_dealt"}, lambda e: e["cards"][0].__setitem__(2, "Ks"), "a card was dealt twice"),
    ({"event": "round_closed"}, lambda e: e.update(outcome="void"), "the round is closed as void"),
    (
        {"event": "wagers_placed", "seat": 1},
        lambda e: e["wagers"].update(three_card=101_00),
        "three_card of 10,100 cents is no stake",
    ),
    ({"event": "wagers_placed", "seat": 1}, lambda e: e["wagers"].pop("ante"), "without ante"),
    ({"event": "hand_shown"}, lambda e: e.update(hands={"vertical": "jack-high"}), "the vertical hand is called"),
)


@pytest.mark.parametrize(("where", "change", "what"), SHOWDOWN, ids=[what for *_, what in SHOWDOWN])
def test_a_false_showdown_is_noticed(where: Data, change: Callable[[Data], None], what: str) -> None:
    cards = dealt(vertical="Qs Js Ts", horizontal="2c Js 3d", dealer="4h 6h", seats={1: "As Ks", 2: "8h 9d"})
    play = Double(cards=cards).round(1, 2, three=5_00, choose={(2, "raise"): "fold"})
    events = recorded(play)
    assert complaints(DOUBLE, events) == []
    change(first(events, **where))
    found = complaints(DOUBLE, events)
    assert any(what in text for text in found), found


def test_a_void_round_must_give_back_what_a_fold_cost() -> None:
    play = Double().to("decide_play", 1, 2)
    play.do(c.Fold, seat=1)
    play.report("wrong_card_count", case="dealer")
    play.advance(until="shuffle")
    events = recorded(play)
    assert complaints(DOUBLE, events) == []
    first(events, event="wagers_returned", seat=1)["forfeited"] = {}
    assert any("is given back after a fold" in text for text in complaints(DOUBLE, events))


def test_a_settlement_after_a_void_is_noticed() -> None:
    play = Double(cards=ROYAL).round(1)
    events = recorded(play)
    place = events.index(first(events, event="wager_settled"))
    events.insert(place, {"event": "round_voided", "kind": "shoe_jam", "then": []})
    assert any("does not lie on the layout" in text for text in complaints(DOUBLE, events))
