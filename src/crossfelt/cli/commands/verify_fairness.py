"""`crossfelt fair`: check the revealed cards of a round against the commitment made before the bets closed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from crossfelt._util.bounded_input import bounded
from crossfelt.cli.options import AsJson
from crossfelt.cli.output import answer, bad_input, unreadable
from crossfelt.proof.commitment import Commitment, LeafOpening, verify
from crossfelt.text_layout import columns

EXIT_FAULT = 1
MATCH, MISMATCH, TWICE = "matches", "DOES NOT MATCH", "matches, but revealed TWICE"


class RevealFile(msgspec.Struct, frozen=True):
    """The reveal of a round: an `opened` message, or the answer of `/api/tables/T/rounds/N`."""

    commitment: Commitment
    openings: tuple[LeafOpening, ...]
    round: int | None = None


def fair(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Reveal of a round, as JSON from the server.")],
    root: Annotated[
        str, typer.Option("--root", metavar="HEX", help="Root of the commitment, as published before the bets closed.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Check every revealed card and wheel of a round against the commitment published before the bets closed.

    The file contains a root of its own. Give the root that you noted before betting with --root, so that a forged file
    is detected. Exits with 1 if anything does not match.
    """
    opened = _read(file)
    verdicts = _verdicts(opened)
    same = not root or root.strip().lower() == opened.commitment.root
    wrong = {it.label for it, verdict in zip(opened.openings, verdicts, strict=True) if verdict != MATCH}
    proved = {it.label: it.label not in wrong for it in opened.openings}
    found = {"round": opened.round, "root": opened.commitment.root, "published": same, "proved": proved}
    answer(found, _lines(opened, verdicts, same=same, named=bool(root)), as_json=as_json)
    if not same or set(verdicts) != {MATCH}:
        raise typer.Exit(EXIT_FAULT)


def _verdicts(opened: RevealFile) -> list[str]:
    """Judge each opening. A label revealed twice is a fault, since the second card could hide the first."""
    often = Counter(opening.label for opening in opened.openings)
    return [
        MISMATCH if not verify(opened.commitment, it) else MATCH if often[it.label] == 1 else TWICE
        for it in opened.openings
    ]


def _lines(opened: RevealFile, verdicts: list[str], *, same: bool, named: bool) -> Iterator[str]:
    yield f"root {opened.commitment.root}" + (
        "" if not named else ", as published" if same else ", NOT the published root"
    )
    rows = [(it.label, it.value, verdict) for it, verdict in zip(opened.openings, verdicts, strict=True)]
    yield from columns(rows, indent=2)
    wrong, twice = verdicts.count(MISMATCH), verdicts.count(TWICE)
    if wrong:
        verdict = f"{wrong} of them do not match the commitment"
    elif twice:
        verdict = f"{twice} of them under a label that is revealed twice"
    elif not verdicts:
        verdict = "nothing to check"
    elif not same:
        verdict = "all match the root in the file, which is NOT the published root"
    else:
        verdict = "all match the commitment made before the bets closed"
    yield f"{len(verdicts)} of {len(opened.commitment.labels)} values revealed: {verdict}"


def _read(file: Path) -> RevealFile:
    try:
        return msgspec.json.decode(bounded(file.read_bytes()), type=RevealFile)
    except OSError as error:
        raise unreadable(file, error) from None
    except (msgspec.MsgspecError, ValueError) as error:
        raise bad_input("fair.shape", f"not the JSON reveal of a round: {error}", where=str(file)) from None
