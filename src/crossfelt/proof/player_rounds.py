"""The rounds of one player, as that player saw them: a file that the player may have, and its verification.

Its events show no card that the player did not see. So it cannot be replayed, and it has no hash chain. It opens the
deck of each round, and proves that its cards are the deck of the commitment in the file, permuted by the seeds of the
players, and that the player's results follow from its events.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from crossfelt import __version__
from crossfelt._util.bounded_input import bounded
from crossfelt.cards.card import enc_hook
from crossfelt.errors import BadInput
from crossfelt.play.round_result import result_of
from crossfelt.proof.commitment import Commitment, WholeOpening
from crossfelt.proof.fair_round import DECKS, DRAWN, FairRound, Finding, check_round
from crossfelt.proof.hash_chain import dec_hook
from crossfelt.proof.history import LONGEST_LINE
from crossfelt.proof.signed_heads import INCONSISTENT
from crossfelt.rulebooks.game import Game
from crossfelt.table.events import AnyEvent
from crossfelt.tabular import Record, Tabular

SEEN: Final = (
    "consistent, as far as the player saw: the proofs match the commitments, and the results follow from the events"
)
NOT_SHOWN: Final = (
    DECKS,
    "that no seed was added later; only the player's note of the hashes shows it (crossfelt fair)",
    "that each card went where the rules put it; only the player's note of the deal shows it (crossfelt fair)",
    "the other players' decisions",
    "that no round is missing",
)
KIND: Final = "player_rounds"


class PlayerRoundsHeader(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=KIND):
    """The first line of the file."""

    table: str
    player: str
    game: dict[str, Any]
    crossfelt: str = __version__


class PlayerRound(msgspec.Struct, frozen=True, kw_only=True):
    """A finished round. `nets` are the results of the player's seats, in cents."""

    round: int
    at: int
    outcome: str
    nets: dict[int, int]
    events: tuple[AnyEvent, ...]
    commitment: Commitment | None
    opened: WholeOpening | None
    """The whole deck as it was fixed before the bets."""


class PlayerRoundsReport(Tabular, msgspec.Struct, kw_only=True):
    """The counts of a player's rounds, and the verdict."""

    verdict: str = SEEN
    fault: str | None = None
    table: str
    player: str
    written_by: str
    checked_by: str = __version__
    rounds: int = 0
    proofs: int = 0
    """The checks of decks, seeds and cards against the commitments."""
    net_cents: int = 0
    not_shown: tuple[str, ...] = NOT_SHOWN
    """What no check of this file can show."""

    def headline(self) -> str:
        return f"{self.table}, {self.rounds:,} rounds of {self.player}: {self.verdict}"

    def records(self) -> list[Record]:
        return [{"count": name, "value": getattr(self, name)} for name in ("rounds", "proofs", "net_cents")]


_HEADER: Final = msgspec.json.Decoder(PlayerRoundsHeader)
_ROUND: Final = msgspec.json.Decoder(PlayerRound, dec_hook=dec_hook)


def line_of(part: PlayerRoundsHeader | PlayerRound) -> bytes:
    """Return a line of the file."""
    return msgspec.json.encode(part, enc_hook=enc_hook) + b"\n"


def verify_player_rounds(path: Path) -> PlayerRoundsReport | None:
    """Verify a file of a player's rounds; None if the file is another one."""
    try:
        with path.open("rb") as file:  # a history of another kind may be long
            header = _HEADER.decode(bounded(file.readline(LONGEST_LINE)))
            rest = file.read().splitlines()
    except (OSError, ValueError):
        return None
    report = PlayerRoundsReport(table=header.table, player=header.player, written_by=header.crossfelt)
    try:
        game = Game.from_data(header.game, where="line 1: game")
        for number, line in enumerate(rest, start=2):
            _check(report, game, number, line)
    except BadInput as bad:
        report.fault, report.verdict = str(bad.problems[0]), INCONSISTENT
    return report


def _check(report: PlayerRoundsReport, game: Game, number: int, line: bytes) -> None:
    try:
        played = _ROUND.decode(bounded(line))
        result = result_of(game, played.events) if played.outcome != "abandoned" else None
    except (msgspec.MsgspecError, ValueError, LookupError) as error:
        raise _fault(number, f"the round cannot be read: {error}") from None
    findings = tuple(_fair(report.table, played))
    for found in findings:
        if not found.holds:
            raise _fault(number, f"round {played.round}: {found.what}: {found.says}")
    seats = result.seats if result is not None else {}
    for seat, net in played.nets.items():
        if net != (seats[str(seat)].net if str(seat) in seats else 0):
            raise _fault(number, f"round {played.round}: the events give seat {seat} another result")
    report.rounds += 1
    report.proofs += len(findings)
    report.net_cents += sum(played.nets.values())


def _fair(table: str, played: PlayerRound) -> Iterator[Finding]:
    """Check the cards of a round. A physical table has no commitment."""
    if played.commitment is None or played.opened is None:
        return
    events = msgspec.to_builtins(played.events, enc_hook=enc_hook)
    events = tuple(event for event in events if event["event"] not in DRAWN)  # their weights depend on the table
    yield from check_round(
        FairRound(commitment=played.commitment, opened=played.opened, events=events, table=table, round=played.round)
    )


def _fault(line: int, what: str) -> BadInput:
    return BadInput.at(f"line {line}", "player_rounds.fault", what)


COLUMNS: Final = (
    *("round", "at", "outcome", "seat", "wager", "stake_cents", "result"),
    *("returned_cents", "paid_cents", "net_cents", "hand", "clauses"),
)


def csv_rows(game: Game, played: PlayerRound) -> Iterator[list[str]]:
    """Yield the player's wagers of a round as rows of `COLUMNS`."""
    if played.outcome == "abandoned":
        return
    for record in result_of(game, played.events).records():
        if record["seat"] in played.nets:
            fields = {"round": played.round, "at": played.at, "outcome": played.outcome, **record}
            yield [str(fields[name]) for name in COLUMNS]
