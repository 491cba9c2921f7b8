"""Double Cross Poker solved exactly, and advice, beside a plain enumeration by the fastest evaluator for Python."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from time import perf_counter

from crossfelt.analysis import advise, solve
from crossfelt.analysis.double_cross_census import count
from crossfelt.analysis.double_cross_play import best_play
from crossfelt.analysis.double_cross_terms import terms_of
from crossfelt.benchmarks.peers import ready_peers
from crossfelt.benchmarks.result import Figure, Result
from crossfelt.benchmarks.timing import best_of, most_memory, say
from crossfelt.hands.strength import strength
from crossfelt.rulebooks.game import compile_game

SAMPLE = 20_000
# The player's hand and both of the dealer's, in every deal.
HANDS_IN_A_DEAL = 3
FROM_NOTHING = """
from crossfelt.analysis.double_cross_census import count
from crossfelt.analysis.double_cross_play import best_play
from crossfelt.analysis.double_cross_terms import terms_of
from crossfelt.rulebooks.game import compile_game
terms = terms_of(compile_game("nj-double-cross"))
count(terms.line_of, len(terms.hands), terms.ranks)
best_play(terms)
"""


def run(repeats: int) -> Iterator[Result]:
    say("Double Cross Poker, solved exactly ...")
    game = compile_game("nj-double-cross")
    terms = terms_of(game)

    def from_nothing() -> None:
        count(terms.line_of, len(terms.hands), terms.ranks)
        best_play(terms)

    times = best_of(
        {
            "from nothing": from_nothing,
            "another pay table": lambda: solve(game, pay={"raise.flush": 7}),
            "advice": lambda: advise(game, hole="As Kd", top="7h", right="2c"),
        },
        repeats,
    )
    peer, seconds = _fastest_peer()
    deals = terms.positions * terms.deals
    plain = Figure(who=f"every deal by {peer}", value=deals * HANDS_IN_A_DEAL * seconds)
    yield Result(
        name="Double Cross, value and strategy",
        unit="s",
        figures=(Figure(who="crossfelt", value=times["from nothing"], ours=True), plain),
        goal_value=1.0,
        note=f"{deals:,} deals",
    )
    yield Result(
        name="Double Cross, most memory of a process that counts every deal",
        unit="MB",
        figures=(Figure(who="crossfelt", value=most_memory(FROM_NOTHING), ours=True),),
        goal_value=500.0,
    )
    yield Result(
        name="Double Cross, another pay table with all statistics",
        unit="s",
        figures=(Figure(who="crossfelt", value=times["another pay table"], ours=True), plain),
        goal_value=1.0,
    )
    in_one = Figure(who=f"every deal by {peer}", value=1e3 * terms.deals * HANDS_IN_A_DEAL * seconds)
    yield Result(
        name="Double Cross, advice",
        unit="ms",
        figures=(Figure(who="crossfelt", value=1e3 * times["advice"], ours=True), in_one),
        goal_value=50.0,
        note=f"{terms.deals:,} deals looked at",
    )


def _fastest_peer() -> tuple[str, float]:
    """The fastest evaluator that can be called from Python, and its seconds for one hand."""
    rng = Random(1)
    hands = [tuple(rng.sample(range(52), 5)) for _ in range(SAMPLE)]
    ready, _ = ready_peers(hands)
    timed = {}
    for name, peer in ready.items():
        started = perf_counter()
        peer.run()
        timed[name] = (perf_counter() - started) / SAMPLE
    if not timed:
        started = perf_counter()
        for hand in hands:
            strength(*hand)
        timed["crossfelt, one call a hand"] = (perf_counter() - started) / SAMPLE
    return min(timed.items(), key=lambda one: one[1])
