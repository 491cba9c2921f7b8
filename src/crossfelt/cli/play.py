"""`crossfelt play`: a table in the terminal, for people and bots."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer

from crossfelt.cards.entropy import fresh_seed
from crossfelt.cards.shuffle import read_seed
from crossfelt.cli.asking import SubmissionFile, Which, read_game
from crossfelt.cli.output import data, message
from crossfelt.cli.terminal import Patience, Terminal
from crossfelt.cli.terminal_table import TerminalTable
from crossfelt.games.rules import rules_of
from crossfelt.money import dollars
from crossfelt.problems import BadInput, Problem
from crossfelt.proof.history import HistoryWriter
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager
from crossfelt.rulebooks.script import Decide
from crossfelt.rulebooks.typesetting import columns
from crossfelt.table.acts_betting import opening_wagers, stake_range
from crossfelt.table.acts_deciding import choice_clauses, timeout_path
from crossfelt.table.bot_rules import Decider
from crossfelt.table.bots import BOTS, Ways, bot_named
from crossfelt.table.events import ChipsBought, Event, RoundClosed, SeatLeft
from crossfelt.table.faults import MOST_PER_MILLE, Faults
from crossfelt.table.session import Happened, Keep, Session, Ticks
from crossfelt.table.sources import Shuffled
from crossfelt.table.state import Table
from crossfelt.table.telling_words import in_a_row, seats_words, signed, title_of
from crossfelt.table.typed import limits_words

LARGEST_BUY_IN: Final = 1_000_000
FIRST_SEAT: Final = 1
_NO_ANSWER: Final = {
    "fold": "folds.",
    "smallest_bet": "makes the smallest bet.",
    "floor_decides": "waits for the floor's decision.",
    "house_way": "has the hand set the house way.",
    "expose": "shows the hand.",
    "decline": "does not show the hand and loses it.",
}


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """Who sits at which table."""

    game: Game
    people: tuple[int, ...]
    bots: dict[int, str]
    """The name of the bot in each seat that has one."""
    seed: bytes
    seed_text: str
    """The seed as it was given; nothing where it is fresh, and must stay secret until the table closes."""
    buy_in_cents: int


def play(
    which: Which,
    seats: Annotated[
        int | None, typer.Option("--seats", metavar="N", help="Seats that are taken; bots fill those without people.")
    ] = None,
    seat: Annotated[
        list[int] | None, typer.Option("--seat", metavar="K", help="Your seat; again for each person at the keyboard.")
    ] = None,
    bots: Annotated[
        str,
        typer.Option(
            "--bots", metavar="LIST", help="Who fills the other seats: simple,optimal,always-3:25+5,simple:10+spin=5 …"
        ),
    ] = "",
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="S", help="The same cards again: a number, or 96 hex digits.")
    ] = None,
    buy_in: Annotated[
        int, typer.Option("--buy-in", metavar="DOLLARS", help="Chips each player sits down with.")
    ] = 1000,
    submission: SubmissionFile = None,
    history: Annotated[
        Path | None, typer.Option("--history", metavar="FILE", help="Write all that happens to a new file.")
    ] = None,
    clauses: Annotated[bool, typer.Option("--clauses", help="Name the clauses after each line.")] = False,
    auto: Annotated[
        int | None, typer.Option("--auto", metavar="ROUNDS", help="Bots only: play so many rounds and sum up.")
    ] = None,
    faults: Annotated[
        str, typer.Option("--faults", metavar="RATE", help="Training: so much goes wrong, such as 5%.")
    ] = "",
    no_color: Annotated[bool, typer.Option("--no-color", help="No colour, even on a terminal.")] = False,
) -> None:
    """Play at a table in the terminal, with play money; bots fill the other seats."""
    setup = set_up(read_game(which, submission), seats, seat or [], bots, seed, buy_in, auto)
    with _history(history, setup.game) as keep, Patience() as patience:
        session = Session(
            setup.game,
            Shuffled(setup.seed),
            at=_clock(repeatable=bool(setup.seed_text)),
            keep=keep,
            faults=_faults(faults, setup.seed),
        )
        if auto is not None:
            data(play_alone(session, setup, auto, patience))
        else:
            play_here(session, setup, Terminal(patience, color=not no_color), clauses=clauses)
    if not setup.seed_text:
        message(f"Seed of this table, to deal it again: {setup.seed.hex()}")
    if history is not None:
        message(f"History saved in {history}; crossfelt verify checks it.")


# --- the table --------------------------------------------------------------------------------------------------------


def set_up(
    game: Game, seats: int | None, seat: Sequence[int], bots: str, seed: str | None, buy_in: int, auto: int | None
) -> Setup:
    """Who sits where, from the options; BadInput with everything that is wrong with them."""
    rules_of(game)
    people = () if auto is not None else tuple(sorted(set(seat))) or (FIRST_SEAT,)
    names = [name.strip() for name in bots.split(",") if name.strip()]
    most = game.book.table.seats
    taken = seats if seats is not None else max(1, len(people) + len(names))
    problems = [*_problems(people, taken, most, seat, buy_in, auto), *_bot_problems(game, names)]
    if problems:
        raise BadInput(*problems)
    free = [number for number in range(1, most + 1) if number not in people][: taken - len(people)]
    filling = names or ["simple"]
    return Setup(
        game=game,
        people=people,
        bots={number: filling[place % len(filling)] for place, number in enumerate(free)},
        seed=fresh_seed() if seed is None else read_seed(seed),
        seed_text=seed or "",
        buy_in_cents=buy_in * 100,
    )


def _problems(
    people: Sequence[int], taken: int, most: int, seat: Sequence[int], buy_in: int, auto: int | None
) -> Iterator[Problem]:
    for number in seat:
        if not 1 <= number <= most:
            yield _wrong("seat", "no such seat", number, f"1 to {most}")
    if auto is not None and seat:
        yield _wrong("seat", "nobody plays at the keyboard with --auto", seat[0], "bots only")
    if not max(1, len(people)) <= taken <= most:
        yield _wrong("seats", "not a number of seats that can be taken", taken, f"{max(1, len(people))} to {most}")
    if not 1 <= buy_in <= LARGEST_BUY_IN:
        yield _wrong("buy-in", "not an amount that is allowed", buy_in, f"1 to {LARGEST_BUY_IN:,} dollars")
    if auto is not None and auto < 1:
        yield _wrong("auto", "not a number of rounds", auto, "1 or more")


def _bot_problems(game: Game, names: Sequence[str]) -> Iterator[Problem]:
    for name in names:
        try:
            bot_named(name, b"", ways=ways_of(game), where="--bots")
        except BadInput as bad:
            yield from bad.problems


def ways_of(game: Game) -> Ways:
    """How bots can decide at a table: as any table knows, and by best play."""

    def optimal(_: bytes) -> Decider:
        # The solver takes a while to import.
        from crossfelt.analysis.bots import best_play

        return best_play(game)

    return {**BOTS, "optimal": optimal}


def _wrong(option: str, what: str, value: int, allowed: str) -> Problem:
    return Problem(code=f"play.{option}", where=f"--{option}", what=what, value=value, allowed=allowed)


def _clock(*, repeatable: bool) -> Callable[[], int]:
    """A repeatable table has a clock that is repeatable too."""
    return Ticks() if repeatable else lambda: time.time_ns() // 1_000_000


def _faults(rate: str, seed: bytes) -> Faults | None:
    """What goes wrong at a training table; nothing where no rate is given."""
    if not rate:
        return None
    most = f"0.1% to {MOST_PER_MILLE // 10}%"
    try:
        per_mille = round(float(rate.removesuffix("%")) * 10)
        return Faults(per_mille, seed)
    except (ValueError, OverflowError, BadInput):
        what = "not a rate at which things go wrong"
        problem = Problem(code="play.faults", where="--faults", what=what, value=rate, allowed=most)
        raise BadInput(problem) from None


@contextmanager
def _history(path: Path | None, game: Game) -> Iterator[Keep | None]:
    if path is None:
        yield None
        return
    with HistoryWriter.create(path, f"terminal, {game.book.id}", game) as writer:
        yield writer.append


def seat_everybody(session: Session, setup: Setup) -> Iterator[Happened]:
    """The table opens, and people and bots sit down."""
    yield session.open()
    for number in sorted((*setup.people, *setup.bots)):
        bot, name = None, "you" if len(setup.people) == 1 else f"player {number}"
        if number in setup.bots:
            style = setup.bots[number]
            bot = bot_named(style, setup.seed, ways=ways_of(setup.game))
            name = f"{style.partition(':')[0]} bot {number}"
        happened = session.sit(number, name, setup.buy_in_cents, bot)
        assert isinstance(happened, Happened), happened
        yield happened


# --- people -----------------------------------------------------------------------------------------------------------


def play_here(session: Session, setup: Setup, terminal: Terminal, *, clauses: bool) -> None:
    """A table for the people at the keyboard."""
    terminal.own = setup.people
    for line in welcome(session.table, setup):
        terminal.say(line)
    terminal.say()
    table = TerminalTable(session, terminal, clauses=clauses)
    table.tell(seat_everybody(session, setup))
    table.run()


def welcome(table: Table, setup: Setup) -> Iterator[str]:
    """What everybody should know before the first bet."""
    book = setup.game.book
    yield f"{book.title} ({book.id} {book.version}). Play money only."
    yield f"Limits: {'; '.join(limits(table))}."
    yield from timeout_rules(table.game)
    cards = f" The cards come from seed {setup.seed_text}." if setup.seed_text else ""
    yield f"You sit in {seats_words(setup.people)}.{cards} Type help at any time."


def limits(table: Table) -> Iterator[str]:
    """What may be staked, before the cards and after."""
    groups: dict[str, list[Wager]] = {}
    for wager in opening_wagers(table):
        groups.setdefault(wager.group or wager.id, []).append(wager)
    for group, wagers in groups.items():
        amounts = limits_words(wagers[0].id, stake_range(table, wagers[0]), table.game)
        equal = {1: wagers[0].title, 2: f"two equal {group}s, each"}.get(len(wagers), f"equal {group}s, each")
        yield f"{equal} {amounts}"
    yield from later_limits(table.game)


def later_limits(game: Game) -> Iterator[str]:
    """What may be staked in the course of the round.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> list(later_limits(compile_game("md-criss-cross")))
    ['across bet, down bet and middle bet 1 to 3 times the ante']
    """
    asked = [game.wager(step.wager) for step in game.book.script if isinstance(step, Decide)]
    same: dict[str, list[str]] = {}
    for wager in asked:
        stake = wager.stake
        if stake.of is not None:
            times = f"{stake.min}" if stake.min == stake.max else f"{stake.min} to {stake.max}"
            same.setdefault(f"{times} times the {stake.of}", []).append(title_of(wager.id, game))
    for times, titles in same.items():
        yield f"{in_a_row(titles)} {times}"


def timeout_rules(game: Game) -> Iterator[str]:
    """What becomes of a player who does not answer: who is gone and, where a clock runs, who is too slow.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> for rule in timeout_rules(compile_game("nj-double-cross")):
    ...     print(rule)
    Who leaves in the middle of a round folds.  [DCP-23]
    Who does so before the three-card wager is settled shows the hand.  [DCP-21]
    """
    general, seconds = "play.on_timeout", game.whole("play.decision_seconds")
    slow = f"does not answer within {seconds} seconds, or " if seconds else ""
    does = _NO_ANSWER[str(game.choices[general])]
    yield f"Who {slow}leaves in the middle of a round {does}  [{_rests_on(game, general)}]"
    for step in game.book.script:
        if isinstance(step, Decide) and (path := timeout_path(step)) != general:
            does = _NO_ANSWER[str(game.choices[path])]
            yield f"Who does so before the {title_of(step.wager, game)} is settled {does}  [{_rests_on(game, path)}]"


def _rests_on(game: Game, path: str) -> str:
    return ", ".join(choice_clauses(game, path)) or "house rule"


# --- bots only --------------------------------------------------------------------------------------------------------


def play_alone(session: Session, setup: Setup, rounds: int, patience: Patience) -> Iterator[str]:
    """Bots play so many rounds, or as many as somebody has the patience for; what each of them won or lost."""
    deque(seat_everybody(session, setup), maxlen=0)
    bought = dict.fromkeys(setup.bots, setup.buy_in_cents)
    played = 0
    for happened in session.play(rounds):
        for event in happened.events:
            played += isinstance(event, RoundClosed)
            if isinstance(event, ChipsBought):
                bought[event.seat] += event.cents
        if patience.heard:
            break
    left = {event.seat: event.chips_cents for event in _events(session.close()) if isinstance(event, SeatLeft)}
    nets = {seat: left[seat] - cents for seat, cents in bought.items()}
    rows = [("seat", "bot", "bought", "net", "per round")]
    rows += [
        (f"{seat}", setup.bots[seat], dollars(bought[seat]), signed(net), _mean(net, played))
        for seat, net in nets.items()
    ]
    house = -sum(nets.values())
    rows.append(("house", "", "", signed(house), _mean(house, played)))
    yield f"{setup.game.book.title}: {played:,} {'round' if played == 1 else 'rounds'}"
    yield from columns(rows, right=[2, 3, 4])


def _events(happenings: Iterator[Happened]) -> Iterator[Event]:
    return (event for happened in happenings for event in happened.events)


def _mean(cents: int, rounds: int) -> str:
    return signed(round(cents / rounds)) if rounds else "—"
