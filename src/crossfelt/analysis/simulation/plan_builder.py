"""Construction and validation of simulation plans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from crossfelt.analysis.simulation import at_table
from crossfelt.analysis.simulation import strategies as named
from crossfelt.analysis.simulation.irregularities import MILLION
from crossfelt.analysis.simulation.payoffs import settled_in_order
from crossfelt.analysis.simulation.plan import TABLE_ROUNDS, SeatPlan, SimulationPlan, base_of
from crossfelt.analysis.simulation.ranked_hands import NotVectorised
from crossfelt.analysis.simulation.rounds import CompiledRounds
from crossfelt.analysis.solution import OPTIMAL
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.errors import BadInput, Problem, require_none
from crossfelt.games.round_stakes import greatest_cents, least_cents
from crossfelt.money import dollars
from crossfelt.play.scripted.runner import ScriptRunner
from crossfelt.progressive.wheels import stakes as wheel_stakes
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import OfferBank

USUAL_CENTS: Final = 10_00


@lru_cache(maxsize=64)
def why_at_table(game: Game) -> str:
    """Say why the table itself plays the rounds of a game; empty for a game that the vectorised engine plays.

    >>> why_at_table(compile_game("nj-double-cross"))
    ''
    """
    try:
        seat = SeatPlan(wagers=simulated_wagers(game), strategy=named.names(game)[-1])
        CompiledRounds(game, SimulationPlan(seats=(seat,)))
    except (NotVectorised, Unreachable) as refused:
        return refused.problems[0].what.removeprefix("no exact solution: ")
    return ""


def strategies(game: Game) -> Sequence[str]:
    """List the strategies of a seat."""
    return at_table.names() if why_at_table(game) else named.names(game)


def usual_strategy(game: Game) -> str:
    """Return the strategy of a seat unless one is named."""
    return at_table.names()[0] if why_at_table(game) else named.usual(game)


def usual_rounds(game: Game, vectorised: int) -> int:
    """Return the rounds of a simulation unless a number is given: fewer where the table plays them."""
    return TABLE_ROUNDS if why_at_table(game) else vectorised


def simulated_wagers(game: Game) -> dict[str, int]:
    """Return the wagers that a seat may place before the deal, with default stakes in cents or credits.

    >>> simulated_wagers(compile_game("nj-pai-gow"))
    {'main': 1000, 'progressive_player': 1, 'progressive_dealer': 1, 'imperial': 100, 'seven_card': 100}
    """
    settled = settled_in_order(game)
    stakes = {}
    for wager in game.opening_wagers.values():
        if wager.spins:
            stakes[wager.id] = wheel_stakes(game, wager.id)[0]
        elif wager.id in settled:
            name = wager.group or wager.id
            least, greatest = least_cents(game, wager.id), greatest_cents(game, wager.id)
            usual = max(least, min(USUAL_CENTS, greatest)) if name == base_of(game) else least
            stakes[name] = usual // game.credit_cents(wager)
    return stakes


def usual_seat(game: Game, strategy: str = "", *, banks: bool = False) -> SeatPlan:
    """Return a seat with every wager; a banker has only a last wager against the house."""
    wagers = simulated_wagers(game)
    required = {wager.group or wager.id for wager in game.opening_wagers.values() if wager.required}
    kept = {name: cents for name, cents in wagers.items() if name in required or not banks}
    return SeatPlan(wagers=kept, strategy=strategy or usual_strategy(game))


def seat_named(game: Game, text: str, *, banks: bool = False, where: str = "seats") -> SeatPlan:
    """Parse a seat: ``optimal``, or with wagers in dollars or credits, ``always-1:ante=10``, ``mine.py:play:ante=10``.

    >>> seat_named(compile_game("nj-double-cross"), "optimal:ante=10,three_card=5")
    SeatPlan(wagers={'ante': 1000, 'three_card': 500}, strategy='optimal')
    """
    strategy, _, written = text.rpartition(":")
    if "=" not in written or not strategy:
        return usual_seat(game, text, banks=banks)
    wagers = {}
    for part in written.split(","):
        name, _, amount = part.partition("=")
        if not amount.isascii() or not amount.isdigit():
            what, allowed = "not an amount in dollars", "STRATEGY:WAGER=DOLLARS, for example optimal:ante=10"
            raise BadInput.at(where, "simulate.option", what, part, allowed)
        in_credits = game.offers(name.strip()) and game.wager(name.strip()).unit == "credits"
        wagers[name.strip()] = int(amount) * (1 if in_credits else 100)
    return SeatPlan(wagers=wagers, strategy=strategy)


def plan_for(
    game: Game,
    seats: Sequence[SeatPlan] = (),
    *,
    seed: int | str = 0,
    session_rounds: int = SimulationPlan().session_rounds,
    bank: int = 0,
    co_bank: bool = False,
    mishaps_per_million: int = 0,
) -> SimulationPlan:
    """Return a valid plan, or raise BadInput with all its problems.

    The default is one player with the default strategy and every wager.
    """
    plan = SimulationPlan(
        seats=tuple(seats) or (usual_seat(game, banks=bank == 1),),
        seed=str(seed),
        session_rounds=session_rounds,
        bank=bank,
        co_bank=co_bank,
        mishaps_per_million=mishaps_per_million,
        at_table=bool(why_at_table(game)),
    )
    require_none(_problems(game, plan))
    # The table validates the wagers.
    if plan.at_table:
        at_table.play_at_table(game, plan, 0, 1)
        return plan
    ScriptRunner(game=game).play(CompiledRounds(game, plan).draw(0, 1).script(0), where="simulation")
    return plan


def _problems(game: Game, plan: SimulationPlan) -> Iterator[Problem]:
    seats = game.book.table.seats
    if len(plan.seats) > seats:
        yield Problem.at("", "simulation.seats", "more players than seats", len(plan.seats), f"at most {seats}")
    if plan.session_rounds < 1:
        what = "a session needs at least one round"
        yield Problem.at("", "simulation.session", what, plan.session_rounds, "1 or more")
    if not 0 <= plan.mishaps_per_million <= MILLION:
        what, allowed = "not a number of rounds in a million", f"0 … {MILLION:,}"
        yield Problem.at("", "simulation.mishaps", what, plan.mishaps_per_million, allowed)
    yield from _bank_problems(game, plan)
    # The table does not simulate these with bots.
    if plan.at_table and plan.mishaps_per_million:
        what = "the table plays this game, and deals it without irregularities"
        yield Problem.at("", "simulation.mishaps", what, plan.mishaps_per_million, "0")
    if plan.at_table and plan.bank:
        yield Problem.at("bank", "simulation.bank", "the table plays this game, and the house banks it", plan.bank, "0")
    can_place = simulated_wagers(game)
    for number, seat in enumerate(plan.seats, start=1):
        where = f"seat {number}"
        if not _is_own(game, plan, seat.strategy) and seat.strategy not in strategies(game):
            allowed = _in_few_words(strategies(game))
            what = "no such strategy"
            if seat.strategy == OPTIMAL and game.book.splits:
                what = "best play of hands that players set is not simulated; crossfelt solve has its exact value"
            yield Problem.at(where, "simulation.strategy", what, seat.strategy, allowed)
        for name, cents in seat.wagers.items():
            if name not in can_place:
                what, allowed = "not a wager that can be simulated", ", ".join(can_place)
                yield Problem.at(where, "simulation.wager", what, name, allowed)
            elif (fixed := wheel_stakes(game, name)) and cents not in fixed:
                what, allowed = f"no wheel has this stake of {name}", ", ".join(map(dollars, fixed))
                yield Problem.at(where, "simulation.wager", what, dollars(cents), allowed)
        required = {wager.group or wager.id for wager in game.opening_wagers.values() if wager.required}
        for name in sorted(required - set(seat.wagers)):
            yield Problem.at(where, "simulation.wager", "the base wager is missing", allowed=name)


def _is_own(game: Game, plan: SimulationPlan, strategy: str) -> bool:
    """Say if a strategy is a user's own: a function, or the file of a house way where players set their hands."""
    if game.book.splits and strategy.endswith((".toml", ".json")):
        return True
    return named.is_function(strategy) and not plan.at_table


def _bank_problems(game: Game, plan: SimulationPlan) -> Iterator[Problem]:
    """Yield problems of a bank that are known before a round is played."""
    where = "bank"
    if plan.co_bank and not plan.bank:
        what, allowed = "no seat banks with the house", "a co-bank with the seat that banks"
        yield Problem.at(where, "simulation.bank", what, allowed=allowed)
    if plan.bank and not any(isinstance(step, OfferBank) for step in game.book.script):
        yield Problem.at(where, "simulation.bank", "no player can bank this game", plan.bank)
    elif not 0 <= plan.bank <= len(plan.seats):
        yield Problem.at(where, "simulation.bank", "this seat does not play", plan.bank, f"1 … {len(plan.seats)}")


def _in_few_words(names: Sequence[str]) -> str:
    """Format names as a list, with strategy cards of all lengths as one.

    >>> _in_few_words(("optimal", "card-3", "card-4", "card-5"))
    'optimal, card-3 … card-5'
    """
    cards = [name for name in names if name.startswith("card-")]
    told = [name for name in names if name not in cards]
    return ", ".join([*told, f"{cards[0]} … {cards[-1]}"] if cards else told)
