"""`crossfelt report`: write the PAR sheet of a game, or compare two sets of rules, in one file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from crossfelt.analysis.simulation.plan import TABLE_ROUNDS
from crossfelt.cli.options import (
    Force,
    PayOptions,
    SubmissionFile,
    Workers,
    argument,
    flag,
    option,
    option_problem,
    read_game,
    read_pay,
    worker_problems,
)
from crossfelt.cli.output import message, require_writable, write
from crossfelt.cli.progress import progress
from crossfelt.errors import require_none
from crossfelt.reports.document import ROUNDS, SEED
from crossfelt.reports.render import format_of, render, require_renderer
from crossfelt.rulebooks import loader
from crossfelt.rulebooks.game import Game, compile_game

if TYPE_CHECKING:
    from crossfelt.reports.study import ReportRequest

MOST_ROUNDS = 10**10

_problem = partial(option_problem, "report")


def report_command(
    out: Annotated[Path, option("FILE", "File to write: .html, .pdf or .json.")],
    which: Annotated[str | None, argument("ID", "Rulebook id, or path of a .toml or .json file.")] = None,
    submission: SubmissionFile = None,
    pay: PayOptions = None,
    compare: Annotated[
        tuple[str, str] | None, option("A B", "Compare two rulebooks or submissions, by id or file.")
    ] = None,
    rounds: Annotated[
        int | None,
        option("N", f"Rounds of the verifying simulation; {ROUNDS:,}, or {TABLE_ROUNDS:,} where the table plays them."),
    ] = None,
    seed: Annotated[str, option("S", "The same seed gives the same rounds.")] = SEED,
    workers: Workers = None,
    quick: Annotated[
        bool, flag("--quick", "Skip the slowest parts: other strategies, strategy card and shared hands.")
    ] = False,
    force: Force = False,
) -> None:
    """Write the PAR sheet of a game: rules, exact returns, strategy, volatility, exposure, verification.

    The same rules, version, rounds and seed give the same file, byte for byte.
    """
    from crossfelt.reports.comparison import comparison
    from crossfelt.reports.par_sheet import par_sheet
    from crossfelt.reports.study import ReportRequest, steps_of, study

    kind = format_of(out)
    require_renderer(kind)
    changed = read_pay(pay)
    _require(which, compare, {"--submission": submission, "--pay": ", ".join(changed)}, rounds, workers)
    require_writable(out, force=force)

    brief = quick or compare is not None

    def asked_for(game: Game, named: str, file: str = "") -> ReportRequest:
        from crossfelt.analysis.simulation.plan_builder import usual_rounds

        played = usual_rounds(game, ROUNDS) if rounds is None else rounds
        return ReportRequest(
            game=game, named=named, submission=file, rounds=played, seed=seed, quick=brief, workers=workers
        )

    if compare:
        games = [asked_for(_named(name), name) for name in compare]
    else:
        assert which is not None
        file = str(submission) if submission else ""
        game = read_game(which, submission)
        games = [asked_for(game, which, file).at_odds(changed)]
    with progress("computing", sum(map(steps_of, games))) as advance:
        found = [study(asked, advance) for asked in games]
    report = comparison(*found) if compare else par_sheet(found[0])
    write(out, render(report, kind), force=force)
    message(f"{out}: written")


def _require(
    which: str | None,
    compare: tuple[str, str] | None,
    of_one_game: Mapping[str, object],
    rounds: int | None,
    workers: int | None,
) -> None:
    problems = []
    if (which is None) == (compare is None):
        what = "give either one game or --compare, not both" if which else "no game to report on"
        problems.append(_problem("ID", what, which, "a rulebook's id or file, or --compare A B"))
    for name, given in of_one_game.items():
        if compare and given:
            what = "cannot be combined with --compare; name submission files there"
            problems.append(_problem(name, what, str(given), "--compare FILE FILE"))
    if rounds is not None and not 1 <= rounds <= MOST_ROUNDS:
        problems.append(_problem("--rounds", "number of rounds out of range", rounds, f"1 to {MOST_ROUNDS:,}"))
    require_none([*problems, *worker_problems("report", workers)])


def _named(name: str) -> Game:
    """Compile a game from a rulebook's id or file, or from a submission's file."""
    if name.endswith((".toml", ".json")):
        found = loader.read_file(Path(name))
        if isinstance(found, Mapping) and "rulebook" in found:
            book, stated = loader.read_submission(Path(name))
            return compile_game(book, stated, where=name)
    return compile_game(name)
