"""`crossfelt simulate`: simulate millions of rounds, on this machine, in shards or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from crossfelt._util.atomic_files import write_atomically
from crossfelt.analysis.simulation.plan import AT_TABLE, TABLE_ROUNDS, share_named
from crossfelt.cli.options import (
    AsJson,
    Cluster,
    Confidence,
    Force,
    Shard,
    StateFile,
    SubmissionFile,
    Which,
    Workers,
    flag,
    on_cluster,
    option,
    option_problem,
    read_game,
    worker_problems,
)
from crossfelt.cli.output import data, data_as_json, message, require_writable
from crossfelt.cli.progress import open_progress, progress, until_interrupted
from crossfelt.errors import BadInput, Problem, require_none
from crossfelt.kernels.threads import telling
from crossfelt.money import dollars
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.render.phrases import as_words

if TYPE_CHECKING:
    from crossfelt.analysis.estimates import Interval
    from crossfelt.analysis.simulation.plan import SimulationPlan
    from crossfelt.analysis.simulation.result import MeterFigures, Quantiles, SeatFigures, Simulation
    from crossfelt.analysis.simulation.rounds import PlayedBlock
    from crossfelt.analysis.simulation.tally import SimulationTally

COMMAND: Final = "simulation"
problem = partial(option_problem, COMMAND)


def write_share(game: Game, plan: SimulationPlan, rounds: int, shard: str, out: Path, workers: int | None) -> None:
    """Play one shard into a file for `crossfelt merge`."""
    from crossfelt.analysis.simulation.api import tally_rounds
    from crossfelt.analysis.simulation.shards import PlayedShare, SimulationRequest, share_file

    share = share_named(shard)
    size = len(share.span(game, plan, rounds))
    with progress("playing", size) as advance, until_interrupted() as interrupted:

        def after(done: PlayedBlock, tally: SimulationTally) -> bool:
            advance(done.tally.rounds)
            return not interrupted()

        tally = tally_rounds(game, plan, rounds, share=share, workers=workers, after=after)
    if tally.rounds < size:
        message(f"Interrupted after {tally.rounds:,} of {size:,} rounds; no file was written")
        raise KeyboardInterrupt
    played = PlayedShare(number=share.number, of=share.of, tally=tally)
    write_atomically(out, share_file(SimulationRequest.of(game, plan, rounds), played))
    message(f"{out}: {tally.rounds:,} of {rounds:,} rounds")


def on_a_cluster(
    game: Game, plan: SimulationPlan, rounds: int, address: str, workers: int | None, state: Path | None
) -> SimulationTally:
    """Play every shard on a cluster; after an interrupt, return the shards played so far."""
    from crossfelt.analysis.simulation.shards import (
        SharesFile,
        SimulationRequest,
        decode_share,
        jobs_of,
        played_share,
        shares_for,
    )
    from crossfelt.analysis.simulation.tally import SimulationTally

    asked = SimulationRequest.of(game, plan, rounds)
    with ExitStack() as opened:
        file = opened.enter_context(SharesFile(state, asked)) if state else None
        played = file.played if file else {}
        tally = sum((share.tally for share in played.values()), SimulationTally())
        if tally.rounds == rounds:
            message(f"{state}: {rounds:,} rounds are played already; nothing to do")
            return tally
        cluster = opened.enter_context(on_cluster(address, workers))
        of = next((share.of for share in played.values()), shares_for(asked, game, cluster.slots))
        advance = opened.enter_context(progress("playing", rounds))
        interrupted = opened.enter_context(until_interrupted())
        advance(tally.rounds)
        for answer in cluster(played_share, jobs_of(asked, of, played)):
            share = decode_share(answer)
            tally += share.tally
            if file:
                file.add(answer)
            advance(share.tally.rounds)
            if interrupted():
                break
    if not tally.rounds:
        raise KeyboardInterrupt
    return tally


ROUNDS: Final = 1_000_000
REPLAYED: Final = 100
"""Rounds that the table plays again, to the cent."""
MOST_ROUNDS: Final = 10**12
SAVE_EVERY_SECONDS: Final = 10.0
TOO_FEW: Final = "too few"


def simulate(
    which: Which,
    rounds: Annotated[
        int | None, option("N", f"Number of rounds; {ROUNDS:,}, or {TABLE_ROUNDS:,} where the table plays them.")
    ] = None,
    seat: Annotated[
        list[str] | None,
        option("S", "Player in the next seat: STRATEGY, or STRATEGY:ante=10,three_card=5 with wagers; repeatable."),
    ] = None,
    strategy: Annotated[
        str, option("S", "Strategy of the one player: a name, or a function such as mine.py:play.")
    ] = "",
    submission: SubmissionFile = None,
    seed: Annotated[str, option("S", "The same seed gives the same rounds.")] = "0",
    bank: Annotated[int, option("SEAT", "Seat that banks every round, where the game allows it; 0 for none.")] = 0,
    co_bank: Annotated[bool, flag("--co-bank", "The house covers half of that bank.")] = False,
    irregularities: Annotated[int, option("N", "Irregularities in N of a million rounds.")] = 0,
    session: Annotated[int, option("ROUNDS", "Length of a player's session, in rounds.")] = 200,
    confidence: Confidence = 95.0,
    workers: Workers = None,
    check: Annotated[int, option("N", "Rounds to replay on the table engine and compare to the cent.")] = REPLAYED,
    state: StateFile = None,
    raw: Annotated[Path | None, option("FILE", "Write every wager of every round to a Parquet file.")] = None,
    shard: Shard = "",
    out: Annotated[Path | None, option("FILE", "File for the shard.")] = None,
    force: Force = False,
    cluster: Cluster = "",
    as_json: AsJson = False,
) -> None:
    """Simulate many rounds and print edge, variance, sessions and meters with confidence intervals.

    Press Ctrl-C to end a long run early and see its results so far; the exit code is then 130.
    """
    numbers = [*confidence_problems(confidence), *worker_problems(COMMAND, workers)]
    require_none([*_option_problems(rounds, check, shard, out, cluster, state, raw), *numbers])
    if strategy and seat:
        require_none([problem("--strategy", "cannot be combined with --seat", strategy, "one of the two")])
    if shard and out is not None:
        share_named(shard)
        require_writable(out, force=force)
    for path in (state, raw):
        if path is not None:
            require_writable(path, force=True)
    game = read_game(which, submission)
    from crossfelt.analysis.simulation.plan_builder import plan_for, seat_named, strategies, usual_rounds, why_at_table
    from crossfelt.analysis.simulation.referee import require_same_at_table

    rounds = usual_rounds(game, ROUNDS) if rounds is None else rounds
    seats = [
        seat_named(game, text, banks=number == bank, where="--seat")
        for number, text in enumerate(seat or filter(None, [strategy]), start=1)
    ]
    if any(one.strategy.startswith("card-") and one.strategy in strategies(game) for one in seats):
        message("Searching for a strategy card; this takes some seconds …")
    started = perf_counter()
    with open_progress("solving") as solving, telling(solving):
        plan = plan_for(
            game,
            seats,
            seed=seed,
            session_rounds=session,
            bank=bank,
            co_bank=co_bank,
            mishaps_per_million=irregularities,
        )
        if plan.at_table:
            if raw is not None:
                what = "the table plays this game, and keeps no single rounds"
                require_none([problem("--raw", what, str(raw), "no --raw")])
            message(f"The table itself plays {game.book.title}: {why_at_table(game)}.")
        check = require_same_at_table(game, plan, check, rounds)
    if shard and out is not None:
        write_share(game, plan, rounds, shard, out, workers)
        return
    if cluster:
        tally = on_a_cluster(game, plan, rounds, cluster, workers, state)
    else:
        tally = _run(game, plan, rounds, workers, state, raw)
    print_simulation(game, plan, tally, confidence, check=check, as_json=as_json, started=started)
    if tally.rounds < rounds:
        message(f"Interrupted after {tally.rounds:,} of {rounds:,} rounds")
        raise KeyboardInterrupt


def print_simulation(
    game: Game,
    plan: SimulationPlan,
    tally: SimulationTally,
    confidence: float,
    *,
    check: int,
    as_json: bool,
    started: float,
) -> None:
    """Print the figures as text or JSON, unless one contradicts its exact value."""
    from crossfelt.analysis.simulation.figure_checks import checks_of, require_agreement
    from crossfelt.analysis.simulation.result import figures_of

    found = figures_of(game, plan, tally, confidence / 100)
    checks = checks_of(game, plan, tally, found)
    require_agreement(checks)
    seconds = round(perf_counter() - started, 3)
    if as_json:
        checked = {"checked_at_the_table": check, "checked_exactly": len(checks)}
        data_as_json({**msgspec.to_builtins(found), **checked, "seconds": seconds})
    else:
        data(simulation_text(game, found, check, len(checks)))
        if plan.at_table:
            message(f"The table played {tally.rounds / max(seconds, 0.001):,.0f} rounds a second.")
        message(f"{seconds:.1f} seconds.")


def _option_problems(
    rounds: int | None, check: int, shard: str, out: Path | None, cluster: str, state: Path | None, raw: Path | None
) -> Iterator[Problem]:
    """Yield numbers out of range, and options that exclude each other."""
    if rounds is not None and not 1 <= rounds <= MOST_ROUNDS:
        yield problem("--rounds", "number of rounds out of range", rounds, f"1 to {MOST_ROUNDS:,}")
    if check < 0:
        yield problem("--check", "number of rounds below zero", check, "0 or more")
    if bool(shard) != (out is not None):
        what = "missing; --shard needs a file" if shard else "only a shard is written to a file; add --shard"
        yield problem("--out", what, str(out) if out else None, "--shard N/OF --out FILE")
    for name, given, other, excluded in (
        ("--raw", raw, "--state, which does not store single rounds", state),
        ("--shard", shard, "--cluster", cluster),
        ("--raw", raw, "--cluster", cluster),
        ("--state", state, "--shard", shard),
        ("--raw", raw, "--shard", shard),
    ):
        if given and excluded:
            yield problem(name, f"cannot be combined with {other}", str(given), "one of the two")


def confidence_problems(percent: float) -> list[Problem]:
    if 0 < percent < 100:
        return []
    return [problem("--confidence", "not a confidence level", str(percent), "a percentage between 0 and 100")]


def _run(
    game: Game, plan: SimulationPlan, rounds: int, workers: int | None, state: Path | None, raw: Path | None
) -> SimulationTally:
    from crossfelt.analysis.simulation.api import tally_rounds
    from crossfelt.analysis.simulation.shards import SimulationProgress

    kept = SimulationProgress.read(state, game, plan) if state else None
    so_far = kept.tally if kept else None
    if so_far and so_far.rounds >= rounds:
        message(f"{state}: {so_far.rounds:,} rounds are played already; nothing to do")
        return so_far
    file, keep = _raw(raw, game, plan)
    last_saved = perf_counter()
    with progress("playing", rounds) as advance, until_interrupted() as interrupted, file as write:
        advance(so_far.rounds if so_far else 0)

        def after(done: PlayedBlock, tally: SimulationTally) -> bool:
            nonlocal last_saved
            advance(done.tally.rounds)
            if write is not None:
                write(done.raw)
            whole = tally.rounds % plan.block_rounds == 0
            stop = interrupted()
            if state and whole and (stop or tally.rounds >= rounds or perf_counter() - last_saved > SAVE_EVERY_SECONDS):
                SimulationProgress(game_hash=game.hash, plan=plan, tally=tally, standing=dict(done.standing)).write(
                    state
                )
                last_saved = perf_counter()
            return not stop

        standing = kept.standing if kept else None
        return tally_rounds(
            game, plan, rounds, so_far=so_far, standing=standing, workers=workers, keep=keep, after=after
        )


def _raw(
    path: Path | None, game: Game, plan: SimulationPlan
) -> tuple[AbstractContextManager[Callable[[Any], None] | None], Callable[..., Any]]:
    if path is None:
        return nullcontext(), lambda first_round, block: None
    try:
        from crossfelt.analysis.simulation.round_export import as_table, raw_file
    except ImportError as error:
        raise BadInput.missing(error, extra="cluster", where="--raw") from None
    return raw_file(path, game, plan), as_table


def simulation_text(game: Game, found: Simulation, check: int, exactly: int = 0) -> Iterator[str]:
    rounds = "1 round" if found.rounds == 1 else f"{found.rounds:,} rounds"
    yield f"{game.book.title} ({found.rulebook} {found.version}), {rounds}, seed {found.seed}."
    yield f"Game {found.game_hash[:16]}; intervals at {100 * found.confidence:.4g}% confidence; money in dollars."
    again = "replayed on the table engine"
    if found.method == AT_TABLE:
        yield "The table played every round, with bots."
        again = "settled a second time, apart from the table"
    if check:
        were, all_agree = ("was", "it agrees") if check == 1 else ("were", "all agree")
        yield f"{check:,} of the rounds {were} {again}: {all_agree} to the cent."
    if exactly:
        agree = "figure agrees with its exact value" if exactly == 1 else "figures agree with their exact values"
        yield f"{exactly} {agree}, within chance."
    else:
        yield "No figure of these seats has an exact value. Every figure is sampled."
    if found.mishaps:
        text = ", ".join(f"{_mishap(*name.split('.'))} {count:,}" for name, count in sorted(found.mishaps.items()))
        yield f"{found.void_rounds:,} rounds were void. Irregularities: {text}."
    for seat in found.seats:
        yield ""
        yield from _seat_text(seat, found.session_rounds)
    for meter, figures in found.meters.items():
        yield ""
        yield from _meter_text(meter, figures)


def _mishap(kind: str, case: str) -> str:
    return as_words(kind) if case == "any" else f"{as_words(kind)} ({as_words(case)})"


def _seat_text(seat: SeatFigures, session_rounds: int) -> Iterator[str]:
    stakes = ", ".join(f"{wager} {dollars(cents)}" for wager, cents in seat.stakes.items())
    yield f"Seat {seat.seat}, {seat.strategy}: {stakes}"
    edge, of_total = _beside_exact(seat.house_edge_per_base), _beside_exact(seat.loss_per_total_wagered)
    if seat.loss_per_base == seat.house_edge_per_base:
        yield f"  house edge on the base wager   {edge}"
        yield f"  house edge on total wagered    {of_total}"
    else:
        yield f"  house edge on the base wager   {edge}; required wagers and their bets"
        yield f"  loss of all wagers             {_beside_exact(seat.loss_per_base)}, of the base wager"
        yield f"                                 {of_total}, of the total wagered"
    yield f"  net per round                  {_beside_exact(seat.net_per_round, _money)}"
    deviation = seat.standard_deviation
    if deviation.exact is not None:
        yield f"  standard deviation             {_money(deviation.exact)}, exact"
    elif deviation.is_bounded:
        yield f"  standard deviation             {deviation.text(_money)}"
    if seat.decisions:
        yield "  decisions, in percent of the times that each was made"
    for decision, rates in seat.decisions.items():
        yield f"    {decision:<27}  {_shares(rates)}"
    if seat.session_net is not None and seat.session_drawdown is not None:
        yield from _quantile_table(
            f"a session of {session_rounds} rounds",
            ("net", seat.session_net, _money),
            ("drawdown", seat.session_drawdown, _money),
        )
    wide = 2 + max(map(len, seat.wagers))
    yield f"  {'wager':<{wide}}{'placed':>11}{'staked':>17}{'net':>17}{'house edge':>26}{'exact':>12}"
    for name, wager in seat.wagers.items():
        found, per_round = wager.house_edge, wager.net_per_round
        edge = found.in_percent() if found else f"{per_round.text(_money)} per round"
        known, form = (found, "{:.4%}".format) if found else (per_round, _money)
        exact = form(known.exact) if known.exact is not None else ""
        line = f"  {name:<{wide}}{wager.placed:>11,}{dollars(wager.stake):>17}{dollars(wager.net):>17}{edge:>26}"
        yield f"{line}{exact:>12}".rstrip()
        if len(wager.results) > 1:
            yield f"  {'':<{wide}}{_shares(wager.results)}"
        if wager.expected_net_per_round is not None and wager.z_score is not None:
            expected = _money(wager.expected_net_per_round)
            yield f"  {'':<{wide}}exact value {expected} per round at the meters shown; z {wager.z_score:+.2f}"


def _beside_exact(found: Interval, form: Callable[[float], str] = "{:.4%}".format) -> str:
    """Format a figure with its interval, and its exact value where that is known."""
    return found.text(form) + (f", exact {form(found.exact)}" if found.exact is not None else "")


def _shares(found: Mapping[str, Interval]) -> str:
    """Format shares: exact ones where they are known, otherwise with their intervals."""
    if all(share.exact is not None for share in found.values()):
        return "exact: " + ", ".join(f"{name} {share.exact:.4%}" for name, share in found.items())
    return ", ".join(f"{name} {share.in_percent(share.short_digits)}" for name, share in found.items())


def _quantile_table(title: str, *columns: tuple[str, Quantiles, Callable[[float], str]]) -> Iterator[str]:
    """Lay out means and quantiles: exact ones where they are known, otherwise with their intervals."""
    cells = []
    for name, spread, form in columns:
        figures = (spread.mean, *spread.quantiles.values())
        known = [form(each.exact) for each in figures if each.exact is not None]
        is_exact = len(known) == len(figures)
        shown = known if is_exact else [each.text(form) if each.is_bounded else TOO_FEW for each in figures]
        cells.append([name + ", exact" * is_exact, *shown])
    wide = [3 + max(map(len, column)) for column in cells]
    heading, *rows = zip((title, "mean", *columns[0][1].quantiles), *cells, strict=True)
    told = [row for row in rows if set(row[1:]) != {TOO_FEW}]
    for name, *row in [heading, *told] if told else []:
        yield f"  {name:<29}  {''.join(f'{cell:<{width}}' for cell, width in zip(row, wide, strict=True))}".rstrip()


def _meter_text(meter: str, found: MeterFigures) -> Iterator[str]:
    yield f"Meter {as_words(meter)}, restarted every {found.history_rounds:,} rounds"
    per_million = found.jackpots_per_million_rounds
    text = f"{found.jackpots:,}, {per_million.text('{:,.2f}'.format)} per million rounds"
    if per_million.exact is not None and found.z_score is not None:
        text += f"; exact value {per_million.exact:,.2f}, z {found.z_score:+.2f}"
    yield f"  jackpots                       {text}"
    if found.rounds_per_jackpot is not None:
        yield f"  rounds per jackpot             {_beside_exact(found.rounds_per_jackpot, _whole)}"
    if found.rounds_between is not None and found.jackpot_cents is not None:
        yield from _quantile_table(
            "complete waits and jackpots",
            ("rounds to the next jackpot", found.rounds_between, _whole),
            ("jackpot", found.jackpot_cents, _money),
        )
    yield f"  lowest and highest shown       {_money(found.lowest_cents)} to {_money(found.highest_cents)}"
    if found.long_run_cents is not None:
        method = "at least" if found.is_bound else "exact"
        yield f"  long-run average shown         {_money(found.long_run_cents)} ({method})"
    others = ", ".join(f"{name} {count:,}" for name, count in found.awards.items() if name != "100%")
    if others:
        yield f"  other awards                   {others}"
    money = [_money(cents) for cents in (found.contributed, found.put_in, found.paid)]
    yield f"  money                          contributed {money[0]}, added by the house {money[1]}, paid {money[2]}"


def _whole(number: float) -> str:
    return f"{number:,.0f}"


def _money(cents: float) -> str:
    return f"{'-' if cents < 0 else ''}${abs(cents) / 100:,.2f}"
