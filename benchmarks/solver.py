"""Games solved, advice and sweeps: in this process, by a fresh command, and beside dealing every deal to a peer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final
from unittest.mock import patch

from benchmarks.kernels import HANDS_ONE_BY_ONE, agreeing_peers, by_strength, random_hands
from benchmarks.plain_c import NO_COMPILER, compiler, in_c
from benchmarks.timing import Disagreement, Figure, Result, best_of, our_figure, our_result, peak_memory_mb, say
from crossfelt.analysis import advise, solve
from crossfelt.analysis.runners import ProcessRunner
from crossfelt.analysis.solver import lines, nodes
from crossfelt.analysis.solver import sweep as sweep_nodes
from crossfelt.analysis.sweep.api import solve_rest, solve_sample
from crossfelt.analysis.sweep.evaluate import Variants
from crossfelt.analysis.sweep.grid import Axis, Submission, SweepGrid, VariantResult
from crossfelt.kernels.threads import processors
from crossfelt.rulebooks import loader
from crossfelt.rulebooks.game import Game, compile_game

CRISS_CROSS, DOUBLE_CROSS = "nj-criss-cross", "nj-double-cross"
KNOWN_CARD: Final = f"from crossfelt.cli.main import run; run(['solve', '{CRISS_CROSS}', '--known', 'down', '--json'])"
HANDS_IN_A_DEAL: Final = 3
"""Of Double Cross Poker: the player's, and both of the dealer's."""
FROM_NOTHING: Final = """
from unittest.mock import patch
from crossfelt.analysis import solve
from crossfelt.analysis.solver import lines
with patch.object(lines, "cached_arrays", lambda _, make: list(make())):
    solve("nj-double-cross")
