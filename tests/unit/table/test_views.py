"""Views: each viewer sees the own cards and the cards turned up, and no others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final, get_args

import msgspec
import pytest
from msgspec.structs import replace

from crossfelt.cards.card import Card, enc_hook
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.commands import Command
from crossfelt.table.engine import Refused, allowed, run
from crossfelt.table.reduce import evolve
from crossfelt.table.state import TableState
from crossfelt.table.views import MASKS, OWNERS_SEE_MORE, TableView, Viewer, masked, project, view
from properties import given, settings, st
from soak_length import scaled
from unit.table.random_table import ALL_GAMES, Driver, Lived, rerun

GAMES: Final = tuple(compile_game(book, stated) for book, stated in ALL_GAMES)
ONLOOKERS: Final = (
    *(Viewer(role, role) for role in ("spectator", "dealer", "floor", "auditor")),
    Viewer("player", "nobody here"),
)
CARD_TEXT: Final = re.compile(rb'"(?:[^"]* )?([2-9TJQKA][cdhs]|Jk)[ ,"]')
SHOWN_TO_ALL: Final = (
    e.CommunityCardsRevealed,
    e.CommunityCardExposed,
    e.CardMisnamed,
    e.HandShown,
    e.FaceUpCardDiscarded,
    e.ChoiceMade,
    e.DealerHandsSet,
    e.HandsExposed,
    e.WheelSpun,
    e.AwardsDrawn,
)
"""Events whose cards lie face up on the table."""


def players_of(lived: Sequence[Lived]) -> tuple[Viewer, ...]:
    names = dict.fromkeys(event.player for row in lived for event in row.events if isinstance(event, e.SeatTaken))
    return tuple(Viewer("player", name) for name in names)


def moments(row: Lived) -> Iterator[tuple[TableState, e.Event, TableState]]:
    """Each event of a row, with the table before and after it."""
    table = row.before
    for event in row.events:
        after = evolve(table, event)
        yield table, event, after
        table = after


def test_every_event_that_holds_cards_is_masked_or_lies_face_up() -> None:
    holders = {kind for kind in get_args(e.AnyEvent) if "Card" in str(msgspec.inspect.type_info(kind))}
    holders |= {kind for kind in get_args(e.AnyEvent) if "pile" in kind.__struct_fields__}
    assert holders == set(MASKS) | set(SHOWN_TO_ALL)


def test_owners_see_more_of_the_events_that_say_so_and_of_no_others() -> None:
    differ: set[type] = set()
    for game in GAMES:
        for row in driven(game, seed=5, trouble=0.0):
            everybody = [seat.number for seat in row.before.seats]
            differ |= {type(event) for event in row.events if masked(event, everybody) != masked(event, ())}
    assert differ == OWNERS_SEE_MORE


# --- what a viewer has seen, worked out from the events alone -----------------------------------------------------


class Sight:
    """The cards a viewer has seen of each shuffle: the index of its row, and the cards."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._orders: dict[str, int] = {}
        self.seen: dict[int, set[Card]] = {}

    def see(self, index: int, before: TableState, event: e.Event) -> None:
        if isinstance(event, e.DeckShuffled):
            self._orders[event.deck] = index
        cards = set(self._cards(before, event))
        if cards and before.in_play in self._orders:
            self.seen.setdefault(self._orders[before.in_play], set()).update(cards)

    def _cards(self, before: TableState, event: e.Event) -> Iterator[Card]:
        match event:
            case e.CommunityCardsRevealed() | e.HandShown() | e.ChoiceMade() | e.DealerHandsSet() | e.HandsExposed():
                yield from event.cards
            case e.WheelSpun():
                yield from event.cards
            case e.WagerSettled(wager="bonus_spin"):
                # That no wheel was spun for it tells of a folded hand that it was no pair.
                yield from before.seat(event.seat).dealt
            case e.CommunityCardExposed() | e.FaceUpCardDiscarded():
                yield event.card
            case e.CardsDealt() if self._viewer.role == "player":
                own = {seat.number for seat in before.seats if seat.player == self._viewer.name}
                yield from (dealt.card for dealt in event.cards if dealt.seat in own)


