"""The second settlement agrees with the table, and notices every payment that is not right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec
import pytest

from crossfelt.cards.card import Card, enc_hook
from crossfelt.hands.poker import rank_five
from crossfelt.play.scripted.runner import ScriptRunner
from crossfelt.proof.recount import Recount
from crossfelt.proof.resettle import resettlement
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.table import events as e
from soak_length import scaled
from unit.table.manual_table import low_limit
from unit.table.random_table import VARIANTS, Driver

GAMES: Final = tuple(compile_game(book, stated) for book, stated in VARIANTS)
Data = dict[str, Any]


def plain(event: e.Event) -> Data:
    data: Data = msgspec.to_builtins(event, enc_hook=enc_hook)
    return data


def complaints(game: Game, events: list[Data]) -> list[str]:
    again = resettlement(game.as_data())
    assert again is not None
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


@pytest.mark.soak
def test_they_agree_in_the_long_run() -> None:
    for seed in range(1_000, 1_000 + scaled(10_000)):
        game, driver = played(seed, rounds=10, trouble=0.05)
        assert complaints(game, [plain(event) for event in driver.events]) == []


def test_a_game_without_a_second_settlement_is_said_to_have_none() -> None:
    assert resettlement({"rulebook": {"document": "XYZ"}, "submission": {}}) is None


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
    for seed in range(100):
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
    assert complaints(game, [placed, lost]) == ["seat 1: wagers are forfeited, for which the document gives no ground"]


def test_events_that_cannot_be_followed_are_complained_of() -> None:
    settled = {"event": "wager_settled", "seat": 1, "wager": "across", "stake": 500, "result": "win"}
    placed = {"event": "wagers_placed", "seat": 1, "wagers": {"ante_across": 500, "ante_down": 500, "across": 500}}
    for game in GAMES:
        assert complaints(game, [placed, settled]) == ["seat 1: wager_settled cannot be followed: 'across_left'"]


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
    again = resettlement(game.as_data())
    assert again is not None
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


@pytest.mark.parametrize("literal", [False, True])
def test_the_limit_grows_with_the_minimum_wager(literal: bool) -> None:
    """AMB-6: 1,102 times the minimum ante, or 1,700 times where antes are paid by the table."""
    stated = {"wagers": {"ante": {"min_cents": 100_00}}, "settings": {"md_antes_at_table": literal}}
    game = compile_game("md-criss-cross", stated)
    again = resettlement(game.as_data())
    assert again is not None
    assert again._limit == (1_700 if literal else 1_102) * 100_00  # type: ignore[attr-defined]
    assert again._limit == game.limit_cents(game.book.payout_limits[0])  # type: ignore[attr-defined]


# --- the discard rack ---------------------------------------------------------------------------------------------


def rebuilt(pile: tuple[str, ...]) -> tuple[dict[int, list[Card]], dict[str, Card], list[Card]]:
    """Each seat's cards, the community cards by place, and cards found face up, from the discard rack alone."""
    hands: dict[int, list[Card]] = {}
    community: dict[str, Card] = {}
    loose: list[Card] = []
    for entry in pile:
        label, _, rest = entry.partition(": ")
        if label.startswith("seat"):
            hands[int(label.removeprefix("seat"))] = [Card(text) for text in rest.split()]
        elif label == "community":
            community = {place: Card(text) for place, text in (item.split() for item in rest.split(", "))}
        elif label != "stub":
            loose += [Card(text) for text in rest.split()]
    return hands, community, loose


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "book",
    [
        pytest.param("nj-criss-cross", marks=pytest.mark.clause("NJC-49")),
        pytest.param("ma-criss-cross", marks=pytest.mark.clause("MAC-37")),
        pytest.param("md-criss-cross", marks=pytest.mark.clause("MDC-37")),
    ],
)
def test_each_hand_can_be_rebuilt_from_the_discard_rack(book: str) -> None:
    lines = {"across": ("across_left", "middle", "across_right"), "down": ("down_far", "middle", "down_near")}
    shown = folded = 0
    for seed in range(40):
        driver = Driver(compile_game(book), seed, players=1 + seed % 6, trouble=0.05)
        driver.play(2)
        dealt: dict[int, list[Card]] = {}
        hands: dict[int, dict[str, str]] = {}
        for event in driver.events:
            if isinstance(event, e.RoundOpened):
                dealt, hands = {}, {}
            elif isinstance(event, e.CardsDealt):
                for card in event.cards:
                    dealt.setdefault(card.seat, []).append(card.card)
            elif isinstance(event, e.HandShown):
                hands[event.seat] = event.hands
            elif isinstance(event, e.CardsDiscarded):
                seats, community, loose = rebuilt(event.pile)
                assert seats == {seat: cards for seat, cards in dealt.items() if seat}
                assert list(community.values()) == dealt.get(0, [])
                for seat, names in hands.items():
                    for line, name in names.items():
                        assert rank_five([*seats[seat], *(community[place] for place in lines[line])]).name == name
                (stub,) = (int(entry.split()[1]) for entry in event.pile if entry.startswith("stub: "))
                together = [*(card for cards in seats.values() for card in cards), *community.values(), *loose]
                assert len(together) + stub == 52
                assert len(together) == len(set(together))
                shown += len(hands)
                folded += len(seats) - len(hands)
    assert shown > 20
    assert folded > 20


# --- the books ----------------------------------------------------------------------------------------------------


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(40))
def test_the_second_books_agree_with_the_ledger(seed: int) -> None:
    _, driver = played(seed)
    books = Recount()
    for row in driver.lived:
        for event in row.events:
            books.see(plain(event))
        assert list(books.differences(row.after.balances)) == []
    assert books.tray == driver.table.balances.get("tray", 0)
    assert books.money.staked - books.money.returned - books.money.lost == sum(books.layout.values())


def test_the_books_complain_of_a_ledger_that_differs() -> None:
    books = Recount()
    books.see({"event": "table_opened", "inventory_cents": 500})
    assert list(books.differences({"cage": -500, "tray": 500})) == []
    assert list(books.differences({"cage": -400, "tray": 400})) == [
        "tray stands at 400 cents in the ledger; counted again it is 500"
    ]
    assert list(books.differences({"tray": 500})) == ["the accounts sum to 500 cents, not to nothing"]
    books.see({"event": "inventory_credited", "cents": 600})
    assert "tray is overdrawn: -100 cents" in list(books.differences({}))
