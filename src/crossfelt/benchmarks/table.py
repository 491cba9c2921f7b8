"""The table engine in memory, on one core: complete six-seat rounds, and replaying their events."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from crossfelt.benchmarks.pokerkit_hands import hands_of_holdem
from crossfelt.benchmarks.result import Figure, Result
from crossfelt.benchmarks.timing import best_of, say
from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.proof.replay import after
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.script import Decide, OfferBank, OpenBets, SetHands
from crossfelt.table import commands as c
from crossfelt.table.automation import Dealer
from crossfelt.table.commands import Command
from crossfelt.table.engine import Accepted
from crossfelt.table.engine import run as carry_out
from crossfelt.table.events import Event
from crossfelt.table.sources import Shuffled
from crossfelt.table.state import Table, new_table, step_of

ROUNDS = 200
BOOKS = ("nj-criss-cross", "ma-criss-cross", "md-criss-cross", "nj-double-cross", "nj-pai-gow")
GOAL_GAME = "criss_cross"
"""The game whose rounds have a goal."""
SEATS = range(1, 7)
PEER = "pokerkit, hands of hold'em"
WAGERS = {
    "criss_cross": {"ante_across": 10_00, "ante_down": 10_00, "five_card_bonus": 5_00},
    "double_cross": {"ante": 10_00, "three_card": 5_00},
    "pai_gow": {"main": 25_00},
}
PLAYED = {
    "criss_cross": "every player bets three times",
    "double_cross": "every player shows three cards and raises",
    "pai_gow": "every hand is set the house way",
}


def run(repeats: int) -> Iterator[Result]:
    say(f"table: {ROUNDS} six-seat rounds, shuffled, cut, dealt and settled ...")
    games = {book: compile_game(book) for book in BOOKS}
    work: dict[str, Callable[[], object]] = {book: partial(play, game, ROUNDS) for book, game in games.items()}
    skipped: tuple[str, ...] = ()
    try:
        work[PEER] = hands_of_holdem(len(SEATS), ROUNDS)
    except ImportError as error:
        skipped = (f"pokerkit: {error}",)
    times = best_of(work, repeats)
    theirs = tuple(Figure(who=PEER, value=ROUNDS / times[name]) for name in times if name == PEER)
    for name, played in PLAYED.items():
        books = [book for book, game in games.items() if game.book.game == name]
        yield Result(
            name=f"complete six-seat rounds of {name.replace('_', ' ')}, one core",
            unit="rounds/s",
            figures=(*(Figure(who=book, value=ROUNDS / times[book], ours=True) for book in books), *theirs),
            more_is_better=True,
            goal_value=1_000.0 if name == GOAL_GAME else None,
            skipped=skipped,
            note=f"secure shuffle and cut included; {played}; the peer's hands are of another game",
        )
    yield _replaying(games["md-criss-cross"], repeats)


def _replaying(game: Game, repeats: int) -> Result:
    events = play(game, ROUNDS)
    times = best_of({"crossfelt": lambda: after(new_table(game), events)}, repeats)
    return Result(
        name="replay of recorded events, one core",
        unit="events/s",
        figures=(Figure(who="crossfelt", value=len(events) / times["crossfelt"], ours=True),),
        more_is_better=True,
        goal_value=100_000.0,
    )


def play(game: Game, rounds: int) -> list[Event]:
    """Every event of so many rounds in which nobody folds and nobody bets more than is asked."""
    return [event for _, events in rows(game, rounds) for event in events]


def rows(game: Game, rounds: int) -> Iterator[tuple[Command, tuple[Event, ...]]]:
    """Every command of such rounds, with what followed."""
    table = new_table(game)
    dealer = Dealer(Shuffled(repeatable_seed(0)))
    pending: list[Command] = _opening()
    while True:
        command = pending.pop(0) if pending else dealer.next_command(table, 0)
        if command is None:
            if isinstance(step_of(table), OpenBets):
                if table.round > rounds:
                    return
                pending = _betting(WAGERS[game.book.game])
                continue
            command = _answer(table)
        answer = carry_out(table, command)
        assert isinstance(answer, Accepted), answer
        yield command, answer.events
        table = answer.table


def _opening() -> list[Command]:
    opened: list[Command] = [c.OpenTable(id="open", who="floor", role="floor", at=0, inventory_cents=10**11)]
    return opened + [
        c.TakeSeat(id="sit", who=f"player {seat}", role="player", at=0, seat=seat, chips_cents=10**9) for seat in SEATS
    ]


def _betting(wagers: dict[str, int]) -> list[Command]:
    placed: list[Command] = [
        c.PlaceWagers(id="bet", who=f"player {seat}", role="player", at=0, seat=seat, wagers=wagers) for seat in SEATS
    ]
    return [*placed, c.NoMoreBets(id="lock", who="dealer", role="dealer", at=0)]


def _answer(table: Table) -> Command:
    """What the player in turn says: the first thing that is asked for."""
    seat, step = table.turn[0], step_of(table)
    who = f"player {seat}"
    if isinstance(step, OfferBank):
        return c.DeclineBank(id="pass", who=who, role="player", at=0, seat=seat)
    if isinstance(step, SetHands):
        return c.SetHouseWay(id="set", who=who, role="player", at=0, seat=seat)
    assert isinstance(step, Decide)
    choice = step.options[0]
    if choice == "bet":
        return c.Bet(id="bet", who=who, role="player", at=0, seat=seat, cents=10_00)
    return c.Choose(id="choose", who=who, role="player", at=0, seat=seat, choice=choice)