def seen_by(viewer: Viewer, lived: Sequence[Lived]) -> dict[int, set[Card]]:
    sight = Sight(viewer)
    for index, row in enumerate(lived):
        for before, event, _ in moments(row):
            sight.see(index, before, event)
    return sight.seen


# --- no card leaks ------------------------------------------------------------------------------------------------


def twins(commands: Sequence[Command], seen: dict[int, set[Card]], rng: Random) -> tuple[Command, ...]:
    """The same commands with decks that differ only in cards that were not seen."""
    changed: list[Command] = []
    others: dict[str, dict[Card, Card]] = {}
    in_play = ""
    for index, command in enumerate(commands):
        if isinstance(command, c.LoadDeck):
            in_play = command.deck
        elif isinstance(command, c.ShuffleDeck) and command.cards:
            hidden = [card for card in command.cards if card not in seen.get(index, ())]
            other = others[command.deck] = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
            command = replace(command, cards=tuple(other.get(card, card) for card in command.cards))
        elif isinstance(command, c.SetHand):
            command = replace(command, low=tuple(others[in_play].get(card, card) for card in command.low))
        changed.append(command)
    return tuple(changed)


def received(lived: Sequence[Lived], viewer: Viewer) -> Iterator[bytes]:
    """Every byte a viewer gets: events, views, what is allowed, and how a bold question is answered."""
    for index, row in enumerate(lived):
        for before, event, after in moments(row):
            yield msgspec.json.encode(project(event, viewer, before))
            yield msgspec.json.encode(view(after, viewer))
        yield msgspec.json.encode(allowed(row.after, viewer.name, viewer.role), enc_hook=enc_hook)
        answer = run(row.after, bold_question(viewer, index))
        yield msgspec.json.encode(answer.problem if isinstance(answer, Refused) else "accepted")


def bold_question(viewer: Viewer, index: int) -> Command:
    """Commands that a cheat would try: naming cards, acting for others, counting the stub."""
    rng = Random(index)
    seat = rng.randint(1, 6)
    common: dict[str, Any] = {"id": "bold", "who": viewer.name, "role": viewer.role, "at": 2_000_000_000_000}
    two = tuple(rng.sample([Card(number) for number in range(52)], 2))
    questions: tuple[Command, ...] = (
        c.TurnUp(cards=two, **common),
        c.SettleSeat(seat=seat, cards=two, **common),
        c.SettleSeat(seat=seat, **common),
        c.Bet(seat=seat, cents=rng.choice((1, 500, 1000)), **common),
        c.Fold(seat=seat, **common),
        c.CountStub(count=rng.randint(0, 52), finding="misdealt", **common),
        c.ReportIrregularity(kind="community_exposed", place="middle", **common),
        c.PlaceWagers(seat=seat, wagers={"ante_across": 500}, **common),
        c.DiscardCards(**common),
    )
    return rng.choice(questions)


def driven(game: Game, seed: int, trouble: float) -> list[Lived]:
    driver = Driver(game, seed, players=1 + seed % 5, trouble=trouble)
    driver.play(1 + seed % 2)
    return driver.lived


def kinds_in(lived: Sequence[Lived]) -> set[type]:
    return {type(event) for row in lived for event in row.events}


def compare_with_twins(lived: Sequence[Lived], seed: int) -> int:
    """Every viewer of a table gets the same bytes from its twin; returns how many pairs were compared."""
    game = lived[0].before.game
    commands = tuple(row.command for row in lived)
    groups = (*((player,) for player in players_of(lived)), ONLOOKERS)
    for viewers in groups:
        other = rerun(game, twins(commands, seen_by(viewers[0], lived), Random(seed)))
        for viewer in viewers:
            for one, two in zip(received(lived, viewer), received(other, viewer), strict=True):
                assert one == two
    return len(groups) - 1 + len(ONLOOKERS)


