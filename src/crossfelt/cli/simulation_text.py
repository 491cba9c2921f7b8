"""What a simulation found, to read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from crossfelt.money import dollars
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.wording import plain

if TYPE_CHECKING:
    from crossfelt.analysis.simulation.estimates import Estimate
    from crossfelt.analysis.simulation.meter_figures import MeterFigures
    from crossfelt.analysis.simulation.result import SeatFigures, Simulation


def simulation_text(game: Game, found: Simulation, check: int) -> Iterator[str]:
    yield f"{game.book.title} ({found.rulebook} {found.version}), {found.rounds:,} rounds, seed {found.seed}."
    yield f"Game {found.game_hash[:16]}; intervals at {100 * found.confidence:.4g}% confidence; money in dollars."
    if check:
        yield f"{check:,} of the rounds were played again at the table: all agree to the cent."
    if found.mishaps:
        told = ", ".join(f"{_mishap(*name.split('.'))} {count:,}" for name, count in sorted(found.mishaps.items()))
        yield f"{found.void_rounds:,} rounds were void. Something went wrong: {told}."
    for seat in found.seats:
        yield ""
        yield from _seat_text(seat, found.session_rounds)
    for meter, figures in found.meters.items():
        yield ""
        yield from _meter_text(meter, figures)


def _mishap(kind: str, case: str) -> str:
    """An irregularity in words.

    >>> _mishap("face_up_card", "several"), _mishap("shoe_jam", "any")
    ('face up card (several)', 'shoe jam')
    """
    return plain(kind) if case == "any" else f"{plain(kind)} ({plain(case)})"


def _seat_text(seat: SeatFigures, session_rounds: int) -> Iterator[str]:
    stakes = ", ".join(f"{wager} {dollars(cents)}" for wager, cents in seat.stakes.items())
    yield f"Seat {seat.seat}, {seat.strategy}: {stakes}"
    yield f"  house edge of the first wager  {_percent(seat.house_edge_per_base)}"
    yield f"  house edge of all wagered      {_percent(seat.house_edge_per_total_wagered)}"
    net, deviation = _money(seat.net_per_round.value), _money(seat.standard_deviation)
    yield f"  net of a round                 {net}, standard deviation {deviation}"
    for decision, rates in seat.decisions.items():
        told = ", ".join(f"{action} {rate:.2%}" for action, rate in rates.items())
        yield f"  {decision:<29}  {told}"
    if seat.session_net is not None and seat.session_drawdown is not None:
        for title, spread in (("net", seat.session_net), ("drawdown", seat.session_drawdown)):
            told = ", ".join(f"{share} {_money(cents)}" for share, cents in spread.quantiles.items())
            yield f"  {title} of {session_rounds} rounds: {told}"
    wide = 2 + max(map(len, seat.wagers))
    yield f"  {'wager':<{wide}}{'placed':>11}{'staked':>17}{'net':>17}{'house edge':>26}"
    for name, wager in seat.wagers.items():
        edge = _percent(wager.house_edge) if wager.house_edge else f"{_reach(wager.net_per_round)} a round"
        yield f"  {name:<{wide}}{wager.placed:>11,}{dollars(wager.stake):>17}{dollars(wager.net):>17}{edge:>26}"
        results = ", ".join(f"{result} {share:.4%}" for result, share in wager.results.items())
        yield f"  {'':<{wide}}{results}"
        if wager.expected_net_per_round is not None and wager.z_score is not None:
            expected = _money(wager.expected_net_per_round)
            yield f"  {'':<{wide}}exactly {expected} a round, at what a meter showed; z {wager.z_score:+.2f}"


def _meter_text(meter: str, found: MeterFigures) -> Iterator[str]:
    yield f"Meter {plain(meter)}, opened anew every {found.history_rounds:,} rounds"
    per_million = found.jackpots_per_million_rounds
    told = f"{found.jackpots:,}, {per_million.value:,.2f} in a million rounds"
    told += f" ({per_million.low:,.2f} to {per_million.high:,.2f})"
    if found.expected_per_million_rounds is not None and found.z_score is not None:
        told += f"; exactly {found.expected_per_million_rounds:,.2f}, z {found.z_score:+.2f}"
    yield f"  jackpots                       {told}"
    if found.rounds_per_jackpot is not None and found.rounds_between is not None:
        waits = ", ".join(f"{share} {rounds:,}" for share, rounds in found.rounds_between.quantiles.items())
        longest = f"{found.rounds_between.highest:,}"
        yield f"  rounds to the next jackpot     mean {found.rounds_per_jackpot:,.0f}; {waits}; longest {longest}"
    for title, spread in (("jackpot", found.jackpot_cents), ("shown", found.shown_cents)):
        if spread is not None:
            among = ", ".join(f"{share} {_money(cents)}" for share, cents in spread.quantiles.items())
            ends = f"{_money(spread.lowest)} to {_money(spread.highest)}"
            yield f"  {title:<29}  mean {_money(spread.mean)}; {among}; {ends}"
    if found.long_run_cents is not None:
        yield f"  shown in the long run          {_money(found.long_run_cents)}, exactly"
    others = ", ".join(f"{name} {count:,}" for name, count in found.awards.items() if name != "100%")
    if others:
        yield f"  other awards                   {others}"
    money = [_money(cents) for cents in (found.contributed, found.put_in, found.paid)]
    yield f"  money                          contributed {money[0]}, put in by the house {money[1]}, paid {money[2]}"


def _percent(estimate: Estimate) -> str:
    return f"{estimate.value:.4%} ± {estimate.value - estimate.low:.4%}"


def _reach(estimate: Estimate) -> str:
    return f"{_money(estimate.value)} ± {_money(estimate.value - estimate.low)}"


def _money(cents: float) -> str:
    return f"{'-' if cents < 0 else ''}${abs(cents) / 100:,.2f}"
