"""Live statistics of a table: its outcomes tested against theory, and its results against what the players did."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from typing import Annotated, Any, Final

import msgspec
from litestar import get
from litestar.params import FromPath, QueryParameter

from crossfelt.analysis.wager_figures import OWN_STAKE, WHOLE
from crossfelt.cards.card import enc_hook
from crossfelt.errors import BadInput
from crossfelt.play.round_result import result_of
from crossfelt.proof.history import read_row
from crossfelt.proof.live_tests import LiveReport, WagerCount, WinTest, judge
from crossfelt.rulebooks.game import Game
from crossfelt.server.core.recovery import RoundIndex, readable
from crossfelt.server.core.revenue import Count, base_stakes, wager_of
from crossfelt.server.core.settings import settings_of
from crossfelt.server.http.request import ApiRequest
from crossfelt.server.server import Server
from crossfelt.server.store.interface import Stored
from crossfelt.server.workers.advice import review_of, whole_game
from crossfelt.server.workers.returns import HOUSE
from crossfelt.table import events as e

PLAYED_ROUNDS: Final = 100
"""The last rounds whose decisions are valued, which takes some milliseconds each."""
SIZE: Final = 0.1


class AsPlayed(msgspec.Struct, frozen=True, kw_only=True):
    """The main game in the last rounds: what the house won, and what it should win from these players, in cents."""

    rounds: int
    hands: int
    win_cents: int
    best_play_cents: float
    """The theoretical win from best play on the same stakes."""
    errors_cents: int
    """The cost to the players of decisions that were not the best."""
    theory_cents: float
    """The two together: the theoretical win from the play as it was."""
    deviation_cents: float
    p_value: float | None
    """The chance of an honest table to be as far from it; null with too few rounds."""
    rounds_needed: int
    """The rounds after which a win that is off by a hundredth of the stakes would show."""


class Statistics(msgspec.Struct, frozen=True, kw_only=True):
    """The outcomes of a table against theory."""

    table: str
    title: str
    report: LiveReport
    played: AsPlayed | None
    not_played: str
    """Why the results are not compared with the play; empty if they are."""


@get("/api/tables/{table:str}/statistics", tags=["figures"])
async def statistics(
    request: ApiRequest, table: FromPath[str], size: Annotated[float, QueryParameter(gt=0, le=1)] = SIZE
) -> Statistics:
    """Test cards, hands, slices, dice, draws and wins of a table against theory, all tests judged together.

    `size` is the relative deviation of a chance for which the necessary number of rounds is stated. The win of the main
    game is compared with the theory for what the players really did in the last rounds.
    """
    server = request.server
    closed = (await server.journal.now()).closed.get(table)
    settings = settings_of(closed) if closed is not None else request.visible_table(table).settings
    count = await server.revenue.of(settings.stream)
    try:
        figures = await server.studies.figures(count.game)
        played, why = await _as_played(server, settings.stream, count, figures)
    except BadInput as unsolved:
        figures, played = [], None
        why = f"There is no theory of {count.game.book.title}: {unsolved.problems[0].what}."
    title = "Win of the main game, as it was played"
    win = WinTest(title, played.hands, played.p_value, played.rounds_needed) if played is not None else None
    report = await asyncio.to_thread(judge, count.game, count.outcomes, _wagers(count, figures), size, win)
    return Statistics(table=table, title=count.game.book.title, report=report, played=played, not_played=why)


def _wagers(count: Count, figures: Sequence[dict[str, Any]]) -> list[WagerCount]:
    """Return the wagers whose result no decision changes."""
    found = []
    for figure in figures:
        taking = count.takings.get(figure["wager"])
        if taking is not None and taking.bets and figure["base"] == OWN_STAKE and figure["hit_rate"]:
            found.append(WagerCount(figure["title"], taking.bets, taking.wins, figure["hit_rate"]))
    return found


async def _as_played(
    server: Server, stream: str, count: Count, figures: Sequence[dict[str, Any]]
) -> tuple[AsPlayed | None, str]:
    """Compare the win of the main game with best play, and with the cost of the decisions that were made."""
    game = count.game
    whole = next(it for it in figures if it["wager"] == WHOLE)
    volume = await server.casebook.volume(stream)
    wanted = [it for it in volume.rounds if it.outcome == "settled"][-PLAYED_ROUNDS:]
    if not wanted:
        return None, "No round was settled yet."
    rows = await server.store.rows(stream, wanted[0].first - 1, wanted[-1].last - wanted[0].first + 1)
    in_game = {it["wager"] for it in figures if it["base"] != OWN_STAKE}
    played = await asyncio.to_thread(_events_of, rows, wanted)
    win, stakes, seats, rounds = await asyncio.to_thread(_results, game, played, in_game)
    seen = [event for events in played for event in events if not isinstance(event, e.DeckShuffled)]
    plain = await asyncio.to_thread(msgspec.json.encode, seen, enc_hook=enc_hook)
    errors = 0
    for seat in sorted(seats):
        reviewed = await server.advice_pool.ask(HOUSE, review_of, whole_game(game), plain, seat)
        errors += reviewed["lost_cents"]
    best = -whole["mean"] * sum(stakes)
    deviation = whole["standard_deviation"] * math.sqrt(sum(stake**2 for stake in stakes))
    hands_needed = (LIMITS * whole["standard_deviation"] / OFF_BY) ** 2
    off = abs(win - best - errors) / deviation if deviation else 0.0
    return AsPlayed(
        rounds=rounds,
        hands=len(stakes),
        win_cents=win,
        best_play_cents=best,
        errors_cents=errors,
        theory_cents=best + errors,
        deviation_cents=deviation,
        p_value=math.erfc(off / math.sqrt(2)) if len(stakes) >= LEAST_HANDS else None,
        rounds_needed=math.ceil(hands_needed * rounds / len(stakes) if stakes else hands_needed),
    ), ""


LEAST_HANDS: Final = 30
"""The hands from which the sum of their results is about normal."""
LIMITS: Final = 2.576 + 1.282
"""Standard deviations between a win that is right and one that shows at 1 % in nine of ten cases."""
OFF_BY: Final = 0.01


def _events_of(rows: Sequence[Stored], rounds: Sequence[RoundIndex]) -> list[list[e.Event]]:
    with readable(rows[0].stream if rows else ""):
        events = {stored.seq: read_row(stored.body).events for stored in rows}
        return [[event for seq in range(it.first, it.last + 1) for event in events[seq]] for it in rounds]


def _results(game: Game, played: Sequence[list[e.Event]], wanted: set[str]) -> tuple[int, list[int], set[int], int]:
    """Return the win of the house on wagers, the base stake of each hand, the seats, and the number of rounds."""
    win, stakes, seats, rounds = 0, list[int](), set[int](), 0
    for events in played:
        if any(isinstance(it, e.WagerSettled) and it.bank for it in events):
            continue
        rounds += 1
        stakes += base_stakes(game, events)
        for seat, result in result_of(game, events).seats.items():
            seats.add(int(seat))
            win -= sum(it.net for entry, it in result.wagers.items() if wager_of(game, entry) in wanted)
    return win, stakes, seats, rounds