MUST_HAPPEN: Final = frozenset(
    (
        *(e.CommunityCardExposed, e.FaceUpCardDiscarded, e.RoundVoided, e.FoldCollected, e.HandShown),
        *(e.WagersForfeited, e.PaymentHalted, e.ChoiceMade, e.DealerHandMade, e.HandSet, e.HandsExposed),
        *(e.AwardsDrawn, e.AwardWon, e.AwardVerified, e.DocumentsCompleted),
    )
)
AT_RANDOM: Final[dict[str, Any]] = {
    "game": st.sampled_from(GAMES),
    "seed": st.integers(0, 2**32 - 1),
    "trouble": st.sampled_from((0.0, 0.05, 0.15)),
    "part": st.sampled_from((1.0, 0.95, 0.85, 0.7)),
}


@pytest.mark.exhaustive
@pytest.mark.clause("NJC-40", "MAC-28", "MDC-28")
@settings(max_examples=20, derandomize=True, database=None)
@given(**AT_RANDOM)
def test_a_card_that_a_viewer_has_not_seen_changes_no_byte(game: Game, seed: int, trouble: float, part: float) -> None:
    """The table is looked at up to some moment, so that what is turned up later counts as unseen."""
    lived = driven(game, seed, trouble)
    assert compare_with_twins(lived[: max(1, round(part * len(lived)))], seed) >= 6


@pytest.mark.exhaustive
def test_no_card_leaks_when_something_goes_wrong() -> None:
    """Until everything that touches cards has gone wrong."""
    happened: set[type] = set()
    for seed in range(2_000):
        lived = driven(GAMES[seed % len(GAMES)], seed, trouble=0.2)
        if (MUST_HAPPEN - happened) & kinds_in(lived):
            compare_with_twins(lived, seed)
            happened |= kinds_in(lived)
        if happened >= MUST_HAPPEN:
            return
    pytest.fail(f"did not happen: {MUST_HAPPEN - happened}")


@pytest.mark.soak
@settings(max_examples=scaled(10_000), database=None)
@given(**AT_RANDOM)
def test_no_card_leaks_in_the_long_run(game: Game, seed: int, trouble: float, part: float) -> None:
    lived = driven(game, seed, trouble)
    compare_with_twins(lived[: max(1, round(part * len(lived)))], seed)


def test_the_twin_test_finds_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(MASKS, e.CardsDealt)
    with pytest.raises(AssertionError):
        compare_with_twins(driven(GAMES[0], seed=3, trouble=0.0), seed=3)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(24))
def test_no_unseen_card_is_written_anywhere(seed: int) -> None:
    """The other way round: every card in what a viewer gets is one that the viewer has seen in this round."""
    driver = Driver(GAMES[seed % len(GAMES)], seed, players=1 + seed % 6, trouble=0.1)
    driver.play(2)
    for viewer in (*players_of(driver.lived), *ONLOOKERS):
        sight = Sight(viewer)
        for index, row in enumerate(driver.lived):
            for before, event, after in moments(row):
                sight.see(index, before, event)
                known = {card.text.encode() for cards in sight.seen.values() for card in cards}
                # The progressive system shows its magic card to all; it is drawn, not dealt.
                known |= {a.magic_card.text.encode() for a in (after.drawn, before.drawn) if a and a.magic_card}
                sent = msgspec.json.encode((project(event, viewer, before), view(after, viewer)))
                assert set(CARD_TEXT.findall(sent)) <= known


# --- what is seen -------------------------------------------------------------------------------------------------


def until(driver: Driver, kind: type[e.Event]) -> Lived:
    """Play until such an event happens."""
    while not any(isinstance(event, kind) for event in driver.act()):
        pass
    return driver.lived[-1]


def seat_of(seen: TableView, number: int) -> Any:
    return seen.seats[number - 1]


