"""Everything about a set of rules that can be ranked: figures by name."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from crossfelt.analysis.solution import Solution
from crossfelt.analysis.sweeping.row import Value
from crossfelt.progressive.returns import WagerReturn, spin_return, xtreme_return
from crossfelt.progressive.wheels import meter_of
from crossfelt.rulebooks.game import Game

if TYPE_CHECKING:
    from crossfelt.analysis.simulation.estimates import Estimate

Figures = Iterator[tuple[str, Value]]
PROGRESSIVE = ("progressive_player", "progressive_dealer")


def solution_figures(solution: Solution, *, by_wager: bool = False) -> Figures:
    """What `solve` finds, under the names that it has in JSON."""
    edge = solution.house_edge
    yield "ev", solution.ev
    yield from ((f"house_edge.{name}", getattr(edge, name)) for name in edge.__struct_fields__)
    yield "average_total_wagered", solution.average_total_wagered
    yield "variance", solution.variance
    yield "standard_deviation", solution.standard_deviation
    yield "hit_rate", solution.hit_rate
    for decision, rates in solution.decisions.items():
        yield from ((f"decisions.{decision}.{choice}", rate) for choice, rate in rates.items())
    for name, bet in solution.side_bets.items():
        variance = bet.distribution.variance
        yield f"side_bets.{name}.house_edge", bet.house_edge
        yield f"side_bets.{name}.hit_rate", bet.hit_rate
        yield f"side_bets.{name}.variance", variance
        yield f"side_bets.{name}.standard_deviation", math.sqrt(variance)
    yield from _sampled(solution)
    if by_wager:
        for name, wager in solution.by_wager().items():
            for figure in ("placed", "average_stake", "ev", "house_edge", "hit_rate"):
                yield f"wagers.{name}.{figure}", getattr(wager, figure)


def _sampled(solution: Solution) -> Figures:
    """Where the game itself is simulated: how far off it may be, and how other house ways fare."""
    ways: Mapping[str, Estimate] = getattr(solution, "house_ways", {})
    if ways:
        own = ways[solution.strategy]
        yield "ev.plus_minus", own.high - own.value
        yield from ((f"house_ways.{way}.ev", found.value) for way, found in ways.items())


def has_progressive(game: Game) -> bool:
    """Whether a wager is paid from a meter and by odds at once."""
    return any(map(game.offers, PROGRESSIVE))


class Fed(NamedTuple):
    """A wager that a meter pays into, and what it returns whatever the meter shows."""

    name: str
    meter: str
    found: WagerReturn


def fed_by_meters(game: Game, others: int) -> Iterator[Fed]:
    """What wheels and progressive wagers return, with so many others betting."""
    wheels = [wheel for wheel in game.wheels if wheel.ring in ("spin", "hot_spot")]
    for wheel in wheels:
        several = sum(wheel.wager == other.wager for other in wheels) > 1
        name = f"{wheel.wager}.{wheel.stake_cents}" if several else wheel.wager
        if wheel.ring == "spin":
            found = spin_return(game, wheel, others)
        else:
            found = xtreme_return(game, wheel.stake_cents, others)
        yield Fed(name, meter_of(game, wheel.wager).id, found)
    for wager in PROGRESSIVE:
        if game.offers(wager):
            # It takes a census of all hands, and with it kernels.
            from crossfelt.analysis.progressive_wager import progressive_return

            of_credit = progressive_return(game, others, wager=wager)
            if of_credit is not None:
                yield Fed(wager, "pai_gow", of_credit)


def meter_figures(wagers: Iterable[Fed], meters: Mapping[str, int]) -> Figures:
    """The figures of these wagers while meters show these amounts; those that are not named stand at their start."""
    for name, meter, found in wagers:
        yield f"{name}.return", found.at(meters.get(meter, found.reset_cents))
        yield f"{name}.long_run", found.long_run
        yield f"{name}.break_even_cents", found.break_even_cents
        yield f"{name}.cycle", found.cycle
        yield f"{name}.average_meter_cents", found.average_meter_cents
