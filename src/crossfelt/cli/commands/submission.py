"""`crossfelt submission`: write a commented Rules Submission, or check one."""

from __future__ import annotations

import os.path
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

from crossfelt.analysis.wager_figures import above_the_stake
from crossfelt.cli.options import AsJson, Force, Which, argument, command_group, option
from crossfelt.cli.output import data, data_as_json, message, messages, require_sound, write
from crossfelt.cli.render.wheel_returns import progressive_lines, return_lines, return_warnings
from crossfelt.errors import Problem
from crossfelt.money import dollars
from crossfelt.progressive.meter_amounts import meter_warnings
from crossfelt.rulebooks import loader, submission
from crossfelt.rulebooks.game import Game, problems
from crossfelt.rulebooks.model import Rulebook
from crossfelt.rulebooks.render.template import template
from crossfelt.rulebooks.render.text import exposure_of, exposure_words

FIELDS: Final = ("code", "where", "what", "value", "allowed", "clauses", "readings", "house_rule")
app = command_group("Write or check an operator's Rules Submission.")


@app.command("new")
def new_command(
    which: Which,
    out: Annotated[Path | None, option("FILE", "File to write; default: stdout.")] = None,
    force: Force = False,
) -> None:
    """Write a commented submission. It lists every open choice with its default and bounds."""
    book = loader.load(which)
    named = which
    if which not in loader.rulebook_ids():  # a file, named relative to the submission
        named = Path(os.path.relpath(which, out.parent if out else None)).as_posix()
    text = template(book, named)
    if out is None:
        data(text.rstrip("\n"))
        return
    write(out, text.encode(), force=force)
    message(f"{out}: written. Check it with: crossfelt submission check {shlex.quote(str(out))}")


@app.command("check")
def check_command(
    file: Annotated[Path, argument("FILE", "Submission, as .toml or .json.")], as_json: AsJson = False
) -> None:
    """Check a submission and list every violation with its clause. Exits with 1 if there is one."""
    book, stated = loader.read_submission(file)
    found = list(problems(book, stated, where=str(file), complete=True))
    warned = list(submission.warnings(book, stated, where=str(file)))
    game = None if found else Game(book, stated)
    # Choices that are merely unstated still leave every wager with a return.
    if not any(problems(book, stated)):
        playable = game or Game(book, stated)
        for warnings in (meter_warnings, return_warnings, above_the_stake):
            warned += warnings(playable, where=str(file))
    if as_json:
        data_as_json(_checked(file, book, game, found, warned))
    else:
        messages(warned, prefix="warning: ")
        data(_passed(file, game) if game else map(str, found))
        if found:
            violations = "1 violation" if len(found) == 1 else f"{len(found)} violations"
            clause = next((clause for problem in found for clause in problem.clauses), "ID")
            message(f"{violations}. To read a clause, run: crossfelt clauses {clause}")
    require_sound(not found)


def _passed(file: Path, game: Game) -> Iterator[str]:
    yield f"{file}: meets {game.book.title} ({game.book.id} {game.book.version})"
    yield f"game {game.hash}"
    exposure = exposure_of(game)
    for limit in game.book.payout_limits if exposure else ():
        assert exposure is not None
        yield exposure_words(game, limit, exposure)
        now = game.limit_cents(limit)
        yield f"payout limit: {'none' if now is None else dollars(now)}"
    yield from return_lines(game)
    yield from progressive_lines(game)


def _checked(
    file: Path, book: Rulebook, game: Game | None, found: list[Problem], warned: list[Problem]
) -> dict[str, Any]:
    """Return the answer of `crossfelt submission check --json`; problems with all their fields, empty ones included."""
    exposure = exposure_of(game) if game else None
    return {
        "file": str(file),
        "rulebook": book.id,
        "rulebook_hash": loader.content_hash(book),
        "ok": not found,
        "problems": [{name: getattr(problem, name) for name in FIELDS} for problem in found],
        "warnings": [{name: getattr(problem, name) for name in FIELDS} for problem in warned],
        "game_hash": game.hash if game else None,
        "most_at_minimum": {"cents": exposure.cents, "deal": exposure.deal} if exposure else None,
        "payout_limits": [
            {"rule": limit.rule, "figure_cents": game.limit_figure(limit), "limit_cents": game.limit_cents(limit)}
            for limit in book.payout_limits
            if game and exposure
        ],
    }
