"""`crossfelt simulate`: rounds by the million, with confidence intervals."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from crossfelt.cli.asking import AsJson, SubmissionFile, Which, Workers, read_game, worker_problems
from crossfelt.cli.clusters import Cluster, Shard
from crossfelt.cli.output import data, data_as_json, message
from crossfelt.cli.progress import progress, until_interrupted
from crossfelt.cli.simulate_shares import COMMAND, on_a_cluster, problem, require_shares, write_share
from crossfelt.cli.simulation_text import simulation_text
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.game import Game

if TYPE_CHECKING:
    from crossfelt.analysis.simulation.plan import Plan, SeatPlan
    from crossfelt.analysis.simulation.raw import RawFile
    from crossfelt.analysis.simulation.running import Done
    from crossfelt.analysis.simulation.tally import Tally

MOST_ROUNDS: Final = 10**12
SAVE_EVERY_SECONDS: Final = 10.0

State = Annotated[
    Path | None, typer.Option("--state", metavar="FILE", help="Keep what is done, and go on from it next time.")
]
Raw = Annotated[Path | None, typer.Option("--raw", metavar="FILE", help="Write every wager of every round as Parquet.")]


def simulate(
    which: Which,
    rounds: Annotated[int, typer.Option("--rounds", metavar="N", help="How many; 1_000_000 is a million.")] = 1_000_000,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="S",
            help="STRATEGY, or with its wagers in dollars or credits: STRATEGY:ante=10,three_card=5.",
        ),
    ] = None,
    submission: SubmissionFile = None,
    seed: Annotated[str, typer.Option("--seed", metavar="S", help="The same seed gives the same rounds.")] = "0",
    bank: Annotated[
        int, typer.Option("--bank", metavar="SEAT", help="A seat that banks every round, where players may.")
    ] = 0,
    co_bank: Annotated[bool, typer.Option("--co-bank", help="The house holds half of that bank.")] = False,
    irregularities: Annotated[
        int,
        typer.Option("--irregularities", metavar="N", help="In N of a million rounds something goes wrong."),
    ] = 0,
    session: Annotated[int, typer.Option("--session", metavar="ROUNDS", help="Rounds of a player's session.")] = 200,
    confidence: Annotated[float, typer.Option("--confidence", metavar="P", help="Of intervals, in percent.")] = 95.0,
    workers: Workers = None,
    check: Annotated[
        int, typer.Option("--check", metavar="N", help="Rounds that the table plays again, to the cent.")
    ] = 100,
    state: State = None,
    raw: Raw = None,
    shard: Shard = "",
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Where a share goes.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite that file.")] = False,
    cluster: Cluster = "",
    as_json: AsJson = False,
) -> None:
    """Play many rounds and say what they came to.

    Interrupt a long run with Ctrl-C to see what it found so far; it then exits 130.
    """
    _require(rounds, confidence, workers, check, state, raw)
    require_shares(shard, out, cluster, state, raw, force=force)
    game = read_game(which, submission)
    from crossfelt.analysis.simulation.planning import plan_for, strategies

    seats = [_seat(game, text, banks=number == bank) for number, text in enumerate(seat or (), start=1)]
    if any(one.strategy.startswith("card-") and one.strategy in strategies(game) for one in seats):
        message("Searching for a card; it takes some seconds ...")
    plan = plan_for(
        game,
        seats,
        seed=seed,
        session_rounds=session,
        bank=bank,
        co_bank=co_bank,
        mishaps_per_million=irregularities,
    )
    started = perf_counter()
    _check_at_the_table(game, plan, check)
    if shard and out is not None:
        write_share(game, plan, rounds, shard, out, workers)
        return
    if cluster:
        tally = on_a_cluster(game, plan, rounds, cluster, workers, state)
    else:
        tally = _run(game, plan, rounds, workers, state, raw)
    tell_simulation(game, plan, tally, confidence, check=check, as_json=as_json, started=started)
    if tally.rounds < rounds:
        message(f"interrupted after {tally.rounds:,} of {rounds:,} rounds")
        raise KeyboardInterrupt


def tell_simulation(
    game: Game, plan: Plan, tally: Tally, confidence: float, *, check: int, as_json: bool, started: float
) -> None:
    """The figures as text or JSON."""
    from crossfelt.analysis.simulation.result import figures_of

    found = figures_of(game, plan, tally, confidence / 100)
    seconds = round(perf_counter() - started, 3)
    if as_json:
        import msgspec

        data_as_json({**msgspec.to_builtins(found), "checked_at_the_table": check, "seconds": seconds})
    else:
        data(simulation_text(game, found, check))
        message(f"{seconds:.1f} seconds.")


def _require(
    rounds: int, confidence: float, workers: int | None, check: int, state: Path | None, raw: Path | None
) -> None:
    """Everything that is wrong with the numbers, at once."""
    problems = []
    if not 1 <= rounds <= MOST_ROUNDS:
        problems.append(problem("--rounds", "cannot play so many", rounds, f"1 … {MOST_ROUNDS:,}"))
    problems += _confidence_problems(confidence)
    problems += worker_problems(COMMAND, workers)
    if check < 0:
        problems.append(problem("--check", "cannot check so many", check, "0 or more"))
    if state is not None and raw is not None:
        problems.append(problem("--raw", "rounds of an earlier run are not kept", None, "--raw without --state"))
    if problems:
        raise BadInput(*problems)


def require_confidence(percent: float) -> None:
    problems = _confidence_problems(percent)
    if problems:
        raise BadInput(*problems)


def _confidence_problems(percent: float) -> list[Problem]:
    if 0 < percent < 100:
        return []
    return [problem("--confidence", "no confidence", str(percent), "a percentage between 0 and 100")]


def _seat(game: Game, text: str, *, banks: bool) -> SeatPlan:
    """``optimal`` or ``always-1:ante=10,five_card_bonus=5``."""
    from crossfelt.analysis.simulation.plan import SeatPlan
    from crossfelt.analysis.simulation.planning import usual_seat

    strategy, _, written = text.partition(":")
    if not written:
        return usual_seat(game, strategy, banks=banks)
    wagers = {}
    for part in written.split(","):
        name, _, amount = part.partition("=")
        if not amount.isascii() or not amount.isdigit():
            allowed = "STRATEGY:WAGER=DOLLARS, as optimal:ante=10"
            raise BadInput(problem("--seat", "no amount of dollars", part, allowed))
        in_credits = game.offers(name.strip()) and game.wager(name.strip()).unit == "credits"
        wagers[name.strip()] = int(amount) * (1 if in_credits else 100)
    return SeatPlan(wagers=wagers, strategy=strategy)


# --- running ----------------------------------------------------------------------------------------------------------


def _check_at_the_table(game: Game, plan: Plan, rounds: int) -> None:
    """The table engine plays some rounds again; a difference would be a fault of ours."""
    from crossfelt.analysis.simulation.referee import refereed

    found = refereed(game, plan, min(rounds, plan.block_rounds))
    for difference in found:
        message(f"round {difference.row + 1}, seat {difference.seat}: simulated {difference.simulated}")
        message(f"  but at the table {difference.at_the_table}")
    if found:
        message(f"{len(found)} of {rounds} rounds differ from the table: the figures would be wrong")
        raise typer.Exit(1)


def _run(game: Game, plan: Plan, rounds: int, workers: int | None, state: Path | None, raw: Path | None) -> Tally:
    from crossfelt.analysis.simulation.progress_file import Progress
    from crossfelt.analysis.simulation.simulating import tally_rounds

    kept = Progress.read(state, game, plan) if state else None
    so_far = kept.tally if kept else None
    if so_far and so_far.rounds >= rounds:
        message(f"{state}: {so_far.rounds:,} rounds were played already")
        return so_far
    file, keep = _raw(raw, game, plan)
    last_saved = perf_counter()
    with progress("playing", rounds) as advance, until_interrupted() as interrupted, file as writing:
        advance(so_far.rounds if so_far else 0)

        def after(done: Done, tally: Tally) -> bool:
            nonlocal last_saved
            advance(done.tally.rounds)
            if writing is not None:
                writing.write(done.raw)
            whole = tally.rounds % plan.block_rounds == 0
            stop = interrupted()
            if state and whole and (stop or tally.rounds >= rounds or perf_counter() - last_saved > SAVE_EVERY_SECONDS):
                Progress(game_hash=game.hash, plan=plan, tally=tally, standing=dict(done.standing)).write(state)
                last_saved = perf_counter()
            return not stop

        standing = kept.standing if kept else None
        return tally_rounds(
            game, plan, rounds, so_far=so_far, standing=standing, workers=workers, keep=keep, after=after
        )


def _raw(
    path: Path | None, game: Game, plan: Plan
) -> tuple[AbstractContextManager[RawFile | None], Callable[..., Any]]:
    if path is None:
        return nullcontext(), lambda first_round, block: None
    try:
        from crossfelt.analysis.simulation.raw import RawFile, as_table
    except ImportError as error:
        raise BadInput.missing(error, extra="cluster", where="--raw") from None
    return RawFile(path, game, plan), as_table
