"""`crossfelt fair`: whether the cards of a round are those that the house fixed before the bets closed."""

from __future__ import annotations

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
    proved = {opening.label: verify(opened.commitment, opening) for opening in opened.openings}
    same = not root or root.strip().lower() == opened.commitment.root
    if as_json:
        data_as_json({"round": opened.round, "root": opened.commitment.root, "published": same, "proved": proved})
    else:
        data(_lines(opened, proved, same=same, named=bool(root)))
    if not same or not opened.openings or not all(proved.values()):
        raise typer.Exit(EXIT_FAULT)


def _lines(opened: Opened, proved: dict[str, bool], *, same: bool, named: bool) -> Iterator[str]:
    yield f"root {opened.commitment.root}" + ("" if not named else ", as published" if same else ", NOT as published")
    rows = [(it.label, it.value, "as fixed" if proved[it.label] else "NOT as fixed") for it in opened.openings]
    yield from columns(rows, indent=2)
    wrong = sum(not holds for holds in proved.values())
    if wrong:
        verdict = f"{wrong} not as fixed"
    elif not same:
        verdict = "all fit this root, which is NOT the one that was published"
    else:
        verdict = "all as fixed before the bets closed"
    yield f"{len(proved)} opened of {len(opened.commitment.labels)} fixed: {verdict}"


def _read(file: Path) -> Opened:
    try:
        return msgspec.json.decode(file.read_bytes(), type=Opened)
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        raise BadInput(Problem(code="file.unreadable", what=what, where=str(file))) from None
    except (msgspec.MsgspecError, ValueError) as error:
        what = f"not a round that a house has opened: {error}"
        raise BadInput(Problem(code="fair.shape", what=what, where=str(file))) from None