"""
VARIED: Final = {
    CRISS_CROSS: ("bets.flush", "bets.straight", "bets.full_house", "bets.three_of_a_kind"),
    DOUBLE_CROSS: ("raise.flush", "raise.straight", "raise.full_house", "raise.four_of_a_kind"),
    "nj-pai-gow": ("seven_card.flush", "seven_card.straight", "imperial_player.flush", "imperial_player.straight"),
}
VALUES: Final = range(2, 9)
PAY_TABLES: Final = {CRISS_CROSS: 2_000, DOUBLE_CROSS: 400, "nj-pai-gow": 400}
QUICK: Final = 4
"""Divides the number of pay tables of a quick run."""
SWEEP_GOALS: Final = {CRISS_CROSS: 2_000.0}
CHECKED: Final = 3


def criss_cross(repeats: int) -> Iterator[Result]:
    game = compile_game(CRISS_CROSS)
    deals = solve(game).distribution.deals
    say(f"Criss Cross Poker: {deals:,} deals ...")
    hole, across, down = "As Ks", "Qs 2d", "3s 4s"
    advice: dict[str, Callable[[], object]] = {
        "advice on the across bet": partial(advise, game, hole=hole),
        "advice on the down bet": partial(advise, game, hole=hole, across=across, bets={"across": 1}),
        "advice on the middle bet": partial(
            advise, game, hole=hole, across=across, down=down, bets={"across": 1, "down": 3}
        ),
    }
    times = best_of({"all": partial(solve, game), **advice}, repeats)
    yield _beside_peers(times["all"], deals, repeats)
    yield _beside_c(game, times["all"])
    for name in advice:
        yield our_result(f"Criss Cross Poker, {name}", "ms", times[name] * 1e3, goal=100.0)
    yield our_result("Criss Cross Poker, everything, kernels compiled", "s", _without_nodes(game), goal=6.0)
    for book in (CRISS_CROSS, DOUBLE_CROSS):
        yield _fresh_command(book, repeats)
    yield our_result("crossfelt solve --known down, peak memory", "MB", peak_memory_mb(KNOWN_CARD), goal=500.0)


def _beside_peers(seconds: float, deals: int, repeats: int) -> Result:
    """Compare all statistics with the time of ranking both hands of every deal, one call from Python for each."""
    hands = random_hands(HANDS_ONE_BY_ONE)
    peers, skipped = agreeing_peers(hands)
    one_call = best_of({"crossfelt": by_strength(hands), **{name: peer.run for name, peer in peers.items()}}, repeats)
    brute = [
        Figure(who=f"{name}, one call for each hand of every deal", value=2 * deals * taken / HANDS_ONE_BY_ONE)
        for name, taken in one_call.items()
    ]
    return Result(
        name="Criss Cross Poker, all statistics",
        unit="s",
        figures=(our_figure(seconds), *brute),
        goal_value=0.3,
        skipped=skipped,
        note="one by one: the time of one call, as measured in this run, times the number of hands",
    )


def _beside_c(game: Game, seconds: float) -> Result:
    """Compare another pay table, with all statistics, with its value alone in plain C."""
    name = "Criss Cross Poker, another pay table"
    if compiler() is None:
        return Result(name=name, unit="s", figures=(our_figure(seconds),), skipped=NO_COMPILER)
    bets = next(table for table in game.book.paytables if table.id == "bets")
    wins = [str(line.odds.profit) for line in bets.lines if line.odds and not line.odds.is_push]
    figure, told = in_c(Path(__file__).with_name("criss_cross.c"), *wins)
    solved = solve(game)
    if [solved.ev * solved.distribution.deals] != told:
        raise Disagreement("plain C finds another value")
    return Result(name=name, unit="s", figures=(our_figure(seconds), figure), goal_ratio=1 / 0.006)


def _fresh_command(book: str, repeats: int) -> Result:
    """Time a new process, with its caches on disk filled."""
    command = [sys.executable, "-m", "crossfelt.cli.main", "solve", book, "--json"]
    subprocess.run(command, check=True, capture_output=True)
    times = []
    for _ in range(max(1, repeats // 2)):
        start = perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(perf_counter() - start)
    note = f"median {median(times):.2f} s"
    return our_result(f"crossfelt solve {book}, a fresh command", "s", min(times), goal=1.0, note=note)


def double_cross(repeats: int) -> Iterator[Result]:
    say("Double Cross Poker, solved exactly ...")
    game = compile_game(DOUBLE_CROSS)
    work: dict[str, Callable[[], object]] = {
        "another pay table": lambda: solve(game, pay={"raise.flush": 7}),
        "advice": lambda: advise(game, hole="As Kd", down_far="7h", across_right="2c"),
    }
    times = best_of(work, repeats)
    peer, seconds = _fastest_peer()
    deals, positions = solve(game).distribution.deals, 1326 * 50 * 49
    plain = Figure(who=f"every deal by {peer}", value=deals * HANDS_IN_A_DEAL * seconds)
    in_one = Figure(who=f"every deal by {peer}", value=1e3 * deals // positions * HANDS_IN_A_DEAL * seconds)
    name = "Double Cross, value and strategy"
    yield our_result(name, "s", _without_nodes(game), plain, goal=15.0, note=f"{deals:,} deals")
    name = "Double Cross, peak memory of a process that counts every deal"
    yield our_result(name, "MB", peak_memory_mb(FROM_NOTHING), goal=3000.0)
    name = "Double Cross, another pay table with all statistics"
    yield our_result(name, "s", times["another pay table"], plain, goal=1.0)
    note = f"{deals // positions:,} deals"
    yield our_result("Double Cross, advice", "ms", 1e3 * times["advice"], in_one, goal=50.0, note=note)


EXAMPLES: Final = Path(__file__).parents[1] / "examples" / "rulebooks"
STRANGERS: Final = {
    "mississippi-stud": ("main.flush", 1.0, 0.1),
    "let-it-ride": ("main.flush", 1.0, 0.1),
    "three-card-poker": ("ante_bonus.straight", 1.0, 0.1),
    "caribbean-stud": ("raise.flush", 6.0, 0.3),
    "four-card-poker": ("automatic.three_of_a_kind", 12.0, 0.3),
    "ultimate-texas-holdem": ("blind.flush", 30.0, None),
}
"""A pay line to change, and the goals in seconds: from nothing, and for another pay table."""


def any_game(repeats: int) -> Iterator[Result]:
    """Time games of others."""
    for book, (line, from_nothing, another) in STRANGERS.items():
        say(f"{book}, from its data ...")
        stranger = compile_game(str(EXAMPLES / f"{book}.toml"))
        yield our_result(f"{book}, everything, kernels compiled", "s", _without_nodes(stranger), goal=from_nothing)
        if another is not None:
            seconds = best_of({"pay": partial(solve, stranger, pay={line: 9})}, repeats)["pay"]
            yield our_result(f"{book}, another pay table with all statistics", "s", seconds, goal=another)


def _without_nodes(game: Game) -> float:
    """Return the time of a solution with compiled kernels, and without the nodes that are kept on disk."""
    solve(game)
    kept: Any = nodes._grown, sweep_nodes.nodes_of, lines.nodes_of
    for each in kept:
        each.cache_clear()
    with (
        patch.object(nodes, "cached_arrays", lambda _, make: list(make())),
        patch.object(sweep_nodes, "cached_arrays", lambda _, make: list(make())),
        patch.object(lines, "cached_arrays", lambda _, make: list(make())),
    ):
        start = perf_counter()
        solve(game)
        return perf_counter() - start


def _fastest_peer() -> tuple[str, float]:
    """Return the fastest evaluator that Python can call, and its seconds for one hand."""
    hands = random_hands(HANDS_ONE_BY_ONE)
    peers, _ = agreeing_peers(hands)
    contenders = {name: peer.run for name, peer in peers.items()} or {"crossfelt, one call a hand": by_strength(hands)}
    name, seconds = min(best_of(contenders, 1).items(), key=lambda one: one[1])
    return name, seconds / HANDS_ONE_BY_ONE


def sweep(repeats: int) -> Iterator[Result]:
    """Time sweeps from the command on: the start of the processes and the loading of kernels are included."""
    for book, varied in VARIED.items():
        tables = PAY_TABLES[book] // (1 if repeats > 1 else QUICK)
        say(f"sweep: {tables:,} pay tables of {book} on {processors()} processors ...")
        axes = tuple(Axis(kind="pay", name=line, values=tuple(VALUES)) for line in varied)
        asked = SweepGrid.of(loader.as_data(loader.load(book)), (Submission(),), axes)
        start = perf_counter()
        rows = _swept(asked, tables)
        seconds = perf_counter() - start
        for row in islice(rows, CHECKED):
            if row.figures["ev"] != solve(book, pay=asked.variant(row.number).of("pay")).ev:
                raise Disagreement(f"sweep and solve do not agree on {book}")
        yield our_result(
            f"sweep of {book}, {processors()} processors",
            "pay tables/minute",
            60 * len(rows) / seconds,
            goal=SWEEP_GOALS.get(book),
            note=f"{len(rows):,} pay tables in {seconds:.1f} s, start of the processes included",
            more_is_better=True,
        )


def _swept(asked: SweepGrid, tables: int) -> list[VariantResult]:
    begun = solve_sample(Variants(asked), range(tables))
    return [*begun.rows, *chain.from_iterable(solve_rest(asked, begun, ProcessRunner(processors())))]
