"""Simulations cut into shares: one by itself into a file, or all of them on a cluster."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from crossfelt.analysis.simulation.shares import share_named
from crossfelt.cli.asking import option_problem
from crossfelt.cli.clusters import on_cluster
from crossfelt.cli.output import message
from crossfelt.cli.progress import progress, until_interrupted
from crossfelt.cli.writing import require_writable
from crossfelt.files import replace_file
from crossfelt.problems import BadInput
from crossfelt.rulebooks.game import Game

if TYPE_CHECKING:
    from crossfelt.analysis.simulation.plan import Plan
    from crossfelt.analysis.simulation.running import Done
    from crossfelt.analysis.simulation.tally import Tally

COMMAND: Final = "simulation"
problem = partial(option_problem, COMMAND)


def require_shares(
    shard: str, out: Path | None, cluster: str, state: Path | None, raw: Path | None, *, force: bool
) -> None:
    """Options that do not go together, before the work."""
    problems = []
    if bool(shard) != (out is not None):
        what = "a share needs a file" if shard else "is for a share"
        problems.append(problem("--out", what, str(out) if out else None, "--shard N/OF --out FILE"))
    for name, given in (("--shard", shard), ("--raw", raw)):
        if cluster and given:
            problems.append(problem(name, "not with --cluster", str(given), "one of the two"))
    for name, given in (("--state", state), ("--raw", raw)):
        if shard and given:
            problems.append(problem(name, "not with --shard", str(given), "one of the two"))
    if problems:
        raise BadInput(*problems)
    if shard and out is not None:
        share_named(shard)
        require_writable(out, force=force)
    for path in (state, raw):
        if path is not None:
            require_writable(path, force=True)


def write_share(game: Game, plan: Plan, rounds: int, shard: str, out: Path, workers: int | None) -> None:
    """Plays one share; `crossfelt merge` adds it to the others."""
    from crossfelt.analysis.simulation.sharing import Asked, PlayedShare, share_file
    from crossfelt.analysis.simulation.simulating import tally_rounds

    share = share_named(shard)
    size = len(share.span(game, plan, rounds))
    with progress("playing", size) as advance, until_interrupted() as interrupted:

        def after(done: Done, tally: Tally) -> bool:
            advance(done.tally.rounds)
            return not interrupted()

        tally = tally_rounds(game, plan, rounds, share=share, workers=workers, after=after)
    if tally.rounds < size:
        message(f"interrupted after {tally.rounds:,} of {size:,} rounds: nothing is written")
        raise KeyboardInterrupt
    played = PlayedShare(number=share.number, of=share.of, tally=tally)
    replace_file(out, share_file(Asked.of(game, plan, rounds), played))
    message(f"{out}: {tally.rounds:,} of {rounds:,} rounds")


def on_a_cluster(game: Game, plan: Plan, rounds: int, address: str, workers: int | None, state: Path | None) -> Tally:
    """Every share, played by whoever is there; those that were played so far where somebody interrupts."""
    from crossfelt.analysis.simulation.sharing import (
        Asked,
        SharesFile,
        decode_share,
        jobs_of,
        played_share,
        shares_for,
    )
    from crossfelt.analysis.simulation.tally import Tally

    asked = Asked.of(game, plan, rounds)
    with ExitStack() as opened:
        file = opened.enter_context(SharesFile(state, asked)) if state else None
        played = file.played if file else {}
        tally = sum((share.tally for share in played.values()), Tally())
        if tally.rounds == rounds:
            message(f"{state}: {rounds:,} rounds were played already")
            return tally
        cluster = opened.enter_context(on_cluster(address, workers))
        of = next((share.of for share in played.values()), shares_for(asked, game, cluster.hands))
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
