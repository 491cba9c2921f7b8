"""The commit that opens a table: its entry in the journal, its stream, its seals and its meters."""

from __future__ import annotations

import msgspec

from crossfelt.play.next_action import TRAY_CENTS
from crossfelt.proof.history import StreamHeader, header_of
from crossfelt.rulebooks.game import Game
from crossfelt.server.core.meters import LinkedMeters, MeterStreams
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.dual_control.dual_control import Approval
from crossfelt.server.journal.events import JournalEvent, TableChanging, TableCreated, TableRemoved
from crossfelt.server.journal.stream import JOURNAL_STREAM, Journal
from crossfelt.server.store.interface import Lease, Store, Transaction, new_row
from crossfelt.table.commands import OpenTable
from crossfelt.table.engine import Accepted, run
from crossfelt.table.state import new_table


async def store_new_table(
    store: Store,
    journal: Journal,
    meters: MeterStreams,
    settings: TableSettings,
    game: Game,
    *,
    lease: Lease,
    who: str,
    now: int,
    change: TableChanging | None = None,
    meters_before: LinkedMeters | None = None,
    approval: Approval | None = None,
) -> None:
    """Open a table in one commit, with the approval that it needs. An approved `change` of rules closes the table
    before it in the same commit."""
    linked = meters.linked(settings, game)
    created = TableCreated(
        by=who,
        at=now,
        table=settings.id,
        rulebook=settings.rulebook,
        game_hash=game.hash,
        settings=msgspec.to_builtins(settings),
    )
    events: list[JournalEvent] = [created]
    if change is not None:
        events.insert(0, TableRemoved(by=who, at=now, table=change.table, successor=settings.id))
    command = OpenTable(id="auto-1", who="floor", role="floor", at=now, inventory_cents=TRAY_CENTS)
    answer = run(new_table(game), command)
    assert isinstance(answer, Accepted)
    first = new_row(command, answer.events)

    def write(tx: Transaction) -> None:
        if approval is not None:
            approval.note(tx)
        journal.write(tx, *events, lease=lease)
        tx.open(settings.stream, header_of(settings.id, game), now)
        tx.open(settings.seals, StreamHeader(stream=settings.seals), now)
        tx.append(settings.stream, first)
        linked.open(tx, now, change, meters_before)

    approving = approval.streams if approval is not None else ()
    await store.commit({JOURNAL_STREAM, settings.stream, settings.seals, *linked.streams, *approving}, write)
