"""Criss Cross Poker solved: in this process, from a fresh command, and beside dealing every deal to a peer."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import perf_counter

from crossfelt.analysis import advise, solve
from crossfelt.analysis.criss_cross_induction import induce
from crossfelt.analysis.criss_cross_terms import terms_of
from crossfelt.benchmarks.five_card import HANDS_ONE_BY_ONE, require_agreement
from crossfelt.benchmarks.peers import ready_peers
from crossfelt.benchmarks.result import Figure, Result
from crossfelt.benchmarks.timing import best_of, most_memory, say
from crossfelt.hands.strength import strength
from crossfelt.kernels import prospects
from crossfelt.rulebooks.game import Game, compile_game

BOOK = "nj-criss-cross"
SOLVED_AFRESH = (BOOK, "nj-double-cross")
SEEN_A_CARD = f"from crossfelt.cli.main import run; run(['solve', '{BOOK}', '--known', 'down', '--json'])"


def run(repeats: int) -> Iterator[Result]:
    game = compile_game(BOOK)
    terms = terms_of(game)
    say(f"Criss Cross Poker: {terms.deals.all:,} deals ...")
    work: dict[str, Callable[[], object]] = {
        "value": partial(induce, terms),
        "all": partial(solve, game),
        **_advice(game),
    }
    times = best_of(work, repeats)
    yield _ours("Criss Cross Poker, value and strategy", "ms", times["value"] * 1e3, goal=100.0)
    yield _beside_peers(times["all"], terms.deals.all, repeats)
    for name in _advice(game):
        yield _ours(f"Criss Cross Poker, {name}", "ms", times[name] * 1e3, goal=5.0)
    yield _ours("Criss Cross Poker, prospects made, once a machine", "s", _made(repeats, game))
    for book in SOLVED_AFRESH:
        yield _fresh(book, repeats)
    yield _ours("crossfelt solve --known down, most memory", "MB", most_memory(SEEN_A_CARD), goal=500.0)


def _ours(name: str, unit: str, value: float, *, goal: float | None = None) -> Result:
    return Result(name=name, unit=unit, figures=(Figure(who="crossfelt", value=value, ours=True),), goal_value=goal)


def _advice(game: Game) -> dict[str, Callable[[], object]]:
    hole, across, down = "As Ks", "Qs 2d", "3s 4s"
    return {
        "advice on the across bet": partial(advise, game, hole=hole),
        "advice on the down bet": partial(advise, game, hole=hole, across=across, bets={"across": 1}),
        "advice on the middle bet": partial(
            advise, game, hole=hole, across=across, down=down, bets={"across": 1, "down": 3}
        ),
    }


def _beside_peers(seconds: float, deals: int, repeats: int) -> Result:
    """All statistics, and how long it would take to rank both hands of every deal, one call from Python for each."""
    chance = random.Random(2)
    hands = [tuple(chance.sample(range(52), 5)) for _ in range(HANDS_ONE_BY_ONE)]
    peers, skipped = ready_peers(hands)
    for name, peer in peers.items():
        require_agreement(name, hands, peer.values())

    def by_strength() -> None:
        for a, b, c, d, e in hands:
            strength(a, b, c, d, e)

    one_call = best_of({"crossfelt": by_strength, **{name: peer.run for name, peer in peers.items()}}, repeats)
    brute = [
        Figure(who=f"{name}, one call for each hand of every deal", value=2 * deals * taken / HANDS_ONE_BY_ONE)
        for name, taken in one_call.items()
    ]
    return Result(
        name="Criss Cross Poker, all statistics",
        unit="s",
        figures=(Figure(who="crossfelt", value=seconds, ours=True), *brute),
        goal_value=0.3,
        skipped=skipped,
        note="one by one: the time of one call, as measured in this run, times the number of hands",
    )


def _made(repeats: int, game: Game) -> float:
    """The shortest time to number all prospects, without what is kept on disk."""
    grouping = terms_of(game).grouping

    def make() -> None:
        prospects._made.cache_clear()
        prospects._made(grouping)

    return best_of({"made": make}, max(1, repeats // 3))["made"]


def _fresh(book: str, repeats: int) -> Result:
    """The shortest time that a new process took, what it keeps on disk being there."""
    command = [sys.executable, "-m", "crossfelt.cli.main", "solve", book, "--json"]
    subprocess.run(command, check=True, capture_output=True)
    times = []
    for _ in range(max(1, repeats // 2)):
        start = perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(perf_counter() - start)
    return Result(
        name=f"crossfelt solve {book}, a fresh command",
        unit="s",
        figures=(Figure(who="crossfelt", value=min(times), ours=True),),
        goal_value=1.0,
        note=f"median {median(times):.2f} s",
    )
