"""Bots: their wagers, their decisions, and their view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from crossfelt.cards import parse_cards
from crossfelt.cards.card import Card
from crossfelt.cards.deck import standard_deck
from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.errors import BadInput
from crossfelt.play.bots import BOTS, Decider, always, at_random, bets, bot_named, careful_player
from crossfelt.play.player_view import PlayerView, player_view_of
from crossfelt.play.session import AppliedCommand, TableSession, TickingClock
from crossfelt.play.sources import ShuffledSource
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.table.act import Move, Option, Range
from crossfelt.table.events import RoundClosed, WagersPlaced
from crossfelt.table.state import TableState
from crossfelt.table.views import Viewer, view

GAME = compile_game("md-criss-cross")
DOUBLE = compile_game("nj-double-cross")
ANTE = {"ante_across": 1000, "ante_down": 1000}
BET = Option(command="bet", seat=1, ranges={"cents": Range(1000, 3000, 100)})
XTREME = {"wagers": {"bonus_spin": {"offered": False}, "bonus_spin_xtreme": {"offered": True}}}
FOLD = Option(command="fold", seat=1)
WAGERS = Option(
    command="place_wagers",
    seat=1,
    ranges={name: Range(500, 50_000, 100) for name in ANTE} | {"five_card_bonus": Range(100, 10_000, 100)},
    optional=("five_card_bonus",),
    most_in_all=100_000,
)


def view_of(
    asked: str, hole: str, face_up: Mapping[str, str] | None = None, game: Game = GAME, placed: Mapping[str, int] = ANTE
) -> PlayerView:
    """Return the view of a bot, its cards by line: ``view_of("down", "Ks 2d", {"across": "Kd 4s"})``."""
    places = {"across": ("across_left", "across_right"), "down": ("down_far", "down_near")}
    cards = {
        place: card
        for line, text in (face_up or {}).items()
        for place, card in zip(places.get(line, (line,)), parse_cards(text), strict=True)
    }
    options: dict[str, tuple[Option, ...]] = {"bet": (BET,), "fold": (FOLD,)}
    if game is DOUBLE:
        choices = ("expose", "decline") if asked == "three_card" else ("vertical", "horizontal")
        choose = tuple(Option(command="choose", seat=1, fields={"choice": choice}) for choice in choices)
        options = {"choose": choose} if asked == "three_card" else {"choose": choose, "fold": (FOLD,)}
    return PlayerView(
        game=game,
        seat=1,
        round=1,
        step="decide_play" if asked == "raise" else f"decide_{asked}",
        asked=asked,
        hole=parse_cards(hole),
        face_up=cards,
        placed=placed,
        options=options,
    )


def move(seen: PlayerView) -> Move:
    return (bets(10) + careful_player).decide(seen)


# --- how much -------------------------------------------------------------------------------------------------------


def test_wagers_are_what_the_table_takes_as_near_as_it_allows() -> None:
    assert bets(10, bonus=5).wagers(WAGERS) == {**ANTE, "five_card_bonus": 500}
    assert bets(10).wagers(WAGERS) == ANTE
    assert bets(10, bonus=0, spin=5).wagers(WAGERS) == ANTE
    assert bets(1, bonus=1000).wagers(WAGERS) == {"ante_across": 500, "ante_down": 500, "five_card_bonus": 10_000}
    assert bets(0).wagers(WAGERS) == {"ante_across": 500, "ante_down": 500}


def test_a_bot_knows_what_a_whole_round_can_cost() -> None:
    # two antes, three bets of three times the ante, and the bonus
    assert bets(10, bonus=5).whole_round_cents(GAME, WAGERS) == 2_000 + 9_000 + 500
    wagers = {**ANTE, "five_card_bonus": 500}
    assert (bets(10, bonus=5) + careful_player).wagers(WAGERS) == Move("place_wagers", {"seat": 1, "wagers": wagers})


def test_a_wager_that_is_not_offered_costs_a_bot_nothing() -> None:
    game = compile_game("nj-double-cross", {"wagers": {"three_card": {"offered": False}}})
    session = TableSession(game, ShuffledSource(repeatable_seed(1)), at=TickingClock())
    session.open()
    session.sit(1, "bot", 1_000_00, bot_named("careful", repeatable_seed(1)))
    closed = [event for happened in session.play(rounds=2) for event in happened.events if type(event) is RoundClosed]
    assert len(closed) == 2


# --- how they decide ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("times", [1, 2, 3])
def test_always_bets_the_same_multiple(times: int) -> None:
    assert always(times).move(view_of("across", "2c 3d")) == Move("bet", {"seat": 1, "cents": times * 1000})


def test_a_bet_goes_no_further_than_the_chips() -> None:
    short = replace(
        view_of("across", "2c 3d"), options={"bet": (replace(BET, ranges={"cents": Range(1000, 1700, 100)}),)}
    )
    assert always(3).move(short) == Move("bet", {"seat": 1, "cents": 1700})


def test_without_chips_for_a_bet_the_hand_folds() -> None:
    broke = replace(view_of("across", "As Ad"), options={"fold": (FOLD,)})
    for style in (always(3), careful_player, at_random(repeatable_seed(1))):
        assert (bets(10) + style).decide(broke) == Move("fold", {"seat": 1})


CLEAR: list[tuple[str, str, str, dict[str, str], str]] = [
    ("md-criss-cross", "across", "Ac Ad", {}, "3x"),
    ("md-criss-cross", "down", "Tc Td", {"across": "Ts 3s"}, "3x"),
    ("md-criss-cross", "middle", "6c 2d", {"across": "6s Ks", "down": "3h 4h"}, "3x"),
    ("md-criss-cross", "middle", "5c 2d", {"across": "9s Kd", "down": "3h Th"}, "fold"),
    ("nj-double-cross", "three_card", "Kc Kd", {"down_far": "2s", "across_right": "9h"}, "expose"),
    ("nj-double-cross", "raise", "9c 8d", {"down_far": "9s", "across_right": "Kh"}, "vertical"),
    ("nj-double-cross", "raise", "Ac 8d", {"down_far": "2s", "across_right": "Ah"}, "horizontal"),
    ("nj-double-cross", "raise", "Tc 8d", {"down_far": "2s", "across_right": "3h"}, "fold"),
]
"""Positions with one act far better than any other."""


@pytest.mark.parametrize(("book", "asked", "hole", "face_up", "action"), CLEAR)
def test_the_careful_player_takes_what_is_far_better(
    book: str, asked: str, hole: str, face_up: dict[str, str], action: str
) -> None:
    double = book == "nj-double-cross"
    placed = {"ante": 1000, "three_card": 500} if double else {**ANTE, "across": 1000, "down": 1000}
    seen = view_of(asked, hole, face_up, DOUBLE if double else GAME, placed)
    choice = careful_player.choice(seen)
    assert choice is not None
    assert choice.action == action, choice
    assert choice.reason.startswith("on average it ")
    if action == "fold":
        assert move(seen) == Move("fold", {"seat": 1})
    elif double:
        assert move(seen) == Move("choose", {"seat": 1, "choice": action})
    else:
        assert move(seen) == Move("bet", {"seat": 1, "cents": int(action[0]) * 1000})


def test_the_careful_player_thinks_the_same_of_the_same_cards_in_other_suits() -> None:
    first, again = view_of("across", "Js 9s"), replace(view_of("across", "Jh 9h"), seat=4, round=9)
    assert careful_player.choice(first) == careful_player.choice(again)


class OnlyOnce(Decider, frozen=True):
    """Bets once at one decision, and has no answer to others."""

    asked: str

    def move(self, view: PlayerView) -> Move | None:
        return always(1).move(view) if view.asked == self.asked else None


def test_the_first_way_that_has_an_answer_decides() -> None:
    both = OnlyOnce("across") + always(3)
    assert both.move(view_of("across", "2c 4d")) == Move("bet", {"seat": 1, "cents": 1000})
    assert both.move(view_of("down", "2c 4d", {"across": "9s Ks"})) == Move("bet", {"seat": 1, "cents": 3000})
    assert (bets(10) + OnlyOnce("across")).decide(view_of("down", "2c 4d")) == Move("fold", {"seat": 1})


def test_random_is_the_same_for_the_same_seed_and_different_for_another() -> None:
    rounds = [replace(view_of("across", "2c 3d"), round=number) for number in range(40)]

    def drawn(seed: int) -> list[Move | None]:
        return [at_random(repeatable_seed(seed)).move(seen) for seen in rounds]

    assert drawn(1) == drawn(1) != drawn(2)
    assert {played.name for played in drawn(1) if played} == {"bet", "fold"}


# --- what they see --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", ["nj-criss-cross", "md-criss-cross", "nj-double-cross", "nj-pai-gow"])
def test_a_bot_sees_what_the_player_of_its_seat_may_see_and_no_more(book: str) -> None:
    """The view of a seat is the same with any cards face down or in other hands."""
    session = TableSession(compile_game(book), ShuffledSource(repeatable_seed(5)), at=TickingClock())
    session.open()
    for seat in (1, 2):
        session.sit(seat, f"bot {seat}", 1_000_00, bets(10, bonus=5, three=5) + always(1))
    asked = 0
    for happened in session.play(rounds=3):
        table = happened.after
        for seat in (1, 2):
            seen, shown = player_view_of(table, seat), view(table, Viewer("player", f"bot {seat}"))
            assert tuple(card.text for card in seen.hole) == shown.seats[seat - 1].cards
            face_up = {place: card for place, card in shown.layout.items() if card != "??"}
            assert {place: card.text for place, card in seen.face_up.items()} == face_up
            assert player_view_of(otherwise(table, seat), seat) == seen
            asked += bool(seen.asked)
    assert asked >= 6


def otherwise(table: TableState, seat: int) -> TableState:
    """The same table with other cards wherever a seat cannot look."""
    hidden = [place for place in table.community if place not in table.revealed]
    others = [other.number for other in table.seats if other.cards and other.number != seat]
    known = {*table.seat(seat).cards, *(table.community[place] for place in table.revealed)}
    unseen = iter([card for card in standard_deck() if card not in known])
    community: dict[str, Card] = dict(table.community)
    community.update({place: next(unseen) for place in hidden})
    seats = tuple(
        replace(other, cards=tuple(next(unseen) for _ in other.cards)) if other.number in others else other
        for other in table.seats
    )
    return replace(table, community=community, seats=seats)


# --- by name --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOTS)
def test_every_bot_has_a_name_and_usual_bets(name: str) -> None:
    bot = bot_named(name, repeatable_seed(1))
    assert (bot.bets, bot.decides) == (bets(10), BOTS[name](repeatable_seed(1)))


def test_bets_can_be_named_with_the_bot() -> None:
    assert bot_named("careful:25", repeatable_seed(1)).bets.ante_cents == 2500
    assert bot_named("careful:25+5", repeatable_seed(1)).bets.wagers(WAGERS)["five_card_bonus"] == 500


@pytest.mark.parametrize(
    ("book", "stated", "name", "placed"),
    [
        ("nj-criss-cross", {}, "careful:10+spin=5", {"bonus_spin": 5_00}),
        ("nj-criss-cross", {}, "careful:10+2+spin=5", {"five_card_bonus": 2_00, "bonus_spin": 5_00}),
        ("md-criss-cross", XTREME, "always-1:10+xtreme=2+spin=5", {"bonus_spin_xtreme": 2_00}),
        ("nj-pai-gow", {}, "careful:10+player=2+dealer=9", {"progressive_player": 2_00, "progressive_dealer": 5_00}),
        ("nj-pai-gow", {}, "careful:10+imperial=3+seven_card=4", {"imperial": 3_00, "seven_card": 4_00}),
        ("nj-double-cross", {}, "careful:10+three=7+player=2", {"three_card": 7_00}),
    ],
)
def test_bots_place_any_optional_wager_that_is_named(book: str, stated: Any, name: str, placed: dict[str, int]) -> None:
    session = TableSession(compile_game(book, stated), ShuffledSource(repeatable_seed(5)), at=TickingClock())
    session.open()
    session.sit(2, "bot", 500_00, bot_named(name, repeatable_seed(5)))
    events = [event for happened in session.play(rounds=2) for event in happened.events]
    wagers = [event.wagers for event in events if isinstance(event, WagersPlaced)]
    required = {wager.id for wager in session.table.game.wagers if wager.required}
    assert [{w: cents for w, cents in one.items() if w not in required} for one in wagers] == [placed] * 2


def test_a_bot_with_an_unknown_wager_is_refused() -> None:
    with pytest.raises(BadInput, match=r"--bots: no such wager: 'side' \(allowed: five_card_bonus, bonus_spin"):
        bot_named("careful:10+side=5", repeatable_seed(1), game=GAME, where="--bots")


@pytest.mark.parametrize(
    "name", ["", "clever", "careful:", "careful:x", "careful:10+", "careful:10+spin=", "CAREFUL", "always-9"]
)
def test_an_unknown_bot_is_refused_with_those_that_are_known(name: str) -> None:
    with pytest.raises(BadInput, match=r"no such bot.*careful, always-1"):
        bot_named(name, repeatable_seed(1))


@pytest.mark.soak
def test_the_careful_player_loses_far_less_than_betting_on_everything() -> None:
    """3,000 hands each; the standard error is about 0.1 of an ante."""

    def mean(name: str) -> float:
        session = TableSession(GAME, ShuffledSource(repeatable_seed(11)), at=TickingClock())
        session.open(1_000_000_00)
        bought = 0
        for seat in range(1, 7):
            happened = session.sit(seat, f"bot {seat}", 10_000_00, bot_named(name, repeatable_seed(seat)))
            assert isinstance(happened, AppliedCommand)
        rounds = sum(
            isinstance(event, RoundClosed) for happened in session.play(rounds=500) for event in happened.events
        )
        bought = -session.table.balances["cage"] - 1_000_000_00
        left = sum(cents for account, cents in session.table.balances.items() if account.startswith("chips:"))
        return (left - bought) / (rounds * 6 * 1000)

    careful, once, thrice = mean("careful"), mean("always-1"), mean("always-3")
    assert -0.8 < careful < 0.2
    assert once < careful - 0.4
    assert thrice < careful - 0.9
