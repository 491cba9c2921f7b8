"""`crossfelt verify`: hash chain, replay and second settlement of an exported history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from crossfelt.cli.options import AsJson, PublicKey, SignedHeads, argument, flag
from crossfelt.cli.output import answer, require_sound
from crossfelt.errors import BadInput
from crossfelt.money import dollars
from crossfelt.play.text import signed
from crossfelt.proof.evidence import EvidenceReport, is_evidence, verify_evidence
from crossfelt.proof.player_rounds import PlayerRoundsReport
from crossfelt.proof.signed_heads import CONSISTENT, INCONSISTENT, SIGNED, Head, Origin, VerifyingKey, read_heads
from crossfelt.proof.verify import ChainReport, VerificationReport, verify_file

MOST_DEPARTURES = 20


def verify(
    log: Annotated[Path, argument("LOG", "History to verify; with --house, a server's backup.")],
    key: PublicKey = None,
    head: SignedHeads = None,
    house: Annotated[bool, flag("--house", "Verify a whole server from its backup, and add up its money.")] = False,
    as_json: AsJson = False,
) -> None:
    """Verify a history: hash chain, replay of every command, balance of the money, and a second settlement.

    For the stream of a meter, an account or the journal, only the hash chain is checked. A player's own rounds are
    checked as far as the player saw them: proofs of the cards, and results. A receipt, or a root noted before the bets,
    shows that a deck was fixed before them: see crossfelt fair.

    A history contains the order of every deck. Give it only to auditors, after play. Without --key and --head a history
    can be shown to be consistent, but not where it comes from. With them, the check fails if no signed head covers the
    history: it may come from another server, or is not signed yet. Exits with 1 if a check fails.

    An evidence pack (ZIP) of the audit page is verified as a whole, with the key and the heads that it contains; only
    --key, the server's key from another source, proves where it comes from.

    With --house, LOG is a file of `crossfelt backup`. Every stream and signed head is checked, every round is settled a
    second time, and the whole house is added up: deposits less withdrawals and the house's own money are the balances,
    chips, trays and meters; every award that was paid was granted.
    """
    if house:
        _verify_house(log, as_json=as_json)
        return
    if is_evidence(log):
        found = verify_evidence(log, VerifyingKey.read(key) if key is not None else None)
        answer(found, _evidence_lines(found, str(log)), as_json=as_json)
        require_sound(found.sound)
        return
    heads, public = signed_heads(key, head)
    origin = Origin(heads, public) if public is not None else None
    report, name = verify_file(log, origin), str(log)
    if isinstance(report, PlayerRoundsReport):
        lines = player_lines(report, name)
    else:
        lines = stream_lines(report, name) if isinstance(report, ChainReport) else lines_of(report, name)
    answer(report, lines, as_json=as_json)
    require_sound(report.fault is None and (origin is None or origin.found is not None))


def _evidence_lines(found: EvidenceReport, name: str) -> Iterator[str]:
    yield f"{name}: {len(found.streams):,} streams, {found.heads:,} signed heads, checked by {found.checked_by}"
    source = "from the pack: compare it with the server's own" if found.key_from_pack else "given"
    yield f"key        {found.key} ({source})"
    yield f"rounds     {found.rounds:,} settled a second time"
    yield from (f"  {stream}: {verdict}" for stream, verdict in found.streams.items())
    yield from (f"{name}: {finding}" for finding in found.findings)
    yield INCONSISTENT if not found.sound else CONSISTENT if found.key_from_pack else SIGNED


def _verify_house(backup: Path, *, as_json: bool) -> None:
    from crossfelt.cli.commands.verify_house import house_lines, verify_house  # slow to import

    found = verify_house(backup)
    answer(found, house_lines(found, str(backup)), as_json=as_json)
    require_sound(found.sound)


def player_lines(report: PlayerRoundsReport, log: str) -> Iterator[str]:
    yield f"{log}: table {report.table}, rounds of {report.player}"
    yield f"written by Crossfelt {report.written_by}, checked by {report.checked_by}"
    yield f"rounds     {report.rounds:,}"
    yield f"proofs     {report.proofs:,} checks of decks, seeds and cards against the commitments in the file"
    yield f"result     {signed(report.net_cents)}"
    yield from (f"not shown: {what}" for what in report.not_shown)
    if report.fault is not None:
        yield f"{log}: {report.fault}"
    yield report.verdict


def signed_heads(key: Path | None, head: Path | None) -> tuple[Sequence[Head], VerifyingKey | None]:
    """Read signed heads and public key: both, or neither."""
    if key is None and head is None:
        return (), None
    if key is None or head is None:
        missing, there = ("--key", "--head") if key is None else ("--head", "--key")
        raise BadInput.at(missing, "verify.half", f"missing; give it together with {there}")
    return read_heads(head), VerifyingKey.read(key)


def lines_of(report: VerificationReport, log: str) -> Iterator[str]:
    yield f"{log}: table {report.table}, {report.rulebook}, game {report.game_hash[:16]}"
    yield f"written by Crossfelt {report.written_by}, checked by {report.checked_by}"
    yield f"commands   {report.commands:,}, replayed{'; the table was still open' if report.goes_on else ''}"
    yield f"events     {report.events:,}"
    again = f"{report.resettled_rounds:,} settled a second time"
    yield f"rounds     {report.rounds:,}, of which {report.void_rounds:,} void; {again}"
    money = report.money
    yield f"wagers     {dollars(money.staked)} staked, {dollars(money.returned)} returned, {dollars(money.lost)} lost"
    commission = f", {dollars(money.commission)} commission" if money.commission else ""
    limited = f", {dollars(money.limited)} withheld by the payout limit" if money.limited else ""
    yield f"payments   {dollars(money.paid)} paid{commission}{limited}; house net {dollars(report.house_net)}"
    yield f"players    {dollars(money.bought)} bought in, {dollars(money.cashed)} cashed out"
    yield (
        f"inventory  {dollars(money.opened)} opened, {dollars(money.fills)} filled, "
        f"{dollars(money.credits)} credited, {dollars(money.closed)} closed"
    )
    yield f"head       {report.head}"
    if report.signed_at is not None:
        yield f"signed     row {report.signed_row:,}, {_time(report.signed_at)}"
    yield from (f"not worked out again: {what}" for what in report.unsettled)
    yield from (f"not shown: {what}" for what in report.not_shown)
    if report.departures:
        count = len(report.departures)
        data = "datum" if count == 1 else "data"
        yield f"the rulebook departs from the shipped {report.departs_from} in {count:,} {data}:"
        changed_first = sorted(report.departures, key=lambda each: not (each.here and each.shipped))
        yield from (f"  {departure}" for departure in changed_first[:MOST_DEPARTURES])
        if count > MOST_DEPARTURES:
            yield f"  and {count - MOST_DEPARTURES:,} more: crossfelt rulebook diff lists all"
    if report.fault is not None:
        yield f"{log}: {report.fault}"
        if report.fault.recorded:
            yield f"  recorded: {report.fault.recorded}"
        if report.fault.follows:
            yield f"  expected: {report.fault.follows}"
    yield report.verdict


def stream_lines(report: ChainReport, log: str) -> Iterator[str]:
    yield f"{log}: {report.stream}"
    yield f"written by Crossfelt {report.written_by}, checked by {report.checked_by}"
    yield f"rows       {report.rows:,}"
    yield f"head       {report.head}"
    if report.signed_at is not None:
        yield f"signed     row {report.signed_row:,}, {_time(report.signed_at)}"
    if report.fault is not None:
        yield f"{log}: {report.fault}"
    yield report.verdict


def _time(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
