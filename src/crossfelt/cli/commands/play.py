"""`crossfelt play`: play at a table in the terminal, with bots in the other seats."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import msgspec

from crossfelt.analysis.best_play_bot import ways_to_decide
from crossfelt.cards.shuffle import fresh_seed, read_seed
from crossfelt.cli.options import SubmissionFile, Which, flag, option, option_problem, read_game
from crossfelt.cli.output import data, message
from crossfelt.cli.render.terminal_table import TerminalTable
from crossfelt.cli.terminal import DeferredInterrupt, Terminal
from crossfelt.errors import BadInput, Problem, require_none
from crossfelt.games.rules import rules_of
from crossfelt.money import dollars
from crossfelt.play.bots import bot_named
from crossfelt.play.careful_player import multiples
from crossfelt.play.command_parser import limits_words
from crossfelt.play.faults import MOST_PER_MILLE, FaultGenerator
from crossfelt.play.posted_notice import posted_notice
from crossfelt.play.session import AppliedCommand, Keep, TableSession, TickingClock
from crossfelt.play.sources import ShuffledSource
from crossfelt.play.text import joined_with_and, seats_words, signed, title_of
from crossfelt.proof.history import HistoryWriter
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager
from crossfelt.rulebooks.script import Decide
from crossfelt.table.acts.betting import stake_range
from crossfelt.table.acts.decisions import choice_rule, timeout_path
from crossfelt.table.events import ChipsBought, RoundClosed, SeatLeft
from crossfelt.table.state import TableState
from crossfelt.text_layout import columns

_problem = partial(option_problem, "play")
LARGEST_BUY_IN: Final = 1_000_000
FIRST_SEAT: Final = 1
_NO_ANSWER: Final = {
    "fold": "folds.",
    "check_or_fold": "checks where that is open, and folds elsewhere.",
    "smallest_bet": "makes the smallest bet.",
    "floor_decides": "waits for the floor's decision.",
    "house_way": "has the hand set the house way.",
    "expose": "shows the hand.",
    "decline": "does not show the hand and loses it.",
    "bet": "makes the smallest bet.",
    "check": "checks.",
    "withdraw": "takes the wager back.",
}


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """A table with its players and bots."""

    game: Game
    people: tuple[int, ...]
    bots: dict[int, str]
    """The name of the bot in each seat that has one."""
    seed: bytes
    seed_text: str
    """The seed as given; empty for a fresh seed, which stays secret until the table closes."""
    buy_in_cents: int


def play(
    which: Which,
    seats: Annotated[int | None, option("N", "Number of occupied seats; bots fill those without a player.")] = None,
    seat: Annotated[
        list[int] | None, option("K", "Your seat; repeat it for each player at the keyboard. Default: 1")
    ] = None,
    bots: Annotated[
        str, option("LIST", "Bots for the other seats, e.g. careful,optimal,always-3:25+5,careful:10+spin=5")
    ] = "",
    seed: Annotated[str | None, option("S", "Deal the same cards again: a number, or 96 hex digits.")] = None,
    buy_in: Annotated[int, option("DOLLARS", "Buy-in of each player.")] = 1000,
    submission: SubmissionFile = None,
    history: Annotated[Path | None, option("FILE", "Record the history in a new file.")] = None,
    clauses: Annotated[bool, flag("--clauses", "Cite the clauses after each line.")] = False,
    coach: Annotated[bool, flag("--coach", "Show the value of each choice before it, and a verdict after it.")] = False,
    auto: Annotated[int | None, option("ROUNDS", "Let bots play this many rounds, then print the totals.")] = None,
    faults: Annotated[str, option("RATE", "Training: rate of dealing errors, e.g. 5%.")] = "",
    no_color: Annotated[bool, flag("--no-color", "No colour, even on a terminal.")] = False,
) -> None:
    """Play at a table in the terminal, with play money. Bots fill the other seats."""
    setup = set_up(read_game(which, submission), seats, seat or [], bots, seed, buy_in, auto)
    with _history(history, setup.game) as keep, DeferredInterrupt() as interrupt:
        session = TableSession(
            setup.game,
            ShuffledSource(setup.seed),
            # A table with a given seed also gets a repeatable clock.
            at=TickingClock() if setup.seed_text else lambda: time.time_ns() // 1_000_000,
            keep=keep,
            faults=_faults(faults, setup.seed),
        )
        if auto is not None:
            data(play_alone(session, setup, auto, interrupt))
        else:
            play_here(session, setup, Terminal(interrupt, color=not no_color), clauses=clauses, coach=coach)
    if not setup.seed_text:
        message(f"To deal these cards again: --seed {setup.seed.hex()}")
    if history is not None:
        message(f"History saved in {history}. To check it, run: crossfelt verify {history}")


def set_up(
    game: Game, seats: int | None, seat: Sequence[int], bots: str, seed: str | None, buy_in: int, auto: int | None
) -> Setup:
    """Read the options into a setup; raise BadInput with every problem."""
    rules_of(game)
    people = () if auto is not None else tuple(sorted(set(seat))) or (FIRST_SEAT,)
    names = [name.strip() for name in bots.split(",") if name.strip()]
    most = game.book.table.seats
    taken = seats if seats is not None else max(1, len(people) + len(names))
    require_none([*_problems(people, taken, most, seat, buy_in, auto), *_bot_problems(game, names)])
    free = [number for number in range(1, most + 1) if number not in people][: taken - len(people)]
    filling = names or ["careful"]
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
            yield _problem("--seat", "no such seat at this table", number, f"1 to {most}")
    if auto is not None and seat:
        yield _problem("--seat", "cannot be combined with --auto, where only bots play", seat[0], "one of the two")
    if not max(1, len(people)) <= taken <= most:
        allowed = f"{max(1, len(people))} to {most}"
        yield _problem("--seats", "number of occupied seats out of range", taken, allowed)
    if not 1 <= buy_in <= LARGEST_BUY_IN:
        yield _problem("--buy-in", "buy-in out of range", buy_in, f"1 to {LARGEST_BUY_IN:,} dollars")
    if auto is not None and auto < 1:
        yield _problem("--auto", "not a number of rounds", auto, "1 or more")


def _bot_problems(game: Game, names: Sequence[str]) -> Iterator[Problem]:
    for name in names:
        try:
            bot_named(name, b"", ways=ways_to_decide(game), game=game, where="--bots")
        except BadInput as bad:
            yield from bad.problems


def _faults(rate: str, seed: bytes) -> FaultGenerator | None:
    if not rate:
        return None
    most = f"0.1% to {MOST_PER_MILLE // 10}%"
    try:
        per_mille = round(float(rate.removesuffix("%")) * 10)
        return FaultGenerator(per_mille, seed)
    except (ValueError, OverflowError, BadInput):
        what = "not a rate of dealing errors"
        raise BadInput.at("--faults", "play.faults", what, rate, most) from None


@contextmanager
def _history(path: Path | None, game: Game) -> Iterator[Keep | None]:
    if path is None:
        yield None
        return
    with HistoryWriter.create(path, f"terminal, {game.book.id}", game) as writer:
        yield writer.append


def seat_everybody(session: TableSession, setup: Setup) -> Iterator[AppliedCommand]:
    """Open the table and seat players and bots."""
    yield session.open()
    for number in sorted((*setup.people, *setup.bots)):
        bot, name = None, "you" if len(setup.people) == 1 else f"player {number}"
        if number in setup.bots:
            style = setup.bots[number]
            bot = bot_named(style, setup.seed, ways=ways_to_decide(setup.game))
            name = f"{style.partition(':')[0]} bot {number}"
        happened = session.sit(number, name, setup.buy_in_cents, bot)
        assert isinstance(happened, AppliedCommand), happened
        yield happened


def play_here(session: TableSession, setup: Setup, terminal: Terminal, *, clauses: bool, coach: bool = False) -> None:
    """Run the table for the players at the keyboard."""
    terminal.own = setup.people
    for line in welcome(session.table, setup):
        terminal.say(line)
    terminal.say()
    table = TerminalTable(session, terminal, clauses=clauses, coach=coach)
    table.show(seat_everybody(session, setup))
    table.run()


def welcome(table: TableState, setup: Setup) -> Iterator[str]:
    """Yield what every player should know before the first bet."""
    book = setup.game.book
    yield f"{book.title} ({book.id} {book.version}). Play money only."
    yield f"Limits: {'; '.join(limits(table))}."
    yield from (f"{limit.title}: {limit.says}" for limit in posted_notice(table.game).limits)
    yield from timeout_rules(table.game)
    cards = f" Cards are dealt from seed {setup.seed_text}." if setup.seed_text else ""
    yield f"You are in {seats_words(setup.people)}.{cards} Type help at any time."


def limits(table: TableState) -> Iterator[str]:
    """Yield the limits of each wager, before the deal and after."""
    groups: dict[str, list[Wager]] = {}
    for wager in table.game.opening_wagers.values():
        groups.setdefault(wager.group or wager.id, []).append(wager)
    for group, wagers in groups.items():
        amounts = limits_words(wagers[0].id, stake_range(table, wagers[0]), table.game)
        equal = {1: wagers[0].title, 2: f"two equal {group}s, each"}.get(len(wagers), f"equal {group}s, each")
        yield f"{equal} {amounts}"
    yield from later_limits(table.game)


def later_limits(game: Game) -> Iterator[str]:
    """Yield the limits of the bets during the round.

    >>> list(later_limits(compile_game("md-criss-cross")))
    ['across bet, down bet and middle bet 1 to 3 times the ante']
    """
    multiples_of: dict[str, set[int]] = {}
    for step in game.book.script:
        if isinstance(step, Decide) and step.bet is not None and game.offers(step.wager):
            multiples_of.setdefault(step.wager, set()).update(multiples(game, step))
    same: dict[str, list[str]] = {}
    for wager, times in multiples_of.items():
        words = _times_words(sorted(times))
        same.setdefault(f"{words} the {game.wager(wager).stake.of}", []).append(title_of(wager, game))
    for words, titles in same.items():
        yield f"{joined_with_and(titles)} {words}"


def _times_words(times: Sequence[int]) -> str:
    if list(times) == [1]:
        return "equal to"
    together = len(times) > 2 and times[-1] - times[0] == len(times) - 1
    return f"{f'{times[0]} to {times[-1]}' if together else ' or '.join(map(str, times))} times"


def timeout_rules(game: Game) -> Iterator[str]:
    """Yield the rules for players who leave or, where a clock runs, answer too late.

    >>> for rule in timeout_rules(compile_game("nj-double-cross")):
    ...     print(rule)
    A player who leaves during a round folds.  [DCP-23]
    Before the three-card wager is settled, such a player shows the hand.  [DCP-21]
    """
    general, seconds = "play.on_timeout", game.whole("play.decision_seconds")
    slow = f"does not answer within {seconds} seconds, or " if seconds else ""
    does = _NO_ANSWER[str(game.choices[general])]
    yield f"A player who {slow}leaves during a round {does}  [{_rests_on(game, general)}]"
    for step in game.book.script:
        if isinstance(step, Decide) and step.silent is not None:
            wager = title_of(step.wager, game)
            clauses = ", ".join(step.clauses) or "house rule"
            yield f"At the decision on the {wager}, such a player {_NO_ANSWER[step.silent]}  [{clauses}]"
        elif isinstance(step, Decide) and (path := timeout_path(step)) != general:
            does = _NO_ANSWER[str(game.choices[path])]
            wager = title_of(step.wager, game)
            yield f"Before the {wager} is settled, such a player {does}  [{_rests_on(game, path)}]"


def _rests_on(game: Game, path: str) -> str:
    return ", ".join(choice_rule(game, path).clauses) or "house rule"


def play_alone(session: TableSession, setup: Setup, rounds: int, interrupt: DeferredInterrupt) -> Iterator[str]:
    """Let bots play a number of rounds, or until Ctrl-C, and yield the totals of each seat."""
    deque(seat_everybody(session, setup), maxlen=0)
    bought = dict.fromkeys(setup.bots, setup.buy_in_cents)
    played = 0
    for happened in session.play(rounds):
        for event in happened.events:
            played += isinstance(event, RoundClosed)
            if isinstance(event, ChipsBought):
                bought[event.seat] += event.cents
        if interrupt.pending:
            break
    closing = [event for happened in session.close() for event in happened.events]
    left = {event.seat: event.chips_cents for event in closing if isinstance(event, SeatLeft)}
    nets = {seat: left[seat] - cents for seat, cents in bought.items()}
    rows = [("seat", "bot", "bought in", "net", "per round")]
    rows += [
        (f"{seat}", setup.bots[seat], dollars(bought[seat]), signed(net), _mean(net, played))
        for seat, net in nets.items()
    ]
    house = -sum(nets.values())
    rows.append(("house", "", "", signed(house), _mean(house, played)))
    yield f"{setup.game.book.title}: {played:,} {'round' if played == 1 else 'rounds'}"
    yield from columns(rows, right=[2, 3, 4])


def _mean(cents: int, rounds: int) -> str:
    return signed(round(cents / rounds)) if rounds else "—"