@pytest.mark.clause("NJC-40", "MAC-28", "MDC-28")
@pytest.mark.parametrize("book", ["nj-criss-cross", "ma-criss-cross", "md-criss-cross"])
def test_players_look_at_their_own_cards_only(book: str) -> None:
    rows = (until(Driver(compile_game(book), seed, players=4), e.CardsDealt) for seed in range(50))
    row = next(row for row in rows if sum(bool(seat.cards) for seat in row.after.seats) > 2)
    playing = [seat for seat in row.after.seats if seat.cards]
    for seat in playing:
        seen = view(row.after, Viewer("player", seat.player))
        for other in playing:
            own = other.player == seat.player
            assert seat_of(seen, other.number).cards == (tuple(map(str, other.cards)) if own else ("??", "??"))
            assert seat_of(seen, other.number).yours == own
    for viewer in ONLOOKERS:
        seen = view(row.after, viewer)
        assert {card for seat in seen.seats for card in seat.cards} | set(seen.layout.values()) == {"??"}
        assert not seen.hands
        assert not any(seat.hands for seat in seen.seats)


def test_hands_so_far_are_those_that_can_be_seen() -> None:
    driver = Driver(compile_game("md-criss-cross"), seed=2, players=2)
    row = until(driver, e.CardsDealt)
    seat = next(seat for seat in row.after.seats if seat.cards)
    player = Viewer("player", seat.player)
    hands = seat_of(view(row.after, player), seat.number).hands
    assert {line: (hand.known, hand.complete) for line, hand in hands.items()} == {
        "across": (2, False),
        "down": (2, False),
    }
    row = until(driver, e.HandShown)
    shown = next(event for event in row.events if isinstance(event, e.HandShown))
    at = next(after for _, event, after in moments(row) if event is shown)
    for viewer in (player, *ONLOOKERS):
        hands = seat_of(view(at, viewer), shown.seat).hands
        assert {line: hand.name for line, hand in hands.items()} == shown.hands
        assert seat_of(view(at, viewer), shown.seat).cards == tuple(map(str, shown.cards))
        assert view(at, viewer).hands["community"].complete


@pytest.mark.exhaustive
def test_an_exposed_card_is_seen_by_all() -> None:
    row = until(Driver(compile_game("md-criss-cross"), seed=1, players=2, trouble=0.2), e.CommunityCardExposed)
    exposed = next(event for event in row.events if isinstance(event, e.CommunityCardExposed))
    at = next(after for _, event, after in moments(row) if event is exposed)
    for viewer in ONLOOKERS:
        assert view(at, viewer).layout[exposed.place] == exposed.card.text
        assert project(exposed, viewer, row.before)["card"] == exposed.card.text


def test_a_view_says_what_a_screen_needs() -> None:
    driver = Driver(compile_game("md-criss-cross"), seed=5, players=3)
    row = until(driver, e.CardsDealt)
    seen = view(row.after, Viewer("dealer", "dealer"))
    assert (seen.phase, seen.round, seen.step, seen.deck) == ("open", 1, "stub", "A-1")
    assert (seen.decks[0].back, seen.decks[0].stage, seen.count_due) == ("red", "in_play", False)
    since = seen.decks[0].in_use_since
    assert since is not None
    assert seen.decks[0].change_due_at == since + 8 * 3_600_000
    held = sum(len(seat.cards) for seat in seen.seats)
    assert seen.stub_cards == 52 - 5 - held
    assert seen.tray_cents == row.after.balances["tray"]
    for seat in (seat for seat in seen.seats if seat.cards):
        assert (seat.status, sum(seat.wagers.values())) == ("in", row.after.balances[f"risk:{seat.number}"])
    assert msgspec.json.decode(msgspec.json.encode(seen), type=TableView) == seen


def test_who_sits_down_later_does_not_inherit_the_folded_cards_of_a_seat() -> None:
    driver = Driver(compile_game("nj-criss-cross"), seed=1, players=1)
    folded = until(driver, e.FoldCollected).events
    table = until(driver, e.RoundClosed).after
    seat = next(event.seat for event in folded if isinstance(event, e.FoldCollected))
    common: dict[str, Any] = {"id": "x", "role": "player", "at": 2_000_000_000_000, "seat": seat}
    driver.give(c.LeaveSeat(who=table.seat(seat).player, **common))
    driver.give(c.TakeSeat(who="newcomer", chips_cents=100, **common))
    seen = view(driver.table, Viewer("player", "newcomer"))
    assert len(seen.pile) > 2
    assert not CARD_TEXT.findall(msgspec.json.encode(seen))
