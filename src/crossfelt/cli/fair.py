"""`crossfelt fair`: whether the cards of a round are those that the house fixed before the bets closed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from crossfelt.cli.output import data, data_as_json
from crossfelt.problems import BadInput, Problem
from crossfelt.proof.commitment import Commitment, Opening, verify
from crossfelt.rulebooks.typesetting import columns

EXIT_FAULT = 1
AS_FIXED, NOT_AS_FIXED, TWICE = "as fixed", "NOT as fixed", "as fixed, but NOT opened once"


class Opened(msgspec.Struct, frozen=True):
    """What the house opens after a round: an `opened` message, or a round as `/api/tables/T/rounds/N` gives it."""

    commitment: Commitment
    openings: tuple[Opening, ...]
    round: int | None = None


def fair(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A round as the house gave it, as JSON.")],
    root: Annotated[
        str, typer.Option("--root", metavar="HEX", help="The root that was published before the bets closed.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check every card and device that the house opened of a round against what it fixed before the bets closed.

    The file names the root itself: with --root, as you noted it before betting, it cannot be another one.
    """
    opened = _read(file)
    verdicts = _verdicts(opened)
    same = not root or root.strip().lower() == opened.commitment.root
    if as_json:
        wrong = {it.label for it, verdict in zip(opened.openings, verdicts, strict=True) if verdict != AS_FIXED}
        proved = {it.label: it.label not in wrong for it in opened.openings}
        data_as_json({"round": opened.round, "root": opened.commitment.root, "published": same, "proved": proved})
    else:
        data(_lines(opened, verdicts, same=same, named=bool(root)))
    if not same or set(verdicts) != {AS_FIXED}:
        raise typer.Exit(EXIT_FAULT)


def _verdicts(opened: Opened) -> list[str]:
    """Of each opening by itself. What was fixed is opened once: a second card under its label would hide the first."""
    often = Counter(opening.label for opening in opened.openings)
    return [
        NOT_AS_FIXED if not verify(opened.commitment, it) else AS_FIXED if often[it.label] == 1 else TWICE
        for it in opened.openings
    ]


def _lines(opened: Opened, verdicts: list[str], *, same: bool, named: bool) -> Iterator[str]:
    yield f"root {opened.commitment.root}" + ("" if not named else ", as published" if same else ", NOT as published")
    rows = [(it.label, it.value, verdict) for it, verdict in zip(opened.openings, verdicts, strict=True)]
    yield from columns(rows, indent=2)
    wrong, twice = verdicts.count(NOT_AS_FIXED), verdicts.count(TWICE)
    if wrong:
        verdict = f"{wrong} not as fixed"
    elif twice:
        verdict = f"{twice} not opened once"
    elif not verdicts:
        verdict = "nothing to check"
    elif not same:
        verdict = "all fit this root, which is NOT the one that was published"
    else:
        verdict = "all as fixed before the bets closed"
    yield f"{len(verdicts)} opened of {len(opened.commitment.labels)} fixed: {verdict}"


def _read(file: Path) -> Opened:
    try:
        return msgspec.json.decode(file.read_bytes(), type=Opened)
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        raise BadInput(Problem(code="file.unreadable", what=what, where=str(file))) from None
    except (msgspec.MsgspecError, ValueError) as error:
        what = f"not a round that a house has opened: {error}"
        raise BadInput(Problem(code="fair.shape", what=what, where=str(file))) from None
