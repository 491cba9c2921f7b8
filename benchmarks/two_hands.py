"""A house way against itself, best play against it, and advice on one hand, beside the same in plain C."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import comb
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

import numpy as np

from benchmarks.every_hand import every_hand
from benchmarks.plain_c import NO_COMPILER, compiler, in_c
from benchmarks.timing import Disagreement, Figure, Result, best_of, our_figure, our_result, say
from crossfelt.analysis import advise, solve
from crossfelt.analysis.solver.split_rules import split_rules
from crossfelt.analysis.solver.two_hands import Won, count_against, way_key
from crossfelt.kernels.house_way.batch import set_hands
from crossfelt.kernels.house_way.strengths import set_strengths
from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.house_ways import HouseWay

GAME: Final = "nj-pai-gow"
HAND: Final = "Ks Kd Qs Qd 7h 5c Jk"
SOURCE: Final = Path(__file__).with_suffix(".c")
PAIRS: Final = comb(53, 7) * comb(46, 7)


def two_hands(repeats: int) -> Iterator[Result]:
    """The answer in C takes a minute or two, and 1.8 GB; it runs once."""
    game = compile_game(GAME)
    rules = split_rules(game)
    key = way_key(rules.house_way)
    say(f"a house way against itself: {PAIRS:,} pairs of hands ...")
    found = count_against(rules, {key: rules.house_way})
    start = perf_counter()
    count_against(rules, {key: rules.house_way})
    seconds = perf_counter() - start
    theirs, skipped = _in_c(rules.house_way, found.ways[key])
    yield Result(
        name="house way against itself, and best play",
        unit="s",
        figures=(our_figure(seconds), *theirs),
        goal_ratio=1 / 0.75,
        skipped=skipped,
        note="ours also finds the best setting of every hand; C, one thread, is given the strengths of all hands",
    )
    yield our_result("house way against itself, and best play, time", "s", seconds, goal=60.0)
    times = best_of({"solve": partial(solve, game), "advise": partial(advise, game, cards=HAND)}, repeats)
    yield our_result("house ways and best play, from the shipped counts", "ms", times["solve"] * 1e3, goal=1000.0)
    yield our_result("advice on setting a hand, every dealer hand counted", "ms", times["advise"] * 1e3, goal=100.0)


def _in_c(way: HouseWay, ours: Won) -> tuple[tuple[Figure, ...], tuple[str, ...]]:
    """Time the same counts in plain C, where there is a compiler; refuse figures if they differ."""
    if compiler() is None:
        return (), NO_COMPILER
    with TemporaryDirectory() as folder:
        say("the strengths of all hands, for the program in C ...")
        _write_codes(way, Path(folder, "codes"))
        figure, told = in_c(SOURCE, str(Path(folder, "codes")))
    if told != [ours.both, ours.single]:
        raise Disagreement("plain C counts other pairs of hands")
    return (figure,), ()


def _write_codes(way: HouseWay, path: Path) -> None:
    """Write the strengths of every hand in colexicographic order."""
    steps = np.array([[comb(card, place + 1) for card in range(53)] for place in range(7)])
    codes = np.memmap(path, dtype=np.int32, mode="w+", shape=(comb(53, 7),))
    for hands in every_hand(7, range(53)):
        made = set_strengths(hands, set_hands(way, hands).low)
        codes[steps[np.arange(7), hands].sum(axis=1)] = made.high.astype(np.int32) << 7 | made.low
